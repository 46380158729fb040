"""`arbitre bench readers`: what reading a tag costs, ours and the peers', in transfers, bytes and virtual time.

The JSON has one key for each part of PARTS: `call_us` (25, 60 and 120 -> the four tasks, and the same under
`mfrc522` and `pi_rc522` where they can do them), `sweep` (a list, see `firmware.bench.sweep`), and with `--wall` the
key `wall`.
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

from firmware.bench import calls, sweep

Figures = Any

PARTS: dict[str, tuple[Callable[[], Figures], Callable[[Figures], list[str]]]] = {
    "call_us": (calls.measure, calls.lines),
    "sweep": (sweep.measure, sweep.lines),
}
"""Name of the part -> (measure it, say it in lines of text). A new part is a line here."""


def figures(args: argparse.Namespace) -> dict[str, Any]:
    """All parts, and `wall` where it is asked for."""
    found: dict[str, Any] = {name: measure() for name, (measure, _) in PARTS.items()}
    if getattr(args, "wall", False):
        from firmware.bench import wall

        found["wall"] = wall.measure()
    return found


def run(args: argparse.Namespace) -> int:
    """Print the figures; 0."""
    found = figures(args)
    if args.json:
        print(json.dumps(found, indent=2))
        return 0
    for name, (_, lines) in PARTS.items():
        print("\n".join(lines(found[name])))
    if "wall" in found:
        from firmware.bench import wall

        print("\n".join(wall.lines(found["wall"])))
    return 0

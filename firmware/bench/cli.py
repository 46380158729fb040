"""The command `arbitre bench`: one section, or all of them in one run.

A section is a module with `run(args) -> int`, which prints, and `figures(args) -> dict`, which only measures; it
is imported when it is asked for.
"""

import argparse
import json
import sys
from importlib import import_module
from typing import Any

from hardware.errors import HardwareError

SECTIONS = {
    "readers": "firmware.bench.readers",
    "screens": "firmware.bench.screens",
    "verdicts": "firmware.bench.verdicts",
    "engine": "firmware.bench.engine",
    "startup": "firmware.bench.startup",
    "web": "firmware.bench.web",
}
"""Name -> module. Add a line for a new section."""


def add_parser(subparsers: Any) -> None:
    """Add `bench` to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser("bench", help="our figures, and the peers'")
    parser.add_argument("section", nargs="?", choices=sorted(SECTIONS), help="what to measure; all if left out")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--wall", action="store_true", help="readers: also real time, beside busy threads")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run one section or all; 0 when everything was measured, 2 where what is measured is not installed."""
    try:
        return _measure(args)
    except HardwareError as error:
        print(f"arbitre bench: {error}", file=sys.stderr)
        return 2


def _measure(args: argparse.Namespace) -> int:
    if args.section is not None:
        status: int = import_module(SECTIONS[args.section]).run(args)
        return status
    if not args.json:
        return max(int(import_module(module).run(args)) for module in SECTIONS.values())
    print(json.dumps({name: import_module(module).figures(args) for name, module in SECTIONS.items()}, indent=2))
    return 0

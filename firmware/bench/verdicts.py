"""`arbitre bench verdicts`: from the first contact of a card to the verdict on it, in demos of the three games.

Virtual time, through chip, driver, poller, presence, order and referee; so the figures are the same everywhere. A
zone's dwell is part of them (a `spread` zone waits 150 ms, so that a card dragged across is no play).
"""

import argparse
import json

from firmware.demo import build_demo
from firmware.recordfile import Lines

GAMES = (("tifo", 4, 7), ("tipouik", 4, 3), ("tfu", 2, 5))
"""Game, seats and seed of the demo that is measured."""


def figures(args: argparse.Namespace) -> dict[str, object]:
    """For each game and kind of zone: how many placings, and milliseconds from contact to verdict."""
    return {game: measure(game, seats, seed) for game, seats, seed in GAMES}


def run(args: argparse.Namespace) -> int:
    """Print them."""
    found = figures(args)
    if args.json:
        print(json.dumps({"verdicts": found}, indent=2))
        return 0
    print("from contact to verdict, virtual ms        placings    p50    p99    max")
    for game, kinds in found.items():
        assert isinstance(kinds, dict)
        for kind, row in kinds.items():
            times = f"{row['p50_ms']:6.1f} {row['p99_ms']:6.1f} {row['max_ms']:6.1f}"
            print(f"{game:8} {kind:32} {row['placings']:8} {times}")
    return 0


def measure(game: str, seats: int, seed: int) -> dict[str, dict[str, float]]:
    """One demo's figures by kind of zone."""
    journal = Lines()
    demo = build_demo(game, seats, seed, journal)
    assert demo.run(), "a demo without faults ends"
    delays: dict[str, list[float]] = {}
    for line in journal.lines:
        if line.get("in") == "placed" and "contact" in line:
            kind = demo.setup.kind(str(line["zone"])).value
            delays.setdefault(kind, []).append((_seconds(line["t"]) - _seconds(line["contact"])) * 1000)
    return {kind: _row(sorted(ms)) for kind, ms in sorted(delays.items())}


def _row(ms: list[float]) -> dict[str, float]:
    return {
        "placings": len(ms),
        "p50_ms": round(ms[len(ms) // 2], 1),
        "p99_ms": round(ms[min(len(ms) - 1, int(len(ms) * 0.99))], 1),
        "max_ms": round(ms[-1], 1),
    }


def _seconds(value: object) -> float:
    assert isinstance(value, int | float), "a journal's times are numbers"
    return float(value)

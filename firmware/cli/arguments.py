"""Arguments that several commands share."""

import argparse
import sys
from collections.abc import Callable

from engine.games import SPECS


def game(parser: argparse.ArgumentParser) -> None:
    """GAME and --seats."""
    parser.add_argument("game", metavar="GAME", choices=tuple(SPECS), help=", ".join(SPECS))
    parser.add_argument("--seats", type=int, metavar="N", help="players (default: the game's usual number)")


def whole(least: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number from `least`."""

    def read(text: str) -> int:
        number = int(text) if text.strip().removeprefix("-").isdecimal() else None
        if number is None or number < least:
            raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number from {least}")
        return number

    return read


def chance(text: str) -> float:
    """The type of an argument that is a probability."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number from 0 to 1")
    return number


def seats(args: argparse.Namespace) -> int:
    """How many seats; exit status 2 with one line where the game has no such table."""
    spec = SPECS[args.game]
    if args.seats is None:
        return spec.default_seats
    if not spec.min_seats <= args.seats <= spec.max_seats:
        wanted = f"{spec.min_seats} to {spec.max_seats}"
        print(f"arbitre: --seats {args.seats}: {spec.id} is for {wanted}, expected one of these", file=sys.stderr)
        raise SystemExit(2)
    return int(args.seats)

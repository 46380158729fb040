"""`arbitre simulate GAME`: bots play many games straight into the rules; counts of right and wrong verdicts."""

import argparse
import json
import sys
from typing import Any

from engine.errors import SetupError
from engine.games import SPECS
from engine.setup import GameSpec, Setup
from engine.zones import ZoneKind, usual_kind
from firmware.cli import arguments
from firmware.simulator import world_for
from firmware.simulator.run import Report, simulate


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("simulate", help="many games straight into the rules")
    parser.add_argument("game", choices=sorted(SPECS))
    parser.add_argument("--games", type=arguments.whole(1), default=100, metavar="N")
    parser.add_argument("--seats", type=int, metavar="K")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--cheat", type=arguments.chance, default=0.0, metavar="P", help="chance of an illegal deed")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument("--zones", choices=("all", "smallest"), default="all", help="how much the table watches")
    parser.add_argument("--seat-kind", choices=("spread", "pass"), default="spread", help="kind of the seats' zones")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status 1 if a legal play was refused or an illegal one missed."""
    try:
        setup = table(args)
    except SetupError as e:
        print(f"arbitre simulate: {e}", file=sys.stderr)
        return 2
    report = simulate(setup, world_for, args.games, args.seed, args.cheat)
    print(json.dumps(as_json(setup, report)) if args.json else as_text(setup, report))
    for fault in report.faults[:20]:
        print(fault, file=sys.stderr)
    return 1 if report.legal_refused or report.missed else 0


def table(args: argparse.Namespace) -> Setup:
    """The table asked for. Raises `SetupError`."""
    spec: GameSpec = SPECS[args.game]
    seats = spec.default_seats if args.seats is None else args.seats
    options: dict[str, bool | int | float] = {}
    for text in args.option:
        name, _, value = text.partition("=")
        try:
            options[name] = json.loads(value or "true")
        except json.JSONDecodeError:
            raise SetupError(f"option {text!r}, expected NAME=VALUE with a number, true or false") from None
    if not spec.min_seats <= seats <= spec.max_seats:
        raise SetupError(f"{seats} seats, expected {spec.min_seats} to {spec.max_seats} for {spec.id}")
    names = spec.all_zones(seats) if args.zones == "all" else spec.smallest(seats)
    kinds = {z: ZoneKind(args.seat_kind) if z.startswith("seat") and "." not in z else usual_kind(z) for z in names}
    return Setup(spec, seats, options=options, zones=kinds)


def as_json(setup: Setup, r: Report) -> dict[str, object]:
    """The one object that `--json` prints."""
    return {
        "game": setup.spec.id,
        "seats": setup.seats,
        "games": r.games,
        "observations": r.observations,
        "seconds": round(r.seconds, 3),
        "legal_refused": r.legal_refused,
        "illegal": {"tried": r.tried, "caught": r.caught, "missed": r.missed, "undetectable": r.undetectable},
        "ended": dict(sorted(r.ended.items())),
        "rules": dict(sorted(r.rules.items())),
        "kinds": dict(sorted(r.kinds.items())),
        "undetectable_kinds": dict(sorted(r.blind.items())),
    }


def as_text(setup: Setup, r: Report) -> str:
    """A few lines for people."""
    rate = r.observations / r.seconds if r.seconds else 0.0
    ended = ", ".join(f"{by} {n}" for by, n in sorted(r.ended.items()))
    lines = [
        f"{setup.spec.id}, {setup.seats} seats: {r.games} games, {r.observations} observations, {rate:,.0f} a second",
        f"legal plays refused: {r.legal_refused}",
        f"illegal plays tried: {r.tried}, caught {r.caught}, missed {r.missed}, not detectable {r.undetectable}",
        f"ended: {ended}",
    ]
    lines += [f"  {rule}: {n}" for rule, n in sorted(r.rules.items())]
    return "\n".join(lines)

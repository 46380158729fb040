"""`arbitre demo GAME`: bots play one game on emulated chips, through the firmware as it runs on the Pi."""

import argparse
import sys
from pathlib import Path
from typing import Any

from firmware.cli import arguments
from firmware.languages import languages

SEEN_S = 20.0
"""How long the screens go on after the end: every page of the winner and the scores, each for some seconds."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("demo", help="one game on emulated chips, played by bots")
    arguments.game(parser)
    parser.add_argument("--seed", type=int, default=1, help="same seed, same game (default 1)")
    parser.add_argument("--headless", action="store_true", help="no browser: narrate on the terminal")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the table record")
    parser.add_argument("--screens", type=Path, metavar="DIR", help="write every change of every screen as PNG")
    parser.add_argument("--mode", choices=("play", "referee"), default="play")
    parser.add_argument("--lang", choices=languages(), help="language of the narration (default: the game's)")
    parser.add_argument(
        "--zones",
        choices=("full", "pass", "feed"),
        default="full",
        help="full: as meant; pass: cards cross every zone; feed: piles answer for nothing, cards cross a slot",
    )
    parser.add_argument("--small", action="store_true", help="only the zones that the game cannot do without")
    parser.add_argument("--top", type=arguments.whole(0), default=2, metavar="K", help="cards of a pile that answer")
    parser.add_argument("--drop", type=arguments.chance, default=0.0, metavar="P", help="chance that a frame is lost")
    parser.add_argument("--echo", type=arguments.chance, default=0.0, metavar="P", help="crosstalk of reader pairs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status 1 if the table missed something, or the game did not end."""
    if not args.headless:
        from importlib import import_module

        status: int = import_module("firmware.cli.table").run_demo(args)
        return status
    return headless(args)


def headless(args: argparse.Namespace) -> int:
    """Play on the terminal."""
    from firmware.errors import FirmwareError

    try:
        return _headless(args)
    except FirmwareError as e:
        print(e, file=sys.stderr)
        return 2


def _headless(args: argparse.Namespace) -> int:
    from engine.setup import Mode
    from firmware.controller import Shown
    from firmware.demo import Variant, build_demo
    from firmware.recordfile import Lines, RecordFile
    from firmware.rig import Physics
    from firmware.stage import Context, narrate

    seats = arguments.seats(args)
    variant = Variant(args.zones)
    physics = Physics(top=args.top, drop=args.drop)
    record = RecordFile(args.record) if args.record else None
    journal = record.open() if record else Lines()
    mode = Mode(args.mode)
    demo = build_demo(args.game, seats, args.seed, journal, variant, physics, args.echo, mode, small=args.small)
    lang = args.lang or {"tfu": "ru"}.get(args.game, "fr")
    assert demo.table.controller is not None
    context = Context.of(demo.table.controller.referee.setup, lang)
    if args.screens:
        from firmware.stage.errors import StageError
        from firmware.stage.virtual import screens_of

        try:
            screens_of(demo.table, context, args.screens)
        except StageError as e:
            print(e, file=sys.stderr)
            return 2

    def tell(now: float, shown: Shown) -> None:
        for _, public in shown:
            if public is not None:
                print(f"{now:8.2f}  {narrate(public, context)}")

    demo.table.controller.on_outputs.append(tell)
    ended = demo.run()
    if args.screens:
        demo.table.loop.run_to(demo.table.loop.now + SEEN_S)
    if record:
        record.close()
    for missed in demo.hands.missed:
        print(f"the table missed something: {missed}", file=sys.stderr)
    if not ended:
        print("the game did not come to its end as it should", file=sys.stderr)
    return 0 if ended else 1

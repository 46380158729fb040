"""`arbitre play GAME` and `arbitre referee GAME`: a real table, as its table.toml says."""

import argparse
import sys
from pathlib import Path
from threading import Event
from typing import Any

from firmware.cli import arguments


def add_parser(commands: Any) -> None:
    """Declare both commands; the name is the mode."""
    for name, summary in (
        ("play", "referee a real table that leads the players"),
        ("referee", "referee a real table in silence"),
    ):
        if name in commands.choices:
            continue
        parser = commands.add_parser(name, help=summary)
        arguments.game(parser)
        for what in ("table", "deck"):
            usual = f"{what}.toml"
            parser.add_argument(f"--{what}", type=Path, default=Path(usual), metavar="FILE", help=f"default {usual}")
        parser.add_argument("--record", type=Path, metavar="FILE", help="the journal (default GAME.jsonl)")
        parser.add_argument("--first", type=int, default=1, metavar="SEAT", help="TIFO: who begins (default 1)")
        parser.add_argument("--web", action="store_true", help="show the table in browsers too (needs the web extra)")
        parser.add_argument("--listen", default="127.0.0.1", metavar="ADDRESS", help="with --web: default 127.0.0.1")
        parser.add_argument("--port", type=int, default=8137, metavar="P", help="with --web: default 8137")
        parser.set_defaults(run=run, mode=name)


def run(args: argparse.Namespace) -> int:
    """Referee until interrupted. Exit status 2 for files that cannot be used, 1 for a bus that cannot."""
    from engine.errors import EngineError
    from firmware.errors import FirmwareError
    from hardware.errors import HardwareError

    try:
        return _play(args)
    except FirmwareError as e:
        print(e, file=sys.stderr)
        return 2
    except EngineError as e:
        print(f"{args.table}:1: {e}", file=sys.stderr)
        return 2
    except HardwareError as e:
        print(f"arbitre: {e}", file=sys.stderr)
        return 1


def _play(args: argparse.Namespace) -> int:
    from engine.games import SPECS, referee_for
    from engine.setup import Mode, Setup
    from firmware.config import ConfigError, budgets, read_table, watched
    from firmware.deck import read_deck
    from firmware.realtable import RealTable
    from firmware.recordfile import RecordFile
    from firmware.stage import Context, narrate

    spec = SPECS[args.game]
    config = read_table(args.table)
    seats = arguments.seats(args) if args.seats else _seats_of(config, args)
    lacking = watched.missing_zones(config, spec, seats)
    if lacking:
        what = f"{spec.id} with {seats} seats needs the zones {', '.join(lacking)}"
        raise ConfigError(config.file, 0, what, "a [[zone]] and a [[reader]] for each, or fewer seats (--seats)")
    deck = read_deck(args.deck)
    setup = Setup(spec, seats, args.first, Mode(args.mode), zones=watched.zones_for(config, spec, seats))
    for line in (*budgets.describe(config), *watched.describe(watched.watched(config, spec, seats))):
        print(line)
    record = RecordFile(args.record or Path(f"{spec.id}.jsonl"), durable=True)
    try:
        record.open()
    except OSError as e:
        raise ConfigError(str(args.record), 0, f"cannot be written ({e.strerror})", "a file of yours") from e
    context = Context(game=spec.id, seats=seats, lang=config.language.value)
    stopped = Event()
    why: list[str] = []

    def stop(reason: str) -> None:
        why.append(reason)
        stopped.set()

    table = RealTable(config, referee_for(setup), deck, record, stop)
    table.controller.on_outputs.append(
        lambda now, shown: print(
            *(f"{now:8.2f}  {narrate(public, context)}" for _, public in shown if public is not None), sep="\n"
        )
    )
    if args.web:
        print(f"The table is at {_serve(args, table.controller, config.language.value)}")
    try:
        table.open()
        print("ready")
        stopped.wait()
    except KeyboardInterrupt:
        pass
    finally:
        table.close()
        record.close()
    for reason in why:
        print(f"arbitre: {reason}", file=sys.stderr)
    return 1 if why else 0


def _serve(args: argparse.Namespace, controller: Any, lang: str) -> str:
    from firmware.errors import FirmwareError

    try:
        from firmware.web.live import serve_beside

        return serve_beside(controller, lang, args.listen, args.port)
    except ImportError as e:
        raise FirmwareError(f"--web: {e.name} is missing, expected the web extra: pip install 'arbitre[web]'") from e
    except OSError as e:
        where = f"{args.listen}:{args.port}"
        raise FirmwareError(f"--web: cannot listen on {where} ({e.strerror}), expected a free port (--port)") from e


def _seats_of(config: Any, args: argparse.Namespace) -> int:
    from firmware.config import ConfigError, watched

    for one in watched.games_of(config):
        if one.game == args.game:
            return min(one.seats, arguments.seats(args))
    raise ConfigError(config.file, 0, f"the table has no zones for {args.game}", "the zones its games need (docs)")

"""`arbitre play GAME` and `arbitre referee GAME`: a real table, as its table.toml says."""

import argparse
import sys
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

from firmware.cli import arguments
from firmware.cli.ending import signals
from firmware.cli.saying import Saying

FEW = 5
"""So many of the cards that a deck lacks are named."""


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
        parser.add_argument("--record", type=Path, metavar="FILE", help="default GAME.jsonl, or GAME-2.jsonl ...")
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
        with signals(hangup_ends=False):  # a terminal that goes away is no reason to stop the game
            return _play(args)
    except FirmwareError as e:
        print(e, file=sys.stderr)
        return 2
    except EngineError as e:
        print(f"arbitre {args.mode}: {e}", file=sys.stderr)
        return 2
    except HardwareError as e:
        print(f"arbitre: {e}", file=sys.stderr)
        return 1


def _play(args: argparse.Namespace) -> int:
    from engine.games import SPECS, referee_for
    from engine.setup import Mode, Setup
    from firmware.config import budgets, read_table, watched
    from firmware.deck import read_deck
    from firmware.realtable import RealTable, refuse_satellites
    from firmware.recordfile import RecordFile
    from firmware.stage import Context, narrate
    from firmware.stage.texts import device_text

    spec = SPECS[args.game]
    config = read_table(args.table)
    seats = arguments.seats(args) if args.seats is not None else _seats_of(config, args)
    if watched.missing_zones(config, spec, seats):
        raise _lacks_zones(config, spec, seats)
    refuse_satellites(config)
    deck = read_deck(args.deck)
    _complete(deck, args.deck, spec.id, spec.pack(seats))
    setup = Setup(spec, seats, args.first, Mode(args.mode), zones=watched.zones_for(config, spec, seats))
    path = _free(args.record, spec.id)
    say = Saying()
    seen = watched.watched(config, spec, seats, deck.controls.values())
    say(*budgets.describe(config), *watched.describe(seen, config.language.value), f"record: {path}")
    record = RecordFile(path, durable=True).open()
    context = Context.of(setup, config.language.value)
    stopped = Event()
    why: list[str] = []

    def stop(reason: str) -> None:
        why.append(reason)
        stopped.set()

    def on_device(now: float, what: str, device: str) -> None:
        why = table.why(what, device)
        say(f"{now:8.2f}  {device_text(context.lang, what, device).line()}", *([f"{'':10}{why}"] if why else []))

    table = RealTable(config, referee_for(setup), deck, record, stop, on_device)
    table.controller.on_outputs.append(
        lambda now, shown: say(
            *(f"{now:8.2f}  {narrate(public, context)}" for _, public in shown if public is not None)
        )
    )
    if args.web:
        say(f"The table is at {_serve(args, table.controller, config.language.value)}")
    try:
        table.open()
        say("ready; end with Ctrl-C")
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
    from engine.games import SPECS
    from firmware.config import watched

    for one in watched.games_of(config):
        if one.game == args.game:
            return min(one.seats, arguments.seats(args))
    spec = SPECS[args.game]
    raise _lacks_zones(config, spec, spec.min_seats)


def _lacks_zones(config: Any, spec: Any, seats: int) -> Exception:
    from firmware.config import ConfigError, watched

    zones = ", ".join(watched.missing_zones(config, spec, seats))
    what = f"{spec.id} with {seats} seats needs the zones {zones}"
    return ConfigError(config.file, 0, what, "a [[zone]] and a [[reader]] for each, or fewer seats (--seats)")


def _complete(deck: Any, path: Path, game: str, pack: tuple[str, ...]) -> None:
    """Every card of the game has a tag: one without would be refused as unknown when it is played."""
    from firmware.config import ConfigError

    have = set(deck.cards.values())
    lacking = [card for card in pack if card not in have]
    if lacking:
        few = ", ".join(lacking[:FEW]) + (f" and {len(lacking) - FEW} more" if len(lacking) > FEW else "")
        raise ConfigError(str(path), 0, f"{game} needs {few}", f"a line for each of its {len(pack)} cards")


def _free(wanted: Path | None, game: str) -> Path:
    """Where the record goes: never over another game's, which nothing would bring back."""
    from firmware.config import ConfigError

    if wanted is not None:
        if _taken(wanted):
            what = "is there already, with something in it"
            raise ConfigError(str(wanted), 0, what, "the name of a new file (--record)")
        return wanted
    names = (Path(f"{game}.jsonl" if n == 1 else f"{game}-{n}.jsonl") for n in count(1))
    return next(path for path in names if not _taken(path))


def _taken(path: Path) -> bool:
    """Whether there is anything else in a file than the header that a start without a play leaves."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            first, second = file.readline(), file.readline()
        return second != b"" or (first != b"" and not first.startswith(b'{"arbitre":'))
    except OSError:
        return False  # it cannot be read, which opening it will tell

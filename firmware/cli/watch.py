"""`arbitre watch`: what the readers see. One RC522 on a Pi is enough, no game is needed."""

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

from firmware.cli.ending import signals
from firmware.cli.saying import Saying

SHOWN = 20
"""Differences of a replay that are told one by one."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("watch", help="see what the readers see")
    parser.add_argument("--table", type=Path, metavar="FILE", help="a table.toml (default: one RC522 at spi0, CE0)")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="a deck.toml, to name the cards")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="one reader: write down registers and times")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="hold a trace against the emulated chip")
    parser.add_argument("--plan", action="store_true", help="only print budgets and which rules can be watched")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status 1 where a replay differs or a bus cannot be opened, 2 for a file that cannot be used."""
    from firmware.errors import FirmwareError
    from hardware.errors import HardwareError

    try:
        if args.replay:
            return _replay(args.replay)
        if args.plan:
            return _plan(args)
        with signals(hangup_ends=True):
            return _watch(args)
    except FirmwareError as e:
        print(e, file=sys.stderr)
        return 2
    except HardwareError as e:
        print(f"arbitre: {e}", file=sys.stderr)
        return 1


def _config(args: argparse.Namespace) -> Any:
    import firmware
    from firmware.config import read_table

    return read_table(args.table or Path(firmware.__file__).parent / "tables" / "one-reader.toml")


def _plan(args: argparse.Namespace) -> int:
    from firmware.config import budgets, watched
    from firmware.deck import read_deck

    config = _config(args)
    controls = read_deck(args.deck).controls.values() if args.deck else ()
    print(*budgets.describe(config), *watched.describe_all(config, controls), sep="\n")
    return 0


def _replay(path: Path) -> int:
    from firmware.trace import TraceError, replay

    try:
        with path.open("rb") as file:
            found = replay(file, str(path))
    except OSError as e:
        raise TraceError(f"{path}:1: cannot be read ({e.strerror}), expected a trace") from e
    for difference in found.differences[:SHOWN]:
        print(difference.describe())
    if len(found.differences) > SHOWN:
        print(f"... and {len(found.differences) - SHOWN} more")
    for register, count in found.registers().most_common():
        print(f"{register}: differs {count} times")
    if found.unsure:
        print(f"{found.unsure} windows not compared: a card was just coming or going")
    print(f"{found.windows} windows, {len(found.differences)} differ from the emulated chip")
    return 1 if found.differences else 0


def _watch(args: argparse.Namespace) -> int:
    from firmware.config import ConfigError
    from firmware.deck import Deck, read_deck
    from firmware.watch import Watch

    config = _config(args)
    deck = read_deck(args.deck) if args.deck else Deck({}, {})
    if args.trace and len(config.readers) != 1:
        what = f"{len(config.readers)} readers, one can be traced"
        raise ConfigError(config.file, 0, what, "a table.toml with one [[reader]] for --trace")
    try:
        trace = args.trace.open("w", encoding="utf-8") if args.trace else None
    except OSError as e:
        raise ConfigError(str(args.trace), 0, f"cannot be written ({e.strerror})", "a file of yours") from e
    stopped = Event()
    why: list[str] = []

    def stop(reason: str) -> None:
        why.append(reason)
        stopped.set()

    say = Saying(on_gone=stopped.set)
    watch = Watch(config, deck, say, trace, stop)
    try:
        watch.open()
        say("watching; end with Ctrl-C")
        stopped.wait()
    except KeyboardInterrupt:
        pass
    finally:
        watch.close()
        if trace:
            with suppress(OSError):  # a full disk was told by the window that found it so
                trace.close()
    say(*watch.summary())
    for reason in why:
        print(f"arbitre: {reason}", file=sys.stderr)
    return 1 if why else 0

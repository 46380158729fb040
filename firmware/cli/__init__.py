"""The command `arbitre`. Each command is a module with `add_parser`; it is imported only when it is asked for."""

import argparse
import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

COMMANDS = {
    "play": ("firmware.cli.play", "referee a real table that leads the players"),
    "referee": ("firmware.cli.play", "referee a real table in silence"),
    "demo": ("firmware.cli.demo", "one game on emulated chips, played by bots"),
    "table": ("firmware.cli.table", "the virtual table in the browser"),
    "simulate": ("firmware.cli.simulate", "many games straight into the rules"),
    "replay": ("firmware.cli.replay", "judge a table record again"),
    "watch": ("firmware.cli.watch", "see what the readers see"),
    "bench": ("firmware.cli.bench", "our figures, and the peers'"),
}
"""Name -> module with `add_parser(subparsers)`, and what it does in a line."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a standard output says that is a file on a full disk."""


class _Parser(argparse.ArgumentParser):
    """Wrong usage is one line on stderr, exit status 2. Options are spelt out: a part of one may come to fit two."""

    def __init__(self, **named: Any) -> None:
        super().__init__(allow_abbrev=False, **named)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 a check failed, 2 wrong usage or input."""
    args = list(sys.argv[1:] if argv is None else argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without Cyrillic ends no game
    try:
        try:
            return _run(args)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where what it says is told in one line
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as e:
        if e.errno not in FULL:
            raise
        _drop_output()
        where = e.filename or "the output"
        print(f"arbitre: {where} cannot be written ({e.strerror}), expected room on the disk", file=sys.stderr)
        return 1


def _run(args: list[str]) -> int:
    name = args[0] if args else ""
    parser = _Parser(prog="arbitre", description="A referee for card games with NFC-tagged cards.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for command, (module, summary) in COMMANDS.items():
        if command == name:
            import_module(module).add_parser(commands)
        elif command not in commands.choices:
            commands.add_parser(command, help=summary)
    parsed = parser.parse_args(args)
    status: int = parsed.run(parsed)
    return status


def _drop_output() -> None:
    """What is left in the output's buffer goes nowhere, so that the end of the program does not fail on it anew."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # an output without a file of its own has nothing left either
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)

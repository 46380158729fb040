"""The command `arbitre`. Each command is a module with `add_parser`; it is imported only when it is asked for."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

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


class _Parser(argparse.ArgumentParser):
    """Wrong usage is one line on stderr, exit status 2."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 a check failed, 2 wrong usage or input."""
    args = list(sys.argv[1:] if argv is None else argv)
    name = args[0] if args else ""
    parser = _Parser(prog="arbitre", description="A referee for card games with NFC-tagged cards.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for command, (module, summary) in COMMANDS.items():
        if command == name:
            import_module(module).add_parser(commands)
        elif command not in commands.choices:
            commands.add_parser(command, help=summary)
    parsed = parser.parse_args(args)
    try:
        status: int = parsed.run(parsed)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    return status

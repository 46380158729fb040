"""What is wrong with a file that people write: table.toml or deck.toml."""

from typing import Final

from firmware.errors import FirmwareError

MOST: Final = 300
"""Characters of what is wrong, and of what was expected."""


class ConfigError(FirmwareError):
    """A file that cannot be used. Reads `FILE:LINE: what is wrong, expected ...`; line 0: the file as a whole."""

    def __init__(self, file: str, line: int, what: str, expected: str) -> None:
        place = f"{file}:{line}" if line else f"{file}:1"
        super().__init__(f"{place}: {_one_line(what)}, expected {_one_line(expected)}")
        self.file = file
        self.line = line
        self.what = what
        self.expected = expected


def _one_line(text: str) -> str:
    """Names out of the file may be long, or hold line ends: a message has one line, and an end."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: MOST + 1])
    return plain if len(plain) <= MOST else f"{plain[: MOST - 3]}..."

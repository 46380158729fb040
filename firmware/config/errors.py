"""What is wrong with a file that people write: table.toml or deck.toml."""

import re
import tomllib

from firmware.errors import FirmwareError


class ConfigError(FirmwareError):
    """A file that cannot be used. Reads `FILE:LINE: what is wrong, expected ...`; line 0: the file as a whole."""

    def __init__(self, file: str, line: int, what: str, expected: str) -> None:
        place = f"{file}:{line}" if line else f"{file}:1"
        super().__init__(f"{place}: {what}, expected {expected}")
        self.file = file
        self.line = line
        self.what = what
        self.expected = expected

    @staticmethod
    def from_toml(file: str, error: tomllib.TOMLDecodeError) -> "ConfigError":
        """The same from the TOML reader's words, with its line."""
        text = str(error)
        found = re.search(r"\(at line (\d+), column (\d+)\)", text)
        line = int(found[1]) if found else 1
        what = text[: found.start()].strip() if found else text.replace("(at end of document)", "").strip()
        return ConfigError(file, line, f"no TOML: {what[:1].lower()}{what[1:]}", "TOML (key = value)")

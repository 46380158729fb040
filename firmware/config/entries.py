"""One table of a TOML file, read key by key with exact messages: file, line, key, and how to mend it."""

from collections.abc import Mapping
from enum import Enum
from typing import NoReturn, TypeVar

from firmware.config.errors import ConfigError
from firmware.config.lines import Lines

E = TypeVar("E", bound=Enum)


class Entry:
    """`[[head]]` number `index` (from 0). `get` methods check type and range; `done` refuses what is left over."""

    def __init__(self, file: str, lines: Lines, head: str, index: int, raw: Mapping[str, object]) -> None:
        self.file = file
        self._lines = lines
        self._head = head
        self._index = index
        self._raw = raw
        self._read: list[str] = []

    def fail(self, key: str, what: str, expected: str) -> NoReturn:
        """Refuse this entry because of a key."""
        raise ConfigError(self.file, self._lines.of(self._head, self._index, key), what, expected)

    def line(self, key: str = "") -> int:
        """The line on which a key stands."""
        return self._lines.of(self._head, self._index, key)

    def has(self, key: str) -> bool:
        """Is the key there?"""
        return key in self._raw

    def value(self, key: str, expected: str) -> object:
        """The value of a key that must be there."""
        self._read.append(key)
        if key not in self._raw:
            self.fail(key, f"{self._title()} has no key '{key}'", expected)
        return self._raw[key]

    def text(self, key: str, expected: str = "a name in quotes") -> str:
        """A string that is not empty."""
        value = self.value(key, expected)
        if not isinstance(value, str) or not value.strip():
            self.fail(key, f"{key} = {show(value)}", expected)
        return value

    def text_or(self, key: str, default: str | None, expected: str = "a name in quotes") -> str | None:
        """A string, or the default where the key is missing."""
        return self.text(key, expected) if self._optional(key) else default

    def whole(self, key: str, low: int, high: int, expected: str) -> int:
        """A whole number within bounds."""
        value = self.value(key, expected)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fail(key, f"{key} = {show(value)}", expected)
        return value

    def whole_or(self, key: str, default: int | None, low: int, high: int, expected: str) -> int | None:
        """A whole number within bounds, or the default where the key is missing."""
        return self.whole(key, low, high, expected) if self._optional(key) else default

    def number_or(self, key: str, default: float, low: float, high: float, expected: str) -> float:
        """A number within bounds, or the default where the key is missing."""
        if not self._optional(key):
            return default
        value = self.value(key, expected)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.fail(key, f"{key} = {show(value)}", expected)
        return float(value)

    def flag_or(self, key: str, default: bool) -> bool:
        """true or false, or the default where the key is missing."""
        if not self._optional(key):
            return default
        value = self.value(key, "true or false")
        if not isinstance(value, bool):
            self.fail(key, f"{key} = {show(value)}", "true or false")
        return value

    def choice(self, key: str, choices: type[E]) -> E:
        """One of an enum's values."""
        expected = "one of " + ", ".join(f'"{member.value}"' for member in choices)
        value = self.text(key, expected)
        for member in choices:
            if member.value == value:
                return member
        self.fail(key, f"{key} = {show(value)}", expected)

    def choice_or(self, key: str, choices: type[E], default: E) -> E:
        """One of an enum's values, or the default where the key is missing."""
        return self.choice(key, choices) if self._optional(key) else default

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._raw:
            if key not in self._read and not key.startswith("x-"):
                self.fail(key, f"{self._title()} has an unknown key '{key}'", f"only {', '.join(self._read)}")

    def _optional(self, key: str) -> bool:
        if key in self._raw:
            return True
        self._read.append(key)
        return False

    def _title(self) -> str:
        return f"[{self._head}]" if self._head == "table" else f"[[{self._head}]] number {self._index + 1}"


def show(value: object) -> str:
    """A value as it may stand in a message; `ConfigError` takes care of its length and its line ends."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case _:
            try:
                return repr(value)
            except ValueError:  # Python writes out no number of some thousand digits
                return "a number of too many digits"

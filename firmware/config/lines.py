"""Finds the line on which a key of a TOML file stands, for messages. The TOML reader itself does not tell.

Knows what a table.toml is made of: `[head]`, `[[head]]`, `key = value`. Where it is in doubt it names the head.
"""

import re

_HEAD = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*["']?([A-Za-z0-9_:-]+)["']?\s*=""")


class Lines:
    """Lines of heads and keys: `(head, index)` for the n-th `[[head]]` (from 0; 0 for `[head]`)."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        counts: dict[str, int] = {}
        place = ("", 0)
        for number, line in enumerate(text.splitlines(), 1):
            head = _HEAD.match(line)
            key = _KEY.match(line)
            if head:
                name = head[2]
                index = counts.get(name, -1) + 1
                counts[name] = index
                place = (name, index)
                self._lines[(name, index, "")] = number
            elif key:
                self._lines.setdefault((*place, key[1]), number)

    def of(self, head: str, index: int = 0, key: str = "") -> int:
        """The line of a key, or of its head where the key is missing; 1 where that is not found either."""
        return self._lines.get((head, index, key)) or self._lines.get((head, index, "")) or 1

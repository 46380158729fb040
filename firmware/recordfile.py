"""The journal as a table record: one JSON object a line, flushed line by line, before anything is shown."""

import json
import os
from pathlib import Path
from typing import IO, Protocol

from engine.record.writer import Line


class Journal(Protocol):
    """Where inputs and outputs are kept. What was written is kept when the call returns."""

    def write(self, line: Line) -> None:
        """Keep one line."""
        ...


class RecordFile:
    """A table record that grows. `durable`: each line reaches the disk (power cuts), not only the system."""

    def __init__(self, path: Path, durable: bool = False) -> None:
        self._path = path
        self._durable = durable
        self._file: IO[str] | None = None

    def open(self) -> "RecordFile":
        """Begin the file anew. Raises OSError where it cannot be made."""
        self._file = self._path.open("w", encoding="utf-8", newline="\n")
        return self

    def write(self, line: Line) -> None:
        """Append one line and flush it."""
        if self._file is None:
            raise ValueError(f"record {self._path} is not open; call open() first")
        self._file.write(encode(line) + "\n")
        self._file.flush()
        if self._durable:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Lines:
    """A journal in memory, for demos without a file and for tests."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def write(self, line: Line) -> None:
        """Keep one line."""
        self.lines.append(line)


def encode(line: Line) -> str:
    """One line of a record as text, without its end."""
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "))

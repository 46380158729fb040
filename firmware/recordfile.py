"""The journal as a table record: one JSON object a line, flushed line by line, before anything is shown."""

import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from engine.record.writer import Line
from firmware.errors import FirmwareError


class JournalError(FirmwareError):
    """A record that cannot be written. Reads `FILE:LINE: what is wrong, expected ...`."""

    def __init__(self, path: Path, line: int, error: OSError, expected: str) -> None:
        super().__init__(f"{path}:{line}: cannot be written ({error.strerror}), expected {expected}")


class Journal(Protocol):
    """Where inputs and outputs are kept. What was written is kept when the call returns."""

    def write(self, line: Line) -> None:
        """Keep one line."""
        ...


class RecordFile:
    """A table record that grows by whole lines. `durable`: each reaches the disk (power cuts)."""

    def __init__(self, path: Path, durable: bool = False) -> None:
        self._path = path
        self._durable = durable
        self._file: IO[bytes] | None = None
        self._regular = False
        self._lines = 0
        self._size = 0

    def open(self) -> "RecordFile":
        """Begin the file anew. Raises `JournalError` where it cannot be made."""
        try:
            self._file = self._path.open("wb", buffering=0)
            self._regular = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        except OSError as e:
            raise JournalError(self._path, 1, e, "a file in a folder of yours") from e
        return self

    def write(self, line: Line) -> None:
        """Append one line; it is whole in the file when this returns.

        Raises `JournalError` (a full disk): then nothing of the line is in the file, the lines before it are.
        """
        if self._file is None:
            raise ValueError(f"record {self._path} is not open; call open() first")
        data = memoryview((encode(line) + "\n").encode())
        try:
            self._append(self._file, data)
        except OSError as e:
            if self._regular:
                with suppress(OSError):
                    os.ftruncate(self._file.fileno(), self._size)
            raise JournalError(self._path, self._lines + 1, e, "room on the disk; the lines before are kept") from e
        self._lines += 1
        self._size += len(data)

    def _append(self, file: IO[bytes], data: memoryview) -> None:
        while data:
            data = data[file.write(data) :]
        if self._durable and self._regular:
            os.fsync(file.fileno())

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

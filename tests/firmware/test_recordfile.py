"""The record as a journal: whole lines, at once; what cannot be written is told, and what was stays."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.record import read_record
from firmware.recordfile import JournalError, RecordFile

FULL = Path("/dev/full")
LINE = {"t": 1.0, "in": "tick"}


def test_each_line_is_in_the_file_when_write_returns(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = RecordFile(path, durable=True).open()
    for n in range(1, 4):
        record.write({**LINE, "x-said": "Тьфу!"})
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [json.loads(line) for line in lines] == [{**LINE, "x-said": "Тьфу!"}] * n
    record.close()
    record.close()
    with pytest.raises(ValueError, match="is not open"):
        record.write(LINE)


@pytest.mark.parametrize(("name", "why"), [("no/such/game.jsonl", "No such file"), (".", "Is a directory")])
def test_a_place_that_cannot_be_written_is_named_with_its_mend(tmp_path: Path, name: str, why: str) -> None:
    path = tmp_path / name
    with pytest.raises(JournalError) as caught:
        RecordFile(path).open()
    assert str(caught.value).startswith(f"{path}:1: cannot be written ({why}")
    assert str(caught.value).endswith(", expected a file in a folder of yours")


class FullDisk:
    """A raw file that takes `room` bytes, then says what a full disk says."""

    def __init__(self, file: Any, room: int) -> None:
        self._file = file
        self._room = room

    def write(self, data: memoryview) -> int:
        if not self._room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = int(self._file.write(data[: self._room]))
        self._room -= taken
        return taken

    def fileno(self) -> int:
        return int(self._file.fileno())


def test_a_line_that_the_disk_has_no_room_for_leaves_no_piece_behind(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = RecordFile(path).open()
    record.write(LINE)
    whole = path.read_bytes()
    record._file = FullDisk(record._file, room=7)  # type: ignore[assignment]
    with pytest.raises(JournalError) as caught:
        record.write(LINE)
    assert str(caught.value) == (
        f"{path}:2: cannot be written (No space left on device), expected room on the disk; the lines before are kept"
    )
    assert path.read_bytes() == whole


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "command", [["demo", "tfu", "--headless", "--small", "--record", str(FULL)], ["replay", "game.jsonl"]]
)
def test_a_full_disk_is_one_line_of_the_command(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(
        '{"arbitre": 1, "game": "tifo", "seats": 2}\n{"t": 1, "in": "placed", "zone": "seat1", "card": "capo#1"}\n',
        encoding="utf-8",
    )
    root = Path(__file__).parents[2]
    run = [sys.executable, "-m", "firmware", *command]
    with FULL.open("wb") as full:
        done = subprocess.run(
            run,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    (told,) = done.stderr.splitlines()
    assert "cannot be written (No space left on device), expected room on the disk" in told
    assert done.returncode == (2 if command[0] == "demo" else 1)


WRITER = """
import sys
from pathlib import Path
from firmware.recordfile import RecordFile
record = RecordFile(Path(sys.argv[1]), durable=True).open()
record.write({"arbitre": 1, "game": "tifo", "seats": 2})
t = 0
while True:
    t += 1
    record.write({"t": t, "in": "placed", "zone": "seat1", "card": "capo#1", "x-long": "." * 300})
    print(t, flush=True)
"""


def test_a_program_that_is_killed_leaves_a_record_that_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], env=env, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    last = 0
    for said in writer.stdout:
        last = int(said)
        if last == 20:
            writer.send_signal(signal.SIGKILL)
    writer.wait()
    data = path.read_bytes()
    assert data.endswith(b"\n")
    record = read_record(data.splitlines())
    assert len(record.inputs) in (last, last + 1), "what was told to be written is there"

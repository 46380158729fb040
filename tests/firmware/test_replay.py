"""`arbitre replay`: a record judged again; every key of an output that differs is told with its line."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.record.contract import same
from firmware.cli import main

Line = dict[str, Any]

HEADER: Line = {"arbitre": 1, "game": "tifo", "seats": 3, "mode": "referee"}
INPUTS: list[Line] = [
    {"t": 1.0, "in": "placed", "zone": "seat1", "card": "capo#1"},
    {"t": 2.5, "in": "placed", "zone": "seat3", "card": "greve#2"},
    {"t": 4.0, "in": "pressed", "button": "seat1.call"},
]
OUTPUTS: list[Line] = [
    {"t": 1.0, "out": "move", "seat": 1, "move": "lay", "card": "capo#1"},
    {"t": 2.5, "out": "move", "seat": 2, "move": "attack", "card": "greve#2", "target": 3},
    {"t": 4.0, "out": "refused", "rule": "tifo/turn", "seat": 1, "zone": None, "button": "seat1.call"},
]
WHOLE: list[Line] = [HEADER, *(line for pair in zip(INPUTS, OUTPUTS, strict=True) for line in pair)]


def record(tmp_path: Path, lines: list[Line]) -> str:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def checked(tmp_path: Path, lines: list[Line], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Exit status, and what was told, without the file's name."""
    path = record(tmp_path, lines)
    status = main(["replay", "--check", path])
    out, err = capsys.readouterr()
    assert err == ""
    assert all(line.startswith(path) for line in out.splitlines())
    return status, [line.removeprefix(path) for line in out.splitlines()]


def test_a_record_whose_outputs_are_the_referees_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = checked(tmp_path, WHOLE, capsys)
    assert (status, told) == (0, [": 3 inputs judged again, all outputs as in the file"])


@pytest.mark.parametrize("at", [2, 4, 6], ids=["start", "middle", "end"])
class TestADifference:
    def test_of_a_key_is_told_with_the_outputs_line(
        self, at: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for change in ({"seat": 2 if at != 4 else 1}, {"t": 9.0}, {"seat": None}, {"more": 1}, {"out": "stood"}):
            status, told = checked(tmp_path, [*WHOLE[:at], {**WHOLE[at], **change}, *WHOLE[at + 1 :]], capsys)
            assert (status, len(told)) == (1, 1), change
            assert told[0].startswith(f":{at + 1}: the file has "), change

    def test_of_a_missing_output_is_told_with_its_inputs_line(
        self, at: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status, told = checked(tmp_path, WHOLE[:at] + WHOLE[at + 1 :], capsys)
        assert (status, len(told)) == (1, 1)
        assert told[0].startswith(f":{at}: the file has nothing, the referee says {{")

    def test_of_an_output_too_many_is_told_with_its_line(
        self, at: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status, told = checked(tmp_path, [*WHOLE[: at + 1], WHOLE[at], *WHOLE[at + 1 :]], capsys)
        assert (status, len(told)) == (1, 1)
        assert told[0].startswith(f":{at + 2}: the file has ")
        assert told[0].endswith("the referee says nothing")

    def test_is_none_in_the_order_of_keys_own_keys_and_the_writing_of_numbers(
        self, at: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        line = {**WHOLE[at], "x-note": [1], "seat": float(WHOLE[at]["seat"])}
        status, _ = checked(tmp_path, [*WHOLE[:at], dict(reversed(line.items())), *WHOLE[at + 1 :]], capsys)
        assert status == 0


def test_an_output_before_any_input_is_one_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = checked(tmp_path, [HEADER, OUTPUTS[0], *WHOLE[1:]], capsys)
    assert (status, len(told)) == (1, 1)
    assert told[0].startswith(":2: the file has ")


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (1, 1.0, True), (1, True, False), (0, False, False), (True, True, True), ([1, 2], [1.0, 2.0], True),
        ([1], [True], False), ([1], [1, 2], False), ({"a": [0]}, {"a": [False]}, False), ({"a": 1}, {"b": 1}, False),
        (None, 0, False), ("1", 1, False),
    ],
)  # fmt: skip
def test_numbers_are_equal_by_value_and_truth_is_no_number(a: object, b: object, equal: bool) -> None:
    out: Line = {"t": 1.0, "out": "score"}
    assert same("tifo", {**out, "scores": a}, {**out, "scores": b}) is equal


def test_what_a_terminal_cannot_write_is_written_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"t": 1.0, "out": "say", "text": "\ud800"}
    path = record(tmp_path, [HEADER, INPUTS[0], other])
    for flags, status in (([], 0), (["--lang", "ru"], 0), (["--check"], 1)):
        for encoding in ("ascii", "latin-1", "utf-8"):
            said = io.BytesIO()
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdout", io.TextIOWrapper(said, encoding=encoding))
                assert main(["replay", path, *flags]) == status
                said.getvalue().decode(encoding)


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_a_file_that_cannot_be_read_is_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{path}:1: cannot be read (")
    assert err.endswith("), expected a table record\n")

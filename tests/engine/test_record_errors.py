"""Bad records: one clear fault each, with its line, and nothing else."""

import json
from pathlib import Path

import pytest

from engine.errors import RecordError
from engine.record import read_record
from engine.record.json_line import MAX_LINE
from firmware.cli import main

HEADER = b'{"arbitre": 1, "game": "tifo", "seats": 2}\n'
GOOD = b'{"t": 1.0, "in": "placed", "zone": "seat1", "card": "capo#1"}\n'

TIFO = b'{"arbitre": 1, "game": "tifo", "seats": 2, '
TIPOUIK = b'{"arbitre": 1, "game": "tipouik", "seats": 3, '
TFU = b'{"arbitre": 1, "game": "tfu", "seats": 2, '

HEADERS = {
    "empty file": (b"", 1, "empty file"),
    "blank first line": (b"\n", 1, "empty line"),
    "a BOM": (b"\xef\xbb\xbf" + HEADER, 1, "byte order mark"),
    "no version": (b'{"game": "tifo", "seats": 2}\n', 1, "arbitre"),
    "another version": (b'{"arbitre": 2, "game": "tifo", "seats": 2}\n', 1, "version"),
    "half a version": (b'{"arbitre": 1.0, "game": "tifo", "seats": 2}\n', 1, "version 1.0"),
    "true for a version": (b'{"arbitre": true, "game": "tifo", "seats": 2}\n', 1, "version"),
    "another game": (b'{"arbitre": 1, "game": "belote", "seats": 2}\n', 1, "game"),
    "no seats": (b'{"arbitre": 1, "game": "tifo"}\n', 1, "seats"),
    "too many seats": (b'{"arbitre": 1, "game": "tifo", "seats": 7}\n', 1, "2 to 6"),
    "too few seats": (b'{"arbitre": 1, "game": "tipouik", "seats": 2}\n', 1, "3 to 10"),
    "half a seat": (b'{"arbitre": 1, "game": "tifo", "seats": 2.5}\n', 1, "seats"),
    "first beyond the seats": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "first": 3}\n', 1, "first"),
    "first in another game": (b'{"arbitre": 1, "game": "tfu", "seats": 2, "first": 1}\n', 1, "first"),
    "unknown key": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "colour": 1}\n', 1, "colour"),
    "unknown mode": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "mode": "watch"}\n', 1, "mode"),
    "option of another game": (TIFO + b'"options": {"refill": true}}\n', 1, "refill"),
    "options there are": (TFU + b'"options": {"draw_two": true}}\n', 1, "in tfu, expected one of: refill"),
    "option of a wrong type": (TIPOUIK + b'"options": {"rounds": 0}}\n', 1, "rounds"),
    "window below zero": (TIPOUIK + b'"options": {"final_window_s": -1}}\n', 1, "final_window_s"),
    "options no object": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "options": []}\n', 1, "options"),
    "unknown zone": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "zones": ["seat3"]}\n', 1, "seat3"),
    "zone twice": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "zones": ["seat1", "seat1"]}\n', 1, "twice"),
    "unknown kind": (b'{"arbitre": 1, "game": "tifo", "seats": 2, "zones": {"seat1": "heap"}}\n', 1, "heap"),
    "some of the columns": (TFU + b'"zones": ["centre1", "seat1.col1"]}\n', 1, "column"),
    "a list": (b"[1]\n", 1, "a list"),
}

LINES = {
    "bad JSON": (b'{"t": 1.0 "in": "tick"}\n', "no JSON"),
    "a cut last line": (b'{"t": 1.0, "in": "pla', "no JSON"),
    "unknown key": (b'{"t": 1, "in": "tick", "why": 1}\n', "why"),
    "key twice": (b'{"t": 1, "t": 2, "in": "tick"}\n', "twice"),
    "NaN": (b'{"t": NaN, "in": "tick"}\n', "NaN"),
    "infinity": (b'{"t": Infinity, "in": "tick"}\n', "Infinity"),
    "too large": (b'{"t": 1e999, "in": "tick"}\n', "finite"),
    "a whole number beyond all floats": (b'{"t": 1' + b"0" * 400 + b', "in": "tick"}\n', "finite"),
    "five thousand digits": (b'{"t": ' + b"1" * 5000 + b', "in": "tick"}\n', "digits"),
    "negative time": (b'{"t": -1, "in": "tick"}\n', "from 0"),
    "no time": (b'{"in": "tick"}\n', "'t'"),
    "true for a time": (b'{"t": true, "in": "tick"}\n', "number"),
    "unknown card": (b'{"t": 1, "in": "placed", "zone": "seat1", "card": "capo#5"}\n', "capo#5"),
    "unknown zone": (b'{"t": 1, "in": "placed", "zone": "seat3", "card": "capo#1"}\n', "seat3"),
    "unknown button": (b'{"t": 1, "in": "pressed", "button": "seat1.shout"}\n', "seat1.shout"),
    "button of a seat beyond": (b'{"t": 1, "in": "pressed", "button": "seat3.ok"}\n', "seat3.ok"),
    "input of another game": (b'{"t": 1, "in": "announce", "seat": 1, "value": 2}\n', "announce"),
    "unknown input": (b'{"t": 1, "in": "thrown"}\n', "thrown"),
    "neither input nor output": (b'{"t": 1}\n', "'in'"),
    "both input and output": (b'{"t": 1, "in": "tick", "out": "move"}\n', "neither"),
    "contact after t": (b'{"t": 1, "in": "placed", "zone": "seat1", "card": "capo#1", "contact": 2}\n', "contact"),
    "after beyond contact": (
        b'{"t": 1, "in": "placed", "zone": "seat1", "card": "capo#1", "contact": 0.5, "after": 0.7}\n',
        "after",
    ),
    "lower-case uid": (b'{"t": 1, "in": "unknown", "zone": "seat1", "uid": "04ab"}\n', "uid"),
    "a million characters": (b'{"t": 1, "in": "tick", "x-note": "' + b"a" * 1_000_000 + b'"}\n', "bytes"),
    "a million spaces": (b" " * 1_000_000 + b"\n", "bytes"),
    "100,000 open brackets": (b"[" * 100_000 + b"\n", "bytes"),
    "50,000 open brackets": (b"[" * 50_000 + b"\n", "deep"),
    "no UTF-8": (b'{"t": 1, "in": "\xff"}\n', "UTF-8"),
    "a number": (b"12\n", "a number"),
    "null": (b"null\n", "null"),
}


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


@pytest.mark.parametrize(("data", "line", "word"), HEADERS.values(), ids=HEADERS)
def test_a_bad_header_is_named(data: bytes, line: int, word: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record(lines(data))
    assert e.value.line == line
    assert word in str(e.value)
    assert ", expected " in str(e.value)


@pytest.mark.parametrize("zones", ["[]", "{}", '"seat1"', "[1]", "null", "3", "true", '["seat1", 2]'])
def test_zones_are_a_list_of_names_or_an_object(zones: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record([TIFO + f'"zones": {zones}}}\n'.encode()])
    assert str(e.value) == f"zones {zones}, expected a list of names, or an object name -> kind"


@pytest.mark.parametrize("kind", ["3", "null", "[]", '"Pile"'])
def test_a_kind_of_zone_is_one_of_three(kind: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record([TIFO + f'"zones": {{"seat1": {kind}}}}}\n'.encode()])
    assert str(e.value) == f'kind {kind} of zone "seat1", expected spread, pile or pass'


@pytest.mark.parametrize("mode", ["3", "null", "[]", '"Play"', "{}"])
def test_a_mode_is_one_of_two(mode: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record([TIFO + f'"mode": {mode}}}\n'.encode()])
    assert str(e.value) == f"mode {mode}, expected play or referee"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            '{"t": 1, "in": "placed", "zone": 1, "card": "capo#1"}',
            "zone 1, expected one of the zones: seat1, seat2, discard",
        ),
        (
            '{"t": 1, "in": "placed", "zone": [], "card": "capo#1"}',
            "zone [], expected one of the zones: seat1, seat2, discard",
        ),
        (
            '{"t": 1, "in": "placed", "zone": "seat1", "card": []}',
            "card [], expected a card such as capo#1, 5#2 or 10h",
        ),
        ('{"t": 1, "in": "placed", "zone": "seat1"}', "no key 'card', expected a card such as capo#1, 5#2 or 10h"),
        (
            '{"t": 1, "in": "pressed", "button": {}}',
            "button {}, expected seat1..seat2.call/ok/next or table.pile/accept/undo",
        ),
        ('{"t": 1, "in": "unknown", "zone": "seat1", "uid": 4}', "uid 4, expected upper-case hex digits, 20 at most"),
        (
            '{"t": 1, "in": "unknown", "zone": "seat1", "uid": ""}',
            'uid "", expected upper-case hex digits, 20 at most',
        ),
        ('{"t": 1, "in": []}', "input [], expected one of placed, lifted, pressed, tick, announce, unknown"),
        ('{"t": 1, "out": 1}', "a line that is neither input nor output, expected either 'in' or 'out', a name"),
        ('{"t": 1, "in": "tick", "contact": 1}', 'key "contact", expected one of t, in or x-...'),
    ],
)
def test_a_value_of_another_type_is_told_in_full(line: str, told: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record([HEADER, line.encode()])
    assert (e.value.line, str(e.value)) == (2, told)


@pytest.mark.parametrize("digits", [20, 21])
def test_a_uid_has_twenty_digits_at_most(digits: int) -> None:
    line = f'{{"t": 1, "in": "unknown", "zone": "seat1", "uid": "{"A" * digits}"}}'.encode()
    if digits == 20:
        assert read_record([HEADER, line]).inputs
        return
    with pytest.raises(RecordError, match="20 at most"):
        read_record([HEADER, line])


@pytest.mark.parametrize(("data", "word"), LINES.values(), ids=LINES)
def test_a_bad_line_is_named(data: bytes, word: str) -> None:
    with pytest.raises(RecordError) as e:
        read_record([HEADER, GOOD, data])
    assert e.value.line == 3
    assert word in str(e.value)
    assert ", expected " in str(e.value)


def test_time_going_back_is_named() -> None:
    with pytest.raises(RecordError, match=r"time goes back from 1\.0 to 0\.5"):
        read_record([HEADER, GOOD, b'{"t": 0.5, "in": "tick"}\n'])


def test_a_step_back_too_small_for_six_digits_is_told_in_full() -> None:
    with pytest.raises(RecordError, match=r"time goes back from 1\.0 to 0\.9999999999, expected t from 1\.0"):
        read_record([HEADER, GOOD, b'{"t": 0.9999999999, "in": "tick"}\n'])


@pytest.mark.parametrize("seconds", ["0", "2.5", "1e300"])
def test_a_final_window_may_be_any_number_from_0(seconds: str) -> None:
    record = read_record([TIPOUIK + b'"options": {"final_window_s": ' + seconds.encode() + b"}}\n"])
    assert record.setup.option("final_window_s") == float(seconds)


def test_a_button_of_another_game_is_named() -> None:
    header = b'{"arbitre": 1, "game": "tipouik", "seats": 3}\n'
    with pytest.raises(RecordError, match=r"table\.pile"):
        read_record([header, b'{"t": 1, "in": "pressed", "button": "table.pile"}\n'])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"value": 2.5}, "value 2.5, expected a whole number from 0"),
        ({"value": True}, "value true, expected a whole number from 0"),
        ({"value": "3"}, 'value "3", expected a whole number from 0'),
        ({"value": -1}, "value -1, expected a whole number from 0"),
        ({"count": -1}, "count -1, expected a whole number from 0"),
        ({"count": None}, "count null, expected a whole number from 0"),
        ({"seat": 0}, "seat 0, expected a whole number from 1"),
        ({"seat": 4}, "seat 4, expected 1 to 3"),
        ({"seat": None}, "seat null, expected a whole number from 1"),
    ],
)
def test_a_bad_announcement_is_told_in_full(change: dict[str, object], told: str) -> None:
    said = {"t": 1, "in": "announce", "seat": 3, "value": 0, "count": 0}
    assert len(read_record([TIPOUIK[:-2] + b"}", json.dumps(said).encode()]).inputs) == 1
    with pytest.raises(RecordError) as e:
        read_record([TIPOUIK[:-2] + b"}", json.dumps({**said, **change}).encode()])
    assert (e.value.line, str(e.value)) == (2, told)


@pytest.mark.parametrize("key", ["seat", "value"])
def test_a_word_that_an_announcement_lacks_is_named(key: str) -> None:
    said = {"t": 1, "in": "announce", "seat": 3, "value": 0}
    line = json.dumps({k: v for k, v in said.items() if k != key}).encode()
    with pytest.raises(RecordError, match=f"no key '{key}', expected a whole number from"):
        read_record([TIPOUIK[:-2] + b"}", line])


@pytest.mark.parametrize(("data", "word"), LINES.values(), ids=LINES)
def test_the_command_says_it_in_one_line_and_exits_with_2(
    data: bytes, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(HEADER + GOOD + data)
    for flags in ([], ["--jsonl"], ["--check"], ["--public", "--jsonl"]):
        assert main(["replay", str(path), *flags]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"{path}:3: ")
        assert err.count("\n") == 1
        assert len(err) < 400 + len(str(path))


def test_a_missing_file_is_one_line_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_line_of_the_greatest_length_is_good() -> None:
    line = b'{"t": 1, "in": "tick", "x-note": "' + b"a" * MAX_LINE
    line = line[: MAX_LINE - 2] + b'"}'
    assert len(read_record([HEADER, line]).inputs) == 1
    with pytest.raises(RecordError, match=f"a line of {MAX_LINE + 1} bytes, expected at most {MAX_LINE}"):
        read_record([HEADER, line + b" "])


def test_own_keys_blank_ends_and_foreign_cards_are_good_input() -> None:
    record = read_record(
        [
            TIFO + b'"x-by": "me", "zones": {"seat1": "pass", "discard": "pile"}}\r\n',
            json.dumps({"t": 1, "in": "placed", "zone": "seat1", "card": "10h", "x-note": [1]}).encode(),
            b"\n",
            b'{"t": 1, "out": "anything", "more": 2}\n',
            b"\n",
        ]
    )
    assert len(record.inputs) == 1
    assert len(record.entries) == 2

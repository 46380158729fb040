"""The frames and generators of ISO/IEC 14443-3, without any chip."""

from collections.abc import Generator, Sequence
from typing import TypeVar

import pytest

from hardware.iso14443 import (
    ABSOLUTE,
    ANSWER,
    BROKEN,
    COLLISION,
    RELATIVE,
    REQA,
    SILENCE,
    anticollision,
    cascade,
    check,
    collision_places,
    crc_a,
    find,
    halt,
    select,
    select_frame,
    wake,
)

T = TypeVar("T")
Ask = tuple[bytes, int, int, int]
Answer = tuple[int, bytes, int, int]
REFUSED: Answer = (SILENCE, b"", 0, 0)


def play(protocol: Generator[Ask, Answer, T], answers: Sequence[Answer]) -> tuple[T, list[str]]:
    """Drive a generator with given answers; its result and the frames it sent."""
    sent = []
    script = iter(answers)
    try:
        ask = next(protocol)
        while True:
            sent.append(ask[0].hex())
            ask = protocol.send(next(script))
    except StopIteration as end:
        assert list(script) == [], "the protocol ended before its answers did"
        return end.value, sent


def got(data_hex: str) -> Answer:
    return ANSWER, bytes.fromhex(data_hex), 0, 0


@pytest.mark.parametrize(
    ("body", "crc"),
    [("9370b0bb890486", "3d30"), ("08", "b6dd"), ("04", "da17"), ("00", "fe51"), ("3004", "26ee"), ("5000", "57cd")],
)
def test_crc_a_of_frames_from_traces(body: str, crc: str) -> None:
    assert crc_a(bytes.fromhex(body)).hex() == crc


def test_seven_byte_tag_is_identified_by_the_frames_of_the_trace() -> None:
    answers = [got(data) for data in ("4400", "8804a81d39", "04da17", "12de5f8013", "00fe51")]
    result, sent = play(find(REQA, RELATIVE), answers)
    assert result == (ANSWER, bytes.fromhex("04a81d12de5f80"), 0x00, False)
    assert sent == ["26", "9320", "93708804a81d39bb3b", "9520", "957012de5f80135112"]


def test_four_byte_tag_is_identified_by_the_frames_of_the_trace() -> None:
    result, sent = play(find(0x52, RELATIVE), [got("0400"), got("b0bb890486"), got("08b6dd")])
    assert result == (ANSWER, bytes.fromhex("b0bb8904"), 0x08, False)
    assert sent == ["52", "9320", "9370b0bb8904863d30"]


def test_known_tag_is_proved_by_select_of_its_uid_alone() -> None:
    # field report 4: a WUPA proves a tag, not the tag
    uid = bytes.fromhex("04a81d12de5f80")
    result, sent = play(check(uid), [got("4400"), got("04da17"), got("00fe51")])
    assert result == ANSWER
    assert sent == ["52", "93708804a81d39bb3b", "957012de5f80135112"]
    assert play(check(uid), [got("4400"), REFUSED])[0] == SILENCE
    assert play(check(uid), [REFUSED])[0] == SILENCE


def test_even_a_broken_answer_to_wupa_is_followed_by_the_select() -> None:
    uid = bytes.fromhex("b0bb8904")
    broken: Answer = (BROKEN, b"", 0, 0)
    assert play(check(uid), [broken, got("08b6dd")])[0] == ANSWER
    assert play(check(uid), [broken, broken])[0] == BROKEN


def test_sak_that_does_not_fit_the_length_of_the_uid_is_broken() -> None:
    assert play(check(bytes.fromhex("b0bb8904")), [got("0400"), got("04da17")])[0] == BROKEN
    assert play(check(bytes.fromhex("04a81d12de5f80")), [got("4400"), got("00fe51")])[0] == BROKEN


def test_atqa_that_collides_is_an_answer_and_a_short_one_is_broken() -> None:
    assert play(wake(REQA), [(COLLISION, b"\x44\x00", 0, 7)])[0] == ANSWER
    assert play(wake(REQA), [got("44")])[0] == BROKEN
    assert play(wake(REQA), [(ANSWER, b"\x44\x00", 4, 0)])[0] == BROKEN


@pytest.mark.parametrize("answer", ["04da18", "04da", "04da1700", ""])
def test_sak_with_wrong_crc_or_length_is_broken(answer: str) -> None:
    assert play(select(0x93, b"\x88\x04\xa8\x1d"), [got(answer)])[0] == (BROKEN, 0)


def test_uid_with_a_wrong_bcc_never_comes_out() -> None:
    assert play(anticollision(0x93, RELATIVE), [got("b0bb890487")])[0] == (BROKEN, b"", False)


def test_uid_that_ends_with_the_cascade_tag_in_front_is_broken() -> None:
    result, _ = play(find(REQA, RELATIVE), [got("4400"), got("8804a81d39"), got("00fe51")])
    assert result[0] == BROKEN


def test_level_that_continues_without_a_cascade_tag_is_broken() -> None:
    result, _ = play(find(REQA, RELATIVE), [got("4400"), got("b0bb890486"), got("04da17")])
    assert result[0] == BROKEN


def test_fourth_level_does_not_exist() -> None:
    level = [got("8804a81d39"), got("04da17")]
    assert play(find(REQA, RELATIVE), [got("4400"), *level * 3])[0][0] == BROKEN


@pytest.mark.parametrize(("uid", "codes"), [("00" * 4, "93"), ("04" * 7, "9395"), ("04" * 10, "939597")])
def test_cascade_of_each_length(uid: str, codes: str) -> None:
    steps = cascade(bytes.fromhex(uid))
    assert bytes(code for code, _ in steps).hex() == codes
    assert all(part[0] == 0x88 for _, part in steps[:-1])


def test_uid_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="4, 7 or 10 bytes, not 5"):
        cascade(bytes(5))


def test_halt_is_sent_with_its_crc_and_awaits_nothing() -> None:
    protocol = halt()
    assert next(protocol) == (bytes.fromhex("500057cd"), 0, 0, 0)


def test_select_frame_carries_bcc_and_crc() -> None:
    assert select_frame(0x93, bytes.fromhex("b0bb8904")).hex() == "9370b0bb8904863d30"


def test_collision_readings_coincide_below_8_bits_and_exclude_each_other_from_16() -> None:
    for known in range(8):
        for place in range(known + 1, 33):
            assert collision_places(known, place) == (place, place)
    for known in range(16, 32):
        for place in range(known + 1, 33):
            in_frame = place - known // 8 * 8
            assert collision_places(known, in_frame) == (place, 0)
            assert collision_places(known, place) == (0, place)


def test_collision_readings_are_ambiguous_between_8_and_15_bits() -> None:
    assert collision_places(8, 10) == (18, 10)
    assert collision_places(8, 25) == (0, 25)
    assert collision_places(12, 8) == (16, 0)


@pytest.mark.parametrize("reading", [RELATIVE, ABSOLUTE])
def test_anticollision_continues_behind_the_collision_it_was_told(reading: int) -> None:
    # tags B0BB8904 and B0BA8904 first, then one that differs at bit 18 while 9 bits are known
    answers: list[Answer] = [
        (COLLISION, bytes.fromhex("b000000000"), 0, 9),
        (COLLISION, bytes.fromhex("ba01000000"), 0, 10 if reading == RELATIVE else 18),
    ]
    protocol = anticollision(0x93, reading)
    assert next(protocol)[:1] == (b"\x93\x20",)
    assert protocol.send(answers[0]) == (bytes.fromhex("9331b001"), 1, 1, 4)
    assert protocol.send(answers[1]) == (bytes.fromhex("9342b0bb03"), 2, 2, 3)


def test_collision_without_a_place_is_broken() -> None:
    assert play(anticollision(0x93, RELATIVE), [(COLLISION, bytes(5), 0, 0)])[0][0] == BROKEN

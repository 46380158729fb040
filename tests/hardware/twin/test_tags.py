"""Emulated tags, against frames of real traces and the state diagram of ISO/IEC 14443-3, section 6.4."""

import pytest

from hardware.iso14443 import crc_a
from hardware.twin.tags import Tag, TagKind, TagState

# (frame of the reader, bits of its last byte, answer of the tag): sniffed NTAG21x and MIFARE Classic
NTAG_TRACE = [
    ("26", 7, "4400"),
    ("9320", 8, "8804a81d39"),
    ("93708804a81d39bb3b", 8, "04da17"),
    ("9520", 8, "12de5f8013"),
    ("957012de5f80135112", 8, "00fe51"),
    ("1bdae557967088", 8, "abda202c"),
    ("300426ee", 8, "00" * 16 + "3749"),
    ("3005afff", 8, "00" * 16 + "3749"),
    ("300634cd", 8, "00" * 16 + "3749"),
    ("3007bddc", 8, "00" * 16 + "3749"),
    ("30084a24", 8, "00" * 16 + "3749"),
]
CLASSIC_TRACE = [
    ("52", 7, "0400"),
    ("9320", 8, "b0bb890486"),
    ("9370b0bb8904863d30", 8, "08b6dd"),
]


def say(tag: Tag, frame_hex: str, last: int = 8) -> str | None:
    """One frame to the tag; its answer in hex, an ACK or NAK as one digit, None for silence."""
    frame = bytes.fromhex(frame_hex)
    answer = tag.hear(int.from_bytes(frame, "little"), (len(frame) - 1) * 8 + last)
    if answer is None:
        return None
    bits, count = answer
    return f"{bits:x}" if count == 4 else bits.to_bytes((count + 7) // 8, "little").hex()


def say_with_crc(tag: Tag, body_hex: str) -> str | None:
    body = bytes.fromhex(body_hex)
    return say(tag, (body + crc_a(body)).hex())


def active(uid: str = "04A81D12DE5F80", kind: TagKind = TagKind.NTAG213) -> Tag:
    tag = Tag(uid, kind, password=bytes.fromhex("DAE55796"), pack=bytes.fromhex("ABDA"))
    for frame, last, _ in NTAG_TRACE[:5]:
        say(tag, frame, last)
    assert tag.state is TagState.ACTIVE
    return tag


def test_ntag_answers_every_frame_of_a_real_trace_byte_for_byte() -> None:
    tag = Tag("04A81D12DE5F80", password=bytes.fromhex("DAE55796"), pack=bytes.fromhex("ABDA"))
    assert [say(tag, frame, last) for frame, last, _ in NTAG_TRACE] == [answer for _, _, answer in NTAG_TRACE]


def test_classic_answers_every_frame_of_a_real_trace_byte_for_byte() -> None:
    tag = Tag("B0BB8904", TagKind.CLASSIC_1K)
    assert [say(tag, frame, last) for frame, last, _ in CLASSIC_TRACE] == [answer for _, _, answer in CLASSIC_TRACE]


def test_reqa_to_a_ready_or_active_tag_gets_silence_and_sends_it_to_idle() -> None:
    for frames in (NTAG_TRACE[:1], NTAG_TRACE[:5]):
        tag = Tag("04A81D12DE5F80")
        for frame, last, _ in frames:
            say(tag, frame, last)
        assert say(tag, "26", 7) is None
        assert tag.state is TagState.IDLE
        assert say(tag, "26", 7) == "4400"


def test_halted_tag_hears_only_wupa_and_falls_back_to_halt() -> None:
    tag = active()
    assert say_with_crc(tag, "5000") is None
    assert say(tag, "26", 7) is None
    assert tag.state is TagState.HALT
    assert say(tag, "52", 7) == "4400"
    assert say(tag, "52", 7) is None
    assert tag.state is TagState.HALT


def test_loser_of_a_select_returns_to_where_it_was_woken() -> None:
    other = "9370" + "8804a81c38"
    idle = Tag("04A81D12DE5F80")
    say(idle, "26", 7)
    assert say_with_crc(idle, other) is None
    assert idle.state is TagState.IDLE
    halted = active()
    say_with_crc(halted, "5000")
    say(halted, "52", 7)
    assert say_with_crc(halted, other) is None
    assert halted.state is TagState.HALT


def test_select_with_a_wrong_crc_is_not_answered() -> None:
    tag = Tag("04A81D12DE5F80")
    say(tag, "26", 7)
    assert say(tag, "93708804a81d39bb3c") is None


@pytest.mark.parametrize("known", range(0, 40))
def test_anticollision_answers_the_rest_of_the_level_from_any_bit_on(known: int) -> None:
    tag = Tag("B0BB8904", TagKind.CLASSIC_1K)
    level = int.from_bytes(bytes.fromhex("b0bb890486"), "little")
    say(tag, "26", 7)
    nvb = (2 + known // 8) << 4 | known % 8
    prefix = level & ((1 << known) - 1)
    assert tag.hear(0x93 | nvb << 8 | prefix << 16, 16 + known) == (level >> known, 40 - known)


def test_anticollision_with_another_prefix_is_not_answered() -> None:
    tag = Tag("B0BB8904", TagKind.CLASSIC_1K)
    say(tag, "26", 7)
    assert tag.hear(0x93 | 0x21 << 8 | 1 << 16, 17) is None  # B0 begins with a 0 bit
    assert tag.state is TagState.IDLE


def test_loss_of_the_field_forgets_halt() -> None:
    tag = active()
    say_with_crc(tag, "5000")
    tag.lose_field()
    assert say(tag, "26", 7) == "4400"


@pytest.mark.parametrize(
    ("kind", "pages", "capability", "size"),
    [
        (TagKind.NTAG213, 0x2D, "e1101200", "0f"),
        (TagKind.NTAG215, 0x87, "e1103e00", "11"),
        (TagKind.NTAG216, 0xE7, "e1106d00", "13"),
    ],
)
def test_ntags_have_their_size_version_and_capability(kind: TagKind, pages: int, capability: str, size: str) -> None:
    tag = active(kind=kind)
    assert say_with_crc(tag, "60") == crc_whole(f"000404020100{size}03")
    first_pages = "04a81d39" + "12de5f80" + "13480000" + capability
    assert say_with_crc(tag, "3000") == crc_whole(first_pages)
    # READ rolls over from the last page to page 0
    assert say_with_crc(tag, f"30{pages - 1:02x}") == crc_whole("00000000" + first_pages[:24])
    assert say_with_crc(tag, f"30{pages:02x}") == "0"  # no such page: NAK 0
    assert tag.state is TagState.IDLE


def crc_whole(body_hex: str) -> str:
    body = bytes.fromhex(body_hex)
    return (body + crc_a(body)).hex()


def test_write_is_acknowledged_and_read_back() -> None:
    tag = active()
    assert say_with_crc(tag, "a20401020304") == "a"
    assert say_with_crc(tag, "3a0404") == crc_whole("01020304")


def test_write_to_the_uid_is_refused() -> None:
    tag = active()
    assert say_with_crc(tag, "a20001020304") == "0"


def test_lock_bytes_and_capability_page_are_written_once() -> None:
    tag = active()
    assert say_with_crc(tag, "3a0202") == crc_whole("13480000")
    assert say_with_crc(tag, "a202ffff0100") == "a"
    assert say_with_crc(tag, "a20200000200") == "a"
    assert say_with_crc(tag, "a20300000001") == "a"
    assert say_with_crc(tag, "3a0203") == crc_whole("13480300e1101201")


def test_command_with_a_wrong_crc_gets_nak_1_and_a_wrong_password_nak_4() -> None:
    assert say(active(), "300426ef") == "1"
    assert say_with_crc(active(), "1b00000000") == "4"


def test_ntag_does_not_know_mifare_authentication() -> None:
    # field report 12: silence, and the tag must be found anew
    tag = active()
    assert say_with_crc(tag, "600b") is None
    assert tag.state is TagState.IDLE


def test_uid_of_a_wrong_length_is_refused_with_its_lengths() -> None:
    with pytest.raises(ValueError, match="NTAG213 has a UID of"):
        Tag("B0BB8904")

"""The emulated MFRC522, register by register (data sheet rev. 3.9; traces of real chips)."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from hardware.iso14443 import crc_a
from hardware.twin.tags import Tag, TagKind

if TYPE_CHECKING:
    from tests.hardware.twin.conftest import NewWires, Wires

TRANSCEIVE = 0x0C

RESET_VALUES = {
    0x01: 0x20, 0x02: 0x80, 0x04: 0x14, 0x05: 0x00, 0x06: 0x00, 0x07: 0x21, 0x08: 0x00, 0x0A: 0x00, 0x0B: 0x08,
    0x0C: 0x10, 0x0D: 0x00, 0x0E: 0xA0, 0x11: 0x3F, 0x14: 0x80, 0x15: 0x00, 0x21: 0xFF, 0x22: 0xFF, 0x26: 0x48,
    0x2A: 0x00, 0x2B: 0x00, 0x2C: 0x00, 0x2D: 0x00, 0x33: 0x80, 0x36: 0x40, 0x37: 0x92,
}  # fmt: skip


def test_registers_have_their_reset_values(wires: "Wires") -> None:
    wires.line.advance(1e-3)
    assert {register: wires.read(register) for register in RESET_VALUES} == RESET_VALUES


def test_soft_reset_restores_all_and_switches_the_antenna_off(wires: "Wires") -> None:
    wires.set_up()
    assert wires.field.is_on("r")
    wires.write(0x09, 1, 2, 3)
    wires.write(0x01, 0x0F)
    assert not wires.field.is_on("r")
    assert wires.read(0x01) == 0x30  # PowerDown while the oscillator starts
    wires.line.advance(1e-3)
    assert {register: wires.read(register) for register in RESET_VALUES} == RESET_VALUES


def test_several_registers_are_read_in_one_window_and_lag_one_byte(wires: "Wires") -> None:
    wires.line.advance(1e-3)
    assert wires.chip.exchange(bytes([0x37 << 1 | 0x80, 0x11 << 1 | 0x80, 0x14 << 1 | 0x80, 0])) == bytes(
        [0, 0x92, 0x3F, 0x80]
    )


def test_fifo_takes_bursts_counts_and_flushes(wires: "Wires") -> None:
    wires.write(0x09, *range(10))
    assert wires.read(0x0A) == 10
    assert wires.chip.exchange(bytes([0x92] * 3 + [0])) == bytes([0, 0, 1, 2])
    wires.write(0x0A, 0x80)
    assert wires.read(0x0A) == 0
    assert wires.read(0x09) == 0


def test_fifo_overflow_is_an_error_until_flushed(wires: "Wires") -> None:
    wires.write(0x09, *range(65))
    assert (wires.read(0x0A), wires.read(0x06)) == (64, 0x10)
    wires.write(0x0A, 0x80)
    assert wires.read(0x06) == 0


def test_irq_register_goes_04_44_45_when_nobody_answers(wires: "Wires") -> None:
    wires.set_up()
    wires.send(b"\x26", last=7, wait_s=0)
    assert wires.read(0x04) == 0x04
    wires.line.advance(100e-6)
    assert wires.read(0x04) == 0x44
    wires.line.advance(200e-6)
    assert wires.read(0x04) == 0x45


def test_irq_register_is_64_after_an_answer_and_idle_irq_stays_clear(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.send(b"\x26", last=7)
    assert wires.read(0x04) == 0x64
    assert (wires.read(0x06), wires.read(0x0C) & 7, wires.read(0x0E)) == (0, 0, 0x20)
    assert wires.fifo() == b"\x44\x00"


def test_irq_bits_are_set_and_cleared_by_bit_7(wires: "Wires") -> None:
    wires.write(0x04, 0x80 | 0x21)
    assert wires.read(0x04) == 0x35
    wires.write(0x04, 0x20)
    assert wires.read(0x04) == 0x15


def test_unknown_command_sets_idle_irq(wires: "Wires") -> None:
    wires.write(0x04, 0x7F)
    wires.write(0x01, 0x05)
    assert wires.read(0x04) == 0x14


def test_transceive_sends_only_on_start_send(wires: "Wires") -> None:
    wires.set_up()
    wires.write(0x09, 0x26)
    wires.write(0x0D, 0x87)  # no Transceive yet
    assert wires.chip.frames == 0
    wires.write(0x01, TRANSCEIVE)
    wires.line.advance(1e-3)
    assert wires.chip.frames == 0
    wires.write(0x0D, 0x87)
    assert wires.chip.frames == 1


def test_timer_period_follows_prescaler_and_reload(wires: "Wires") -> None:
    wires.set_up()
    # the settings of the PyPI package: 0xD3E and 30 make 15.5 ms
    for register, value in ((0x2A, 0x8D), (0x2B, 0x3E), (0x2D, 30), (0x2C, 0)):
        wires.write(register, value)
    wires.send(b"\x26", last=7, wait_s=15.4e-3)
    assert wires.read(0x04) == 0x44
    wires.line.advance(0.25e-3)
    assert wires.read(0x04) == 0x45


def test_timer_stops_at_the_fifth_bit_of_an_answer(wires: "Wires") -> None:
    wires.set_up(reload=5)  # 150 us: over before the ATQA ends, but after its fifth bit
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.send(b"\x26", last=7)
    assert wires.read(0x04) == 0x64


def test_tags_are_deaf_without_100_percent_ask(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.write(0x15, 0x00)
    wires.send(b"\x26", last=7)
    assert wires.read(0x04) & 0x20 == 0


@pytest.mark.parametrize(("preset", "start"), [(0x3C, 0x0000), (0x3D, 0x6363), (0x3E, 0xA671), (0x3F, 0xFFFF)])
def test_crc_unit_starts_from_each_preset(preset: int, start: int, wires: "Wires") -> None:
    def reference(data: bytes) -> int:
        crc = start
        for byte in data:
            for bit in range(8):
                crc = crc >> 1 ^ (0x8408 if (crc ^ byte >> bit) & 1 else 0)
        return crc

    wires.write(0x11, preset)
    wires.write(0x01, 0x03)
    wires.write(0x09, *b"123456789")
    assert wires.read(0x22) | wires.read(0x21) << 8 == reference(b"123456789")
    assert wires.read(0x05) & 0x04
    wires.write(0x09, 0x00)  # it goes on until Idle
    assert wires.read(0x22) | wires.read(0x21) << 8 == reference(b"123456789\0")


def test_chip_can_add_and_check_the_crc_itself(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("B0BB8904", TagKind.CLASSIC_1K), "r", at=0.0)
    wires.send(b"\x26", last=7)
    wires.write(0x12, 0x80)
    wires.write(0x13, 0x80)
    wires.send(bytes.fromhex("9370b0bb890486"))
    assert wires.fifo() == b"\x08"
    assert wires.read(0x06) == 0


COLLISIONS = [
    # UIDs, frame (bits known), RxAlign, CollPos counted in the frame, counted in the level, bytes in the FIFO
    (("B0BB8904", "B1BB8904"), 0, 0, 1, 1, "0000000000"),
    (("B0BB8904", "B0BB8905"), 0, 0, 25, 25, "b0bb890000"),
    (("B0BB8904", "B0BB8984"), 0, 0, 32, 32, "b0bb890400"),
    (("B0BB8904", "B0BB8944"), 3, 3, 31, 31, "b0bb890400"),
    (("B0BB8904", "B0BB8944"), 8, 0, 23, 31, "bb890400"),
    (("B0BB8904", "B0BB8944"), 11, 3, 23, 31, "b8890400"),
    (("B0BB8904", "B0BB8944"), 27, 3, 7, 31, "0000"),
]


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize(("uids", "known", "align", "in_frame", "in_level", "data"), COLLISIONS)
def test_collision_place_in_both_readings_and_zeros_after_it(
    absolute: bool,
    uids: tuple[str, str],
    known: int,
    align: int,
    in_frame: int,
    in_level: int,
    data: str,
    new_wires: "NewWires",
) -> None:
    wires = new_wires(absolute=absolute)
    wires.set_up()
    for uid in uids:
        wires.field.put(Tag(uid, TagKind.CLASSIC_1K), "r", at=0.0)
    wires.send(b"\x26", last=7)
    level = bytes.fromhex(uids[0])
    prefix = int.from_bytes(level, "little") & ((1 << known) - 1)
    frame = bytes([0x93, (2 + known // 8) << 4 | known % 8]) + prefix.to_bytes((known + 7) // 8, "little")
    wires.send(frame, last=known % 8, align=align)
    place = in_level if absolute else in_frame
    assert wires.read(0x0E) == place & 0x1F
    assert wires.read(0x06) == 0x08
    received = wires.fifo()
    assert len(received) == 5 - known // 8
    assert received == bytes.fromhex(data)  # bits before RxAlign are the reader's own and read as 0


def test_bytes_of_an_answer_come_into_the_fifo_one_by_one(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.send(b"\x26", last=7, wait_s=0)
    levels = []
    for _ in range(12):
        wires.line.advance(30e-6)
        levels.append((wires.read(0x0A), wires.read(0x04) >> 5 & 1))
    # 78 us of REQA, 86 us of pause, then 94 and 165 us to the ends of both bytes
    assert levels == [(0, 0)] * 8 + [(1, 0)] * 3 + [(2, 1)]


def test_values_after_a_collision_are_kept_if_asked(wires: "Wires") -> None:
    wires.set_up()
    wires.write(0x0E, 0x80)
    for uid in ("B0BB8904", "B1BB8904"):
        wires.field.put(Tag(uid, TagKind.CLASSIC_1K), "r", at=0.0)
    wires.send(b"\x26", last=7)
    wires.send(b"\x93\x20")
    assert wires.read(0x0E) == 0x81
    assert wires.fifo()[1:4] == bytes.fromhex("BB8904")


def test_a_new_command_ends_the_wait_for_an_answer(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.send(b"\x26", last=7, wait_s=200e-6)
    wires.write(0x01, 0x00)
    wires.line.advance(1e-3)
    assert wires.read(0x04) & 0x20 == 0
    assert wires.read(0x0A) == 0


def test_mifare_authentication_of_an_ntag_times_out(wires: "Wires") -> None:
    # field report 12
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.write(0x04, 0x7F)
    wires.write(0x09, *bytes([0x60, 11, *[0xFF] * 6, 4, 0xA8, 0x1D, 0x12]))
    wires.write(0x01, 0x0E)
    wires.line.advance(5e-3)
    assert wires.read(0x04) & 0x11 == 0x01
    assert wires.read(0x08) & 0x08 == 0


def _stuck(value: int) -> Callable[["Wires"], None]:
    def make(wires: "Wires") -> None:
        wires.chip.faults.stuck = value

    return make


@pytest.mark.parametrize(("fault", "seen"), [(_stuck(0x00), 0x00), (_stuck(0xFF), 0xFF)])
def test_a_stuck_line_gives_one_value_for_ever(fault: Callable[["Wires"], None], seen: int, wires: "Wires") -> None:
    fault(wires)
    assert wires.chip.exchange(bytes(5)) == bytes([seen]) * 5


def test_reset_line_holds_the_chip_and_starts_it_anew(wires: "Wires") -> None:
    wires.set_up()
    wires.chip.reset_line(low=True)
    assert wires.read(0x37) == 0
    assert not wires.field.is_on("r")
    wires.chip.reset_line(low=False)
    wires.line.advance(1e-3)
    assert {register: wires.read(register) for register in RESET_VALUES} == RESET_VALUES


def test_scheduled_faults_happen_at_their_time(wires: "Wires") -> None:
    wires.set_up()
    wires.chip.schedule(1.0, wires.chip.brown_out)
    assert wires.read(0x15) == 0x40
    wires.line.advance_to(1.0)
    assert wires.read(0x15) == 0x00


def test_real_trace_passes_through_chip_and_tag_byte_for_byte(wires: "Wires") -> None:
    wires.set_up()
    tag = Tag("04A81D12DE5F80", password=bytes.fromhex("DAE55796"), pack=bytes.fromhex("ABDA"))
    wires.field.put(tag, "r", at=0.0)
    exchanges = [
        ("26", 7, "4400"), ("9320", 0, "8804a81d39"), ("93708804a81d39bb3b", 0, "04da17"), ("9520", 0, "12de5f8013"),
        ("957012de5f80135112", 0, "00fe51"), ("1bdae557967088", 0, "abda202c"), ("300426ee", 0, "00" * 16 + "3749"),
    ]  # fmt: skip
    for frame, last, answer in exchanges:
        wires.send(bytes.fromhex(frame), last=last)
        assert wires.fifo().hex() == answer
    assert crc_a(bytes.fromhex("3004")).hex() == "26ee"

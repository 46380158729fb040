"""What the emulated chip's commands do, and what its status, error and alert bits say (data sheet, 9.3.1, 10.3)."""

from typing import TYPE_CHECKING

import pytest

from hardware.iso14443 import crc_a
from hardware.twin.tags import Tag, TagState

if TYPE_CHECKING:
    from tests.hardware.twin.conftest import NewWires, Wires

UID = "04A81D12DE5F80"
COMMAND, COM_IRQ, ERROR, STATUS1, STATUS2, FIFO_LEVEL = 0x01, 0x04, 0x06, 0x07, 0x08, 0x0A
MEM, RANDOM_ID, CALC_CRC, TRANSMIT, TRANSCEIVE, AUTHENTICATE = 0x01, 0x02, 0x03, 0x04, 0x0C, 0x0E


def lay(wires: "Wires") -> Tag:
    tag = Tag(UID)
    wires.field.put(tag, "r", at=wires.line.now())
    wires.line.advance(10e-3)
    return tag


def test_transmit_sends_at_once_and_ends_itself(wires: "Wires") -> None:
    wires.set_up()
    tag = lay(wires)
    wires.select(UID)
    wires.write(0x0D, 0x00)
    wires.start(TRANSMIT, 0x50, 0x00, 0x57, 0xCD, wait_s=100e-6)
    assert (wires.read(COMMAND), wires.read(COM_IRQ)) == (TRANSMIT, 0x04)
    wires.line.advance(1e-3)
    assert (wires.read(COMMAND), wires.read(COM_IRQ) & 0x70) == (0x00, 0x50)
    assert tag.state is TagState.HALT


def test_mem_keeps_25_bytes_that_survive_a_soft_reset(wires: "Wires") -> None:
    wires.start(MEM, *range(20))
    assert wires.read(COMMAND) == MEM  # still waits for five
    wires.write(0x09, *range(20, 27))
    assert (wires.read(COMMAND), wires.read(COM_IRQ) & 0x10, wires.fifo()) == (0, 0x10, bytes([25, 26]))
    wires.write(COMMAND, 0x0F)
    wires.line.advance(1e-3)
    wires.start(MEM)
    assert wires.fifo() == bytes(range(25))


def test_random_id_has_ten_bytes_and_another_one_follows(wires: "Wires") -> None:
    found = []
    for _ in range(2):
        wires.start(RANDOM_ID)
        assert (wires.read(COMMAND), wires.read(COM_IRQ) & 0x10) == (0, 0x10)
        wires.start(MEM)
        found.append(wires.fifo())
    assert [one[10:] for one in found] == [bytes(15)] * 2
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("version", "begins", "ends"),
    [(0x91, "00c637d5", "251d2979"), (0x92, "00eb66ba", "7d953b2f"), (0xB2, "00000000", "00000000")],
)
def test_self_test_leaves_the_64_bytes_of_the_version(
    new_wires: "NewWires", version: int, begins: str, ends: str
) -> None:
    wires = new_wires(version=version)
    wires.line.advance(1e-3)
    wires.start(MEM, *bytes(25))
    wires.write(0x36, 0x09)
    wires.write(0x09, 0x00)
    wires.write(COMMAND, CALC_CRC)
    assert wires.read(FIFO_LEVEL) == 64
    wires.write(COMMAND, 0)
    result = wires.chip.exchange(bytes([0x92] * 64 + [0]))[1:]
    assert (result[:4].hex(), result[-4:].hex()) == (begins, ends)


def test_an_authentication_is_heard_by_the_tag_which_then_rests_no_more(wires: "Wires") -> None:
    # field report 12: an NTAG that was asked so is no longer selected
    wires.set_up()
    tag = lay(wires)
    wires.select(UID)
    wires.start(AUTHENTICATE, 0x60, 11, *[0xFF] * 6, 4, 0xA8, 0x1D, 0x12)
    assert wires.read(COM_IRQ) & 0x71 == 0x41
    assert tag.state is TagState.IDLE
    wires.send(b"\x30\x04" + crc_a(b"\x30\x04"))
    assert wires.fifo() == b""


def test_host_cannot_pretend_an_authentication(wires: "Wires") -> None:
    wires.write(STATUS2, 0x08)
    assert wires.read(STATUS2) == 0x00


def test_power_down_takes_the_carrier_away_and_waking_takes_its_time(wires: "Wires") -> None:
    wires.set_up()
    wires.write(COMMAND, 0x10)
    assert (wires.field.is_on("r"), wires.read(COMMAND)) == (False, 0x10)
    wires.write(COMMAND, 0x00)
    assert wires.read(COMMAND) == 0x10
    wires.line.advance(1e-3)
    assert (wires.field.is_on("r"), wires.read(COMMAND)) == (True, 0x00)


def test_receiver_that_is_off_hears_nobody(wires: "Wires") -> None:
    wires.set_up()
    lay(wires)
    wires.start(0x20 | TRANSCEIVE, 0x26, wait_s=0)
    wires.write(0x0D, 0x87)
    wires.line.advance(5e-3)
    assert wires.read(COM_IRQ) & 0x21 == 0x01


def test_tags_are_deaf_at_another_bit_rate(wires: "Wires") -> None:
    wires.set_up()
    lay(wires)
    wires.write(0x12, 0x10)
    wires.send(b"\x26", last=7)
    assert wires.read(COM_IRQ) & 0x21 == 0x01


def test_modem_state_follows_a_transceive(wires: "Wires") -> None:
    wires.set_up(reload=1000)
    lay(wires)
    states = [wires.read(STATUS2)]
    wires.start(TRANSCEIVE, 0x26, wait_s=0)
    states.append(wires.read(STATUS2))
    wires.write(0x0D, 0x87)
    for after_s in (20e-6, 100e-6, 100e-6, 1e-3):
        wires.line.advance(after_s)
        states.append(wires.read(STATUS2))
    assert states == [0, 1, 3, 5, 6, 1]


def test_alerts_are_stored_until_they_are_cleared(wires: "Wires") -> None:
    wires.line.advance(1e-3)
    wires.write(COM_IRQ, 0x7F)
    wires.write(0x09, *range(9))
    assert (wires.read(STATUS1) & 0x03, wires.read(COM_IRQ)) == (0x00, 0x04)
    wires.write(COM_IRQ, 0x7F)
    assert wires.read(COM_IRQ) == 0x00
    wires.write(0x09, *range(47))
    assert (wires.read(STATUS1) & 0x03, wires.read(COM_IRQ)) == (0x02, 0x08)
    for _ in range(48):
        wires.read(0x09)
    assert (wires.read(STATUS1) & 0x03, wires.read(COM_IRQ)) == (0x01, 0x0C)
    wires.write(COM_IRQ, 0x7F)
    assert wires.read(COM_IRQ) == 0x04
    wires.write(0x0B, 60)
    assert wires.read(COM_IRQ) == 0x0C


def test_irq_bit_of_status1_follows_what_is_enabled(wires: "Wires") -> None:
    wires.set_up()
    wires.send(b"\x26", last=7)
    assert wires.read(STATUS1) & 0x10 == 0
    wires.write(0x02, 0x80 | 0x01)
    assert wires.read(STATUS1) & 0x10 == 0x10
    wires.write(COM_IRQ, 0x01)
    assert wires.read(STATUS1) & 0x10 == 0


def test_every_error_raises_its_interrupt_and_the_next_command_clears_it(wires: "Wires") -> None:
    wires.write(COM_IRQ, 0x7F)
    wires.write(0x09, *range(65))
    assert (wires.read(ERROR), wires.read(COM_IRQ) & 0x02) == (0x10, 0x02)
    wires.write(COMMAND, 0x00)
    assert wires.read(ERROR) == 0x10
    wires.write(COMMAND, TRANSCEIVE)
    assert wires.read(ERROR) == 0x00


def test_host_that_writes_into_the_fifo_while_an_answer_is_awaited_is_told(wires: "Wires") -> None:
    wires.set_up()
    wires.send(b"\x26", last=7, wait_s=20e-6)
    wires.write(0x09, 0x00)
    assert wires.read(ERROR) == 0x00  # still sending
    wires.line.advance(100e-6)
    wires.write(0x09, 0x00)
    assert wires.read(ERROR) == 0x80


def test_answer_longer_than_the_fifo_overflows(wires: "Wires") -> None:
    wires.set_up()
    lay(wires)
    wires.select(UID)
    wires.send(b"\x3a\x00\x0f" + crc_a(b"\x3a\x00\x0f"), wait_s=20e-3)
    assert (wires.read(FIFO_LEVEL), wires.read(ERROR), wires.read(COM_IRQ) & 0x22) == (64, 0x10, 0x22)

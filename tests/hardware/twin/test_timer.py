"""The emulated chip's timer, as a driver sees it (data sheet, sections 8.5 and 9.3.3.10)."""

from typing import TYPE_CHECKING

from hardware.twin.tags import Tag

if TYPE_CHECKING:
    from tests.hardware.twin.conftest import Wires

COM_IRQ, STATUS1, CONTROL = 0x04, 0x07, 0x0C
START_NOW, STOP_NOW = 0x40, 0x80


def configure(wires: "Wires", mode: int, reload: int) -> None:
    """Ticks of 25 us."""
    for register, value in ((0x2A, mode), (0x2B, 0xA9), (0x2C, reload >> 8), (0x2D, reload & 0xFF)):
        wires.write(register, value)
    wires.write(COM_IRQ, 0x7F)


def counter(wires: "Wires") -> int:
    return wires.read(0x2E) << 8 | wires.read(0x2F)


def runs(wires: "Wires") -> bool:
    return wires.read(STATUS1) & 0x08 != 0


def test_counter_counts_down_and_keeps_its_value_when_stopped(wires: "Wires") -> None:
    configure(wires, 0x00, 1000)
    assert not runs(wires)
    wires.write(CONTROL, START_NOW)
    values = [counter(wires)]
    for _ in range(3):
        wires.line.advance(5e-3)
        values.append(counter(wires))
    assert values == [1000, 800, 600, 400]
    assert runs(wires)
    wires.write(CONTROL, STOP_NOW)
    wires.line.advance(1.0)
    assert (counter(wires), runs(wires), wires.read(COM_IRQ) & 0x01) == (400, False, 0)


def test_counter_reads_0_once_the_time_is_over(wires: "Wires") -> None:
    configure(wires, 0x00, 1000)
    wires.write(CONTROL, START_NOW)
    wires.line.advance(26e-3)
    assert (counter(wires), runs(wires), wires.read(COM_IRQ) & 0x01) == (0, False, 1)


def test_auto_restart_goes_round_for_ever(wires: "Wires") -> None:
    configure(wires, 0x10, 1000)
    wires.write(CONTROL, START_NOW)
    for _ in range(3):
        wires.line.advance(26e-3)
        assert (wires.read(COM_IRQ) & 0x01, runs(wires)) == (1, True)
        wires.write(COM_IRQ, 0x01)
        assert wires.read(COM_IRQ) & 0x01 == 0


def test_even_prescaler_makes_the_tick_longer(wires: "Wires") -> None:
    configure(wires, 0x00, 9999)
    for register, value in ((0x2B, 0x00), (0x19, 0x5D)):
        wires.write(register, value)
    wires.write(CONTROL, START_NOW)
    wires.line.advance(10000 * 2 / 13.56e6 - 10e-6)
    assert wires.read(COM_IRQ) & 0x01 == 0
    wires.line.advance(20e-6)
    assert wires.read(COM_IRQ) & 0x01 == 1


def test_auto_start_begins_at_the_end_of_the_frame(wires: "Wires") -> None:
    wires.set_up(reload=1000)
    wires.send(b"\x26", last=7, wait_s=70e-6)
    assert not runs(wires)
    wires.line.advance(10e-6)
    assert runs(wires)


def test_timer_of_a_frame_that_nobody_answers_runs_out_while_the_next_frame_is_sent(wires: "Wires") -> None:
    wires.set_up()
    wires.send(b"\x50\x00\x57\xcd", wait_s=378e-6 + 150e-6)  # HLTA, then 150 of its timer's 200 us
    wires.send(b"\x26", last=7, wait_s=60e-6)
    assert wires.read(COM_IRQ) & 0x41 == 0x01


def test_an_answer_that_is_no_longer_received_does_not_stop_the_timer(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.send(b"\x26", last=7, wait_s=100e-6)
    wires.write(0x01, 0x00)
    wires.line.advance(1e-3)
    assert wires.read(COM_IRQ) & 0x21 == 0x01


def test_answers_stop_no_timer_where_many_are_received(wires: "Wires") -> None:
    wires.set_up()
    wires.field.put(Tag("04A81D12DE5F80"), "r", at=0.0)
    wires.write(0x13, 0x04)
    wires.send(b"\x26", last=7)
    assert wires.read(COM_IRQ) & 0x21 == 0x21

"""Displays on SPI: data and command pin, chip select by the bus or by a GPIO, pins that come and go."""

import errno
from random import Random

import pytest
from gpiozero import Device

from hardware.display import Chip, DisplayBus, DisplayError, Panel, Where
from hardware.display.bus import REFRESH_S
from hardware.display.connect import spi
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import SpiTwin
from hardware.twin.pins import TwinFactory
from hardware.twin.timeline import TimeLine


def noise(seed: int) -> bytes:
    return Random(seed).randbytes(1024)


@pytest.mark.parametrize("select", ["CE1", 16])
def test_luma_reaches_the_chip_by_data_and_command_pin(monkeypatch: pytest.MonkeyPatch, select: str | int) -> None:
    line = TimeLine(overshoot_s=0.0)
    factory = TwinFactory(line)
    monkeypatch.setattr(Device, "pin_factory", factory)
    chip = OledChip(Kind.SSD1309)

    def level() -> int:
        # The display listens while its chip select is low: CE1 is the bus's own, GPIO16 is driven by us.
        assert select == "CE1" or not factory.pin(16).state
        return int(factory.pin(24).state)

    twin = SpiTwin(line, chip, level)
    panel = Panel(Where("all", "spi0"), Chip.SSD1309, spi(0, select, 24, 25, spidev=lambda: twin))
    worker = DisplayBus("spi0", [panel], line)

    def show(frame: bytes) -> None:
        worker.offer("all", lambda: frame)
        while (worker.step(line.now()) or 0.0) <= line.now():
            pass

    show(noise(9))
    assert chip.frame() == noise(9)
    before = line.now()
    show(noise(10))
    assert line.now() - before < 0.003  # 1 KB at 8 MHz, and 16 calls
    chip.power_up()  # on SPI nobody can ask whether it is well
    line.advance(REFRESH_S)
    while (worker.step(line.now()) or 0.0) <= line.now():
        pass
    assert chip.frame() == noise(10)
    worker.close()
    assert not chip.on
    factory.reserve_pins(worker, "GPIO24", "GPIO25")  # given back


def test_pins_are_given_back_where_the_bus_is_off_so_that_it_can_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = TimeLine(overshoot_s=0.0)
    monkeypatch.setattr(Device, "pin_factory", TwinFactory(line))
    chip = OledChip(Kind.SSD1309)
    tries: list[int] = []

    class Off(SpiTwin):
        def open(self, port: int, device: int) -> None:
            tries.append(device)
            if len(tries) == 1:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    def connect() -> Off:
        return Off(line, chip, lambda: int(Device.pin_factory.pin(24).state))

    panel = Panel(Where("all", "spi0 select 16"), Chip.SSD1309, spi(0, 16, 24, 25, spidev=connect))
    with pytest.raises(DisplayError, match="SPI device not found; the bus is off") as kept:
        panel.open()
    panel.open()  # while the error, and with it all that it passed through, is still held
    assert (len(tries), kept.type) == (2, DisplayError)


def test_a_pin_that_something_else_holds_is_a_dead_display_not_the_end_of_its_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = TimeLine(overshoot_s=0.0)
    factory = TwinFactory(line)
    monkeypatch.setattr(Device, "pin_factory", factory)
    factory.reserve_pins(line, "GPIO24")
    twin = SpiTwin(line, OledChip(Kind.SSD1309), lambda: 0)
    panel = Panel(Where("all", "spi0"), Chip.SSD1309, spi(0, "CE1", 24, 25, spidev=lambda: twin))
    worker = DisplayBus("spi0", [panel], line)
    worker.step(line.now())
    assert worker.failures()["all"].startswith("display on spi0, pin 24: used twice in this program")

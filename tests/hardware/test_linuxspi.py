"""The real bus: what is set, and what the system's refusals are called (field report 14)."""

import errno
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.exc import BadPinFactory, PinFactoryFallback
from gpiozero.pins.mock import MockFactory

from hardware import linuxspi
from hardware.errors import HardwareError
from hardware.linuxspi import GpioReset, LinuxSpi


class FakeSpiDev:
    """spidev's class as far as it is used; `refusal` is what open or xfer2 raise."""

    refusal: OSError | None = None
    refuse_transfer = False
    opened: list["FakeSpiDev"]

    def __init__(self) -> None:
        self.place = (-1, -1)
        self.mode = 3
        self.max_speed_hz = 125_000_000
        self.closed = False
        self.sent: list[tuple[list[int], int | None]] = []
        self.select: Any = None

    def open(self, bus: int, device: int) -> None:
        refusal = type(self).refusal
        if refusal is not None and not type(self).refuse_transfer:
            raise refusal
        self.place = (bus, device)
        type(self).opened.append(self)

    def xfer2(self, data: list[int]) -> list[int]:
        refusal = type(self).refusal
        if refusal is not None:
            raise refusal
        self.sent.append((data, None if self.select is None else self.select.state))
        return [value ^ 0xFF for value in data]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> type[FakeSpiDev]:
    class Fresh(FakeSpiDev):
        opened: list[FakeSpiDev] = []  # noqa: RUF012 - one list for each test's class

    module = ModuleType("spidev")
    module.SpiDev = Fresh  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    return Fresh


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before = Device.pin_factory
    factory = MockFactory()
    Device.pin_factory = factory
    yield factory
    factory.reset()
    Device.pin_factory = before


def test_nothing_is_opened_by_the_constructor_and_the_clock_is_set_by_open(spidev: type[FakeSpiDev]) -> None:
    spi = LinuxSpi(0, 1)
    assert spidev.opened == []
    spi.open()
    handle = spidev.opened[0]
    assert (handle.place, handle.mode, handle.max_speed_hz) == ((0, 1), 0, 4_000_000)
    assert spi.transfer(b"\x01\x02") == b"\xfe\xfd"
    spi.close()
    spi.close()
    assert handle.closed


@pytest.mark.parametrize("clock_hz", [0, 10_000_001])
def test_clock_beyond_the_chip_is_refused(clock_hz: int) -> None:
    with pytest.raises(ValueError, match="an MFRC522 takes at most 10000000"):
        LinuxSpi(0, 0, clock_hz=clock_hz)


def test_gpio_chip_select_is_low_during_each_window_only(spidev: type[FakeSpiDev], pins: MockFactory) -> None:
    spi = LinuxSpi(0, 0, select_pin=17)
    spi.open()
    handle = spidev.opened[0]
    pin = pins.pin(17)
    handle.select = pin
    assert pin.state == 1
    spi.transfer(b"\x92")
    assert handle.sent == [([0x92], 0)]
    assert pin.state == 1
    spi.close()


def test_chip_select_is_raised_again_after_a_failed_transfer(spidev: type[FakeSpiDev], pins: MockFactory) -> None:
    spi = LinuxSpi(0, 0, select_pin=17)
    spi.open()
    spidev.refuse_transfer = True
    spidev.refusal = OSError(errno.EIO, "Input/output error")
    with pytest.raises(HardwareError, match=r"/dev/spidev0\.0: .*Input/output error"):
        spi.transfer(b"\x92")
    assert pins.pin(17).state == 1
    spi.close()


def test_pin_used_twice_is_told_and_the_bus_given_back(spidev: type[FakeSpiDev], pins: MockFactory) -> None:
    # field reports 6 and 15
    first = LinuxSpi(0, 0, select_pin=17)
    first.open()
    second = LinuxSpi(0, 0, select_pin=17)
    with pytest.raises(HardwareError, match="pin 17: used twice in this program"):
        second.open()
    assert spidev.opened[1].closed
    first.close()


@pytest.mark.parametrize(
    ("refusal", "devices", "text"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), [], "the SPI bus is off; add 'dtparam=spi=on'"),
        (
            FileNotFoundError(errno.ENOENT, "No such file"),
            ["/dev/spidev0.1"],
            "no such device; there are /dev/spidev0.1",
        ),
        (PermissionError(errno.EACCES, "Permission denied"), [], "no permission; 'sudo usermod -aG spi"),
        (OSError(errno.EBUSY, "Device or resource busy"), [], "busy; another program"),
        (OSError(errno.EIO, "Input/output error"), [], "the bus with 'arbitre watch'"),
    ],
)
def test_refusals_of_the_bus_are_told_apart_with_their_mends(
    spidev: type[FakeSpiDev], monkeypatch: pytest.MonkeyPatch, refusal: OSError, devices: list[str], text: str
) -> None:
    spidev.refusal = refusal
    monkeypatch.setattr(linuxspi, "glob", lambda pattern: devices)
    with pytest.raises(HardwareError) as raised:
        LinuxSpi(0, 0).open()
    assert text in str(raised.value)
    assert raised.value.__cause__ is refusal


def test_a_second_bus_that_is_off_wants_an_overlay(spidev: type[FakeSpiDev], monkeypatch: pytest.MonkeyPatch) -> None:
    spidev.refusal = FileNotFoundError(errno.ENOENT, "No such file")
    monkeypatch.setattr(linuxspi, "glob", lambda pattern: [])
    with pytest.raises(HardwareError, match=r"spidev1\.0: the SPI bus is off; add the dtoverlay line that"):
        LinuxSpi(1, 0).open()


def test_missing_library_is_told_with_the_package_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(HardwareError, match="apt install python3-spidev"):
        LinuxSpi(0, 0).open()


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (RuntimeError("'GPIO busy'"), "GPIO busy; another program or a kernel overlay holds it"),
        (RuntimeError("can not open gpiochip: permission denied"), "no permission; 'sudo usermod -aG gpio"),
        (
            BadPinFactory("Unable to load any default pin factory!"),
            "a Pi 5 needs it: RPi.GPIO does not know that board",
        ),
        (ModuleNotFoundError("No module named 'lgpio'"), "install 'python3-lgpio' with apt"),
        (ValueError("odd"), "ValueError: odd; check wiring"),
    ],
)
def test_refusals_of_a_pin_are_told_apart_with_their_mends(
    monkeypatch: pytest.MonkeyPatch, refusal: Exception, text: str
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise refusal

    monkeypatch.setattr("gpiozero.DigitalOutputDevice", refuse)
    with pytest.raises(HardwareError) as raised:
        GpioReset(22).open()
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("lgpio_said", "text"),
    [
        ("'can not open gpiochip'", "sudo usermod -aG gpio $USER"),
        ("[Errno 2] No such file or directory: '.lgd-nfy-3'", "start from a directory in which you may write"),
        ("No module named 'lgpio'", "install 'python3-lgpio' with apt"),
    ],
)
def test_what_gpiozero_only_warns_of_is_told_with_its_mend(
    monkeypatch: pytest.MonkeyPatch, lgpio_said: str, text: str
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        for factory, said in (("lgpio", lgpio_said), ("rpigpio", "No module named 'RPi'"), ("native", "no gpiomem")):
            warnings.warn(PinFactoryFallback(f"Falling back from {factory}: {said}"), stacklevel=1)
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr("gpiozero.DigitalOutputDevice", refuse)
    with pytest.raises(HardwareError) as raised:
        GpioReset(22).open()
    assert lgpio_said in str(raised.value)
    assert text in str(raised.value)


def test_reset_line_is_high_after_open_and_follows(pins: MockFactory) -> None:
    line = GpioReset(22)
    with pytest.raises(HardwareError, match="call open"):
        line.set(low=True)
    line.open()
    pin = pins.pin(22)
    states = [pin.state]
    for low in (True, False):
        line.set(low)
        states.append(pin.state)
    line.close()
    assert states == [1, 0, 1]


def test_transfer_before_open_says_so() -> None:
    with pytest.raises(HardwareError, match=r"/dev/spidev1\.2 is not open; call open\(\) first"):
        LinuxSpi(1, 2).transfer(b"\0")

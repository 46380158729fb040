"""How luma reaches a bus on the Pi: I2C by smbus2, SPI by spidev with D/C and reset pins by gpiozero.

luma asks RPi.GPIO for those two pins, which fails on a Pi 5; `Pins` answers luma's four calls with gpiozero, so
every Pi is served and the twins' mock pins as well. What was claimed is given back where connecting fails: it is
tried again.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol

from hardware.display.errors import DisplayError
from hardware.display.panel import Serial
from hardware.errors import HardwareError
from hardware.linuxspi import claim_pin


def i2c(port: int, address: int) -> Callable[[], Serial]:
    """A display on I2C bus `port` (1 on a Pi) at `address` (0x3C or 0x3D)."""

    def connect() -> Serial:
        from luma.core.interface import serial

        opened: Serial = serial.i2c(port=port, address=address)
        return opened

    return connect


class SpiDevice(Protocol):
    """What luma calls of spidev's `SpiDev`."""

    max_speed_hz: int
    mode: int

    def open(self, port: int, device: int) -> None:
        """Open one chip select of one bus."""
        ...

    def writebytes(self, data: list[int]) -> None:
        """Send, chip select low."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


def spi(
    port: int,
    select: str | int,
    dc_pin: int,
    reset_pin: int | None,
    spidev: Callable[[], SpiDevice] | None = None,
    *,
    spare: str = "CE0",
) -> Callable[[], Serial]:
    """A display on SPI bus `port`, with its D/C pin and, if wired, its reset pin.

    `select` is the bus's own chip select (`"CE0"`, `"CE1"`) or the number of a GPIO; then the bus pulls its own
    `spare` at each call, which stays unconnected. `spidev` makes the SPI device; None is the system's own.
    """

    def connect() -> Serial:
        from luma.core.interface import serial

        with ExitStack() as claimed:
            pins = Pins(f"display on spi{port}")
            claimed.callback(pins.close)
            device = spidev() if spidev is not None else _system_spi()
            if isinstance(select, int):
                pins.setup(select, Pins.OUT)
                device = _Selected(device, lambda level: pins.output(select, level))
            opened: Serial = serial.spi(
                spi=device,
                gpio=pins,
                port=port,
                device=int((select if isinstance(select, str) else spare).removeprefix("CE")),
                gpio_DC=dc_pin,
                gpio_RST=reset_pin,
                # Datasheet 8.1.3.1: the reset line is held low for 3 us at least; a call takes longer by itself.
            )
            claimed.pop_all()  # they are the display's now
        return _Closing(opened, pins)

    return connect


def _system_spi() -> SpiDevice:
    try:
        import spidev
    except ImportError as error:
        raise DisplayError("no library spidev for a display on SPI; sudo apt install python3-spidev") from error
    device: SpiDevice = spidev.SpiDev()
    return device


class _Selected:
    """An SPI device whose chip select is a GPIO."""

    mode = 0

    def __init__(self, device: SpiDevice, drive: Callable[[int], None]) -> None:
        self._device, self._drive = device, drive

    @property
    def max_speed_hz(self) -> int:
        return self._device.max_speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, hertz: int) -> None:
        self._device.max_speed_hz = hertz

    def open(self, port: int, device: int) -> None:
        self._device.open(port, device)

    def writebytes(self, data: list[int]) -> None:
        self._drive(Pins.LOW)
        try:
            self._device.writebytes(data)
        finally:
            self._drive(Pins.HIGH)

    def close(self) -> None:
        self._device.close()


class Pins:
    """luma's idea of a GPIO module, on gpiozero's output pins."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, use: str = "display") -> None:
        self._use = use
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, mode: int) -> None:
        """Make `pin` an output, high. Raises `DisplayError` where it is not to be had."""
        try:
            self._pins[pin] = claim_pin(pin, self._use)
        except HardwareError as error:
            raise DisplayError(str(error)) from error

    def output(self, pin: int, level: int) -> None:
        """Drive `pin`."""
        self._pins[pin].value = level

    def close(self) -> None:
        """Give the pins back."""
        for pin in self._pins.values():
            pin.close()
        self._pins.clear()


class _Closing:
    """A luma serial that gives its pins back too."""

    def __init__(self, serial: Serial, pins: Pins) -> None:
        self._serial, self._pins = serial, pins

    def command(self, *cmd: int) -> None:
        self._serial.command(*cmd)

    def data(self, data: list[int]) -> None:
        self._serial.data(data)

    def cleanup(self) -> None:
        self._serial.cleanup()
        self._pins.close()

"""One OLED panel of 128x64 behind a luma.oled driver: power-up by luma, then only runs of changed columns.

luma's own `display()` sends all 1024 bytes each time. Here luma brings up the chip (its tables of commands) and
carries bytes to the bus (its serial classes); the addressing of single runs is ours:

* SSD1306, SSD1309: a window by 21h and 22h in horizontal mode (SSD1306 datasheet, 10.1.3 to 10.1.5); data that
  follows a whole page flows on into the next without a new address.
* SH1106: page and column commands for every page (SH1106 datasheet, "Page Addressing Mode"); its memory has 132
  columns, of which 2 to 129 are seen.

A chip whose supply fails for a moment goes on to acknowledge, with its registers at reset values: display off, charge
pump off, another addressing mode. `restore` sends luma's own set-up again, but for its first byte, which would
switch the display off: on a display that is well nothing is to be seen of it.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from hardware.display.errors import DisplayError
from hardware.display.frames import COLUMNS, PAGES, Run

_NOP: Final = 0xE3
_COLUMN_WINDOW: Final = 0x21
_PAGE_WINDOW: Final = 0x22
_PAGE: Final = 0xB0
_COLUMN_LOW: Final = 0x00
_COLUMN_HIGH: Final = 0x10
_CONTRAST: Final = 0x81
_OFF: Final = 0xAE
_ON: Final = 0xAF
_SH1106_OFFSET: Final = 2


class Chip(Enum):
    """The controllers that are driven, by the names `table.toml` uses."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"


class Serial(Protocol):
    """luma's interface to a bus: the same for I2C and SPI."""

    def command(self, *cmd: int) -> None:
        """Send command bytes."""
        ...

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""
        ...

    def cleanup(self) -> None:
        """Close the bus."""
        ...


@dataclass(frozen=True, slots=True)
class Where:
    """A panel's name and place, for messages: `seat2`, `i2c-1 address 0x3C`."""

    name: str
    place: str


class Panel:
    """One display. Nothing is opened before `open()`; every fault of the bus becomes a `DisplayError`."""

    def __init__(self, where: Where, chip: Chip, connect: Callable[[], Serial], contrast: int = 0xCF) -> None:
        self.where = where
        self.chip = chip
        self._connect = connect
        self._contrast = contrast
        self._serial: Serial | None = None
        self._flows_to: int | None = None  # the page that data would flow into without a new address
        self._set_up: tuple[int, ...] = ()  # what luma sent to bring the chip up, without "display off"

    @property
    def name(self) -> str:
        """Whose display it is."""
        return self.where.name

    def open(self) -> None:
        """Ask whether the chip is there, then bring it up, dark. Again after a fault. Raises `DisplayError`."""
        self._flows_to = None
        with _translated(self.where, "did not start"):
            if self._serial is None:
                self._serial = self._connect()
            self._serial.command(_NOP)  # cheap question: luma's drivers register themselves before they talk
            self._set_up = _power_up(self.chip, self._serial)
            self._serial.command(_CONTRAST, self._contrast)

    def restore(self) -> None:
        """Bring the registers to what they should be; the memory is left alone. Raises `DisplayError`."""
        self._flows_to = None
        with _translated(self.where, "did not take its settings"):
            self._opened().command(*self._set_up, _CONTRAST, self._contrast, _ON)

    def send(self, run: Run) -> None:
        """Put one run into the display's memory. Raises `DisplayError`."""
        serial = self._opened()
        with _translated(self.where, f"did not take page {run.page}"):
            if self.chip is Chip.SH1106:
                at = run.column + _SH1106_OFFSET
                serial.command(_PAGE | run.page, _COLUMN_LOW | at & 0x0F, _COLUMN_HIGH | at >> 4)
            elif not (run.page == self._flows_to and len(run.data) == COLUMNS):
                last = run.column + len(run.data) - 1
                serial.command(_COLUMN_WINDOW, run.column, last, _PAGE_WINDOW, run.page, PAGES - 1)
            self._flows_to = None  # unknown, should the data break off
            serial.data(list(run.data))
            whole = len(run.data) == COLUMNS and run.page + 1 < PAGES
            self._flows_to = run.page + 1 if whole else None

    def ping(self) -> None:
        """Ask whether the display still answers. Raises `DisplayError`."""
        with _translated(self.where, "does not answer"):
            self._opened().command(_NOP)

    def contrast(self, level: int) -> None:
        """Brightness, 0 to 255 (dim after idle: a low one). Raises `DisplayError`."""
        if not 0 <= level <= 255:
            raise ValueError(f"{self.name}: contrast {level} is not between 0 and 255")
        self._contrast = level
        with _translated(self.where, "did not take its contrast"):
            self._opened().command(_CONTRAST, level)

    def close(self) -> None:
        """Switch the display off and let the bus go. Raises `DisplayError`."""
        if self._serial is None:
            return
        serial, self._serial = self._serial, None
        with _translated(self.where, "did not switch off"):
            try:
                serial.command(_OFF)
            finally:
                serial.cleanup()

    def _opened(self) -> Serial:
        if self._serial is None:
            raise DisplayError(f"display {self.name} on {self.where.place} is not open; call open() first")
        return self._serial


class _translated:  # noqa: N801  a context, named for how its use reads
    """Turns the faults of bus and luma into `DisplayError`, with the mend."""

    def __init__(self, where: Where, what: str) -> None:
        self._where, self._what = where, what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        import luma.core.error

        if isinstance(error, OSError | luma.core.error.Error):
            raise DisplayError(
                f"display {self._where.name} on {self._where.place} {self._what}: {error}; {_mend(error)}"
            ) from error


def _mend(error: BaseException) -> str:
    """What to do (field report 14). luma keeps what the system said as the context of its own error."""
    system = error if isinstance(error, OSError) else error.__context__
    match system.errno if isinstance(system, OSError) else None:
        case errno.ENOENT:
            return (
                "the bus is off: add the lines that 'arbitre watch --plan' prints to /boot/firmware/config.txt and"
                " restart; I2C needs the module i2c-dev too: 'sudo raspi-config nonint do_i2c 0' sees to both"
            )
        case errno.EACCES | errno.EPERM:
            return "'sudo usermod -aG i2c,spi,gpio $USER', then log in again"
        case _:
            return "check its wires and its address"


class _Listening:
    """luma's interface to a bus, and what was commanded through it until the first picture byte."""

    def __init__(self, serial: Serial) -> None:
        self._serial = serial
        self.commands: list[tuple[int, ...]] = []
        self._listens = True

    def command(self, *cmd: int) -> None:
        self._serial.command(*cmd)
        if self._listens:
            self.commands.append(cmd)

    def data(self, data: list[int]) -> None:
        self._listens = False
        self._serial.data(data)

    def cleanup(self) -> None:
        self._serial.cleanup()


def _power_up(chip: Chip, serial: Serial) -> tuple[int, ...]:
    """Let luma bring the chip up; what it sent for that, without its leading "display off"."""
    from luma.oled import device

    drivers = {Chip.SSD1306: device.ssd1306, Chip.SSD1309: device.ssd1309, Chip.SH1106: device.sh1106}
    listening = _Listening(serial)
    driver = drivers[chip](listening, width=COLUMNS, height=PAGES * 8)
    driver.persist = True  # at exit luma would clear a display that may be dead; close() switches it off
    return next(cmd[1:] for cmd in listening.commands if cmd[0] == _OFF)

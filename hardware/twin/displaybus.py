"""Emulated buses for displays: below smbus2's `SMBus` and below spidev's `SpiDev`, where luma calls them.

Each bus charges its own time line: the system call, then every byte at the bus clock (I2C: 9 bits with the
acknowledge, UM10204 section 3.1.5; start and stop two bits more). A display can be told to be silent, a bus to
be held low; then the kernel's driver gives up after its time-out (i2c-bcm2835: 1 s) with the errno it uses.
"""

import errno
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, Protocol

from hardware.twin.display import OledChip


class Line(Protocol):
    """A time line that can be charged."""

    def now(self) -> float: ...
    def advance(self, dt_s: float) -> None: ...


HELD_TIMEOUT_S: Final = 1.0
_INSTALLING: Final = Lock()
"""Workers of two buses may open their displays at the same time, each in its thread."""


class I2cTwin:
    """One I2C bus with displays on it."""

    def __init__(self, line: Line, *, clock_hz: int = 400_000, call_s: float = 60e-6) -> None:
        self.line = line
        self.clock_hz = clock_hz
        self.call_s = call_s
        self.chips: dict[int, OledChip] = {}
        self.silent: set[int] = set()  # addresses that do not acknowledge
        self.held = False
        self.bytes = 0
        self.messages: list[tuple[int, bytes]] = []
        self.keep_messages = False

    def attach(self, address: int, chip: OledChip) -> None:
        """Put a display at an address; ValueError for one that is taken."""
        if address in self.chips:
            raise ValueError(f"address 0x{address:02X} is taken; a bus has one device for each")
        self.chips[address] = chip

    def write(self, address: int, message: bytes) -> None:
        """One message. OSError as the kernel gives it: EREMOTEIO without acknowledge, ETIMEDOUT on a held bus."""
        self.line.advance(self.call_s)
        if self.held:
            self.line.advance(HELD_TIMEOUT_S)
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        if address not in self.chips or address in self.silent:
            self._charge(1)
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self._charge(1 + len(message))
        if self.keep_messages:
            self.messages.append((address, message))
        chip = self.chips[address]
        match message[:1]:
            case b"\x00":
                chip.command(message[1:])
            case b"\x40":
                chip.data(message[1:])
            case other:
                raise AssertionError(f"a control byte {other.hex()} that luma never sends")

    def _charge(self, count: int) -> None:
        self.bytes += count
        self.line.advance((9 * count + 2) / self.clock_hz)


class I2cBuses:
    """The I2C buses of one machine, by port, and the `SMBus` that reaches them."""

    def __init__(self, buses: dict[int, I2cTwin]) -> None:
        self.buses = buses

    @contextmanager
    def installed(self) -> Iterator[None]:
        """While it lasts, `smbus2.SMBus(port)` opens an emulated bus, so that luma takes its path of the Pi."""
        import smbus2

        names: dict[str, Any] = vars(smbus2)
        with _INSTALLING:
            real = names["SMBus"]
            names["SMBus"] = self._open
            try:
                yield
            finally:
                names["SMBus"] = real

    def connecting(self, connect: Callable[[], Any]) -> Callable[[], Any]:
        """`connect`, run with the emulated buses in place."""

        def run() -> Any:
            with self.installed():
                return connect()

        return run

    def _open(self, port: int) -> "SmbusTwin":
        if port not in self.buses:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}")
        return SmbusTwin(self.buses[port])


class SmbusTwin:
    """The calls of smbus2's `SMBus` that luma makes."""

    def __init__(self, bus: I2cTwin) -> None:
        self._bus = bus
        self.closed = False

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        """Up to 32 bytes after a register byte (here the control byte)."""
        if len(data) > 32:
            raise ValueError(f"an SMBus block holds 32 bytes, not {len(data)}")
        self._bus.write(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages: Any) -> None:
        """Messages of any length; each is written."""
        for message in messages:
            self._bus.write(message.addr, bytes(message))

    def close(self) -> None:
        """Let the bus go."""
        self.closed = True


class SpiTwin:
    """A display below `spidev.SpiDev`: luma's bytes, told apart by the level of the D/C pin."""

    def __init__(self, line: Line, chip: OledChip, dc: Callable[[], int], *, call_s: float = 60e-6) -> None:
        self.line = line
        self.chip = chip
        self.dc = dc
        self.call_s = call_s
        self.max_speed_hz = 8_000_000
        self.mode = 0
        self.bytes = 0

    def open(self, port: int, device: int) -> None:
        """Nothing to open."""

    def writebytes(self, data: Iterable[int]) -> None:
        """One chip-select window. An SPI display gives no answer, so a missing one is not noticed."""
        sent = bytes(data)
        self.bytes += len(sent)
        self.line.advance(self.call_s + 8 * len(sent) / self.max_speed_hz)
        if self.dc():
            self.chip.data(sent)
        else:
            self.chip.command(sent)

    def close(self) -> None:
        """Nothing to close."""

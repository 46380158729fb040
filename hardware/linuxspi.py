"""The real SPI bus of a Pi: spidev for the bytes, gpiozero for chip selects and reset lines that are plain GPIOs.

Rules:
- Nothing is opened before `open()`. The clock is always set: spidev opens at the controller's maximum, and an
  MFRC522 takes 10 MHz at most (data sheet section 8.1.2).
- With a GPIO chip select the bus's own CE pin stays unconnected; no `no_cs` is asked for, since not every
  kernel has it.
- What the system refuses is said apart, each with its mend: bus off, no such device, no permission, pin busy, no
  library.
"""

import warnings
from collections.abc import Callable
from glob import glob
from typing import Any

from hardware.errors import HardwareError

MAX_CLOCK_HZ = 10_000_000


class LinuxSpi:
    """The wires to one chip on a Pi (`hardware.spi.Spi`)."""

    def __init__(
        self, bus: int, device: int, *, clock_hz: int = 4_000_000, select_pin: int | str | None = None
    ) -> None:
        if not 0 < clock_hz <= MAX_CLOCK_HZ:
            raise ValueError(f"SPI clock {clock_hz} Hz: an MFRC522 takes at most {MAX_CLOCK_HZ}; try 4000000")
        self.path = f"/dev/spidev{bus}.{device}"
        self._bus = bus
        self._device = device
        self._clock_hz = clock_hz
        self._select_pin = select_pin
        self._handle: Any = None
        self._select: Any = None

    def open(self) -> None:
        """Claim the bus and, if there is one, the chip-select pin."""
        try:
            import spidev
        except ImportError as error:
            raise HardwareError(
                f"{self.path}: the Python module spidev is missing; install it with 'sudo apt install python3-spidev'"
            ) from error
        handle = spidev.SpiDev()
        try:
            handle.open(self._bus, self._device)
            handle.mode = 0
            handle.max_speed_hz = self._clock_hz
        except OSError as error:
            raise _translated(self.path, error) from error
        self._handle = handle
        if self._select_pin is not None:
            try:
                self._select = claim_pin(self._select_pin, f"chip select of {self.path}")
            except HardwareError:
                self.close()
                raise

    def transfer(self, data: bytes) -> bytes:
        """One chip-select window."""
        if self._handle is None:
            raise HardwareError(f"{self.path} is not open; call open() first")
        select = self._select
        try:
            if select is None:
                return bytes(self._handle.xfer2(list(data)))
            select.off()
            try:
                return bytes(self._handle.xfer2(list(data)))
            finally:
                select.on()
        except OSError as error:
            raise _translated(self.path, error) from error

    def close(self) -> None:
        """Give the bus and the pin back; a second call does nothing."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None
        if self._select is not None:
            self._select.close()
            self._select = None


class GpioReset:
    """The reset line of one or several chips at a GPIO (`hardware.spi.ResetLine`)."""

    def __init__(self, pin: int | str) -> None:
        self._pin = pin
        self._line: Any = None

    def open(self) -> None:
        """Claim the pin and let the chips run."""
        self._line = claim_pin(self._pin, "reset line")

    def set(self, low: bool) -> None:
        """Hold the chips in reset (low), or let them run."""
        if self._line is None:
            raise HardwareError(f"reset line at pin {self._pin} is not open; call open() first")
        if low:
            self._line.off()
        else:
            self._line.on()

    def close(self) -> None:
        """Give the pin back; a second call does nothing."""
        if self._line is not None:
            self._line.close()
            self._line = None


def claim_pin(pin: int | str, use: str) -> Any:
    """An output that is high; gpiozero chooses how (lgpio on every Pi; RPi.GPIO is not needed anywhere)."""
    from gpiozero import DigitalOutputDevice
    from gpiozero.exc import BadPinFactory, GPIOPinInUse, GPIOZeroError

    claim: Callable[..., Any] = DigitalOutputDevice
    told: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            told = caught
            warnings.simplefilter("always")
            line = claim(pin, initial_value=True)
        for warning in told:  # which factory was fallen back on matters only where one was found
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
        return line
    except (BadPinFactory, ImportError) as error:  # ImportError: GPIOZERO_PIN_FACTORY names one that is not here
        why = _why_no_way(error, [str(warning.message) for warning in told])
        raise HardwareError(f"{use}, pin {pin}: gpiozero finds no way to the pins ({why}); {_way(why)}") from error
    except GPIOPinInUse as error:
        raise HardwareError(f"{use}, pin {pin}: used twice in this program; give each use its own pin") from error
    except GPIOZeroError as error:
        raise HardwareError(f"{use}, pin {pin}: {error}; check the pin's name in table.toml") from error
    except Exception as error:
        # lgpio raises its own error class, which is not to be imported here
        text = str(error)
        if "busy" in text.lower():
            raise HardwareError(
                f"{use}, pin {pin}: GPIO busy; another program or a kernel overlay holds it:"
                " see 'gpioinfo' and the dtoverlay lines of /boot/firmware/config.txt"
            ) from error
        if isinstance(error, PermissionError) or "permission" in text.lower():
            raise HardwareError(
                f"{use}, pin {pin}: no permission; 'sudo usermod -aG gpio $USER', then log in again"
            ) from error
        raise HardwareError(
            f"{use}, pin {pin}: {type(error).__name__}: {text}; check wiring and pin number"
        ) from error


def _why_no_way(error: Exception, told: list[str]) -> str:
    """Why lgpio did not do: gpiozero only warns of it, and its error names none of those it tried."""
    head = "Falling back from lgpio: "
    return next((text.removeprefix(head) for text in told if text.startswith(head)), str(error))


def _way(why: str) -> str:
    """The mend for what lgpio said; it says the same of a chip that is not there and of one that it may not open."""
    if ".lgd-nfy" in why:  # the name of its pipe, -3 for one that it could not make
        return "lgpio makes a pipe in the working directory: start from a directory in which you may write"
    if "gpiochip" in why:
        return (
            "'sudo usermod -aG gpio $USER', then log in again; on a Pi 5 see 'The pins of a Pi 5' in docs/install.md"
        )
    return "install 'python3-lgpio' with apt (a Pi 5 needs it: RPi.GPIO does not know that board)"


def _translated(path: str, error: OSError) -> HardwareError:
    if isinstance(error, PermissionError):
        return HardwareError(f"{path}: no permission; 'sudo usermod -aG spi $USER', then log in again")
    if isinstance(error, FileNotFoundError):
        others = sorted(glob("/dev/spidev*"))
        if not others:
            spi0 = path.startswith("/dev/spidev0.")
            line = "'dtparam=spi=on'" if spi0 else "the dtoverlay line that 'arbitre watch --plan' prints"
            how = " (or use raspi-config)" if spi0 else ""
            return HardwareError(
                f"{path}: the SPI bus is off; add {line} to /boot/firmware/config.txt{how} and restart"
            )
        return HardwareError(
            f"{path}: no such device; there are {', '.join(others)}: correct bus and device in table.toml, or add the"
            " dtoverlay that makes this bus"
        )
    if error.errno == 16:
        return HardwareError(f"{path}: busy; another program uses this bus: stop it, or see 'fuser {path}'")
    return HardwareError(f"{path}: {error}; check the wires, and the bus with 'arbitre watch'")

"""Builds the table of a table.toml on the Pi: a poller process for each SPI bus, threads for everything else.

The machines are those of the twins (`firmware/rig.py`); a thread or a process drives each by the monotonic clock.
A reset line that several readers share is pulsed once, before any reader is brought up: later pulses would reset
the neighbours too, so such a reader is re-initialised by its registers alone.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from firmware.config.claims import spare_select
from firmware.config.errors import ConfigError
from firmware.config.model import SatelliteReader, SpiReader, TableConfig
from firmware.layout import pace_s
from hardware.errors import HardwareError
from hardware.linuxspi import GpioReset, LinuxSpi
from hardware.looks import Look
from hardware.mfrc522 import Health, Reader
from hardware.poller import Poller
from hardware.pollerprocess import MonotonicClock, PollerProcess
from hardware.spi import Spi
from hardware.steps import Clock


@dataclass(frozen=True, slots=True)
class Wire:
    """How one reader is wired, as its poller process needs it (plain values: they are pickled)."""

    reader: SpiReader
    device: int
    select_pin: int | None
    reset_pin: int | None


def wires(config: TableConfig) -> dict[str, tuple[Wire, ...]]:
    """The wires of each SPI bus. Raises `ConfigError` for readers that only a satellite has."""
    resets = [reader.reset for reader in config.readers if isinstance(reader, SpiReader)]
    found: dict[str, list[Wire]] = {}
    for reader in config.readers:
        if isinstance(reader, SatelliteReader):
            what = f"reader '{reader.name}' is at a satellite ({reader.port})"
            raise ConfigError(config.file, 0, what, 'readers with driver = "mfrc522": satellites come later')
        if isinstance(reader.select, int):
            spare = spare_select(config, reader.bus) or "CE0"
            device, pin = int(spare.removeprefix("CE")), reader.select
        else:
            device, pin = int(reader.select.removeprefix("CE")), None
        own_reset = reader.reset if resets.count(reader.reset) == 1 else None
        found.setdefault(reader.bus, []).append(Wire(reader, device, pin, own_reset))
    return {bus: tuple(each) for bus, each in found.items()}


def shared_resets(config: TableConfig) -> tuple[int, ...]:
    """Reset lines of more than one reader."""
    pins = [r.reset for r in config.readers if isinstance(r, SpiReader) and r.reset is not None]
    return tuple(sorted({pin for pin in pins if pins.count(pin) > 1}))


def pulse(resets: Iterable[GpioReset]) -> None:
    """Claim shared reset lines and pulse each once. Raises HardwareError."""
    lines = tuple(resets)
    for line in lines:
        line.open()
        line.set(low=True)
    for line in lines:
        line.set(low=False)


def open_spi(wire: Wire) -> Spi:
    """The opened wires to one reader."""
    number = int(wire.reader.bus.removeprefix("spi"))
    spi = LinuxSpi(number, wire.device, clock_hz=wire.reader.clock_hz, select_pin=wire.select_pin)
    spi.open()
    return spi


def build_poller(
    bus: str,
    bus_wires: tuple[Wire, ...],
    clock: Clock,
    on_look: Callable[[Look], None],
    spi_of: Callable[[Wire], Spi] = open_spi,
) -> Poller:
    """The poller of one bus, its wires open. Raises HardwareError, with what was opened closed again."""
    readers: list[Reader] = []
    try:
        for wire in bus_wires:
            reset = None
            if wire.reset_pin is not None:
                reset = GpioReset(wire.reset_pin)
                reset.open()
            try:
                spi = spi_of(wire)
            except HardwareError:
                if reset is not None:
                    reset.close()
                raise
            readers.append(
                Reader(
                    wire.reader.name,
                    spi,
                    clock,
                    reset_line=reset,
                    gain_db=wire.reader.gain_db,
                    group=wire.reader.group,
                )
            )
    except HardwareError:
        for reader in readers:
            _leave(reader)
        raise
    return Poller(bus, readers, clock, on_look, pace_s=pace_s(len(readers)))


def _leave(reader: Reader) -> None:
    """Give a reader's wires back; that it does not listen any more is not what is to be told."""
    with suppress(HardwareError):
        reader.close()


class RealReaders:
    """All readers of a table on the Pi (`presence.Asker`)."""

    def __init__(
        self,
        config: TableConfig,
        clock: MonotonicClock,
        on_look: Callable[[Look], None],
        on_end: Callable[[str], None],
    ) -> None:
        self._resets = [GpioReset(pin) for pin in shared_resets(config)]
        self._processes: list[PollerProcess] = []
        self._of: dict[str, PollerProcess] = {}
        for bus, bus_wires in wires(config).items():
            build = partial(build_poller, bus, bus_wires)
            process = PollerProcess(bus, build, on_look, on_end=on_end, clock=clock, realtime=True)
            self._processes.append(process)
            self._of.update(dict.fromkeys((wire.reader.name for wire in bus_wires), process))

    def open(self) -> None:
        """Reset shared lines once, start the pollers. Raises HardwareError, with what was opened closed again."""
        try:
            pulse(self._resets)
            for process in self._processes:
                process.open()
        except HardwareError:
            self.close()
            raise

    def close(self) -> None:
        """End the pollers, give the pins back."""
        for process in self._processes:
            process.close()
        for reset in self._resets:
            reset.close()

    def ask(self, reader: str, uid: str) -> None:
        """Look for this tag at this reader at once."""
        self._of[reader].ask(reader, uid)

    def forget(self, reader: str, uid: str) -> None:
        """Do not look for this tag at this reader any more."""
        self._of[reader].forget(reader, uid)

    def health(self, reader: str) -> Health:
        """How a reader is doing."""
        return self._of[reader].health(reader)

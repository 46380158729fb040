"""An emulated SPI bus with several chips on it; every transfer takes its time on the bus's own time line."""

from dataclasses import dataclass

from hardware.twin.chip import Mfrc522Twin
from hardware.twin.timeline import TimeLine


@dataclass(frozen=True, slots=True)
class Costs:
    """What one transfer costs: the call, the bytes, and two edges where the chip select is a GPIO."""

    call_s: float = 60e-6
    """25 us (Pi 5), 60 us (Pi 4) and 120 us (Zero 2) are the figures shown in docs/radio.md."""
    clock_hz: float = 4e6
    edge_s: float = 20e-6


class TwinBus:
    """One SPI bus: the chips that hang on it, and a count of all that was said."""

    def __init__(self, line: TimeLine, costs: Costs | None = None) -> None:
        self.line = line
        self.costs = costs or Costs()
        self.chips: list[Mfrc522Twin] = []
        self.held_low = False
        """A fault: some chip pulls MISO down for all chips, selected or not, and every byte reads 00."""
        self.transfers = 0
        self.bytes = 0

    def add(self, chip: Mfrc522Twin, *, gpio_select: bool = False) -> "TwinPort":
        """Wire a chip to this bus; what comes back is its driver's Spi."""
        self.chips.append(chip)
        return TwinPort(self, chip, gpio_select)


class TwinPort:
    """The wires to one chip (`hardware.spi.Spi`). `log` keeps (sent, received) of each window once set to a list."""

    def __init__(self, bus: TwinBus, chip: Mfrc522Twin, gpio_select: bool) -> None:
        self._bus = bus
        self._chip = chip
        costs = bus.costs
        self._call_s = costs.call_s + (2 * costs.edge_s if gpio_select else 0)
        self._byte_s = 8 / costs.clock_hz
        self.log: list[tuple[bytes, bytes]] | None = None

    def transfer(self, data: bytes) -> bytes:
        """One chip-select window, full duplex."""
        bus = self._bus
        bus.transfers += 1
        bus.bytes += len(data)
        bus.line.advance(self._call_s + len(data) * self._byte_s)
        answer = self._chip.exchange(data)
        if bus.held_low:
            answer = bytes(len(data))
        if self.log is not None:
            self.log.append((data, answer))
        return answer

    def close(self) -> None:
        """Nothing to give back."""

"""A stand with one emulated bus: chips, the real driver and the real poller on them. For tests, benchmarks, demos.

Example:

    stand = Stand(["seat1", "seat2"])
    stand.field.put(Tag("04A81D12DE5F80"), "seat1", at=0.5)
    stand.run(until=1.0)
    stand.present("seat1")
"""

from collections.abc import Mapping, Sequence

from hardware.looks import Look
from hardware.mfrc522 import Reader
from hardware.poller import Poller
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus, TwinPort
from hardware.twin.timeline import TimeLine


class Stand:
    """One bus from chip to Look, on its own time line."""

    def __init__(
        self,
        readers: Sequence[str],
        *,
        costs: Costs | None = None,
        field: Field | None = None,
        groups: Mapping[str, str] | None = None,
        gpio_select: bool = False,
        absolute_collisions: bool = False,
        seed: int = 0,
        name: str = "spi0",
        pace_s: float = 8e-3,
        deadline_s: float = 50e-3,
    ) -> None:
        self.line = TimeLine()
        self.field = field if field is not None else Field(seed=seed)
        self.bus = TwinBus(self.line, costs)
        self.chips: dict[str, Mfrc522Twin] = {}
        self.ports: dict[str, TwinPort] = {}
        self.readers: dict[str, Reader] = {}
        self.looks: list[Look] = []
        for number, reader in enumerate(readers):
            chip = Mfrc522Twin(
                self.field, reader, self.line, seed=seed * 1000 + number, absolute_collisions=absolute_collisions
            )
            port = self.bus.add(chip, gpio_select=gpio_select)
            self.chips[reader] = chip
            self.ports[reader] = port
            self.readers[reader] = Reader(reader, port, self.line, group=(groups or {}).get(reader))
        self.poller = Poller(
            name, self.readers.values(), self.line, self.looks.append, pace_s=pace_s, deadline_s=deadline_s
        )
        self._wake: float | None = 0.0

    def run(self, until: float) -> None:
        """Let the bus live until that time (seconds)."""
        wake = self._wake
        while wake is not None and max(wake, self.line.now()) < until:
            self.line.sleep_until(wake)
            wake = self.poller.step(self.line.now())
        self._wake = wake
        self.line.advance_to(until)

    def looks_of(self, reader: str, since: float = 0.0) -> list[Look]:
        """The Looks of one reader that began at `since` or later."""
        return [look for look in self.looks if look.reader == reader and look.began >= since]

    def present(self, reader: str, since: float = 0.0) -> set[str]:
        """All UIDs that were proved to be there in Looks that began at `since` or later."""
        return {uid for look in self.looks_of(reader, since) for uid in look.present}

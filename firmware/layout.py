"""What the sensing part of the firmware must know of a table: zones, their kinds, the readers that make them.

Pure values. `firmware/config` makes them from `table.toml`, the demos make them directly.
"""

from dataclasses import dataclass

from engine.zones import ZoneKind

USUAL_DWELL_S = {ZoneKind.SPREAD: 0.150, ZoneKind.PILE: 0.0, ZoneKind.PASS: 0.0}

PACE_S, BUSY_PACE_S, BUSY = 8e-3, 2e-3, 5


def pace_s(readers: int) -> float:
    """How far apart the looks of a reader begin at least; on a bus of more than four it is the bus that decides."""
    return BUSY_PACE_S if readers >= BUSY else PACE_S


@dataclass(frozen=True, slots=True)
class Zone:
    """A place of the game. `dwell_s`: how long a card must rest there before it is placed."""

    name: str
    kind: ZoneKind
    dwell_s: float

    @staticmethod
    def usual(name: str, kind: ZoneKind) -> "Zone":
        """A zone with the usual dwell of its kind."""
        return Zone(name, kind, USUAL_DWELL_S[kind])


@dataclass(frozen=True, slots=True)
class Antenna:
    """Where a reader sits: its name, its zone, its bus, and the group whose fields touch (None: alone)."""

    reader: str
    zone: str
    bus: str
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All zones and readers of one table."""

    zones: tuple[Zone, ...]
    readers: tuple[Antenna, ...]

    def zone(self, name: str) -> Zone:
        """The zone of that name. Raises KeyError where there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)

    def antenna(self, reader: str) -> Antenna:
        """Where that reader sits. Raises KeyError where there is none."""
        for antenna in self.readers:
            if antenna.reader == reader:
                return antenna
        raise KeyError(reader)

    def buses(self) -> tuple[str, ...]:
        """The buses, in the order of their first reader."""
        return tuple(dict.fromkeys(antenna.bus for antenna in self.readers))

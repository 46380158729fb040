"""What a table.toml says, as values. `parse` makes them; nothing here checks anything."""

from dataclasses import dataclass
from enum import Enum

from engine.setup import Mode
from firmware.layout import Antenna, Layout, Zone


@dataclass(frozen=True, slots=True)
class Language:
    """A language of screens and messages, by its code: any that there is a catalogue for (`firmware.languages`)."""

    value: str


class DisplayDriver(Enum):
    """The screens luma.oled knows and the stage draws for."""

    SSD1306 = "ssd1306"
    SH1106 = "sh1106"
    SSD1309 = "ssd1309"


class Loudness(Enum):
    """How loud a buzzer is; `soft` for the night."""

    LOUD = "loud"
    SOFT = "soft"
    OFF = "off"


class Role(Enum):
    """What a button means."""

    CALL = "call"
    OK = "ok"
    NEXT = "next"
    ACCEPT = "accept"
    UNDO = "undo"
    RESCAN = "rescan"
    PILE = "pile"


SEAT_ROLES = (Role.CALL, Role.OK, Role.NEXT)
TABLE_ROLES = (Role.ACCEPT, Role.UNDO, Role.RESCAN, Role.PILE)


@dataclass(frozen=True, slots=True)
class SpiReader:
    """An MFRC522 on a bus of the Pi. `select`: CE0, CE1, CE2, or a GPIO number; `reset`: a GPIO, may be shared."""

    name: str
    zone: str
    bus: str
    select: str | int
    reset: int | None = None
    group: str | None = None
    gain_db: int = 38
    clock_hz: int = 4_000_000


@dataclass(frozen=True, slots=True)
class SatelliteReader:
    """An MFRC522 at a satellite. `port`: the satellite's serial port; `index`: which of its readers, from 0."""

    name: str
    zone: str
    port: str
    index: int
    group: str | None = None


Reader = SpiReader | SatelliteReader


@dataclass(frozen=True, slots=True)
class Display:
    """A screen. `seat` None: for all. On I2C `address` is set; on SPI `select` and `dc` are."""

    seat: int | None
    driver: DisplayDriver
    bus: str
    address: int | None = None
    select: str | int | None = None
    dc: int | None = None
    reset: int | None = None
    language: Language | None = None  # None: the table's


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `seat` None: the table's. At a GPIO `pin` is set, at a satellite `port` and `index` are."""

    seat: int | None
    role: Role
    pin: int | None = None
    port: str | None = None
    index: int | None = None

    @property
    def name(self) -> str:
        """Its name in a record: `seat1.ok`, `table.undo`."""
        place = "table" if self.seat is None else f"seat{self.seat}"
        return f"{place}.{self.role.value}"


@dataclass(frozen=True, slots=True)
class Buzzer:
    """A buzzer. `passive`: it wants a tone; else it sounds by itself, and only as loud as it is."""

    pin: int
    passive: bool = False
    volume: Loudness = Loudness.LOUD


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp at a seat, or for all (None): one LED at `pin`, or three colours, then red is at `pin`."""

    seat: int | None
    pin: int
    green: int | None = None
    blue: int | None = None

    @property
    def pins(self) -> tuple[int, ...]:
        """One pin, or red, green, blue."""
        return (self.pin,) if self.green is None or self.blue is None else (self.pin, self.green, self.blue)


@dataclass(frozen=True, slots=True)
class TableConfig:
    """A whole table.toml."""

    file: str
    name: str
    language: Language
    mode: Mode
    zones: tuple[Zone, ...]
    readers: tuple[Reader, ...]
    displays: tuple[Display, ...] = ()
    buttons: tuple[Button, ...] = ()
    buzzers: tuple[Buzzer, ...] = ()
    lamps: tuple[Lamp, ...] = ()

    def layout(self) -> Layout:
        """Its zones and readers as the sensing part needs them; a satellite is a bus of its own."""
        return Layout(self.zones, tuple(_antenna(reader) for reader in self.readers))


def _antenna(reader: Reader) -> Antenna:
    bus = reader.bus if isinstance(reader, SpiReader) else reader.port
    return Antenna(reader.name, reader.zone, bus, reader.group)

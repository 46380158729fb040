"""Reads table.toml into a `TableConfig`, refusing what cannot be built: `FILE:LINE: what is wrong, expected ...`."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engine.setup import Mode
from engine.zones import ZoneKind, usual_kind
from firmware.config.claims import check_claims
from firmware.config.entries import Entry, show
from firmware.config.errors import ConfigError
from firmware.config.lines import Lines
from firmware.config.model import (
    SEAT_ROLES,
    TABLE_ROLES,
    Button,
    Buzzer,
    Display,
    DisplayDriver,
    Lamp,
    Language,
    Loudness,
    Reader,
    Role,
    SatelliteReader,
    SpiReader,
    TableConfig,
)
from firmware.config.tomlfile import parse_toml, read_text
from firmware.languages import languages
from firmware.layout import USUAL_DWELL_S, Zone

T = TypeVar("T")
HEADS = ("zone", "reader", "display", "button", "buzzer", "lamp")
SPI_BUSES = ("spi0", "spi1")
GAINS_DB = (18, 23, 33, 38, 43, 48)
_PIN = "a GPIO number from 0 to 27 (the number after GPIO, not the pin's place on the header)"
_I2C = re.compile(r"i2c[1-9][0-9]?")
_MOST_SEATS = 10


def read_table(path: Path) -> TableConfig:
    """The table of that file. Raises `ConfigError`."""
    return parse_table(read_text(path, "a table.toml; name it with --table"), str(path))


def parse_table(text: str, file: str) -> TableConfig:
    """The table that this text describes; `file` is for messages."""
    raw = parse_toml(text, file)
    lines = Lines(text)
    for head in raw:
        if head not in ("table", *HEADS) and not head.startswith("x-"):
            known = "[table], " + ", ".join(f"[[{name}]]" for name in HEADS)
            raise ConfigError(file, lines.of(head) or lines.of("", 0, head), f"unknown table '{head}'", known)
    table = raw.get("table", {})
    if not isinstance(table, dict):
        raise ConfigError(file, lines.of("", 0, "table"), "'table' is no table", "[table] with name, language, mode")
    top = Entry(file, lines, "table", 0, table)
    name = top.text_or("name", "table") or "table"
    language = _language(top) or Language("en")
    mode = top.choice_or("mode", Mode, Mode.PLAY)
    top.done()

    def read(head: str, one: Callable[[Entry], T]) -> tuple[T, ...]:
        entries = raw.get(head, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ConfigError(file, lines.of(head), f"'{head}' is no list of tables", f"[[{head}]], once for each")
        found: list[T] = []
        for index, entry in enumerate(entries):
            reading = Entry(file, lines, head, index, entry)
            found.append(one(reading))
            reading.done()
        return tuple(found)

    config = TableConfig(
        file,
        name,
        language,
        mode,
        read("zone", _zone),
        read("reader", _reader),
        read("display", _display),
        read("button", _button),
        read("buzzer", _buzzer),
        read("lamp", _lamp),
    )
    _check_names(config, lines)
    check_claims(config, lines)
    return config


def _zone(entry: Entry) -> Zone:
    name = entry.text("name")
    kind = entry.choice_or("kind", ZoneKind, usual_kind(name))
    dwell_ms = entry.number_or("dwell", USUAL_DWELL_S[kind] * 1e3, 0, 5000, "milliseconds, a number from 0 to 5000")
    return Zone(name, kind, dwell_ms / 1e3)


def _reader(entry: Entry) -> Reader:
    name = entry.text("name")
    zone = entry.text("zone")
    driver = entry.text("driver", 'one of "mfrc522", "satellite"')
    group = entry.text_or("group", None)
    if driver == "satellite":
        port = entry.text("port", 'the serial port of the satellite, such as "/dev/ttyACM0"')
        return SatelliteReader(name, zone, port, entry.whole("index", 0, 15, "a whole number from 0 to 15"), group)
    if driver != "mfrc522":
        entry.fail("driver", f'driver = "{driver}"', 'one of "mfrc522", "satellite"')
    bus = entry.text("bus", 'one of "spi0", "spi1"')
    if bus not in SPI_BUSES:
        entry.fail("bus", f'bus = "{bus}"', 'one of "spi0", "spi1"')
    select = _select(entry, bus)
    reset = entry.whole_or("reset", None, 0, 27, _PIN)
    gain = entry.whole_or("gain", 38, 18, 48, f"dB, one of {', '.join(map(str, GAINS_DB))}")
    if gain not in GAINS_DB:
        entry.fail("gain", f"gain = {gain}", f"dB, one of {', '.join(map(str, GAINS_DB))}")
    clock = entry.whole_or("clock", 4_000_000, 100_000, 10_000_000, "Hz, from 100000 to 10000000")
    return SpiReader(name, zone, bus, select, reset, group, gain or 38, clock or 4_000_000)


def _select(entry: Entry, bus: str) -> str | int:
    native = ("CE0", "CE1") if bus == "spi0" else ("CE0", "CE1", "CE2")
    expected = f"{', '.join(native)} of {bus}, or a GPIO number from 0 to 27"
    value = entry.value("select", expected)
    if isinstance(value, str) and value in native:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 27:
        return value
    entry.fail("select", f"select = {show(value)}", expected)


def _seat(entry: Entry, other: str) -> int | None:
    expected = f'a seat from 1 to {_MOST_SEATS}, or "{other}"'
    value = entry.value("seat", expected)
    if value == other:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST_SEATS:
        return value
    entry.fail("seat", f"seat = {show(value)}", expected)


def _language(entry: Entry) -> Language | None:
    """One that there is a catalogue for; None where nothing is said."""
    expected = "one of " + ", ".join(f'"{code}"' for code in languages())
    code = entry.text_or("language", None, expected)
    if code is not None and code not in languages():
        entry.fail("language", f"language = {show(code)}", expected)
    return Language(code) if code is not None else None


def _display(entry: Entry) -> Display:
    seat = _seat(entry, "all")
    driver = entry.choice("driver", DisplayDriver)
    bus = entry.text("bus", '"i2c1" (or another I2C bus), "spi0" or "spi1"')
    language = _language(entry)
    if bus in SPI_BUSES:
        reset = entry.whole_or("reset", None, 0, 27, _PIN)
        return Display(seat, driver, bus, None, _select(entry, bus), entry.whole("dc", 0, 27, _PIN), reset, language)
    if not _I2C.fullmatch(bus):
        entry.fail("bus", f'bus = "{bus}"', '"i2c1" (or another I2C bus but i2c0, the HAT\'s), "spi0" or "spi1"')
    address = entry.whole("address", 0x08, 0x77, "an I2C address from 0x08 to 0x77; most screens have 0x3C or 0x3D")
    return Display(seat, driver, bus, address, language=language)  # luma knows no reset line of an I2C display


def _lamp(entry: Entry) -> Lamp:
    seat, pin = _seat(entry, "all"), entry.whole("pin", 0, 27, _PIN)
    if not (entry.has("green") or entry.has("blue")):
        return Lamp(seat, pin)
    return Lamp(seat, pin, entry.whole("green", 0, 27, _PIN), entry.whole("blue", 0, 27, _PIN))


def _buzzer(entry: Entry) -> Buzzer:
    pin, passive = entry.whole("pin", 0, 27, _PIN), entry.flag_or("passive", False)
    return Buzzer(pin, passive, entry.choice_or("volume", Loudness, Loudness.LOUD))


def _button(entry: Entry) -> Button:
    seat = _seat(entry, "table")
    role = entry.choice("role", Role)
    fitting = TABLE_ROLES if seat is None else SEAT_ROLES
    if role not in fitting:
        whose = "the table's button" if seat is None else "a seat's button"
        known = ", ".join(f'"{r.value}"' for r in fitting)
        entry.fail("role", f'role = "{role.value}" for {whose}', f"one of {known}")
    if entry.has("port"):
        port = entry.text("port")
        return Button(seat, role, None, port, entry.whole("index", 0, 31, "a whole number from 0 to 31"))
    return Button(seat, role, entry.whole("pin", 0, 27, _PIN + ', or port = "..." and index = N at a satellite'))


def _check_groups(config: TableConfig, lines: Lines) -> None:
    """Of a group one antenna is on at a time; a bus knows nothing of the others' antennas."""
    first: dict[str, tuple[str, str]] = {}
    buses = {antenna.reader: antenna.bus for antenna in config.layout().readers}
    for index, reader in enumerate(config.readers):
        if reader.group is None:
            continue
        bus = buses[reader.name]
        other, its_bus = first.setdefault(reader.group, (reader.name, bus))
        if bus != its_bus:
            what = f"group '{reader.group}' is on two buses: reader '{reader.name}' on {bus}, '{other}' on {its_bus}"
            mend = "readers whose fields touch on one bus: wire them so, or move them apart and take the group out"
            raise ConfigError(config.file, lines.of("reader", index, "group"), what, mend)


def _check_names(config: TableConfig, lines: Lines) -> None:
    zones: dict[str, int] = {}
    for index, zone in enumerate(config.zones):
        if zone.name in zones:
            what = f"two zones are named '{zone.name}' (the other on line {zones[zone.name]})"
            raise ConfigError(config.file, lines.of("zone", index, "name"), what, "a name for each; rename one")
        zones[zone.name] = lines.of("zone", index, "name")
    readers: dict[str, int] = {}
    for index, reader in enumerate(config.readers):
        line = lines.of("reader", index, "name")
        if reader.name in readers:
            what = f"two readers are named '{reader.name}' (the other on line {readers[reader.name]})"
            raise ConfigError(config.file, line, what, "a name for each; rename one")
        readers[reader.name] = line
        if reader.zone not in zones:
            what = f"reader '{reader.name}' is in zone '{reader.zone}', which is none"
            known = f"one of {', '.join(zones)}" if zones else "a [[zone]] of that name"
            raise ConfigError(config.file, lines.of("reader", index, "zone"), what, known)
    _check_groups(config, lines)
    served = {reader.zone for reader in config.readers}
    for name, line in zones.items():
        if name not in served:
            raise ConfigError(config.file, line, f"zone '{name}' has no reader", f'a [[reader]] with zone = "{name}"')
    buttons: dict[str, int] = {}
    for index, button in enumerate(config.buttons):
        line = lines.of("button", index)
        if button.name in buttons:
            what = f"two buttons are {button.name} (the other on line {buttons[button.name]})"
            raise ConfigError(config.file, line, what, "one; take the other out or give it another role")
        buttons[button.name] = line

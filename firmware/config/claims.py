"""Who uses which pin, chip select and address: what is used twice is refused (field reports 6 and 15)."""

from dataclasses import dataclass

from firmware.config.errors import ConfigError
from firmware.config.lines import Lines
from firmware.config.model import SatelliteReader, SpiReader, TableConfig

NATIVE_SELECTS = {"spi0": {"CE0": 8, "CE1": 7}, "spi1": {"CE0": 18, "CE1": 17, "CE2": 16}}
"""GPIOs of the chip selects of each SPI bus (Raspberry Pi documentation, GPIO and the 40-pin header)."""
BUS_PINS = {
    "spi0": {9: "MISO", 10: "MOSI", 11: "SCLK"},
    "spi1": {19: "MISO", 20: "MOSI", 21: "SCLK"},
    "i2c1": {2: "SDA", 3: "SCL"},
}
HAT_PINS = (0, 1)
"""The identification EEPROM of a HAT: asked at every start, so nothing else belongs there."""
SHARED = ("reset line",)


@dataclass(frozen=True, slots=True)
class Claim:
    """One use of one thing (a pin, a chip select, an address)."""

    thing: str
    use: str
    line: int
    what: str  # sort of use; `SHARED` sorts may be shared among themselves


def check_claims(config: TableConfig, lines: Lines) -> tuple[Claim, ...]:
    """All uses of pins and addresses. Raises `ConfigError` at the second use of one thing."""
    claims = claims_of(config, lines)
    first: dict[str, Claim] = {}
    for claim in claims:
        other = first.setdefault(claim.thing, claim)
        if other is claim or (claim.what == other.what and claim.what in SHARED):
            continue
        where = f" (line {other.line})" if other.line else ""
        what = f"{claim.thing} is used twice: {claim.use}, and {other.use}{where}"
        mend = "each to have its own"
        if claim.thing == "GPIO3" and claim.what == "button" and other.what == "bus":
            mend = "a button elsewhere: on GPIO3 it would block the I2C bus"
        raise ConfigError(config.file, claim.line or other.line, what, mend)
    for claim in claims:
        if claim.thing in {f"GPIO{pin}" for pin in HAT_PINS}:
            mend = "a GPIO from 2 to 27"
            raise ConfigError(config.file, claim.line, f"{claim.thing} belongs to HAT identification", mend)
    _check_mixed_buses(config, lines)
    return claims


def claims_of(config: TableConfig, lines: Lines | None = None) -> tuple[Claim, ...]:
    """Every use of a pin, an address or a satellite's input, the buses' own pins first."""
    found: list[Claim] = []

    def at(head: str, index: int, key: str) -> int:
        return lines.of(head, index, key) if lines is not None else 0

    for bus in used_buses(config):
        found += [Claim(f"GPIO{pin}", f"{use} of {bus}", 0, "bus") for pin, use in BUS_PINS.get(bus, {}).items()]
        spare = spare_select(config, bus)
        if spare is not None:
            use = f"{spare} of {bus}, which must stay unconnected"
            found.append(Claim(f"GPIO{NATIVE_SELECTS[bus][spare]}", use, 0, "bus"))
        for name in held_selects(config, bus):
            if name != spare and name not in _selects(config, bus):
                use = f"{name} of {bus}, which the bus holds below a higher one"
                found.append(Claim(f"GPIO{NATIVE_SELECTS[bus][name]}", use, 0, "bus"))
    for index, reader in enumerate(config.readers):
        title = f"reader '{reader.name}'"
        if isinstance(reader, SatelliteReader):
            thing = f"reader {reader.index} of {reader.port}"
            found.append(Claim(thing, title, at("reader", index, "index"), "satellite"))
            continue
        found.append(_select_claim(reader.bus, reader.select, title, at("reader", index, "select")))
        if reader.reset is not None:
            use, line = f"reset of {title}", at("reader", index, "reset")
            found.append(Claim(f"GPIO{reader.reset}", use, line, "reset line"))
    for index, display in enumerate(config.displays):
        title = "display for all" if display.seat is None else f"display of seat {display.seat}"
        if display.address is not None:
            thing = f"address 0x{display.address:02X} of {display.bus}"
            found.append(Claim(thing, title, at("display", index, "address"), "address"))
        if display.select is not None:
            found.append(_select_claim(display.bus, display.select, title, at("display", index, "select")))
        if display.dc is not None:
            use = f"data/command of {title}"
            found.append(Claim(f"GPIO{display.dc}", use, at("display", index, "dc"), "display line"))
        if display.reset is not None:
            use = f"reset of {title}"
            found.append(Claim(f"GPIO{display.reset}", use, at("display", index, "reset"), "display reset"))
    for index, button in enumerate(config.buttons):
        if button.pin is not None:
            thing, line = f"GPIO{button.pin}", at("button", index, "pin")
        else:
            thing, line = f"input {button.index} of {button.port}", at("button", index, "index")
        found.append(Claim(thing, f"button {button.name}", line, "button"))
    for index, buzzer in enumerate(config.buzzers):
        found.append(Claim(f"GPIO{buzzer.pin}", "a buzzer", at("buzzer", index, "pin"), "buzzer"))
    for index, lamp in enumerate(config.lamps):
        for key, pin in zip(("pin", "green", "blue"), lamp.pins, strict=False):
            found.append(Claim(f"GPIO{pin}", "a lamp", at("lamp", index, key), "lamp"))
    return tuple(found)


def _select_claim(bus: str, select: str | int, title: str, line: int) -> Claim:
    pin = NATIVE_SELECTS[bus][select] if isinstance(select, str) else select
    name = f"{select} of {bus}" if isinstance(select, str) else "chip select"
    return Claim(f"GPIO{pin}", f"{name} of {title}", line, "select")


def used_buses(config: TableConfig) -> tuple[str, ...]:
    """SPI and I2C buses of the Pi that something hangs on."""
    spi = [reader.bus for reader in config.readers if isinstance(reader, SpiReader)]
    return tuple(dict.fromkeys(spi + [display.bus for display in config.displays]))


def spare_select(config: TableConfig, bus: str) -> str | None:
    """The native chip select that GPIO-selected chips of a bus are addressed by, and that must stay open.

    None where all chips have native selects. Where every native select is taken the last one is named, and
    `check_claims` finds the conflict.
    """
    selects = _selects(config, bus)
    if not any(isinstance(select, int) for select in selects):
        return None
    native = NATIVE_SELECTS[bus]
    return next((name for name in native if name not in selects), list(native)[-1])


def held_selects(config: TableConfig, bus: str) -> tuple[str, ...]:
    """The native chip selects that the kernel holds for a bus: all up to the last one in use (`config_txt`)."""
    native = list(NATIVE_SELECTS.get(bus, ()))
    used = [*_selects(config, bus), spare_select(config, bus)] if native else []
    return tuple(native[: max((native.index(name) + 1 for name in native if name in used), default=0)])


def gpio_selects(config: TableConfig, bus: str) -> tuple[int, ...]:
    """The chip selects of a bus that are GPIOs."""
    return tuple(select for select in _selects(config, bus) if isinstance(select, int))


def _check_mixed_buses(config: TableConfig, lines: Lines) -> None:
    """Readers and displays are driven by two processes, and the kernel keeps their transfers apart only with chip
    selects that are its own: one that is a GPIO is low for longer, and what the other sends meanwhile goes there too.
    """
    for index, display in enumerate(config.displays):
        bus = display.bus
        pins = gpio_selects(config, bus)
        if pins and any(isinstance(reader, SpiReader) and reader.bus == bus for reader in config.readers):
            what = f"readers and a display share {bus}, where GPIO{pins[0]} is a chip select"
            mend = f"the display on another bus (I2C is one), or CE0, CE1, ... of {bus} for all that hang on it"
            raise ConfigError(config.file, lines.of("display", index, "bus"), what, mend)


def _selects(config: TableConfig, bus: str) -> list[str | int]:
    selects = [reader.select for reader in config.readers if isinstance(reader, SpiReader) and reader.bus == bus]
    return selects + [d.select for d in config.displays if d.bus == bus and d.select is not None]

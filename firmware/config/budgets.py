"""What a table costs: pins, current, I2C time, sweep; and the lines its Pi needs in config.txt."""

from dataclasses import dataclass

from firmware.config.claims import HAT_PINS, NATIVE_SELECTS, claims_of, gpio_selects, held_selects, used_buses
from firmware.config.model import SatelliteReader, SpiReader, TableConfig
from firmware.layout import pace_s

READER_ON_MA = 119.0
"""Antenna on: 9 + 10 + 100 mA at most (MFRC522 data sheet, quick reference: IDDD, IDDA, IDD(TVDD)); 74 typical."""
READER_ON_TYPICAL_MA = 74.0
READER_OFF_MA = 19.0
DISPLAY_MA = 25.0
"""A 128x64 OLED with every pixel on; screens of text take half of it."""
HEADER_MA = 500.0
"""What the 3.3 V pins of a Pi since the B+ are usually trusted with; nobody guarantees it."""
FRAME_BYTES = 1034
"""A full 128x64 frame with its commands."""
EMPTY_LOOK_S, GPIO_LOOK_S = 0.46e-3, 0.74e-3
"""One look into an empty field at 60 us a call, chip select by the kernel or by a GPIO."""
TURN_S = 5.6e-3
"""In a group: the field off at one antenna, on at the next, and settled (`hardware.mfrc522.driver.SETTLE_S`)."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """All budgets of one table."""

    pins_used: int
    pins_left: tuple[int, ...]
    typical_ma: float
    worst_ma: float
    i2c: tuple[tuple[str, int, float, float], ...]  # bus, screens, ms for all at 100 kHz, at 400 kHz
    sweeps_ms: tuple[tuple[str, int, float], ...]  # bus, readers, ms
    config_txt: tuple[str, ...]

    @property
    def own_supply(self) -> bool:
        """Do the readers need a 3.3 V supply of their own?"""
        return self.worst_ma > HEADER_MA


def budgets(config: TableConfig) -> Budgets:
    """The budgets of a table."""
    used = {claim.thing for claim in claims_of(config)}
    usable = [pin for pin in range(28) if pin not in HAT_PINS]
    left = tuple(pin for pin in usable if f"GPIO{pin}" not in used)
    typical, worst = _current_ma(config)
    i2c = []
    for bus in used_buses(config):
        count = sum(1 for display in config.displays if display.bus == bus and display.address is not None)
        if count:
            bits = 9 * FRAME_BYTES * count
            i2c.append((bus, count, bits / 100_000 * 1e3, bits / 400_000 * 1e3))
    return Budgets(len(usable) - len(left), left, typical, worst, tuple(i2c), _sweeps(config), config_txt(config))


def _current_ma(config: TableConfig) -> tuple[float, float]:
    """Of all chips on the Pi's own 3.3 V; of a group one antenna is on at a time."""
    here = [reader for reader in config.readers if isinstance(reader, SpiReader)]
    groups = {reader.group for reader in here if reader.group is not None}
    on = len(groups) + sum(1 for reader in here if reader.group is None)
    rest = (len(here) - on) * READER_OFF_MA + len(config.displays) * DISPLAY_MA
    return on * READER_ON_TYPICAL_MA + rest, on * READER_ON_MA + rest


def _sweeps(config: TableConfig) -> tuple[tuple[str, int, float], ...]:
    """Held to the emulated chips by a test."""
    layout = config.layout()
    gpio = {r.name for r in config.readers if isinstance(r, SpiReader) and isinstance(r.select, int)}
    found = []
    for bus in layout.buses():
        readers = [antenna for antenna in layout.readers if antenna.bus == bus]
        looks = {antenna.reader: GPIO_LOOK_S if antenna.reader in gpio else EMPTY_LOOK_S for antenna in readers}
        turns: dict[str, list[float]] = {}
        for antenna in readers:
            if antenna.group is not None:
                turns.setdefault(antenna.group, []).append(looks[antenna.reader] + TURN_S)
        alone = max((sum(each) for each in turns.values() if len(each) > 1), default=0.0)
        sweep_s = max(pace_s(len(readers)), sum(looks.values()), alone)
        found.append((bus, len(readers), sweep_s * 1e3))
    return tuple(found)


def config_txt(config: TableConfig) -> tuple[str, ...]:
    """The lines for /boot/firmware/config.txt."""
    lines: list[str] = []
    buses = used_buses(config)
    if "spi0" in buses:
        lines.append("dtparam=spi=on")
        ce1 = NATIVE_SELECTS["spi0"]["CE1"]
        if "CE1" not in held_selects(config, "spi0") and any(c.thing == f"GPIO{ce1}" for c in claims_of(config)):
            lines.append("dtoverlay=spi0-1cs")  # else the kernel holds both, and something else wants the second
    if "spi1" in buses:
        lines.append(f"dtoverlay=spi1-{len(held_selects(config, 'spi1'))}cs")
    if "i2c1" in buses:
        lines += ["dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]
    for bus in buses:
        if bus.startswith("i2c") and bus != "i2c1":
            lines.append(f"# {bus}: an overlay for this bus (dtoverlay=i2c-gpio,bus={bus[3:]},...)")
    selects = sorted({pin for bus in buses for pin in gpio_selects(config, bus)})
    if selects:  # low until the program runs, a chip would answer what is meant for another (docs/wiring.md)
        lines.append(f"gpio={','.join(map(str, selects))}=op,dh")
    return tuple(lines)


def describe(config: TableConfig) -> tuple[str, ...]:
    """The budgets in words, one line each."""
    b = budgets(config)
    lines = [
        f"GPIOs: {b.pins_used} used, {len(b.pins_left)} left ({', '.join(map(str, b.pins_left)) or 'none'})",
        f"3.3 V: {b.typical_ma:.0f} mA typical, {b.worst_ma:.0f} mA at most; "
        + ("give the readers a 3.3 V supply of their own" if b.own_supply else "the Pi's own pins will do"),
    ]
    for bus, count, slow_ms, fast_ms in b.i2c:
        screens = "1 screen" if count == 1 else f"{count} screens"
        times = f"{slow_ms:.0f} ms at 100 kHz, {fast_ms:.0f} ms at 400 kHz"
        lines.append(f"{bus}: {screens}, all of them redrawn in {times}")
    for bus, count, ms in b.sweeps_ms:
        readers = "1 reader" if count == 1 else f"{count} readers"
        lines.append(f"{bus}: {readers}, a sweep of about {ms:.0f} ms when the table is empty")
    satellites = {reader.port for reader in config.readers if isinstance(reader, SatelliteReader)}
    if satellites:
        lines.append(f"satellites: {', '.join(sorted(satellites))} (they feed their own readers)")
    lines.append("config.txt, each on a line of its own:" if b.config_txt else "config.txt: nothing")
    return (*lines, *(f"  {line}" for line in b.config_txt))

"""The stage of a table.toml: its displays, buzzers and lamps, each driven by a thread of its own.

Nothing is opened before `open()`. A display that does not answer then is no reason not to play: its worker goes on
asking, also for a pin of its own that is taken. A taken pin of a buzzer or a lamp is: it raises.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.setup import Setup
from firmware.config.claims import spare_select
from firmware.config.model import Display, TableConfig
from firmware.stage.screens import BusScreen
from firmware.stage.stage import Stage
from firmware.stage.texts import Context
from firmware.stage.threads import MachineThread, starter
from hardware.display import Chip, DisplayBus, Health, Panel, Where
from hardware.display.connect import i2c, spi
from hardware.display.panel import Serial
from hardware.lamps import Colour, Lamp
from hardware.sounds import Buzzer, Volume
from hardware.steps import Clock


@dataclass(frozen=True, slots=True)
class SeatLight:
    """A lamp and the seat it stands at (None: for all)."""

    lamp: Lamp
    viewer: int | None

    def steady(self, colour: Colour) -> None:
        """The lasting colour."""
        self.lamp.steady(colour)

    def flash(self, colour: Colour, seconds: float) -> None:
        """A colour for a while."""
        self.lamp.flash(colour, seconds)


@dataclass(slots=True)
class RealStage:
    """The stage, what it drives, and the threads that do."""

    stage: Stage
    workers: list[DisplayBus] = field(default_factory=list)
    buzzers: list[Buzzer] = field(default_factory=list)
    lamps: list[SeatLight] = field(default_factory=list)
    threads: list[MachineThread] = field(default_factory=list)

    def open(self) -> None:
        """Claim the pins and start all threads. Raises `BuzzerError`, `LampError`."""
        for buzzer in self.buzzers:
            buzzer.open()
        for light in self.lamps:
            light.lamp.open()
        for thread in self.threads:
            thread.start()

    def close(self) -> None:
        """End the threads, switch displays off, give pins back."""
        ended = [thread.stop() for thread in self.threads]
        if all(ended):  # a bus that is still held is left alone
            for worker in self.workers:
                worker.close()
        for buzzer in self.buzzers:
            buzzer.close()
        for light in self.lamps:
            light.lamp.close()

    def why(self, display: str) -> str:
        """What is wrong with a display that is down, and how to mend it; empty for one that is well."""
        return next((found[display] for worker in self.workers if display in (found := worker.failures())), "")

    def renew(self) -> None:
        """Power up every display anew (the arbiter's `rescan`)."""
        for worker in self.workers:
            worker.renew()


def real_stage(
    config: TableConfig,
    setup: Setup,
    clock: Clock,
    *,
    pin_factory: Any = None,
    through: Callable[[Callable[[], Serial]], Callable[[], Serial]] = lambda connect: connect,
) -> RealStage:
    """The stage of a table for one game. `through` wraps how a display is connected (the twins' way in)."""
    langs = tuple(
        (display.seat, display.language.value)
        for display in config.displays
        if display.seat is not None and display.language is not None
    )
    context = Context.of(setup, config.language.value, langs)
    give, threads = starter(clock)
    built: list[RealStage] = []

    def on_health(panel: str, health: Health, now: float) -> None:
        built[0].stage.device(now, health.value, panel, up=health is Health.BACK)

    screens: list[BusScreen] = []
    workers: list[DisplayBus] = []
    by_bus: dict[str, list[Display]] = defaultdict(list)
    for display in config.displays:
        if display.seat is None or display.seat <= setup.seats:
            by_bus[display.bus].append(display)
    for bus, displays in by_bus.items():
        spare = spare_select(config, bus) or "CE0"
        panels = [panel_of(d, through, name, spare) for d, name in zip(displays, _names(displays), strict=True)]
        worker = DisplayBus(bus, panels, clock, on_health=on_health)
        worker.on_work = give(f"display-{bus}", worker).wake
        workers.append(worker)
        screens += [BusScreen(worker, p.name, d.seat) for p, d in zip(panels, displays, strict=True)]
    buzzers = [
        Buzzer(b.pin, Volume[b.volume.name], passive=b.passive, pin_factory=pin_factory) for b in config.buzzers
    ]
    lights = [SeatLight(Lamp(*lamp.pins, pin_factory=pin_factory), lamp.seat) for lamp in config.lamps]
    for buzzer in buzzers:
        buzzer.wake = give(f"buzzer-{buzzer.pin}", buzzer).wake
    for light in lights:
        light.lamp.wake = give(f"lamp-{light.lamp.pins[0]}", light.lamp).wake
    stage = Stage(context, screens, buzzers, lights)
    wake_stage = give("stage", stage).wake
    stage.wake = lambda at: wake_stage()
    built.append(RealStage(stage, workers, buzzers, lights, threads))
    return built[0]


def _names(displays: Sequence[Display]) -> list[str]:
    """A name for each: `seat1`, `all`; a second one of the same is `all-2`."""
    bases = ["all" if display.seat is None else f"seat{display.seat}" for display in displays]
    before = [bases[:n].count(base) for n, base in enumerate(bases)]
    return [f"{base}-{n + 1}" if n else base for base, n in zip(bases, before, strict=True)]


def panel_of(
    display: Display,
    through: Callable[[Callable[[], Serial]], Callable[[], Serial]],
    name: str,
    spare: str = "CE0",
) -> Panel:
    """The panel of one `[[display]]`; `name` is what messages call it, `spare` the unconnected chip select by which a
    display with a GPIO for chip select is addressed."""
    chip = Chip(display.driver.value)
    if display.address is not None:
        port = int(display.bus.removeprefix("i2c"))
        where = Where(name, f"i2c-{port} address 0x{display.address:02X}")
        return Panel(where, chip, through(i2c(port, display.address)))
    if display.select is None or display.dc is None:
        raise ValueError(f"display {name}: on {display.bus} it needs select and dc")
    where = Where(name, f"{display.bus} select {display.select}")
    port = int(display.bus.removeprefix("spi"))
    return Panel(where, chip, through(spi(port, display.select, display.dc, display.reset, spare=spare)))

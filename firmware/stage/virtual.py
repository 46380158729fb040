"""A stage on twins: emulated displays on emulated buses below the real drivers, driven by the discrete-event loop.

What a demo or a bench needs of it is here: the chips with their pictures, the buses that can be held.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.loop import Loop
from firmware.rig import VirtualTable
from firmware.stage.notices import tell
from firmware.stage.screens import BusScreen, PngSink
from firmware.stage.stage import Light, Sounder, Stage
from firmware.stage.texts import Context
from hardware.display import Chip, DisplayBus, Health, Panel, Where
from hardware.display.connect import i2c
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import I2cBuses, I2cTwin
from hardware.twin.timeline import TimeLine

ADDRESSES: Final = (0x3C, 0x3D)
"""The two addresses an SSD1306 can be set to (datasheet 8.1.5.2)."""


@dataclass(frozen=True, slots=True)
class Place:
    """One display: for a seat (None: for all), its chip, the bus it hangs on and its address."""

    viewer: int | None
    chip: Chip = Chip.SSD1306
    port: int = 1
    address: int = ADDRESSES[0]

    @property
    def name(self) -> str:
        """`all`, `seat3`."""
        return "all" if self.viewer is None else f"seat{self.viewer}"


@dataclass(frozen=True, slots=True)
class VirtualStage:
    """A stage and the emulated things below it, by display name and by I2C port."""

    stage: Stage
    chips: dict[str, OledChip]
    wires: dict[int, I2cTwin]
    workers: dict[int, DisplayBus]
    lines: dict[int, TimeLine]

    def picture(self, name: str) -> bytes:
        """What a display shows (1024 bytes)."""
        return self.chips[name].frame()


def places(seats: int, *, for_all: bool = True, chip: Chip = Chip.SSD1306) -> tuple[Place, ...]:
    """One display for each seat and one for all, two on a bus."""
    viewers: list[int | None] = [None] if for_all else []
    viewers += range(1, seats + 1)
    return tuple(
        Place(viewer, chip, 1 + n // len(ADDRESSES), ADDRESSES[n % len(ADDRESSES)])
        for n, viewer in enumerate(viewers)
    )


def screens_of(table: VirtualTable, ctx: Context, folder: Path | None = None) -> VirtualStage:
    """Give a virtual table its displays, one for each seat and one for all; with `folder`, every picture as PNG."""
    sink = PngSink(folder) if folder is not None else None
    built = virtual_stage(
        table.loop, ctx, places(ctx.seats), on_shown=sink.shown if sink is not None else lambda name, frame, now: None
    )
    if sink is not None:
        sink.source = built.picture
    controller = table.controller
    assert controller is not None, "screens need a table with a game on it"
    controller.on_outputs.append(built.stage.show)
    controller.on_notice.append(lambda now, notice: tell(built.stage, now, notice))
    return built


def virtual_stage(
    loop: Loop,
    ctx: Context,
    displays: Sequence[Place],
    *,
    sounds: Sequence[Sounder] = (),
    lamps: Sequence[Light] = (),
    clock_hz: int = 400_000,
    call_s: float = 60e-6,
    on_shown: Callable[[str, bytes, float], None] = lambda name, frame, now: None,
) -> VirtualStage:
    """Build it and add its machines to the loop. `on_shown` hears of every completed picture (see `PngSink`)."""
    lines = {place.port: TimeLine() for place in displays}
    wires = {port: I2cTwin(line, clock_hz=clock_hz, call_s=call_s) for port, line in lines.items()}
    buses = I2cBuses(wires)
    chips: dict[str, OledChip] = {}
    panels: dict[int, list[Panel]] = {port: [] for port in wires}
    for place in displays:
        chips[place.name] = chip = OledChip(Kind(place.chip.value))
        wires[place.port].attach(place.address, chip)
        where = Where(place.name, f"i2c-{place.port} address 0x{place.address:02X}")
        connect = buses.connecting(i2c(place.port, place.address))
        panels[place.port].append(Panel(where, place.chip, connect))
    workers: dict[int, DisplayBus] = {}
    stage_box: list[Stage] = []

    def on_health(panel: str, health: Health, now: float) -> None:
        stage_box[0].device(now, health.value, panel, up=health is Health.BACK)

    screens: list[BusScreen] = []
    for port, group in panels.items():
        worker = DisplayBus(f"i2c-{port}", group, lines[port], on_health=on_health, on_shown=on_shown)
        wake = loop.add(worker, lines[port])
        worker.on_work = lambda wake=wake: wake(loop.now)  # type: ignore[misc]
        workers[port] = worker
        screens += [BusScreen(worker, p.name, p.viewer) for p in displays if p.port == port]
    stage = Stage(ctx, screens, sounds, lamps)
    stage_box.append(stage)
    stage.wake = loop.add(stage)
    return VirtualStage(stage, chips, wires, workers, lines)

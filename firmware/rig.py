"""Builds a whole table on twins: emulated chips and tags below, the real drivers, pollers and controller above.

The same classes run on the Pi (`firmware/realrig.py`); only what stands below the SPI transfer, and who drives
the machines, is different.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.cards import Card
from engine.referee import Referee
from firmware.controller import Controller
from firmware.deck import Deck
from firmware.layout import Layout
from firmware.loop import Loop
from firmware.recordfile import Journal
from hardware.looks import Look
from hardware.mfrc522 import Reader
from hardware.poller import Poller
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.faults import Faults
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.tags import Tag
from hardware.twin.timeline import TimeLine

OUT_OF_STEP = 0.13


@dataclass(frozen=True, slots=True)
class Physics:
    """What the world is like: how deep a pile answers, what goes wrong, who hears whom."""

    top: int = 2
    tops: Mapping[str, int] = field(default_factory=dict)  # reader -> its own `top`
    drop: float = 0.0
    noise: float = 0.0
    echoes: Mapping[tuple[str, str], float] = field(default_factory=dict)  # (hears, neighbour) -> strength
    costs: Costs = field(default_factory=Costs)
    seed: int = 0
    pace_s: float = 8e-3  # a reader's looks begin at least that far apart
    gpio_select: bool = True  # chip selects set by the program; False: by the kernel (native, or cs-gpios)


class Pollers:
    """All pollers of a table, addressed by reader (`presence.Asker`)."""

    def __init__(self) -> None:
        self._of: dict[str, Poller] = {}
        self._wake: dict[str, Callable[[], None]] = {}

    def add(self, poller: Poller, wake: Callable[[], None]) -> None:
        """Take in the poller of one bus and the call that wakes it now."""
        for reader in poller.readers:
            self._of[reader] = poller
            self._wake[reader] = wake

    def ask(self, reader: str, uid: str) -> None:
        """Look for this tag at this reader at once."""
        self._of[reader].ask(reader, uid)
        self._wake[reader]()

    def forget(self, reader: str, uid: str) -> None:
        """Do not look for this tag at this reader any more."""
        self._of[reader].forget(reader, uid)

    def poller(self, reader: str) -> Poller:
        """The poller that drives a reader."""
        return self._of[reader]


@dataclass(slots=True)
class VirtualTable:
    """A table of twins, its loop, and the tags of its deck."""

    loop: Loop
    field: Field
    layout: Layout
    pollers: Pollers
    chips: dict[str, Mfrc522Twin]
    lines: dict[str, TimeLine]
    tags: dict[Card, Tag]
    on_look: list[Callable[[Look], None]]
    controller: Controller | None = None

    def horizon(self) -> float:
        """A time that no bus has reached yet: the earliest at which a hand can still do something."""
        return max(self.loop.now, *(line.now() for line in self.lines.values()))


def build_readers(layout: Layout, deck: Deck, physics: Physics) -> VirtualTable:
    """Chips, drivers and pollers of a layout, without a game."""
    loop = Loop()
    air = Field(top=physics.top, seed=physics.seed)
    table = VirtualTable(loop, air, layout, Pollers(), {}, {}, {}, [])
    table.tags = {card: Tag(uid) for uid, card in deck.cards.items()}

    def on_look(look: Look) -> None:
        for listener in table.on_look:
            listener(look)

    for number, bus_name in enumerate(layout.buses()):
        line = TimeLine()
        bus = TwinBus(line, physics.costs)
        readers: list[Reader] = []
        for index, antenna in enumerate(layout.readers):
            if antenna.bus != bus_name:
                continue
            air.add_reader(antenna.reader, top=physics.tops.get(antenna.reader))
            faults = Faults(drop=physics.drop, noise=physics.noise)
            chip = Mfrc522Twin(air, antenna.reader, line, seed=physics.seed * 1000 + index, faults=faults)
            table.chips[antenna.reader] = chip
            port = bus.add(chip, gpio_select=physics.gpio_select)
            readers.append(Reader(antenna.reader, port, line, group=antenna.group))
        # buses out of step: two readers whose fields touch must not talk to one tag at the same moment for ever
        pace_s = physics.pace_s * (1 + OUT_OF_STEP * number)
        poller = Poller(bus_name, readers, line, on_look, pace_s=pace_s)
        wake = loop.add(poller, line)
        table.pollers.add(poller, lambda wake=wake: wake(loop.now))  # type: ignore[misc]
        table.lines[bus_name] = line
    for (hears, neighbour), strength in physics.echoes.items():
        air.couple(hears, neighbour, strength)
    return table


def build_table(
    referee: Referee[object], layout: Layout, deck: Deck, journal: Journal, physics: Physics
) -> VirtualTable:
    """A whole virtual table for one game."""
    table = build_readers(layout, deck, physics)
    controller = Controller(referee, layout, deck, table.pollers, journal)
    controller.wake = table.loop.add(controller)
    table.on_look.append(controller.look)
    table.controller = controller
    return table

"""Demos: whole tables of twins for each game, and bots that play one game on them through all layers.

`full`: every zone as it is meant, each card on an antenna of its own. `pass`: every zone is a reader that cards
cross. `feed`: piles that answer for none of their cards (k = 0), fed card by card across a slot of their own.
Each of them on a table with every zone the game has, or on a small one, which has only those it cannot do without.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from random import Random

from engine.games import SPECS, referee_for
from engine.setup import GameSpec, Mode, Setup
from engine.zones import ZoneKind, usual_kind
from firmware.deck import emulated_deck
from firmware.errors import FirmwareError
from firmware.hands import Hands, Pauses
from firmware.layout import Antenna, Layout, Zone
from firmware.recordfile import Journal
from firmware.rig import Physics, VirtualTable, build_table
from firmware.simulator import world_for


class DemoError(FirmwareError):
    """A table that no game can be played on."""


class Variant(Enum):
    """How the zones of a demo's table are made."""

    FULL = "full"
    PASS = "pass"
    FEED = "feed"


ANTENNAS = {"tifo": 8, "tipouik": 1, "tfu": 4}
"""Antennas of a `spread` zone: five laid cards, two attacks and a parade in TIFO; a column's four in Тьфу!"""
PACE_S, PACE_FOR_EACH_S = 8e-3, 1.2e-3
"""So that many readers on a bus leave it time for questions out of turn (and a demo ends soon)."""
BESIDE = 2
"""Cards that answer where none is meant to lie on another."""
LIMIT_S = 900.0
"""Virtual seconds after which a demo is taken to be stuck."""


@dataclass(frozen=True, slots=True)
class Table:
    """A demo's table: zones and readers, and which piles answer for nothing."""

    layout: Layout
    tops: dict[str, int] = field(default_factory=dict)


def kinds_for(spec: GameSpec, seats: int, variant: Variant, small: bool = False) -> dict[str, ZoneKind]:
    """The zones of a full (or small) table of this game and their kinds.

    Tipouik's seats are `pass` in any case: at scoring a whole hand is laid there, more than any antennas can
    tell apart.
    """
    zones = spec.smallest(seats) if small else spec.all_zones(seats)
    if variant is Variant.PASS or spec.id == "tipouik":
        return dict.fromkeys(zones, ZoneKind.PASS)
    usual = {name: usual_kind(name) for name in zones}
    if variant is Variant.FEED:
        return {name: ZoneKind.PASS if kind is ZoneKind.PILE else kind for name, kind in usual.items()}
    return usual


def table_for(spec: GameSpec, seats: int, variant: Variant, small: bool = False) -> Table:
    """A table with all zones of the game (or the fewest), its readers spread over two buses."""
    zones: list[Zone] = []
    readers: list[Antenna] = []
    tops: dict[str, int] = {}
    for name, kind in kinds_for(spec, seats, variant, small).items():
        zones.append(Zone.usual(name, kind))
        count = ANTENNAS[spec.id] if kind is ZoneKind.SPREAD else 1
        fed = variant is Variant.FEED and usual_kind(name) is ZoneKind.PILE
        names = [f"{name}/{n + 1}" for n in range(count)] + ([f"{name}/pile"] if fed else [])
        readers += [Antenna(reader, name, f"spi{(len(readers) + n) % 2}") for n, reader in enumerate(names)]
        if fed:
            tops[f"{name}/pile"] = 0
    return Table(Layout(tuple(zones), tuple(readers)), tops)


@dataclass(frozen=True, slots=True)
class Demo:
    """One game by bots on a virtual table, ready to run."""

    table: VirtualTable
    hands: Hands
    setup: Setup

    def run(self) -> bool:
        """Play to the end. False if the table missed something for good, or the game never ended."""
        ended = self.table.loop.run(lambda: self.hands.finished or bool(self.hands.missed), LIMIT_S)
        self.table.loop.run_to(self.table.loop.now + 1.0)
        return ended and not self.hands.missed


def build_demo(
    game: str,
    seats: int,
    seed: int,
    journal: Journal,
    variant: Variant = Variant.FULL,
    physics: Physics | None = None,
    crosstalk: float = 0.0,
    mode: Mode = Mode.PLAY,
    pauses: Pauses | None = None,
    small: bool = False,
) -> Demo:
    """A demo of that game. Same arguments, same record, byte by byte.

    `crosstalk`: neighbours hear each other's tags with this strength, and share their air in groups of two.
    `physics.top` is that of the piles; a card is never under others where cards are laid side by side, or cross.
    """
    spec = SPECS[game]
    setup = Setup(spec, seats, mode=mode, zones=kinds_for(spec, seats, variant, small))
    made = table_for(spec, seats, variant, small)
    layout = _in_pairs(made.layout) if crosstalk else made.layout
    world = physics or Physics(seed=seed)
    piles = [antenna.reader for antenna in layout.readers if layout.zone(antenna.zone).kind is ZoneKind.PILE]
    if piles and world.top == 0:
        raise DemoError(f"--top 0: {piles[0]} would never answer, expected --zones feed or pass, or K from 1")
    world = replace(
        world,
        top=BESIDE,
        tops={**dict.fromkeys(piles, world.top), **made.tops, **world.tops},
        echoes={**_echoes(layout, crosstalk), **world.echoes},
        seed=seed,
        pace_s=pace_s(layout),
    )
    deck = emulated_deck(spec.pack(seats))
    table = build_table(referee_for(setup), layout, deck, journal, world)
    bots = world_for(setup, Random(f"{game}/{seed}/0"), rounds=1)
    return Demo(table, Hands(bots, table, seed, pauses), setup)


def pace_s(layout: Layout) -> float:
    """How far apart the looks of a reader of this table begin."""
    return max(PACE_S, PACE_FOR_EACH_S * len(layout.readers) / len(layout.buses()))


def _in_pairs(layout: Layout) -> Layout:
    """The same table with the readers of each bus in groups of two."""
    seen: dict[str, int] = {}
    antennas = []
    for antenna in layout.readers:
        number = seen.get(antenna.bus, 0)
        seen[antenna.bus] = number + 1
        antennas.append(replace(antenna, group=f"{antenna.bus}-{number // 2}"))
    return Layout(layout.zones, tuple(antennas))


def _echoes(layout: Layout, strength: float) -> dict[tuple[str, str], float]:
    """Both readers of each group hear each other's tags."""
    return {
        (one.reader, other.reader): strength
        for one in layout.readers
        for other in layout.readers
        if strength and one is not other and one.group is not None and one.group == other.group
    }

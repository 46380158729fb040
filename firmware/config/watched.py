"""Which rules a table can watch and which it cannot, for each game its zones allow, in words.

What a table does not see it cannot refuse: without a `draw` zone nobody watches the draw (ruling T33), in a
`pass` zone no lift is seen, without columns Тьфу! is judged by the centres alone.
"""

from dataclasses import dataclass

from engine.games import SPECS
from engine.setup import GameSpec
from engine.zones import ZoneKind
from firmware.config.model import TableConfig


@dataclass(frozen=True, slots=True)
class Watched:
    """One game on this table. `seats`: the most that it has zones for."""

    game: str
    seats: int
    can: tuple[str, ...]
    cannot: tuple[str, ...]


def games_of(config: TableConfig) -> tuple[Watched, ...]:
    """Every game that can be played on this table."""
    found = []
    for spec in SPECS.values():
        seats = _seats(spec, {zone.name for zone in config.zones})
        if seats:
            found.append(watched(config, spec, seats))
    return tuple(found)


def zones_for(config: TableConfig, spec: GameSpec, seats: int) -> dict[str, ZoneKind]:
    """The zones of this table that a game with so many seats uses, with their kinds."""
    allowed = set(spec.all_zones(seats))
    return {zone.name: zone.kind for zone in config.zones if zone.name in allowed}


def missing_zones(config: TableConfig, spec: GameSpec, seats: int) -> tuple[str, ...]:
    """The zones that a game needs at least and this table lacks."""
    have = {zone.name for zone in config.zones}
    return tuple(name for name in spec.smallest(seats) if name not in have)


def watched(config: TableConfig, spec: GameSpec, seats: int) -> Watched:
    """What this table sees of that game."""
    kinds = zones_for(config, spec, seats)
    match spec.id:
        case "tifo":
            can, cannot = _tifo(kinds, seats)
        case "tipouik":
            can, cannot = _tipouik(kinds, seats)
        case _:
            can, cannot = _tfu(kinds)
    for role in _missing_buttons(config, spec, seats):
        cannot.append(f"what is said with the button {role}: this table has none")
    return Watched(spec.id, seats, tuple(can), tuple(cannot))


def _seats(spec: GameSpec, have: set[str]) -> int:
    for seats in range(spec.max_seats, spec.min_seats - 1, -1):
        if set(spec.smallest(seats)) <= have:
            return seats
    return 0


def _tifo(kinds: dict[str, ZoneKind], seats: int) -> tuple[list[str], list[str]]:
    can = ["turns, laying, attacks, parades, discards, OLA, the shout, elimination, points"]
    cannot: list[str] = []
    if "draw" in kinds:
        can.append("drawing: too early a play (tifo/draw-first), a draw too many (tifo/draw-twice)")
    else:
        cannot.append("drawing (tifo/draw-first, tifo/draw-twice): there is no zone draw; the referee counts")
    blind = [name for name in (f"seat{n}" for n in range(1, seats + 1)) if kinds[name] is not ZoneKind.SPREAD]
    if blind:
        cannot.append(f"cards taken away from {', '.join(blind)} (tifo/laid-stays): lifts are not seen there")
    else:
        can.append("laid cards and attacks that leave without cause (tifo/laid-stays)")
    if kinds["discard"] is ZoneKind.PASS:
        cannot.append("a swap by lifting the discarded card: discard sees no lifts; press next instead")
    return can, cannot


def _tipouik(kinds: dict[str, ZoneKind], seats: int) -> tuple[list[str], list[str]]:
    can = ["the opening, turns, values, counts of poses, challenges and their verdicts, scoring"]
    cannot: list[str] = []
    blind = [name for name in (f"seat{n}" for n in range(1, seats + 1)) if kinds[name] is not ZoneKind.SPREAD]
    if blind:
        cannot.append(f"cards taken back from {', '.join(blind)} unseen: cross the reader again, or press ok")
    return can, cannot


def _tfu(kinds: dict[str, ZoneKind]) -> tuple[list[str], list[str]]:
    can = ["steps on the centres, spare cards owed at the call, frozen piles, the end of a round"]
    if any(".col" in name for name in kinds):
        can.append("columns: layout, open tops, who can still play (tfu/layout, tfu/column, tfu/can-play)")
        return can, []
    return can, ["columns (tfu/layout, tfu/column, tfu/can-play) and whose play it was: there are no column zones"]


def _missing_buttons(config: TableConfig, spec: GameSpec, seats: int) -> tuple[str, ...]:
    have = {button.name for button in config.buttons}
    return tuple(name for name in sorted(spec.buttons(seats)) if name not in have)


def describe(one: Watched) -> tuple[str, ...]:
    """One game in words, one line each."""
    lines = [f"{one.game}, up to {one.seats} seats:"]
    lines += [f"  watches {what}" for what in one.can]
    lines += [f"  cannot watch {what}" for what in one.cannot]
    return tuple(lines)

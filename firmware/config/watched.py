"""Which rules a table can watch and which it cannot, for each game its zones allow, in the table's language.

What a table does not see it cannot refuse: without a `draw` zone nobody watches the draw (ruling T33), in a
`pass` zone no lift is seen, without columns Тьфу! is judged by the centres alone. The sentences are the
catalogues' (`[watch]`).
"""

from collections.abc import Collection
from dataclasses import dataclass

from engine.games import SPECS
from engine.setup import GameSpec
from engine.zones import ZoneKind
from firmware.config.model import TableConfig
from firmware.stage.catalogue import Catalogue, catalogue


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a table sees or does not see: `watch:tifo/laid`, and the zones or buttons it is about."""

    id: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Watched:
    """One game on this table. `seats`: the most that it has zones for."""

    game: str
    seats: int
    can: tuple[Fact, ...]
    cannot: tuple[Fact, ...]


def games_of(config: TableConfig, controls: Collection[str] = ()) -> tuple[Watched, ...]:
    """Every game that can be played on this table. `controls`: what the deck has control cards for."""
    found = []
    for spec in SPECS.values():
        seats = _seats(spec, {zone.name for zone in config.zones})
        if seats:
            found.append(watched(config, spec, seats, controls))
    return tuple(found)


def zones_for(config: TableConfig, spec: GameSpec, seats: int) -> dict[str, ZoneKind]:
    """The zones of this table that a game with so many seats uses, with their kinds."""
    allowed = set(spec.all_zones(seats))
    return {zone.name: zone.kind for zone in config.zones if zone.name in allowed}


def missing_zones(config: TableConfig, spec: GameSpec, seats: int) -> tuple[str, ...]:
    """The zones that a game needs at least and this table lacks."""
    have = {zone.name for zone in config.zones}
    return tuple(name for name in spec.smallest(seats) if name not in have)


def watched(config: TableConfig, spec: GameSpec, seats: int, controls: Collection[str] = ()) -> Watched:
    """What this table sees of that game. `controls`: what the deck has control cards for."""
    kinds = zones_for(config, spec, seats)
    can = [Fact(f"watch:{spec.id}/plays")]
    cannot: list[Fact] = []
    for fact, seen in _facts(spec, kinds):
        (can if seen else cannot).append(fact)
    have = {button.name for button in config.buttons} | set(controls)
    silent = tuple(name for name in sorted(spec.buttons(seats)) if name not in have)
    if silent:
        cannot.append(Fact("watch:table/commands", silent))
    return Watched(spec.id, seats, tuple(can), tuple(cannot))


def _seats(spec: GameSpec, have: set[str]) -> int:
    for seats in range(spec.max_seats, spec.min_seats - 1, -1):
        if set(spec.smallest(seats)) <= have:
            return seats
    return 0


def _facts(spec: GameSpec, kinds: dict[str, ZoneKind]) -> list[tuple[Fact, bool]]:
    """What depends on the table's zones, and whether it is seen."""
    blind = tuple(name for name, kind in kinds.items() if name.startswith("seat") and not kind.sees_lifts)
    match spec.id:
        case "tifo":
            draw = "draw" in kinds
            found = [(Fact("watch:tifo/draw" if draw else "watch:tifo/no-draw"), draw)]
            found.append((Fact("watch:tifo/no-laid", blind), False) if blind else (Fact("watch:tifo/laid"), True))
            if kinds["discard"] is ZoneKind.PASS:
                found.append((Fact("watch:tifo/no-swap"), False))
            return found
        case "tipouik":
            return [(Fact("watch:tipouik/no-lifts", blind), False)] if blind else []
        case _:
            columns = any(".col" in name for name in kinds)
            return [(Fact("watch:tfu/columns" if columns else "watch:tfu/no-columns"), columns)]


def describe(one: Watched, lang: str) -> tuple[str, ...]:
    """One game in words, one line each."""
    cat = catalogue(lang)
    game = cat.messages[f"game:table/{one.game}"].parts["head"]
    lines = [cat.fill(cat.words["watch:table/title"], {"game": game, "seats": one.seats})]
    for way, facts in (("can", one.can), ("cannot", one.cannot)):
        lines += [f"  {cat.fill(cat.words[f'watch:table/{way}'], {'what': _told(cat, fact)})}" for fact in facts]
    return tuple(lines)


def describe_all(config: TableConfig, controls: Collection[str] = ()) -> tuple[str, ...]:
    """All games of a table in words; a line that says so where there is none."""
    cat, lang = catalogue(config.language.value), config.language.value
    lines = [line for one in games_of(config, controls) for line in describe(one, lang)]
    return (*strangers(config), *(lines or [cat.words["watch:table/no-game"]]))


def strangers(config: TableConfig) -> tuple[str, ...]:
    """A line for zones whose names no game knows, a slip perhaps; none where there is none."""
    known = {name for spec in SPECS.values() for name in spec.all_zones(spec.max_seats)}
    fact = Fact("watch:table/strangers", tuple(zone.name for zone in config.zones if zone.name not in known))
    return (_told(catalogue(config.language.value), fact),) if fact.names else ()


def _told(cat: Catalogue, fact: Fact) -> str:
    names = ", ".join(fact.names)
    return cat.fill(cat.words[fact.id], {"zones": names, "buttons": names, "count": len(fact.names)})

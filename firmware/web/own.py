"""A builder's table.toml at the virtual table: which game it is for, its zones, readers and screens.

A table that is not complete yet is shown all the same: what is missing is said, and nobody watches there.
"""

from dataclasses import dataclass, replace
from typing import Final

from engine.games import SPECS
from engine.setup import GameSpec
from firmware.config import ConfigError, TableConfig, budgets, watched
from firmware.config.model import Display
from firmware.layout import Layout
from firmware.stage.virtual import Place
from hardware.display import Chip

FIRST_SPI: Final = 100
"""Emulated screens hang on I2C; one that is wired to SPI gets a bus of its own, from this number on."""


@dataclass(frozen=True, slots=True)
class Own:
    """What is taken from a table.toml."""

    layout: Layout
    places: tuple[Place, ...]
    buttons: frozenset[str] = frozenset()

    def without(self, spec: GameSpec, seats: int) -> tuple[str, ...]:
        """The game's buttons that it lacks."""
        return tuple(sorted(spec.buttons(seats) - self.buttons))

    def fits(self, spec: GameSpec, seats: int) -> bool:
        """Whether it has all zones that this game needs."""
        return set(spec.smallest(seats)) <= {zone.name for zone in self.layout.zones}

    def for_game(self, spec: GameSpec, seats: int) -> "Own":
        """Without zones, readers and screens that this game at so many seats does not use."""
        allowed = set(spec.all_zones(seats))
        zones = tuple(zone for zone in self.layout.zones if zone.name in allowed)
        readers = tuple(antenna for antenna in self.layout.readers if antenna.zone in allowed)
        places = tuple(place for place in self.places if place.viewer is None or place.viewer <= seats)
        return replace(self, layout=Layout(zones, readers), places=places)


def own_table(config: TableConfig) -> Own:
    """The table of a file."""
    places = tuple(_place(n, display) for n, display in enumerate(config.displays))
    return Own(config.layout(), places, frozenset(button.name for button in config.buttons))


def _place(n: int, display: Display) -> Place:
    chip = Chip(display.driver.value)
    if display.address is None:
        return Place(display.seat, chip, FIRST_SPI + n)
    return Place(display.seat, chip, int(display.bus.removeprefix("i2c")), display.address)


def game_for(config: TableConfig, game: str | None, seats: int | None) -> tuple[str, int]:
    """What to play on this table: what was asked for; else the first game it is complete for, with all its seats.

    Raises `ConfigError` for a game of which it has no zone.
    """
    found = {one.game: one.seats for one in watched.games_of(config)}
    chosen = game or next(iter(found), next(iter(SPECS)))
    spec = SPECS[chosen]
    if seats is None:
        seats = min(found.get(chosen, spec.default_seats), spec.default_seats)
    if not watched.zones_for(config, spec, min(seats, spec.max_seats)):
        mend = f"a [[zone]] and a [[reader]] for {', '.join(spec.smallest(spec.min_seats))}, or another --game"
        raise ConfigError(config.file, 0, f"has no zone of {chosen}", mend)
    return chosen, seats


def describe(config: TableConfig, game: str, seats: int) -> tuple[str, ...]:
    """What a builder wants to know before he solders: budgets, what is watched, what is missing."""
    spec = SPECS[game]
    missing = watched.missing_zones(config, spec, seats)
    lines = list(budgets.describe(config))
    if missing:
        lines.append(f"{game} with {seats} seats: nobody watches {', '.join(missing)}: this table has no such zones")
    else:
        lines += watched.describe(watched.watched(config, spec, seats), config.language.value)
    return tuple(lines)

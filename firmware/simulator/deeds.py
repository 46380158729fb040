"""What a player does with hands and voice, and what it was meant to be.

A `World` knows all cards; it deals, lets bots decide, and is told what the referee said. It speaks in deeds:
`simulate` turns them straight into observations, a demo lets emulated hands carry them out on emulated readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.rulings import Ruling
from engine.zones import seat_of

STRAY = "04D1CE5EED0BAD"
"""A tag that no deck knows."""


@dataclass(frozen=True, slots=True)
class Put:
    """A card is put on a zone; `source` is the zone it is taken from, None for a hand or the draw pile.

    A card of no deck (`STRAY`) is a tag that nobody enrolled; its name is its UID.
    """

    seat: int
    zone: str
    card: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """A card is lifted from a zone into a hand (or out of reach)."""

    seat: int
    zone: str
    card: str


@dataclass(frozen=True, slots=True)
class Press:
    """A button is pressed."""

    button: str


@dataclass(frozen=True, slots=True)
class Speak:
    """A spoken announcement (Tipouik)."""

    seat: int
    value: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is done for so many seconds; the table gets a tick at the end of it."""

    seconds: float


Action = Put | Take | Press | Speak | Wait


@dataclass(frozen=True, slots=True)
class Cheat:
    """An illegal deed. `kind` names what was tried; `rules` are the rule ids any of which catches it.

    No rules: the sensors cannot tell it from a legal play (`undetectable`, listed in the documents).
    """

    kind: str
    rules: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Deed:
    """Some actions in a row by one player; `cheat` is None for a legal one.

    `moves`: names of the moves that a legal deed must bring, if the world cares.
    """

    actions: tuple[Action, ...]
    cheat: Cheat | None = None
    moves: tuple[str, ...] = ()

    @property
    def seats(self) -> frozenset[int]:
        """Whose hands it needs."""
        hands = {seat_of(a.button) if isinstance(a, Press) else getattr(a, "seat", None) for a in self.actions}
        return frozenset(seat for seat in hands if seat is not None)


class World(Protocol):
    """A game with all its hidden cards, played by bots. Same random source, same deeds."""

    def next(self) -> Deed | None:
        """The next deed, given all that was heard; None when the game (or match) has ended."""
        ...

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """What the referee answered to one action of the last deed."""
        ...

    def ending(self) -> str:
        """How the game ended (`by` of the last `over`), `cap` if it was cut short."""
        ...


class HostedWorld(World, Protocol):
    """A world some of whose seats are played from outside."""

    humans: frozenset[int]
    """Seats for which nobody is played here. May be changed at any time."""

    def observe(self, action: Action) -> None:
        """Somebody did something with hands."""
        ...

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards that a player really has."""
        ...

    def stock(self, seat: int) -> tuple[str, ...]:
        """Cards face down that a player takes from, the next one first: TIFO's pile, in Тьфу! his spare."""
        ...

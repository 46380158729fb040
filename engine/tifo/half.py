"""What is begun and no move yet: a shout whose cards are being gathered, and an attack lifted to choose it (T14).

No part of the state, which holds only what has been ruled; an arbiter who takes a move back finds it as it was.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.setup import Setup
from engine.tifo.cards import Family, family_of, kind_of
from engine.tifo.rules import barred_from_shout
from engine.tifo.state import State
from engine.zones import ZoneKind


@dataclass(frozen=True, slots=True)
class Shout:
    """An open shout: who, whether he pressed, and the cards laid with it so far."""

    seat: int
    pressed: bool
    cards: tuple[Card, ...] = ()

    @property
    def zone(self) -> str:
        """Where its cards lie."""
        return f"seat{self.seat}"


@dataclass(frozen=True, slots=True)
class HalfDone:
    """What is begun and no move yet."""

    shout: Shout | None
    aside: Card | None


def without(shout: Shout | None, card: Card) -> Shout | None:
    """The shout after a card of it was taken back; nobody's any more if it was the last of one not pressed for."""
    if shout is None or card not in shout.cards:
        return shout
    left = tuple(c for c in shout.cards if c != card)
    return replace(shout, cards=left) if left or shout.pressed else None


def lacking(s: State, shout: Shout) -> frozenset[str]:
    """The kinds that a shout still waits for."""
    return s.missing(shout.seat) - {kind_of(c) for c in shout.cards}


def slams(s: State, seat: int, card: Card) -> bool:
    """Whether a card straight after a seat's own lay is the next of a shout without a press (T15, T17)."""
    return (
        s.slam == seat
        and family_of(card) is Family.TIFO
        and kind_of(card) in s.missing(seat)
        and barred_from_shout(s, seat) is None
    )


def as_it_lies(half: HalfDone, s: State, setup: Setup, lies: Mapping[Card, str]) -> HalfDone:
    """What was half done, but for cards that have moved since."""
    shout, aside = half.shout, half.aside
    if half.shout is not None and setup.kind(half.shout.zone) is not ZoneKind.PASS:
        for card in half.shout.cards:
            if lies.get(card) != half.shout.zone:
                shout = without(shout, card)
    if aside is not None and lies.get(aside) == s.zone_of(aside):
        aside = None
    return HalfDone(shout, aside)

"""What the referee knows of cards it cannot see: for each card once seen, the places where it can be.

Rules: a card without an entry is unseen and may be in any hand or in the pile. A shuffle makes unseen the cards
that were in it, and only those. After a rob, a gift or a blind draw a card known in the giver's hand is known
to be in one of the two hands. Cards in plain sight (laid, discarded) have no entry; the game's state holds them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.cards import Card

Place = int | str
"""A hand (its seat) or a named hidden place such as the hidden discard."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """An immutable map from cards to the places where each can be."""

    places: Mapping[Card, frozenset[Place]] = field(default_factory=dict)

    def may_be(self, card: Card, place: Place) -> bool:
        """Whether `card` can be at `place` (an unseen card can be in any hand)."""
        known = self.places.get(card)
        return known is None or place in known

    def where(self, card: Card) -> frozenset[Place] | None:
        """The places where a card once seen can be; None for an unseen one."""
        return self.places.get(card)

    def surely(self, place: Place) -> tuple[Card, ...]:
        """The cards known to be at `place` and nowhere else, in order of name."""
        only = frozenset({place})
        return tuple(sorted(card for card, places in self.places.items() if places == only))

    def seen(self, cards: Iterable[Card], *places: Place) -> "Knowledge":
        """Each of `cards` was seen going to one of `places`."""
        where = frozenset(places)
        return Knowledge({**self.places, **dict.fromkeys(cards, where)})

    def forget(self, cards: Iterable[Card]) -> "Knowledge":
        """`cards` went into a shuffle, or lie in plain sight now."""
        gone = set(cards)
        if gone.isdisjoint(self.places):
            return self
        return Knowledge({c: p for c, p in self.places.items() if c not in gone})

    def forget_place(self, place: Place) -> "Knowledge":
        """All cards that may be at `place` go into a shuffle."""
        return Knowledge({c: p for c, p in self.places.items() if place not in p})

    def passed(self, giver: Place, taker: Place) -> "Knowledge":
        """A card went unseen from one hand to another."""
        return Knowledge({c: p | {taker} if giver in p else p for c, p in self.places.items()})

    def moved(self, old: Place, new: Place) -> "Knowledge":
        """All that was at `old` is at `new` now."""
        return Knowledge({c: (p - {old}) | {new} if old in p else p for c, p in self.places.items()})

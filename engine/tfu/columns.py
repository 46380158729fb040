"""The columns as sensors see them. The arbiter's undo does not touch them: cards lie where they lie.

Rules: `seen` is what lies in each column now, bottom first. When a round begins it is copied to `deals`; from
then on that order *is* the column, and a card leaves it only by reaching a centre (`gone`, from the state) or,
with `refill`, by moving to an empty column. So a card in somebody's hand, or lying where it must not, still
belongs to its column. `up` are cards lifted since the round began, each with what lay beneath it then: a card
may come back only while nothing from beneath it has been played. `cleared_for` is the last deal after which
columns that do not report lifts were taken for empty.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from engine.cards import Card

Stacks = Mapping[str, tuple[Card, ...]]
Gone = frozenset[Card]


@dataclass(frozen=True, slots=True)
class Columns:
    """All columns of a table; empty on a table without them."""

    seen: Stacks = field(default_factory=dict)
    deals: tuple[Stacks, ...] = ()
    up: Mapping[Card, tuple[Card, ...]] = field(default_factory=dict)
    cleared_for: int = 0

    # -- what sensors report --------------------------------------------------------------------------------

    def put(self, card: Card, zone: str) -> "Columns":
        """A card was put down on a column, and so is on no other."""
        seen = _without(self.seen, card)
        return Columns({**seen, zone: (*seen.get(zone, ()), card)}, self.deals, self.up, self.cleared_for)

    def taken(self, card: Card) -> "Columns":
        """A card lies in no column any more."""
        seen = _without(self.seen, card)
        return self if seen is self.seen else Columns(seen, self.deals, self.up, self.cleared_for)

    def where(self, card: Card) -> str | None:
        """The column in which a card is seen to lie."""
        return next((zone for zone, cards in self.seen.items() if card in cards), None)

    def cleared(self, zones: Iterable[str], number: int) -> "Columns":
        """After deal `number` nothing lies on these columns any more, though no lift was seen."""
        drop = set(zones)
        return replace(self, seen={z: c for z, c in self.seen.items() if z not in drop}, cleared_for=number)

    # -- what the round makes of it -------------------------------------------------------------------------

    def begun(self, number: int) -> "Columns":
        """Deal `number` (from 1) begins with the columns as they lie now."""
        return Columns(self.seen, (*self.deals[: number - 1], self.seen), {}, number - 1)

    def column(self, number: int, zone: str, gone: Gone) -> tuple[Card, ...]:
        """The cards of a column in deal `number`, lifted ones too, bottom first."""
        return tuple(c for c in self.deals[number - 1].get(zone, ()) if c not in gone)

    def home(self, number: int, card: Card, gone: Gone) -> str | None:
        """The column to which a card belongs in deal `number`."""
        if number == 0 or card in gone:
            return None
        return next((zone for zone, cards in self.deals[number - 1].items() if card in cards), None)

    def beneath(self, number: int, card: Card, zone: str, gone: Gone) -> tuple[Card, ...]:
        """What lies under a card of that column."""
        cards = self.column(number, zone, gone)
        return cards[: cards.index(card)]

    def is_open(self, number: int, card: Card, zone: str, gone: Gone) -> bool:
        """Whether every card above this one has left the column, at least into a hand."""
        cards = self.column(number, zone, gone)
        return all(c in self.up for c in cards[cards.index(card) + 1 :])

    def playable(self, number: int, zone: str, gone: Gone) -> tuple[Card, ...]:
        """The open top, or what has been lifted from there; what lies beneath a card in a hand is not yet open."""
        cards = self.column(number, zone, gone)
        lifted = tuple(takewhile(self.up.__contains__, reversed(cards)))
        return lifted or cards[-1:]

    def lifted(self, number: int, card: Card, zone: str, gone: Gone) -> "Columns":
        """A card of the round was lifted from its column."""
        if card in self.up:
            return self
        up = {**self.up, card: self.beneath(number, card, zone, gone)}
        return Columns(self.seen, self.deals, up, self.cleared_for)

    def may_return(self, number: int, card: Card, zone: str, gone: Gone) -> bool:
        """Whether all that lay beneath a lifted card is still its column's (an undo may have brought more)."""
        return set(self.up.get(card, ())) <= set(self.beneath(number, card, zone, gone))

    def returned(self, card: Card) -> "Columns":
        """A lifted card is back in its column."""
        if card not in self.up:
            return self
        return replace(self, up={c: under for c, under in self.up.items() if c != card})

    def moved(self, number: int, card: Card, source: str, target: str) -> "Columns":
        """An open top moved to an empty column (option `refill`).

        It goes under whatever the arbiter might still bring back there by undoing a play.
        """
        deal = dict(self.deals[number - 1])
        deal[source] = tuple(c for c in deal[source] if c != card)
        deal[target] = (card, *deal.get(target, ()))
        deals = (*self.deals[: number - 1], deal, *self.deals[number:])
        return replace(self, deals=deals).returned(card)


def _without(stacks: Stacks, card: Card) -> Stacks:
    if not any(card in cards for cards in stacks.values()):
        return stacks
    return {zone: tuple(c for c in cards if c != card) for zone, cards in stacks.items()}

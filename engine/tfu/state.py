"""A match of Тьфу! as ruled. Frozen: a refused play leaves it equal.

Rules: `gone` is every card that reached a centre in this deal, so it is the union of `piles` and `known`. A
spare is a number; only one that was turned over has an order (`known`, next card first), and then
`len(known[i]) == spare[i]`. What lies in the columns is seen by sensors and kept beside the state.
"""

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card

LAYOUT = (4, 3, 2, 1)
"""Cards in the four columns, filled in this order (S1, S15)."""

FIRST_COUNTS = {2: 26, 3: 17, 4: 13}
"""Cards for each player in round one (S1)."""


class Phase(Enum):
    """Where the match is."""

    LAYOUT = "layout"  # before the first call of all
    PLAY = "play"
    OVER = "over"  # a round has ended, the next call begins another
    DONE = "done"  # the match has ended


@dataclass(frozen=True, slots=True)
class Deal:
    """How many cards each player starts a round with."""

    round: int
    counts: tuple[int, ...]

    def columns(self, seat: int) -> tuple[int, int, int, int]:
        """Cards in each column of a seat: `(4, 3, 2, 1)` from ten cards on (S15)."""
        left = self.counts[seat - 1]
        a, b, c, d = LAYOUT
        one = min(a, left)
        two = min(b, left - one)
        three = min(c, left - one - two)
        return one, two, three, min(d, left - one - two - three)

    def held(self, seat: int) -> int:
        """Cards in all columns of a seat."""
        return min(sum(LAYOUT), self.counts[seat - 1])

    def spare(self, seat: int) -> int:
        """Cards in the spare of a seat; none up to ten cards (S16)."""
        return self.counts[seat - 1] - self.held(seat)


@dataclass(frozen=True, slots=True)
class State:
    """The whole match. Tuples are by seat, seat 1 first.

    `number` counts the deals begun. `shut`: piles closed or never opened (S12, S13). `owed`: seats that owe a
    spare card since the last call. `fed`: spare cards put down by each since the last play (S14). `asked`:
    the small table has asked who has fewest cards. `won`: who emptied the columns and has not yet said so.
    `winners` and `by`: how the last round ended, as in `over`.
    """

    phase: Phase
    deal: Deal
    upcoming: Deal
    number: int
    spare: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    piles: tuple[tuple[Card, ...], ...]
    gone: frozenset[Card]
    shut: frozenset[int]
    owed: frozenset[int]
    plays: int
    fed: tuple[int, ...]
    asked: bool
    won: int | None
    winners: tuple[int, ...]
    by: str

    @property
    def seats(self) -> range:
        """All seats, from 1."""
        return range(1, len(self.spare) + 1)

    def pile_of(self, card: Card) -> int | None:
        """The pile that holds a card, None if none does."""
        if card not in self.gone:
            return None
        return next((n for n in self.seats if card in self.piles[n - 1]), None)

    def spare_with(self, card: Card) -> int | None:
        """The seat whose turned-over spare holds a card, None if none does."""
        if card not in self.gone:
            return None
        return next((n for n in self.seats if card in self.known[n - 1]), None)

    def top(self, pile: int) -> Card | None:
        """The card that a play on this pile must fit; None for a pile that takes none."""
        cards = self.piles[pile - 1]
        return cards[-1] if cards and pile not in self.shut else None


def start(seats: int) -> State:
    """Before the first call of a match."""
    deal = Deal(1, (FIRST_COUNTS[seats],) * seats)
    none: tuple[tuple[Card, ...], ...] = ((),) * seats
    return State(
        phase=Phase.LAYOUT,
        deal=deal,
        upcoming=deal,
        number=0,
        spare=tuple(deal.spare(n) for n in range(1, seats + 1)),
        known=none,
        piles=none,
        gone=frozenset(),
        shut=frozenset(),
        owed=frozenset(),
        plays=0,
        fed=(0,) * seats,
        asked=False,
        won=None,
        winners=(),
        by="",
    )

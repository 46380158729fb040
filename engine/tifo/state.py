"""The state of a game of TIFO: what has been ruled, never what is only half done on the table.

Rules: the numbers of all cards always add up to 86 (`count`). Cards that are due but not yet seen to be drawn
(only where a `draw` zone exists) stand in `due`. The OLA that waits for its use lies in `discard`.
"""

from dataclasses import dataclass, field

from engine.cards import TIFO_DECK, Card
from engine.knowledge import Knowledge
from engine.setup import Setup
from engine.tifo.cards import HAND, KINDS, Family, family_of, kind_of, last_pile
from engine.values import changer

HIDDEN = "hidden"
"""The place of cards set aside face down with the option `draw_two` (T37, T38)."""

BURIED = "discard"
"""The place of an eliminated player's cards that nobody has read (T30)."""


@dataclass(frozen=True, slots=True)
class Due:
    """One card that a seat must still draw; `robbed` if an OLA made it due (T24)."""

    seat: int
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """One position. Tuples by seat begin with seat 1."""

    turn: int
    hands: tuple[int, ...]
    laid: tuple[tuple[Card, ...], ...]
    attacks: tuple[tuple[Card, ...], ...]
    pile: int
    pile_no: int = 1
    discard: tuple[Card, ...] = ()
    loose: bool = False  # an elimination left the order of the discard unknown (T30)
    unread: int = 0  # cards of eliminated hands under the discard
    hidden: int = 0
    astray: int = 0  # cards the count still had in a pile that the arbiter found empty
    due: tuple[Due, ...] = ()
    drawn: tuple[Card, ...] = ()  # by the player in turn, this turn, where seen
    pairs: tuple[tuple[Card, ...], ...] = ()  # of each one is in the hidden discard (T38)
    out: frozenset[int] = frozenset()
    ola: Card | None = None
    slam: int | None = None  # the seat whose lay was the last move: more cards may follow as a shout
    final: bool = False  # the turn in progress is the last (T34)
    ended: bool = False
    known: Knowledge = field(default_factory=Knowledge)

    def alive(self) -> tuple[int, ...]:
        """The seats still in the game, ascending."""
        return tuple(n for n in range(1, len(self.hands) + 1) if n not in self.out)

    def next_seat(self) -> int:
        """The seat that plays after the one in turn."""
        seats = len(self.hands)
        seat = self.turn
        while True:
            seat = seat % seats + 1
            if seat not in self.out:
                return seat

    def has_attack(self, seat: int, family: Family) -> bool:
        """Whether an attack of this class lies before a player."""
        return any(family_of(a) is family for a in self.attacks[seat - 1])

    def has_kind(self, seat: int, kind: str) -> bool:
        """Whether an attack of this kind lies before a player."""
        return any(kind_of(a) == kind for a in self.attacks[seat - 1])

    def missing(self, seat: int) -> frozenset[str]:
        """The TIFO kinds that a player has not laid."""
        return KINDS - {kind_of(c) for c in self.laid[seat - 1]}

    def zone_of(self, card: Card) -> str | None:
        """Where a card lies in plain sight: `seatN` or `discard`."""
        if card in self.discard:
            return "discard"
        for n, (laid, attacks) in enumerate(zip(self.laid, self.attacks, strict=True), 1):
            if card in laid or card in attacks:
                return f"seat{n}"
        return None

    def last_discarded(self) -> Card | None:
        """What a swap takes (T23): the top, the waiting OLA aside; None where nothing (known) lies there."""
        if self.loose:
            return None
        return next((c for c in reversed(self.discard) if c != self.ola), None)

    def may_hold(self, seat: int, card: Card) -> bool:
        """Whether a card nobody sees can come from a player: it is not known elsewhere, his hand is not empty.

        Whoever is out has no hand to judge by: what is put before him is only out of turn.
        """
        return self.known.may_be(card, seat) and (self.hands[seat - 1] > 0 or seat in self.out)

    def count(self) -> int:
        """All cards there are: 86 in every position."""
        shown = sum(map(len, self.laid)) + sum(map(len, self.attacks)) + len(self.discard)
        return sum(self.hands) + self.pile + self.astray + self.unread + self.hidden + len(self.due) + shown


change = changer(State)
"""A changed copy of a state."""


def start(setup: Setup) -> State:
    """The position after the deal, before anybody's draw."""
    seats = setup.seats
    return State(
        turn=setup.first,
        hands=(HAND,) * seats,
        laid=((),) * seats,
        attacks=((),) * seats,
        pile=len(TIFO_DECK) - HAND * seats,
    )


def with_hand(s: State, seat: int, delta: int) -> State:
    """A hand grew or shrank; never below none (a card the arbiter let stand may come from nowhere)."""
    hands = tuple(max(0, h + delta) if n == seat else h for n, h in enumerate(s.hands, 1))
    return change(s, hands=hands)


def in_sight(s: State, cards: tuple[Card, ...]) -> State:
    """Cards left a hand for all to see; of a pair drawn (T38) the other is the one that was set aside."""
    known = s.known.forget(cards)
    shown = [pair for pair in s.pairs if not set(cards).isdisjoint(pair)]
    if not shown:
        return change(s, known=known)
    mates = [c for pair in shown for c in pair if c not in cards]
    return change(s, pairs=tuple(p for p in s.pairs if p not in shown), known=known.seen(mates, HIDDEN))


@dataclass(frozen=True, slots=True)
class House:
    """What of the table and its options changes the rules."""

    seats: int
    watches_draw: bool
    draw_two: bool
    hidden_discard: bool

    @property
    def last_pile(self) -> int:
        """The pile that ends the game."""
        return last_pile(self.seats)


def house_of(setup: Setup) -> House:
    """The house rules of a table."""
    return House(
        setup.seats,
        "draw" in setup.zones,
        bool(setup.option("draw_two")),
        bool(setup.option("hidden_discard")),
    )

"""The state of a match of Tipouik as ruled: no hidden card is in it before it is announced, shown or taken.

Rules: a round goes GIFT (only with a King and an Abru), DEAL (the 1 is awaited), PLAY, COUNT, and then the next
round, or END. In PLAY either somebody is in turn, or a challenge is being settled, or the final window is open.
Cards laid and not yet announced are what the sensors see; they are no part of the state.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.cards import Card
from engine.knowledge import Knowledge
from engine.setup import Mode, Setup
from engine.tipouik.spec import PACKS

CENTRE = "centre"
"""The place of buried cards in what everybody knows."""


@dataclass(frozen=True, slots=True)
class House:
    """What the table agreed on before the match."""

    seats: int
    top: int
    """The pack's highest value; after it comes 2 (P1)."""
    hand: int
    """Cards dealt to each."""
    window_s: float
    rounds: int
    titles: bool
    mode: Mode

    def next_value(self, value: int) -> int:
        """The value that comes after `value` (P1)."""
        return 2 if value >= self.top else value + 1

    def after(self, seat: int) -> int:
        """The seat that plays after `seat`."""
        return seat % self.seats + 1


def house_of(setup: Setup) -> House:
    """The house rules of a table."""
    return House(
        seats=setup.seats,
        top=PACKS[setup.seats][0],
        hand=len(setup.spec.pack(setup.seats)) // setup.seats,
        window_s=float(setup.option("final_window_s", 5)),
        rounds=int(setup.option("rounds", 1)),
        titles=bool(setup.option("titles")),
        mode=setup.mode,
    )


class Phase(Enum):
    """Where a round stands."""

    GIFT = "gift"
    DEAL = "deal"
    PLAY = "play"
    COUNT = "count"
    END = "end"


class Stage(Enum):
    """What a challenge still waits for."""

    TAKE_BACK = "take-back"
    GIVE = "give"
    TAKE = "take"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Pose:
    """The last cards announced; `opening` for the 1 that opened the round (P2)."""

    seat: int
    cards: tuple[Card, ...]
    value: int
    opening: bool = False
    challenged: bool = False

    def same_as(self, other: "Pose | None") -> bool:
        """Whether both are one announcement, challenged or not."""
        return other is not None and replace(self, challenged=other.challenged) == other


@dataclass(frozen=True, slots=True)
class Settle:
    """A challenge on its way: what comes next, between whom, and how many cards it moves."""

    stage: Stage
    accused: int
    challenger: int
    count: int

    @property
    def actor(self) -> int:
        """Who has to act now."""
        return self.accused if self.stage is Stage.TAKE_BACK else self.challenger


@dataclass(frozen=True, slots=True)
class Window:
    """The final window (P11, P12): open until `deadline`, or until all the others have declined."""

    seat: int
    deadline: float
    declined: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """One match between two inputs."""

    phase: Phase
    hands: tuple[int, ...]
    """Cards in each hand, those laid and not yet announced included."""
    totals: tuple[int, ...]
    round: int = 1
    king: int | None = None
    abru: int | None = None
    turn: int | None = None
    value: int = 0
    must_next: bool = False
    """After a challenge, until the next announcement (P15)."""
    passes: int = 0
    pose: Pose | None = None
    settle: Settle | None = None
    window: Window | None = None
    buried: frozenset[Card] = frozenset()
    """Announced cards in the centre, the last pose included."""
    out: frozenset[Card] = frozenset()
    """Exposed reds, face up beside the game (P27)."""
    announced: frozenset[Card] = frozenset()
    """Every card announced in this round, wherever it is now."""
    known: Knowledge = field(default_factory=Knowledge)
    """What the table knows of hands."""
    seen: Knowledge = field(default_factory=Knowledge)
    """What everybody knows of hands: a card that may have been laid face down since may be in the centre too."""
    winner: int | None = None
    by: str | None = None
    counted: tuple[int | None, ...] = ()
    """Points by seat while hands are counted; None where a hand is still to be shown."""
    scores: tuple[int, ...] | None = None
    """Points of the last round counted."""

    def hand(self, seat: int) -> int:
        """How many cards a seat holds."""
        return self.hands[seat - 1]

    def more(self, seat: int, cards: int) -> "State":
        """A hand grows by so many cards, or shrinks."""
        hands = tuple(n + cards if s == seat else n for s, n in enumerate(self.hands, 1))
        return replace(self, hands=hands)

    def took(self, seat: int, cards: Iterable[Card]) -> "State":
        """Cards in plain sight go to a hand."""
        taken = frozenset(cards)
        return replace(
            self.more(seat, len(taken)),
            buried=self.buried - taken,
            known=self.known.seen(taken, seat),
            seen=self.seen.seen(taken, seat),
        )

    def handed(self, giver: int, taker: int, cards: int) -> "State":
        """So many cards go unseen from one hand to another; the whole hand takes its known cards along."""
        whole = cards >= self.hand(giver)
        known, seen = ((k.moved(giver, taker) if whole else k.passed(giver, taker)) for k in (self.known, self.seen))
        return replace(self.more(giver, -cards).more(taker, cards), known=known, seen=seen)


def believable(s: State) -> State:
    """Without what is known of a hand that would hold more than it can: something there was misread."""
    for seat in range(1, len(s.hands) + 1):
        sure = s.known.surely(seat)
        if len(sure) > s.hand(seat):
            s = replace(s, known=s.known.forget(sure))
    return s


def deal(house: House, before: State | None = None) -> State:
    """The start of a match, or of the round after `before`; titles and totals go on, all else is new."""
    hands = (house.hand,) * house.seats
    if before is None:
        return State(Phase.DEAL, hands, (0,) * house.seats)
    return State(
        Phase.DEAL if before.king is None else Phase.GIFT,  # where there is a King, there is an Abru
        hands,
        before.totals,
        before.round + 1,
        before.king,
        before.abru,
        scores=before.scores,
    )

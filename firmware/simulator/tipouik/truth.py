"""The true position of a match of Tipouik: every card's owner, and where the round stands.

Rules: a card belongs to a hand until it is announced; then it is buried, or taken, or out. What lies before a
player unannounced is kept by the world, since that is where hands put it, not what the game made of it.
"""

from dataclasses import dataclass, field
from random import Random

from engine.tipouik.spec import PACKS, pack

DECK_ONE = "1#1"


def kind(card: str) -> str:
    """`5`, `zero`, `any`, `plus1`, `plus2`."""
    return card.split("#")[0]


def is_red(card: str) -> bool:
    """One of the two red kinds."""
    return kind(card).startswith("plus")


def points(card: str) -> int:
    """What the card costs in a hand (P28)."""
    name = kind(card)
    return int(name) if name.isdigit() else 10


def true_verdict(cards: tuple[str, ...], value: int) -> str:
    """What the cards are when somebody says PROUVE-LE! (P20-P24)."""
    if len(cards) == 1 and is_red(cards[0]):
        return "red"
    return "honest" if all(kind(c) in ("any", str(value)) for c in cards) else "bluff"


@dataclass(slots=True)
class Pose:
    """The last announcement."""

    seat: int
    cards: tuple[str, ...]
    value: int
    opening: bool = False
    challenged: bool = False


@dataclass(slots=True)
class Settle:
    """What a challenge waits for: `take-back`, `give`, `take` or `draw`."""

    stage: str
    accused: int
    challenger: int

    @property
    def actor(self) -> int:
        """Who has to act."""
        return self.accused if self.stage == "take-back" else self.challenger


@dataclass(slots=True)
class Truth:
    """Everything about one match that does not lie in plain sight of a reader."""

    seats: int
    rng: Random
    rounds: int = 1
    titles: bool = False
    phase: str = "deal"
    round: int = 1
    hands: dict[int, list[str]] = field(default_factory=dict)
    buried: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    turn: int = 0
    value: int = 0
    must_next: bool = False
    passes: int = 0
    pose: Pose | None = None
    settle: Settle | None = None
    window: int | None = None
    declined: set[int] = field(default_factory=set)
    counted: set[int] = field(default_factory=set)
    king: int | None = None
    abru: int | None = None
    known: dict[str, int] = field(default_factory=dict)
    """Cards the table has seen going to a hand, which it can not have left unseen."""
    ended: str = ""

    @property
    def top(self) -> int:
        """The pack's highest value."""
        return PACKS[self.seats][0]

    @property
    def following(self) -> int:
        """The value after the last one (P1)."""
        return 2 if self.value == self.top else self.value + 1

    @property
    def values(self) -> tuple[int, ...]:
        """What may be announced now."""
        return (self.following,) if self.must_next else (self.value, self.following)

    def after(self, seat: int) -> int:
        """The next seat."""
        return seat % self.seats + 1

    def all_seats(self) -> range:
        """1 to N."""
        return range(1, self.seats + 1)

    def holder(self, card: str) -> int | None:
        """Whose hand a card belongs to."""
        return next((n for n, cards in self.hands.items() if card in cards), None)

    def deal(self) -> None:
        """Shuffle and deal the whole pack; what happened before is forgotten but for the titles."""
        cards = list(pack(self.seats))
        self.rng.shuffle(cards)
        each = len(cards) // self.seats
        self.hands = {n: cards[(n - 1) * each : n * each] for n in self.all_seats()}
        self.buried, self.out, self.known = [], [], {}
        self.turn = self.value = self.passes = 0
        self.must_next, self.pose, self.settle, self.window = False, None, None, None
        self.declined, self.counted = set(), set()
        gift = self.king is not None and self.abru is not None
        self.phase = "gift" if gift else "deal"

    def unsure(self, giver: int) -> None:
        """A card left a hand unseen: nothing known there is sure any more."""
        self.known = {c: n for c, n in self.known.items() if n != giver}

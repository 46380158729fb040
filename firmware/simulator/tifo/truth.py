"""The true position of a game of TIFO, hidden cards included, and what is legal in it.

Written from the rulings alone and on purpose without the engine's rules: bots and referee must agree because
both follow the rulings, not because one asks the other. It moves by what the referee announces.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from engine.cards import TIFO_DECK

TIFO = frozenset({"capo", "echarpe", "voile", "mats", "fumis"})
BLOCKING = frozenset({"greve", "controle", "baston"})
SEMI = frozenset({"fumis-interdits", "locaux"})
ATTACKS = BLOCKING | SEMI | {"interdit"}
PARADES: Mapping[str, frozenset[str]] = {
    "avocat": frozenset({"interdit"}),
    "mediation": frozenset({"greve"}) | SEMI,
    "identite": frozenset({"controle"}),
    "crs": frozenset({"baston"}),
    "mastre": BLOCKING | SEMI,
}

HIDDEN = 0
"""In `known`: set aside face down (T37)."""
BURIED = -1
"""In `known`: under the discard with an eliminated hand (T30)."""


def kind(card: str) -> str:
    """`capo#1` is a `capo`."""
    return card.split("#", 1)[0]


def attack_class(k: str) -> str:
    """`blocking`, `semi` or `interdit`."""
    return "blocking" if k in BLOCKING else "semi" if k in SEMI else "interdit"


@dataclass
class Truth:
    """Who holds what. Mutable; the world copies it before each step so that the arbiter can take one back."""

    seats: int
    turn: int
    draw_two: bool
    watches_draw: bool
    rng: Random
    hands: dict[int, list[str]] = field(default_factory=dict)
    laid: dict[int, list[str]] = field(default_factory=dict)
    attacks: dict[int, list[str]] = field(default_factory=dict)
    pile: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    owed: list[int] = field(default_factory=list)  # seats with a card to draw (watched draw pile)
    robbed: list[int] = field(default_factory=list)  # those of them who were robbed
    first_drawn: bool = False
    ola: str | None = None
    loose: bool = False
    last_layer: int | None = None
    pile_no: int = 1
    ended: str = ""
    known: dict[str, frozenset[int]] = field(default_factory=dict)
    """What the table saw going into hands: card -> seats where it can be (`HIDDEN`, `BURIED` too)."""
    drawn: list[str] = field(default_factory=list)  # seen drawn by the seat in turn
    pairs: list[tuple[str, ...]] = field(default_factory=list)  # drawn together, neither seen since (T38)

    def deal(self) -> None:
        """Eight cards each; INTERDIT goes into the last ten of the pile (T4)."""
        cards = [c for c in TIFO_DECK if c != "interdit#1"]
        self.rng.shuffle(cards)
        for n in range(1, self.seats + 1):
            self.hands[n] = [cards.pop() for _ in range(8)]
            self.laid[n], self.attacks[n] = [], []
        self.pile = cards  # drawn from the end
        self.pile.insert(self.rng.randrange(min(10, len(cards) + 1)), "interdit#1")
        self.begin_turn()

    # -- what is legal --------------------------------------------------------------------------------------

    def under(self, seat: int, *kinds: str) -> bool:
        """Whether an attack of one of these kinds lies before a seat."""
        return any(kind(a) in kinds for a in self.attacks[seat])

    def missing(self, seat: int) -> set[str]:
        """TIFO kinds still to lay."""
        return set(TIFO) - {kind(c) for c in self.laid[seat]}

    def can_lay(self, seat: int, card: str) -> bool:
        """T15, T16."""
        k = kind(card)
        barred = self.under(seat, "locaux", "interdit", *BLOCKING)
        return k in self.missing(seat) and not barred and not (k == "fumis" and self.under(seat, "fumis-interdits"))

    def can_shout(self, seat: int) -> bool:
        """T15, T36."""
        barred = self.under(seat, "locaux", "interdit", *BLOCKING)
        return not barred and not ("fumis" in self.missing(seat) and self.under(seat, "fumis-interdits"))

    def targets(self, seat: int, card: str) -> list[int]:
        """T7, T8, T15."""
        if self.under(seat, "interdit", *BLOCKING):
            return []
        mine = attack_class(kind(card))
        return [
            n
            for n in range(1, self.seats + 1)
            if n != seat
            and n not in self.out
            and len(self.attacks[n]) < 2
            and all(attack_class(kind(a)) != mine for a in self.attacks[n])
        ]

    def answers(self, seat: int, card: str) -> list[str]:
        """The attacks before a seat that a parade can answer (T13, T14)."""
        k = kind(card)
        if k not in PARADES or (self.under(seat, "interdit") and k != "avocat"):
            return []
        return [a for a in self.attacks[seat] if kind(a) in PARADES[k]]

    def can_discard(self, seat: int, card: str) -> bool:
        """Under INTERDIT only an OLA (T27)."""
        return kind(card) == "ola" or not self.under(seat, "interdit")

    def swappable(self) -> list[str]:
        """What an open OLA may take (T22, T23, T30)."""
        below = [c for c in self.discard if c != self.ola]
        if not below:
            return []
        return [c for c in (below if self.loose else below[-1:]) if kind(c) != "ola"]

    def alive(self) -> list[int]:
        """Seats in the game."""
        return [n for n in range(1, self.seats + 1) if n not in self.out]

    def where(self, card: str) -> str:
        """The zone where a card rightly lies, or `hand`, `pile`, `away`."""
        if card in self.discard:
            return "discard"
        for n in range(1, self.seats + 1):
            if card in self.laid[n] or card in self.attacks[n]:
                return f"seat{n}"
            if card in self.hands[n]:
                return "hand"
        return "pile" if card in self.pile else "away"

    def holder(self, card: str) -> int | None:
        """Whose hand a card is in."""
        return next((n for n, hand in self.hands.items() if card in hand), None)

    # -- what happens ---------------------------------------------------------------------------------------

    def reshuffle(self) -> None:
        """All that was discarded is the next pile; a waiting OLA stays (T25, T32)."""
        waiting = [c for c in self.discard if c == self.ola]
        made = [c for c in self.discard if c != self.ola] + self.unread + self.hidden
        self.rng.shuffle(made)
        self.pile = made + self.pile  # cards of the old pile that are owed are drawn first
        self.discard, self.unread, self.hidden, self.loose = waiting, [], [], False
        self.known = {c: h for c, h in self.known.items() if not h & {HIDDEN, BURIED}}
        self.pairs = []
        self.pile_no += 1

    @property
    def last(self) -> bool:
        """Whether this is the pile that ends the game (T34)."""
        return self.pile_no >= (2 if self.seats <= 4 else 3)

    def begin_turn(self) -> None:
        """Draw what is due, or owe it where the draw is watched (T33, T37)."""
        self.first_drawn, self.drawn = False, []
        number = min(2 if self.draw_two else 1, self.free())
        if self.watches_draw:
            self.owed += [self.turn] * number
            return
        got = [self.pile.pop() for _ in range(number)]
        self._keep(self.turn, got)

    def free(self) -> int:
        """Cards in the pile that are not owed to anybody yet."""
        return len(self.pile) - len(self.owed)

    def _keep(self, seat: int, got: list[str]) -> None:
        self.hands[seat] += got[:1]
        self.hidden += got[1:]

    def draw_seen(self, seat: int, card: str) -> None:
        """A card went over the `draw` zone."""
        self.owed.remove(seat)
        self.pile.remove(card)
        self.known[card] = frozenset({seat})
        robbed = self.robbed_first(seat)
        if seat == self.turn and self.first_drawn:
            self.hidden.append(card)
            self.drawn.append(card)
            for each in self.drawn:
                self.known[each] = frozenset({seat, HIDDEN})
            self.pairs.append(tuple(self.drawn))
            return
        self.hands[seat].append(card)
        if seat == self.turn and not robbed:
            self.first_drawn, self.drawn = True, [card]

    def in_sight(self, card: str) -> None:
        """All see a card: it needs no knowledge, and the one drawn with it was set aside (T38)."""
        self.known.pop(card, None)
        for pair in [p for p in self.pairs if card in p]:
            self.pairs.remove(pair)
            self.known.update({c: frozenset({HIDDEN}) for c in pair if c != card})

    def robbed_first(self, seat: int) -> bool:
        """Whether the card a seat draws now replaces a robbed one, not its turn's."""
        if seat in self.robbed:
            self.robbed.remove(seat)
            return True
        return False

    def pass_turn(self) -> None:
        """The next seat in the game."""
        while True:
            self.turn = self.turn % self.seats + 1
            if self.turn not in self.out:
                return

    def eliminate(self, seat: int) -> None:
        """T28, T30: what was seen lies in the discard, the hand under it."""
        self.owed = [n for n in self.owed if n != seat]
        self.robbed = [n for n in self.robbed if n != seat]
        here = {c: (h - {seat}) | {BURIED} if seat in h else h for c, h in self.known.items()}
        seen = [c for c, h in here.items() if h == {BURIED}]
        self.known = {c: h for c, h in here.items() if c not in seen}
        self.discard += self.laid[seat] + self.attacks[seat] + seen
        self.unread = [c for c in self.unread + self.hands[seat] if c not in seen]
        self.hands[seat], self.laid[seat], self.attacks[seat] = [], [], []
        self.out.add(seat)
        self.loose, self.ola = True, None

"""The true position of a match of Тьфу!: every card, face down or not. Rules of its own, none of the engine's.

It moves only by what the referee announced, so that an arbiter's word counts here as at a table.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from engine.rulings import Move

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = tuple(rank + suit for suit in "cdhs" for rank in RANKS)
SIZES = (4, 3, 2, 1)
FIRST = {2: 26, 3: 17, 4: 13}


def neighbours(a: str, b: str) -> bool:
    """One above or below, in a circle (S3)."""
    apart = abs(RANKS.index(a[:-1]) - RANKS.index(b[:-1]))
    return apart in (1, 12)


@dataclass
class Truth:
    """Columns are bottom first, spares next card first, piles oldest first. `turned`: spares with a known order."""

    seats: int
    rng: Random
    phase: str = "layout"  # layout, play, over, done
    begun: int = 0
    round: int = 1
    counts: dict[int, int] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)
    spare: dict[int, list[str]] = field(default_factory=dict)
    turned: set[int] = field(default_factory=set)
    piles: dict[int, list[str]] = field(default_factory=dict)
    shut: set[int] = field(default_factory=set)
    owed: set[int] = field(default_factory=set)
    plays: int = 0
    fed: dict[int, int] = field(default_factory=dict)
    aside: list[str] = field(default_factory=list)
    winner: int | None = None
    by: str = ""

    # -- dealing --------------------------------------------------------------------------------------------

    def deal_first(self) -> None:
        """Deal all cards equally, one by one (S1)."""
        pack = list(PACK)
        self.rng.shuffle(pack)
        each = FIRST[self.seats]
        self.aside = pack[each * self.seats :]
        self._deal({n: pack[each * (n - 1) : each * n] for n in self.players})

    def deal_next(self, watched: bool) -> None:
        """Who won keeps his spare, the others share the centre; or the same counts again (S14, S17)."""
        cards = {n: self.spare[n] + self.in_columns(n) for n in self.players}
        centre = [c for n in self.players for c in self.piles[n]]
        again = self.winner is None or (self.by == "blocked" and not watched)
        if again:
            pack = [c for n in self.players for c in cards[n]] + centre
            self.rng.shuffle(pack)
            for n in self.players:
                cards[n], pack = pack[: self.counts[n]], pack[self.counts[n] :]
        else:
            if not watched and self.winner is not None:
                # Who said he was out and was not hides what is left among the other's cards.
                cards[self.winner] = list(self.spare[self.winner])
                centre += self.in_columns(self.winner)
            losers = [n for n in self.players if n != self.winner]
            fullest = sorted(losers, key=lambda n: -len(self.in_columns(n)))[0]
            each = len(centre) // len(losers)
            for n in losers:
                cards[n] += [centre.pop() for _ in range(each)]
            cards[fullest] += centre
            self.round += 1
        for mine in cards.values():
            self.rng.shuffle(mine)
        self._deal(cards)

    def _deal(self, cards: dict[int, list[str]]) -> None:
        self.phase = "layout"
        self.counts = {n: len(mine) for n, mine in cards.items()}
        for n, mine in cards.items():
            left = list(mine)
            for c, size in enumerate(SIZES, 1):
                self.columns[f"seat{n}.col{c}"], left = left[:size], left[size:]
            self.spare[n] = left
        self.turned, self.shut, self.owed = set(), set(), set()
        self.piles = {n: [] for n in self.players}
        self.fed = dict.fromkeys(self.players, 0)
        self.plays, self.winner = 0, None

    # -- looking --------------------------------------------------------------------------------------------

    @property
    def players(self) -> range:
        """All seats."""
        return range(1, self.seats + 1)

    def zones_of(self, seat: int) -> tuple[str, ...]:
        """The names of a seat's columns."""
        return tuple(f"seat{seat}.col{c}" for c in range(1, 5))

    def in_columns(self, seat: int) -> list[str]:
        """All cards in a seat's columns."""
        return [c for zone in self.zones_of(seat) for c in self.columns[zone]]

    def held(self, seat: int) -> int:
        """Cards in a seat's columns when the round began."""
        return min(sum(SIZES), self.counts[seat])

    def tops(self, seat: int) -> Iterator[tuple[str, str]]:
        """Column and card of each open top."""
        for zone in self.zones_of(seat):
            if self.columns[zone]:
                yield zone, self.columns[zone][-1]

    def covered(self, seat: int) -> Iterator[tuple[str, str]]:
        """Column and card of each card that is not an open top."""
        for zone in self.zones_of(seat):
            for card in self.columns[zone][:-1]:
                yield zone, card

    def home(self, card: str) -> str | None:
        """The column of a card."""
        return next((zone for zone, cards in self.columns.items() if card in cards), None)

    def owner(self, card: str) -> int | None:
        """Whose columns or spare hold a card."""
        zone = self.home(card)
        if zone is not None:
            return int(zone[4])
        return next((n for n in self.players if card in self.spare[n]), None)

    def where(self, card: str) -> str | None:
        """The zone where a card should lie; None for a spare card or one set aside."""
        return self.places().get(card)

    def places(self) -> dict[str, str]:
        """The zone of every card that lies in a column or a pile."""
        there = {card: zone for zone, cards in self.columns.items() for card in cards}
        return there | {card: f"centre{n}" for n, pile in self.piles.items() for card in pile}

    def open_piles(self) -> list[int]:
        """Piles that take a card."""
        return [n for n in self.players if self.piles[n] and n not in self.shut]

    def plays_of(self, seat: int) -> list[tuple[str, str, int]]:
        """Every legal play of a seat: column, card, pile."""
        return [
            (zone, card, pile)
            for zone, card in self.tops(seat)
            for pile in self.open_piles()
            if neighbours(card, self.piles[pile][-1])
        ]

    def anybody(self) -> bool:
        """Whether somebody can play."""
        return any(self.plays_of(n) for n in self.players)

    def stuck(self) -> bool:
        """Whether a call can bring nothing more: no spares, or a whole round of them in vain (S14)."""
        if self.round > 1:
            return not any(self.spare.values())
        return all(self.fed[n] >= len(self.spare[n]) + len(self.piles[n]) for n in self.players)

    # -- what was announced ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """The first call of a round."""
        self.phase, self.begun = "play", self.begun + 1
        self.owed = {n for n in self.players if self.spare[n]}
        self.shut = set(self.players) - self.owed

    def follow(self, move: Move) -> None:
        """One announced move."""
        args = dict(move.args)
        pile, card = int(str(args.get("pile", 0))), str(args.get("card", ""))
        match move.move:
            case "call":
                self._called()
            case "turn-over":
                self.spare[pile], self.piles[pile] = self.piles[pile], []
                self.turned.add(pile)
                self.owed.add(pile)
            case "spit":
                self.spare[pile].remove(card)
                self.piles[pile].append(card)
                self.owed.discard(pile)
                self.fed[pile] += 1
            case "play":
                zone = self.home(card)
                assert zone is not None, f"{card} was announced from a column"
                self.columns[zone].remove(card)
                self.piles[pile].append(card)
                self.plays += 1
                self.fed = dict.fromkeys(self.players, 0)
            case _:
                pass

    def _called(self) -> None:
        if self.phase != "play":
            self.begin()
            return
        if self.round > 1:
            self.shut |= {n for n in self.players if not self.spare[n]}
        self.owed = {n for n in self.players if self.spare[n]}

    def clone(self) -> "Truth":
        """A copy that moves on its own (the random source is shared)."""
        return Truth(
            self.seats,
            self.rng,
            self.phase,
            self.begun,
            self.round,
            dict(self.counts),
            {z: list(c) for z, c in self.columns.items()},
            {n: list(c) for n, c in self.spare.items()},
            set(self.turned),
            {n: list(c) for n, c in self.piles.items()},
            set(self.shut),
            set(self.owed),
            self.plays,
            dict(self.fed),
            list(self.aside),
            self.winner,
            self.by,
        )

"""What lies before whom: moved by hands, and by what the referee made of it.

Rules: a card put down counts as laid until it is refused; announced cards lie on as long as nobody lifts them.
On a zone of kind `pass` nothing lies, but what crossed it is laid until it crosses again.
"""

from collections.abc import Sequence

from engine.rulings import Move, Refused, Ruling, Stood
from engine.setup import Setup
from engine.zones import ZoneKind, seat_of
from firmware.simulator.deeds import STRAY, Action, Deed, Put, Take
from firmware.simulator.faults import Faults

UNBOUND = frozenset({"tipouik/over"})
"""Refusals that open no correction."""
EXPRESSIBLE = frozenset({"tipouik/turn", "tipouik/take-back", "table/correct-first"})
"""Refusals after which an accepted card counts as laid."""


class Board:
    """The places before the players."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.laid: dict[int, list[str]] = {n: [] for n in range(1, setup.seats + 1)}
        """Cards before each player, put there and not announced."""
        self.lies: dict[str, str] = {}
        """Where each card physically is, if a reader can tell."""
        self.faults = Faults(UNBOUND)
        """What is to be put right, oldest first."""
        self.touched: set[str] = set()
        """Cards that a reader has seen since the deal."""

    def deal(self) -> None:
        """All cards are gathered."""
        self.laid = {n: [] for n in self.laid}
        self.touched.clear()

    def observe(self, action: Action) -> None:
        """Somebody did something with hands."""
        if isinstance(action, Take):
            self.lies.pop(action.card, None)
            self._unlay(action.card, action.zone)
        elif isinstance(action, Put):
            self._put(action)

    def _put(self, put: Put) -> None:
        if put.card == STRAY:
            return  # read, and taken away at once
        self.touched.add(put.card)
        seat = owner(put.zone)
        self.lies.pop(put.card, None)
        if put.source is not None:
            self._unlay(put.card, put.source)
        if not self.passes(seat):
            self.lies[put.card] = put.zone
        elif put.card in self.laid[seat]:
            self._unlay(put.card, put.zone)
            return
        self.laid[seat] += [] if put.card in self.laid[seat] else [put.card]

    def _unlay(self, card: str, zone: str) -> None:
        cards = self.laid[owner(zone)]
        if card in cards:
            cards.remove(card)

    def passes(self, seat: int) -> bool:
        """Whether cards only cross the place of that seat."""
        return self.setup.kind(f"seat{seat}") is ZoneKind.PASS

    def lift(self, seat: int, cards: Sequence[str]) -> Deed:
        """Laid cards go back to the hand; where lifts are not seen, across the zone again."""
        zone = f"seat{seat}"
        if self.passes(seat):
            return Deed(tuple(Put(seat, zone, card) for card in cards))
        return Deed(tuple(Take(seat, zone, card) for card in cards))

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """What the referee refused, let stand, or took as a pose."""
        for r in rulings:
            self.faults.hear(r)
            match r:
                case Refused() if r.card is not None and r.zone is not None:
                    self._unlay(r.card, r.zone)
                case Stood() if r.rule in EXPRESSIBLE and r.zone is not None and r.card is not None:
                    self.laid[owner(r.zone)].append(r.card)
                case Move() if r.move in ("open", "pose") and r.seat is not None:
                    self.laid[r.seat] = []
                case _:
                    pass

    def lie_again(self, seat: int, cards: Sequence[str]) -> None:
        """A pose was taken back: laid again is what still lies there, or never could be seen to leave."""
        there = [c for c in cards if self.passes(seat) or self.lies.get(c) == f"seat{seat}"]
        self.laid[seat] = there + self.laid[seat]


def owner(zone: str) -> int:
    """The player a zone lies before."""
    seat = seat_of(zone)
    assert seat is not None, f"{zone} is nobody's"
    return seat

"""A desk at which tests play: puts, lifts and presses, a second each, and what the referee says to them."""

from collections.abc import Mapping, Sequence

import pytest

from engine.games import SPECS
from engine.observations import Lifted, Placed, Pressed
from engine.record import output_line, public_output
from engine.rulings import Ruling
from engine.setup import Mode, Setup
from engine.tfu.referee import TfuReferee
from engine.zones import ZoneKind, usual_kind

Columns = Mapping[int, Sequence[str]]

TWO: Columns = {
    1: ("2c 3c 4c 5c", "6c 7c 8c", "9c 10c", "Jc"),
    2: ("2d 3d 4d 5d", "6d 7d 8d", "9d 10d", "Jd"),
}
"""Columns of two players, bottom first."""


class Desk:
    """A referee and its clock. Rulings come back as the lines of a record, without times and mends."""

    def __init__(self, setup: Setup) -> None:
        self.referee = TfuReferee(setup)
        self.t = 0.0

    def put(self, zone: str, card: str, contact: float | None = None, after: float | None = None) -> list[str]:
        """A card is put down."""
        self.t += 1.0
        return self._say(self.referee.receive(Placed(self.t, zone, card, contact, after)))

    def lift(self, zone: str, card: str) -> list[str]:
        """A card is lifted."""
        self.t += 1.0
        return self._say(self.referee.receive(Lifted(self.t, zone, card)))

    def press(self, button: str) -> list[str]:
        """A button is pressed."""
        self.t += 1.0
        return self._say(self.referee.receive(Pressed(self.t, button)))

    def told(self, zone: str, card: str) -> tuple[object, object]:
        """A card is refused and lifted again: the rule, and the card if everybody is told it."""
        self.t += 1.0
        both = (Placed(self.t, zone, card), Lifted(self.t, zone, card))
        refused, corrected = [public_output(r) or {} for o in both for r in self.referee.receive(o)]
        assert (refused["out"], corrected["out"]) == ("refused", "corrected")
        assert refused.get("card") == corrected.get("card")
        return refused["rule"], refused.get("card")

    def lay(self, columns: Columns) -> None:
        """The layout."""
        for seat, stacks in columns.items():
            for number, cards in enumerate(stacks, 1):
                for card in cards.split():
                    assert self.put(f"seat{seat}.col{number}", card) == []

    def play(self, pile: int, card: str, column: str | None = None) -> list[str]:
        """A card goes from its column to a centre."""
        if column is not None:
            assert self.lift(column, card) == []
        return self.put(f"centre{pile}", card)

    def begin(self, *spares: str, columns: Columns | None = None) -> None:
        """The layout, the first call, a spare card of each player."""
        if self.referee.watched:
            self.lay(TWO if columns is None else columns)
        assert self.press("seat1.call") == ["call 1"]
        for pile, card in enumerate(spares, 1):
            assert self.put(f"centre{pile}", card) == [f"spit {pile} {pile} {card}"]

    def public(self) -> Mapping[str, object]:
        """What everybody may see."""
        return self.referee.public_view()

    def _say(self, rulings: tuple[Ruling, ...]) -> list[str]:
        assert all(public_output(r) is not None or output_line(r)["out"] == "say" for r in rulings)
        return [_short(output_line(r)) for r in rulings]


def _short(line: Mapping[str, object]) -> str:
    """`refused tfu/step 1`, `play 1 2 5c 3`, `over [1] blocked`."""
    out = line["out"]
    keys: tuple[str, ...]
    match out:
        case "move":
            keys = ("move", "seat", "pile", "card", "column")
        case "undone":
            keys = ("out", "seat", "move")
        case "refused":
            keys = ("out", "rule", "seat", "tie")
        case "corrected" | "stood":
            keys = ("out", "rule")
        case _:
            keys = ("out", "winners", "by", "text")
    return " ".join(str(line[k]) for k in keys if k in line)


class Desks:
    """Makes desks."""

    def __call__(
        self,
        seats: int = 2,
        *,
        watched: bool = True,
        kind: ZoneKind | None = None,
        refill: bool = False,
        mode: Mode = Mode.REFEREE,
    ) -> Desk:
        """A desk for so many seats; `kind` for every zone in place of its usual one."""
        spec = SPECS["tfu"]
        names = spec.all_zones(seats) if watched else spec.smallest(seats)
        zones = {z: kind or usual_kind(z) for z in names}
        return Desk(Setup(spec, seats, mode=mode, options={"refill": True} if refill else {}, zones=zones))


@pytest.fixture
def desks() -> Desks:
    """A maker of desks."""
    return Desks()

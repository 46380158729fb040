"""What a table of Тьфу! may look like: 2-4 seats, a centre pile each, columns where they are watched."""

from typing import Final

from engine.cards import TFU_DECK, Card
from engine.setup import GameSpec, OptionKind


def _smallest(seats: int) -> tuple[str, ...]:
    return tuple(f"centre{n}" for n in range(1, seats + 1))


def _all(seats: int) -> tuple[str, ...]:
    columns = tuple(f"seat{n}.col{c}" for n in range(1, seats + 1) for c in range(1, 5))
    return _smallest(seats) + columns


def _pack(seats: int) -> tuple[Card, ...]:
    return TFU_DECK


SPEC: Final = GameSpec(
    id="tfu",
    min_seats=2,
    max_seats=4,
    default_seats=2,
    options={"refill": OptionKind.SWITCH},
    seat_buttons=("call", "ok"),
    table_buttons=("accept", "undo"),
    inputs=frozenset({"placed", "lifted", "pressed", "tick", "unknown"}),
    all_zones=_all,
    smallest=_smallest,
    pack=_pack,
)

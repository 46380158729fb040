"""What a table of TIFO may look like: 2-6 seats, a discard, perhaps a watched draw pile."""

from typing import Final

from engine.cards import TIFO_DECK, Card
from engine.setup import GameSpec, OptionKind, seat_zones


def _all(seats: int) -> tuple[str, ...]:
    return (*seat_zones(seats), "discard", "draw")


def _smallest(seats: int) -> tuple[str, ...]:
    return (*seat_zones(seats), "discard")


def _pack(seats: int) -> tuple[Card, ...]:
    return TIFO_DECK


SPEC: Final = GameSpec(
    id="tifo",
    min_seats=2,
    max_seats=6,
    default_seats=4,
    options={"draw_two": OptionKind.SWITCH, "hidden_discard": OptionKind.SWITCH},
    seat_buttons=("call", "ok", "next"),
    table_buttons=("pile", "accept", "undo"),
    inputs=frozenset({"placed", "lifted", "pressed", "tick", "unknown"}),
    all_zones=_all,
    smallest=_smallest,
    pack=_pack,
    has_first=True,
)

"""What a table of Tipouik may look like: 3-10 seats, one place before each; the eight packs."""

from typing import Final

from engine.cards import Card, copies
from engine.setup import GameSpec, OptionKind, seat_zones

PACKS: Final[dict[int, tuple[int, int, int, int, int]]] = {
    3: (7, 2, 1, 1, 1),
    4: (8, 2, 2, 2, 2),
    5: (9, 3, 2, 3, 2),
    6: (10, 3, 2, 3, 3),
    7: (10, 4, 3, 4, 4),
    8: (11, 4, 3, 4, 3),
    9: (12, 3, 3, 3, 3),
    10: (12, 3, 3, 3, 3),
}
"""By seats: the highest value, then how many `zero`, `any`, `plus1`, `plus2` (the printed table)."""


def pack(seats: int) -> tuple[Card, ...]:
    """The cards in play with so many players."""
    top, *specials = PACKS[seats]
    numbers = tuple(c for v in range(1, top + 1) for c in copies(str(v), v))
    return numbers + tuple(
        c for kind, n in zip(("zero", "any", "plus1", "plus2"), specials, strict=True) for c in copies(kind, n)
    )


SPEC: Final = GameSpec(
    id="tipouik",
    min_seats=3,
    max_seats=10,
    default_seats=4,
    options={"titles": OptionKind.SWITCH, "rounds": OptionKind.COUNT, "final_window_s": OptionKind.SECONDS},
    seat_buttons=("call", "ok", "next"),
    table_buttons=("accept", "undo"),
    inputs=frozenset({"placed", "lifted", "pressed", "tick", "announce", "unknown"}),
    all_zones=seat_zones,
    smallest=seat_zones,
    pack=pack,
)

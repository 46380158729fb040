"""Zones: where cards can be seen, and how well (kinds `spread`, `pile`, `pass`).

`spread`: cards lie side by side, lifts are seen. `pile`: cards cover each other, lifts are seen at the top
only. `pass`: crossing is the event and no lift is ever seen.
"""

from enum import Enum
from functools import cache


class ZoneKind(Enum):
    """What the readers of a zone can tell."""

    SPREAD = "spread"
    PILE = "pile"
    PASS = "pass"

    @property
    def sees_lifts(self) -> bool:
        """Whether every lift from such a zone is seen."""
        return self is ZoneKind.SPREAD


@cache
def seat_of(name: str) -> int | None:
    """The seat in a zone's or button's name (`seat3`, `seat3.col1`, `seat3.ok`), or None."""
    head = name.split(".", 1)[0]
    return int(head[4:]) if head.startswith("seat") and head[4:].isdigit() else None


@cache
def centre_of(zone: str) -> int | None:
    """The pile's number in `centreN`, or None."""
    return int(zone[6:]) if zone.startswith("centre") and zone[6:].isdigit() else None


@cache
def column_of(zone: str) -> tuple[int, int] | None:
    """Seat and column in `seatN.colM`, or None."""
    seat, _, col = zone.partition(".col")
    return (int(seat[4:]), int(col)) if col.isdigit() and seat_of(seat) is not None else None


@cache
def usual_kind(zone: str) -> ZoneKind:
    """The kind of a zone that the header only names."""
    if zone == "draw":
        return ZoneKind.PASS
    if zone == "discard" or zone.startswith("centre"):
        return ZoneKind.PILE
    return ZoneKind.SPREAD


@cache
def role_of(button: str) -> str:
    """The part of a button's name after the dot: `call`, `ok`, `next`, `accept`, `undo`, `pile`."""
    return button.partition(".")[2]

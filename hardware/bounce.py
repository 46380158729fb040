"""When a contact that bounces counts as pressed: a pure function of (edge, time).

Rules: a press counts once the contact has stayed closed for `DOWN_S`, and its time is the first edge of its
burst; it ends once the contact has stayed open for `UP_S`; between, edges mean nothing. So a burst is one
press, a bouncing release is none, a spike shorter than `DOWN_S` is none. Held for `LONG_S` it is long, once;
for `STUCK_S` it is stuck, until it is let go. Tact switches bounce for 1 to 6 ms, old arcade buttons for 20; what
goes on for longer than `BURST_S` is no bouncing but a wire that is loose: a press after it dates from its own time.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

DOWN_S: Final = 0.005
UP_S: Final = 0.030
BURST_S: Final = 0.100
LONG_S: Final = 1.0
STUCK_S: Final = 20.0


class Happening(Enum):
    """What a contact did."""

    DOWN = "down"
    LONG = "long"
    STUCK = "stuck"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Event:
    """`at` is the first edge of the press that it belongs to; `held_s` is how long it has been held by then."""

    what: Happening
    at: float
    held_s: float
    stuck: bool = False  # with UP: it had been stuck


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of one contact. `closed` and `since`: as last seen; `pressed`: as judged."""

    closed: bool = False
    since: float = 0.0
    burst: float = 0.0
    pressed: bool = False
    told: Happening = Happening.UP


def edge(contact: Contact, t: float, closed: bool) -> tuple[Contact, tuple[Event, ...]]:
    """The contact opened or closed at `t`; what had come to pass before then is told as well."""
    contact, events, _ = settle(contact, t)
    if closed == contact.closed:
        return contact, events
    quiet = t - contact.since > UP_S
    new = quiet or not contact.burst or t - contact.burst > BURST_S
    burst = t if closed and not contact.pressed and new else contact.burst
    return replace(contact, closed=closed, since=t, burst=burst), events


def settle(contact: Contact, now: float) -> tuple[Contact, tuple[Event, ...], float | None]:
    """What has come to pass by `now`, and when to ask again if no edge comes before."""
    events: list[Event] = []
    if contact.closed and not contact.pressed:
        if now < contact.since + DOWN_S:
            return contact, (), contact.since + DOWN_S
        contact = replace(contact, pressed=True, told=Happening.DOWN)
        events.append(Event(Happening.DOWN, contact.burst, 0.0))
    if not contact.closed and contact.pressed:
        if now < contact.since + UP_S:
            return contact, tuple(events), contact.since + UP_S
        stuck = contact.told is Happening.STUCK
        events.append(Event(Happening.UP, contact.burst, contact.since - contact.burst, stuck))
        contact = replace(contact, pressed=False, told=Happening.UP, burst=0.0)
    if not contact.pressed:
        return contact, tuple(events), None
    for what, after, before in (
        (Happening.LONG, LONG_S, Happening.DOWN),
        (Happening.STUCK, STUCK_S, Happening.LONG),
    ):
        if contact.told is before:
            if now < contact.burst + after:
                return contact, tuple(events), contact.burst + after
            contact = replace(contact, told=what)
            events.append(Event(what, contact.burst, after))
    return contact, tuple(events), None

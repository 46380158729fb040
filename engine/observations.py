"""What a table can report to the referee. Time (`t`, seconds from the start) is in the event."""

from dataclasses import dataclass

from engine.cards import Card


@dataclass(frozen=True, slots=True)
class Placed:
    """A card came to lie on (or, in a `pass` zone, crossed) a zone.

    `contact`: time of first sighting. `after`: the last time this reader was known not to hold the card.
    The card reached the zone somewhere between the two.
    """

    t: float
    zone: str
    card: Card
    contact: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Lifted:
    """A card was taken from a zone."""

    t: float
    zone: str
    card: Card


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed: `seat2.ok`, `table.undo`."""

    t: float
    button: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed; timers may fire."""

    t: float


@dataclass(frozen=True, slots=True)
class Announce:
    """A spoken announcement (Tipouik): a value and, where it was said, a count."""

    t: float
    seat: int
    value: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A tag that no deck knows was put on a zone. `uid` is upper-case hex."""

    t: float
    zone: str
    uid: str


Observation = Placed | Lifted | Pressed | Tick | Announce | Unknown


def interval(o: Placed) -> tuple[float, float]:
    """The seconds between which a card reached its zone (ruling S18); both are `t` where nothing is known."""
    contact = o.t if o.contact is None else o.contact
    return (contact if o.after is None else o.after), contact


def overlap(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether the sensors cannot tell which of two placings came first."""
    return a[0] <= b[1] and b[0] <= a[1]

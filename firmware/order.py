"""The order of events: by contact, across all buses (the design's "Order").

The gate holds every fact and every press until nothing earlier can come any more: each reader at work has
looked since, and no earlier sighting or doubt is open. A departure comes before an arrival of the same moment,
an arrival before a press. Where the sensors cannot tell two arrivals apart (their intervals overlap) the whole
cluster leaves together, and the referee's `try_order` picks an order in which all are legal, if there is one.
"""

import heapq
from dataclasses import dataclass
from typing import Protocol

from firmware.presence import Fact, Lifted, Placed


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed at `key` (seconds on the table's clock)."""

    button: str
    key: float


@dataclass(frozen=True, slots=True)
class Spoken:
    """A value was announced aloud and typed in by somebody (Tipouik)."""

    seat: int
    value: int
    count: int | None
    key: float


Event = Fact | Press | Spoken
Cluster = tuple[Event, ...]
"""Events that leave together: one, or arrivals that no sensor can put in order."""


class Judge(Protocol):
    """What the gate must know of presence."""

    def swept(self, at: float, now: float) -> bool:
        """Has every reader at work looked since `at`?"""
        ...

    def undecided(self, key: float, now: float) -> bool:
        """May something still come out that belongs before `key`?"""
        ...


def _rank(event: Event) -> int:
    match event:
        case Lifted():
            return 0
        case Placed():
            return 1
        case Press() | Spoken():
            return 2


def _interval(placed: Placed) -> tuple[float, float]:
    return (placed.contact if placed.after is None else placed.after), placed.contact


def tied(a: Placed, b: Placed) -> bool:
    """Whether the sensors cannot tell which of two arrivals came first."""
    (a0, a1), (b0, b1) = _interval(a), _interval(b)
    return a0 <= b1 and b0 <= a1


class Gate:
    """Holds events until their turn has come, and lets them out in clusters."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._held: list[tuple[float, int, int, Event]] = []
        self._count = 0

    def put(self, event: Event) -> None:
        """Take an event in."""
        self._count += 1
        heapq.heappush(self._held, (event.key, _rank(event), self._count, event))

    def release(self, now: float) -> tuple[Cluster, ...]:
        """All events whose turn has come, in order; a cluster of more than one is a tie of arrivals."""
        clusters: list[Cluster] = []
        while self._held and self._ready(self._held[0][0], now):
            event = self._held[0][3]
            if not isinstance(event, Placed):
                heapq.heappop(self._held)
                clusters.append((event,))
                continue
            cluster = self._tie(event)
            if not self._ready(max(placed.contact for placed in cluster), now):
                break
            self._take(cluster, clusters)
        return tuple(clusters)

    def waiting(self) -> bool:
        """Is anything held?"""
        return bool(self._held)

    def first(self) -> float | None:
        """The place in order of the first event that is held."""
        return self._held[0][0] if self._held else None

    def _ready(self, key: float, now: float) -> bool:
        return self._judge.swept(key, now) and not self._judge.undecided(key, now)

    def _tie(self, first: Placed) -> list[Placed]:
        """The arrivals tied to the first, or to one that is."""
        cluster = [first]
        for _, _, _, event in sorted(self._held):
            if isinstance(event, Placed) and event is not first and any(tied(event, one) for one in cluster):
                cluster.append(event)
        return cluster

    def _take(self, cluster: list[Placed], clusters: list[Cluster]) -> None:
        """Move a cluster out. Departures of its own cards go first: those that came before their arrivals."""
        contacts = {placed.uid: placed.contact for placed in cluster}
        rest: list[tuple[float, int, int, Event]] = []
        for entry in sorted(self._held):
            event = entry[3]
            if isinstance(event, Lifted) and event.key <= contacts.get(event.uid, -1.0):
                clusters.append((event,))
            elif not any(event is placed for placed in cluster):
                rest.append(entry)
        clusters.append(tuple(cluster))
        self._held = rest  # sorted, and so a heap


def calls_by_seat(presses: list[Press], accused: int | None, seats: int) -> list[Press]:
    """Order presses of equal time: `call` by seat after the accused (ruling P8), the rest as they came."""
    if accused is None:
        return sorted(presses, key=lambda press: press.key)

    def place(press: Press) -> tuple[float, int]:
        seat, _, role = press.button.removeprefix("seat").partition(".")
        return (press.key, (int(seat) - accused - 1) % seats if role == "call" else -1)

    return sorted(presses, key=place)

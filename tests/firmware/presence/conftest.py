"""A radio of a few lines: tags with true histories, readers that look in turn, faults by chance.

It shares nothing with the chip's twin, so that presence is judged against physics and not against our driver.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from firmware.layout import Layout
from firmware.order import Event, Gate
from firmware.presence import Limits, Presence
from hardware.looks import Cause, Look

LOOK_S = 0.003


@dataclass
class ToyRadio:
    """Readers of each bus look in turn, `LOOK_S` each; what was asked goes first."""

    layout: Layout
    seed: int = 1
    drop: float = 0.0
    noise: float = 0.0
    echo: dict[tuple[str, str], float] = field(default_factory=dict)  # (hears, neighbour) -> chance
    top: dict[str, int] = field(default_factory=dict)  # reader -> how many of its pile answer
    dead: dict[str, tuple[float, float]] = field(default_factory=dict)
    stuck: dict[str, tuple[float, float]] = field(default_factory=dict)  # collisions from, to
    script: list[tuple[float, str, str | None]] = field(default_factory=list)  # (at, uid, reader or None)
    familiar: Callable[[str], bool] = lambda uid: True  # whether a deck knows it

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self.known: dict[str, set[str]] = {antenna.reader: set() for antenna in self.layout.readers}
        self._asked: dict[str, list[str]] = {bus: [] for bus in self.layout.buses()}
        self._about: dict[str, set[str]] = {antenna.reader: set() for antenna in self.layout.readers}
        self._where: dict[str, str] = {}
        self._piles: dict[str, list[str]] = {antenna.reader: [] for antenna in self.layout.readers}
        self._turn = dict.fromkeys(self.layout.buses(), 0)
        self.presence = Presence(self.layout, self, Limits(), self.familiar)
        self.gate = Gate(self.presence)
        self.out: list[tuple[float, Event]] = []
        self.notices: list[object] = []
        self.looks = 0

    def put(self, at: float, uid: str, reader: str | None) -> None:
        """At that time the tag comes to that reader; None: to a hand."""
        self.script.append((at, uid, reader))

    def ask(self, reader: str, uid: str) -> None:
        queue = self._asked[self.layout.antenna(reader).bus]
        self._about[reader].add(uid)
        if reader not in queue:
            queue.append(reader)

    def forget(self, reader: str, uid: str) -> None:
        self.known[reader].discard(uid)

    def run(self, until: float) -> list[Event]:
        """Let time pass and return the events that came out, in order."""
        events = sorted(self.script, key=lambda entry: entry[0])
        now = 0.0
        while now < until:
            for bus in self.layout.buses():
                began, ended = now, now + LOOK_S
                while events and events[0][0] <= began:
                    self._move(events[0][1], events[0][2])
                    events.pop(0)
                self.presence.take(self._look(self._next(bus), began, ended))
                self.looks += 1
            now = round(now + LOOK_S, 6)
            self.presence.step(now)
            for fact in self.presence.facts():
                self.gate.put(fact)
            self.notices.extend(self.presence.notices())
            for cluster in self.gate.release(now):
                self.out.extend((now, event) for event in cluster)
        return [event for _, event in self.out]

    def _next(self, bus: str) -> str:
        if self._asked[bus]:
            return self._asked[bus].pop(0)
        readers = [antenna.reader for antenna in self.layout.readers if antenna.bus == bus]
        self._turn[bus] = (self._turn[bus] + 1) % len(readers)
        return readers[self._turn[bus]]

    def _move(self, uid: str, reader: str | None) -> None:
        old = self._where.pop(uid, None)
        if old is not None:
            self._piles[old].remove(uid)
        if reader is not None:
            self._where[uid] = reader
            self._piles[reader].append(uid)

    def _look(self, reader: str, began: float, ended: float) -> Look:
        if _within(self.dead.get(reader), began):
            return Look(reader, began, ended, trouble=Cause.DEAD)
        if _within(self.stuck.get(reader), began):
            return Look(reader, began, ended, trouble=Cause.COLLISION)
        if self._random.random() < self.noise:
            return Look(reader, began, ended, trouble=Cause.NOISE)
        pile = self._piles[reader]
        audible = pile[-self.top.get(reader, 6) :] if self.top.get(reader, 6) else []
        for (hears, neighbour), chance in self.echo.items():
            if hears == reader and self._random.random() < chance:
                audible = audible + self._piles[neighbour]
        present = [uid for uid in audible if self._random.random() >= self.drop]
        known = self.known[reader]
        asked, self._about[reader] = self._about[reader], set()
        contacts = tuple((uid, (began + ended) / 2) for uid in present if uid not in known)
        silent = tuple(sorted((known | asked) - set(present)))
        known.update(present)
        return Look(reader, began, ended, tuple(present), silent, None, contacts)


def _within(span: tuple[float, float] | None, at: float) -> bool:
    return span is not None and span[0] <= at < span[1]


@pytest.fixture
def radio() -> Callable[..., ToyRadio]:
    """A maker of toy radios."""
    return ToyRadio

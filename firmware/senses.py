"""Looks in, ordered events out: presence and the gate, put together. No game is needed for it.

`look` and `put` may be called from any thread; `advance` belongs to the machine that owns the senses. A look is
taken into account at the time it ended, whichever bus ran ahead.
"""

import heapq
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import assert_never

from firmware.layout import Layout
from firmware.order import Cluster, Gate, Press, Spoken
from firmware.presence import Asker, Limits, Notice, Presence
from hardware.looks import Look

HELD_S = 0.005
"""How often held events are looked at again: a press must not wait longer than it has to."""


class Senses:
    """All that a table feels."""

    def __init__(
        self,
        layout: Layout,
        asker: Asker,
        limits: Limits | None = None,
        familiar: Callable[[str], bool] = lambda uid: True,
    ) -> None:
        """`familiar`: whether a deck knows this UID."""
        self._limits = limits or Limits()
        self.presence = Presence(layout, asker, self._limits, familiar)
        self.gate = Gate(self.presence)
        self._inbox: SimpleQueue[Look | Press | Spoken] = SimpleQueue()
        self._looks: list[tuple[float, int, Look]] = []
        self._count = 0

    def look(self, look: Look) -> None:
        """What a reader saw."""
        self._inbox.put(look)

    def put(self, event: Press | Spoken) -> None:
        """What was pressed or said."""
        self._inbox.put(event)

    def advance(self, now: float) -> tuple[tuple[Cluster, ...], float | None]:
        """The events whose turn has come by `now`, in order, and when to ask again (None: with the next look)."""
        self._receive()
        while self._looks and self._looks[0][0] <= now:
            self.presence.take(heapq.heappop(self._looks)[2])
        wakes = [self.presence.step(now)]
        for fact in self.presence.facts():
            self.gate.put(fact)
        clusters = self.gate.release(now)
        wakes.append(self._looks[0][0] if self._looks else None)
        first = self.gate.first()
        if first is not None:
            wakes += [now + HELD_S, first + self._limits.sweep_s]
        return clusters, min((wake for wake in wakes if wake is not None and wake > now), default=None)

    def notices(self) -> tuple[Notice, ...]:
        """What is to be said of readers since the last call."""
        return self.presence.notices()

    def _receive(self) -> None:
        while True:
            try:
                item = self._inbox.get_nowait()
            except Empty:
                return
            match item:
                case Look():
                    self._count += 1
                    heapq.heappush(self._looks, (item.ended, self._count, item))
                case Press() | Spoken():
                    self.gate.put(item)
                case _:
                    assert_never(item)

"""Drives step machines: one discrete-event loop on the twins, threads on the Pi.

Rules: a machine has at most one wake at a time; of equal wakes the machine added first is first, so a run with
the same seed steps the same machines in the same order. Virtual time is the time of the last wake.
"""

import heapq
from collections.abc import Callable
from typing import Protocol

from hardware.steps import Machine


class Line(Protocol):
    """The time line of a bus, as the loop moves it."""

    def now(self) -> float:
        """Seconds since the table started."""
        ...

    def sleep_until(self, t: float) -> None:
        """Be at `t`, or a little later, as a sleep is; earlier times change nothing."""
        ...


class Loop:
    """All machines of one virtual table. `now` is the time up to which everything has happened."""

    def __init__(self) -> None:
        self.now = 0.0
        self._machines: list[tuple[Machine, Line | None]] = []
        self._wake: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []
        self.steps = 0
        """How many steps were made, for benchmarks."""

    def add(self, machine: Machine, line: Line | None = None, at: float = 0.0) -> Callable[[float], None]:
        """Take a machine in, first woken at `at`. Returns the call that wakes it (sooner) at a given time."""
        index = len(self._machines)
        self._machines.append((machine, line))
        self._schedule(index, at)
        return lambda when: self._schedule(index, when)

    def run(self, until: Callable[[], bool], limit_s: float) -> bool:
        """Step machines until `until()` holds (True) or the time `limit_s` is reached (False)."""
        while not until():
            if not self._heap or self._heap[0][0] > limit_s:
                self.now = max(self.now, limit_s)
                return False
            self._pop()
        return True

    def run_to(self, t: float) -> None:
        """Step everything that is due up to `t`."""
        while self._heap and self._heap[0][0] <= t:
            self._pop()
        self.now = max(self.now, t)

    def _pop(self) -> None:
        when, index = heapq.heappop(self._heap)
        if self._wake.get(index) != when:
            return  # it was woken sooner meanwhile
        del self._wake[index]
        machine, line = self._machines[index]
        self.now = max(self.now, when)
        if line is not None:
            line.sleep_until(when)
        self.steps += 1
        following = machine.step(self.now if line is None else line.now())
        if following is not None:
            self._schedule(index, following)

    def _schedule(self, index: int, when: float) -> None:
        when = max(when, self.now)
        if index in self._wake and self._wake[index] <= when:
            return
        self._wake[index] = when
        heapq.heappush(self._heap, (when, index))

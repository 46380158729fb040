"""Emulated pins: gpiozero's `MockFactory` on a time line, and fingers that press buttons which bounce."""

import heapq
from collections.abc import Sequence
from typing import Any, Final, Protocol

from gpiozero.pins.mock import MockFactory, MockPWMPin


class Now(Protocol):
    """A clock."""

    def now(self) -> float: ...


class TwinPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin, PWM too, whose edges carry the ticks of its factory and whose history virtual times."""

    def __init__(self, factory: "TwinFactory", info: Any) -> None:
        self.history: list[tuple[float, float]] = []
        """(seconds, level) of every change."""
        self.states: list[object] = []
        self.outside: bool | None = None
        """The level that something outside holds the pin at; it is stronger than the pull."""
        super().__init__(factory, info)
        self._state: float | bool

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        self._state = value
        self.history.append((self.factory.edge_ticks(), float(value)))
        return True

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.outside is not None:
            self._change_state(self.outside)

    def clear_states(self) -> None:
        self.states = []
        self.history = []

    def _call_when_changed(self) -> None:
        # MockPin reports the wall clock here; the ticks must be the factory's own.
        super(MockPWMPin.__base__, self)._call_when_changed(self.factory.edge_ticks(), self._state)


class TwinFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of one emulated machine; its ticks are the seconds of `clock`."""

    def __init__(self, clock: Now) -> None:
        super().__init__(pin_class=TwinPin)
        self._clock = clock
        self._edge_at: float | None = None

    def ticks(self) -> float:
        """Seconds of the clock."""
        return self._clock.now()

    def edge_ticks(self) -> float:
        """When the edge that is being driven came to be; now for one that the program drives itself."""
        return self._clock.now() if self._edge_at is None else self._edge_at

    def drive(self, pin: int, high: bool, at: float) -> None:
        """Let something outside pull a pin at `at`."""
        self._edge_at = at
        try:
            twin = self.pin(pin)
            twin.outside = high
            if high:
                twin.drive_high()
            else:
                twin.drive_low()
        finally:
            self._edge_at = None


CLEAN: Final[tuple[float, ...]] = ()
SHORT_BOUNCE: Final = (0.0004, 0.0003, 0.0008, 0.0002, 0.0011, 0.0005)
LONG_BOUNCE: Final = (0.0021, 0.0014, 0.0043, 0.0009, 0.0038, 0.0027)
"""Times between the edges of a burst, in seconds: even in number, so that it ends as it began."""


class Fingers:
    """Presses to come, a step machine: each edge is driven with its own time."""

    def __init__(self, factory: TwinFactory) -> None:
        self._factory = factory
        self._edges: list[tuple[float, int, int, bool]] = []
        self._count = 0

    def press(
        self, pin: int, at: float, held_s: float = 0.12, *, down: Sequence[float] = CLEAN, up: Sequence[float] = CLEAN
    ) -> None:
        """A press of a button to ground: low from `at` for `held_s`, with bursts `down` and `up` at its ends."""
        self._burst(pin, at, low=True, gaps=down)
        self._burst(pin, at + held_s, low=False, gaps=up)

    def _burst(self, pin: int, at: float, *, low: bool, gaps: Sequence[float]) -> None:
        if len(gaps) % 2:
            raise ValueError(f"a burst has an even number of gaps, not {len(gaps)}")
        self._add(at, pin, not low)
        for gap in gaps:
            at, low = at + gap, not low
            self._add(at, pin, not low)

    def _add(self, at: float, pin: int, high: bool) -> None:
        self._count += 1
        heapq.heappush(self._edges, (at, self._count, pin, high))

    def step(self, now: float) -> float | None:
        """Drive what is due by `now`; the time of the next edge."""
        while self._edges and self._edges[0][0] <= now:
            at, _, pin, high = heapq.heappop(self._edges)
            self._factory.drive(pin, high, at)
        return self._edges[0][0] if self._edges else None

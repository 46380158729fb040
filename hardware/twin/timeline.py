"""Virtual time: one line of it for each bus.

Rules: time never runs backwards; only three things move it: a transfer that costs something (`advance`), a
machine that is woken (`sleep_until`, which overshoots as a real sleep does) and a test that wants to be
somewhere (`advance_to`). Nothing here asks a wall clock, so a run with the same seed has the same times.
"""

OVERSHOOT_S = 90e-6
"""How much too late a sleeping Linux thread wakes (measured on a Pi 4; see docs/radio.md)."""


class TimeLine:
    """The time of one bus, in seconds since the table started."""

    def __init__(self, start: float = 0.0, *, overshoot_s: float = OVERSHOOT_S) -> None:
        self._now = start
        self.overshoot_s = overshoot_s

    def now(self) -> float:
        """Seconds since the table started."""
        return self._now

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass (a call, a byte on the wire)."""
        if dt_s < 0:
            raise ValueError(f"time line at {self._now}: cannot go {dt_s} s; give a duration of 0 or more")
        self._now += dt_s

    def advance_to(self, t: float) -> None:
        """Be at `t` or later: an earlier `t` changes nothing."""
        if t > self._now:
            self._now = t

    def sleep_until(self, t: float) -> None:
        """Wake at `t`, too late by the overshoot; a `t` that has passed costs nothing."""
        if t > self._now:
            self._now = t + self.overshoot_s

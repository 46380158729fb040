"""Step machines: work that is driven from outside and never waits by itself.

Rules: a machine never sleeps and never asks a wall clock. `step(now)` does what is due and says when it
wants to be woken. On the Pi a thread drives each machine; on the twins one discrete-event loop drives all
of them, one time line for each bus, so that waits on two buses overlap.
"""

from typing import Protocol


class Clock(Protocol):
    """Tells the time of one time line."""

    def now(self) -> float:
        """Seconds since the table started. Monotonic."""
        ...


class Machine(Protocol):
    """Something that is woken, works, and says when to be woken again."""

    def step(self, now: float) -> float | None:
        """Do what is due at `now` (seconds); return the time of the next wake, or None for "only when told"."""
        ...

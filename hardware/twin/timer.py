"""The emulated chip's timer (MFRC522 data sheet, section 8.5): it counts down from a reload value, tick by tick.

Rules: nothing happens by itself; `run(now)` lets it count until then. The fifth bit of an answer stops it, if that
comes before zero. A timer that was stopped keeps its value.
"""

from dataclasses import dataclass

NEVER = float("inf")


@dataclass(slots=True)
class Timer:
    """One countdown, idle at first."""

    due_at: float = NEVER
    """When `run` has something to do."""
    _begins_at: float = NEVER
    _ends_at: float = NEVER
    _stops_at: float = NEVER
    _tick_s: float = 1.0
    _reload: int = 0
    _restarts: bool = False
    _value: int = 0

    def start(self, at: float, tick_s: float, reload: int, *, restarts: bool, stops_at: float) -> None:
        """Count from `reload` to zero; `restarts`: and again from `reload` (TAutoRestart)."""
        self._begins_at, self._tick_s, self._reload, self._restarts = at, tick_s, reload, restarts
        self._ends_at = at + tick_s * (reload + 1)
        self._stops_at = stops_at
        self.due_at = min(self._ends_at, stops_at)

    def run(self, now: float) -> bool:
        """Let it count until `now`; whether it reached zero."""
        if self.due_at > now:
            return False
        if self._stops_at <= self._ends_at:
            self.stop(self._stops_at)
            return False
        if self._restarts:
            period = self._tick_s * (self._reload + 1)
            self._begins_at += period * (int((now - self._ends_at) / period) + 1)
            self._ends_at = self._begins_at + period
            self.due_at = min(self._ends_at, self._stops_at)
        else:
            self.stop(self._ends_at)
        return True

    def stop(self, now: float) -> None:
        """Stand still (TStopNow, or the fifth bit)."""
        self._value = self.value(now)
        self._begins_at = self._ends_at = self._stops_at = self.due_at = NEVER

    def keep_on(self) -> None:
        """The answer that would have stopped it is not received any more."""
        self._stops_at, self.due_at = NEVER, self._ends_at

    def running(self, now: float) -> bool:
        """Status1Reg TRunning."""
        return self._ends_at != NEVER and self._begins_at <= now

    def value(self, now: float) -> int:
        """TCounterValReg."""
        if self._ends_at == NEVER:
            return self._value
        passed = int((now - self._begins_at) / self._tick_s + 1e-6)
        return self._reload - min(self._reload, max(0, passed))

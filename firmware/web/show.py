"""What the page shows, whatever is behind it: a virtual table, a real one, or a record.

A show is owned by one thread. `version` grows whenever something that `state` tells has changed; screens,
lamp and sound have versions of their own, so that each travels only when it is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.record.writer import Line
from engine.setup import Setup
from firmware.stage import Context
from firmware.stage.texts import text_of
from firmware.web.messages import Wish
from firmware.web.viewers import Viewer
from hardware.sounds import Tune

Json = dict[str, object]
LOG_LINES = 30
"""Verdicts the page holds: all that a viewer who was away is sent again."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One output: in full, and as everybody may see it (None: it is for one seat)."""

    n: int
    t: float
    full: Line
    public: Line | None

    def seen_by(self, seat: int | None) -> Line | None:
        """What a seat (None: everybody) may see of it."""
        if seat is not None and self.full.get("out") == "say" and self.full.get("to") == seat:
            return self.full
        return self.public


@dataclass(slots=True)
class Log:
    """The latest outputs."""

    ctx: Context
    said: list[Spoken] = field(default_factory=list)
    count: int = 0

    def add(self, t: float, shown: Sequence[tuple[Line, Line | None]]) -> None:
        """Outputs of one input."""
        for full, public in shown:
            self.count += 1
            self.said.append(Spoken(self.count, t, full, public))
        del self.said[: -4 * LOG_LINES]

    def lines(self, seat: int | None, lang: str) -> list[Json]:
        """The latest that this seat may read, in its words, oldest first."""
        seen = [(s, line) for s in self.said if (line := s.seen_by(seat)) is not None]
        return [self._line(s, line, seat, lang) for s, line in seen[-LOG_LINES:]]

    def _line(self, spoken: Spoken, line: Line, seat: int | None, lang: str) -> Json:
        told: Json = {
            "n": spoken.n,
            "t": round(spoken.t, 1),
            "out": line["out"],
            "text": text_of(line, self.ctx, lang, seat).line(),
        }
        for key in ("seat", "zone", "rule"):
            if key in line:
                told[key] = line[key]
        return told


@dataclass(slots=True)
class Signals:
    """What the stage tells lamps and buzzers (`stage.Sounder`)."""

    sounds: int = 0
    notes: tuple[tuple[float, float], ...] = ()
    lamps: dict[str, str] = field(default_factory=dict)

    def play(self, tune: Tune) -> None:
        """A tune: notes as (hertz, seconds)."""
        self.sounds += 1
        self.notes = tuple((note.hertz, note.seconds) for note in tune.notes)


class Show(Protocol):
    """One thing to look at."""

    version: int
    setup: Setup
    log: Log
    signals: Signals

    def advance(self, dt: float) -> None:
        """Let `dt` seconds of its own time pass."""
        ...

    def state(self, seat: int | None) -> Json:
        """All that the page draws for a seat, or for a spectator (None)."""
        ...

    def screens(self) -> Mapping[str, bytes]:
        """What each display holds: name -> 1024 bytes."""
        ...

    def panel(self, everything: bool) -> Json:
        """The side panel; `everything`: with what only the arbiter may know."""
        ...

    def do(self, viewer: Viewer, wish: Wish) -> None:
        """Carry out what somebody wants. Raises `NotAllowedError`."""
        ...

    def record(self, *, public: bool) -> bytes:
        """The table record so far; `public`: header and public outputs only."""
        ...

    def set_humans(self, seats: frozenset[int]) -> None:
        """Who sits before a browser."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...

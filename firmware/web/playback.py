"""A record as a show: step through it, on and back; everybody sees what was public, the panel has the rest.

Going back is judging anew from the beginning: a record of a whole game takes a few milliseconds.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.games import referee_for
from engine.record import header_line, input_line, output_line, public_output, read_record
from engine.record.writer import Line
from engine.referee import Referee
from firmware.loop import Loop
from firmware.recordfile import encode
from firmware.stage import Context
from firmware.stage.virtual import VirtualStage, places, virtual_stage
from firmware.web import layout
from firmware.web.errors import NotAllowedError
from firmware.web.messages import Step, Wish
from firmware.web.show import Json, Log, Signals
from firmware.web.viewers import Viewer

WARM_UP_S: Final = 1.0
"""Until emulated displays are powered up."""


class RecordShow:
    """Inputs of a record, one after the other. Raises `RecordError` for a file that is no record."""

    def __init__(self, lines: Iterable[bytes], lang: str) -> None:
        record = read_record(lines)
        self.version = 0
        self.setup = record.setup
        self.lang = lang
        self._inputs = record.inputs
        self._at = 0
        self._begin()

    def _begin(self) -> None:
        setup = self.setup
        self._referee: Referee[object] = referee_for(setup)
        self._lines: list[Line] = [header_line(setup)]
        self._public: list[Line] = [header_line(setup)]
        self._ctx = Context.of(setup, self.lang)
        self.log = Log(self._ctx, count=self.version * 100_000)  # new numbers: the page must not take them for old
        self.signals = Signals(sounds=self.version * 100_000)
        self._loop = Loop()
        self._stage: VirtualStage = virtual_stage(self._loop, self._ctx, places(setup.seats), sounds=(self.signals,))
        self._loop.run_to(WARM_UP_S)

    def advance(self, dt: float) -> None:
        """Only the screens have a time here."""
        self._loop.run_to(self._loop.now + dt)

    def state(self, seat: int | None) -> Json:
        """The same for everybody: what was public at this place of the record."""
        told = layout.watched(self.setup, self._referee.public_view(), self._referee.table.lies)
        return {
            **told,
            "kind": "record",
            "lang": self.lang,
            "at": self._at,
            "of": len(self._inputs),
            "time": self._inputs[self._at - 1].t if self._at else 0.0,
            "finished": False,
            "broken": False,
            "faults": [],
        }

    def screens(self) -> Mapping[str, bytes]:
        """What each emulated display holds."""
        return {name: chip.frame() for name, chip in self._stage.chips.items()}

    def panel(self, everything: bool) -> Json:
        """The record around this place."""
        lines = self._lines if everything else self._public
        tail = [encode(line) for line in lines[-8:]]
        return {"now": round(self._loop.now, 1), "readers": [], "latency_ms": None, "lines": len(lines), "tail": tail}

    def record(self, *, public: bool) -> bytes:
        """The record up to this place."""
        lines = self._public if public else self._lines
        return "".join(encode(line) + "\n" for line in lines).encode()

    def set_humans(self, seats: frozenset[int]) -> None:
        """Nobody plays here."""

    def close(self) -> None:
        """Nothing to give back."""

    def do(self, viewer: Viewer, wish: Wish) -> None:
        """Only stepping. Raises `NotAllowedError`."""
        if not isinstance(wish, Step):
            raise NotAllowedError("not-here")
        target = max(0, min(len(self._inputs), self._at + wish.n))
        if target < self._at:
            self.version += 1
            self._begin()
            self._at = 0
        while self._at < target:
            self._one(last=self._at + 1 == target)
        self.version += 1

    def _one(self, *, last: bool) -> None:
        observation = self._inputs[self._at]
        self._at += 1
        self._lines.append(input_line(observation))
        rulings = self._referee.receive(observation)
        shown = [(output_line(r), public_output(r)) for r in rulings]
        self._lines += [full for full, _ in shown]
        self._public += [public for _, public in shown if public is not None]
        if shown:
            self.log.add(observation.t, shown)
            self._stage.stage.show(self._loop.now, shown)
            if not last:
                self._stage.stage.step(self._loop.now)

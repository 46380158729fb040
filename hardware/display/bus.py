"""The worker of one display bus: latest frame wins, only changed columns travel, a dead panel harms nobody else.

Rules: one worker owns one bus and all panels on it, which take turns run by run; `offer` only leaves a picture
and returns; a step sends one run (at most 3 ms at 400 kHz) and asks anew what is wanted, so a newer picture
replaces the rest of an older one; a panel that fails is asked again every `RETRY_S`, powered up when it answers
and given the whole latest picture; one that has nothing to do is asked every `PING_S` whether it still answers.
Every `REFRESH_S`, in the gaps between pictures, each gets its settings and its whole picture anew, page by page: one
whose supply failed for a moment answers, but shows nothing, and on SPI nothing ever answers.
A held bus costs its own worker the driver's time-out, and nobody else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from threading import Lock
from typing import Final, Protocol

from hardware.display.errors import DisplayError
from hardware.display.frames import COLUMNS, FRAME_BYTES, PAGES, Run, apply, next_run
from hardware.steps import Clock

RETRY_S: Final = 2.0
PING_S: Final = 5.0
REFRESH_S: Final = 10.0
Picture = Callable[[], bytes]
"""Draws a frame when it is time to send it; a picture that is replaced before is never drawn."""


class Health(Enum):
    """What a worker tells of a panel."""

    DEAD = "display-dead"
    BACK = "display-back"


class Driven(Protocol):
    """What the worker needs of a panel."""

    @property
    def name(self) -> str: ...
    def open(self) -> None: ...
    def send(self, run: Run) -> None: ...
    def contrast(self, level: int) -> None: ...
    def restore(self) -> None: ...
    def ping(self) -> None: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class _Slot:
    """One panel and what is known of it."""

    panel: Driven
    wanted: bytes | None = None
    picture: Picture | None = None  # newer than `wanted`, not yet drawn
    level: int | None = None  # contrast to be set
    shown: bytes | None = None
    stale: list[int] = field(default_factory=list)  # pages to be sent again, though nothing of them changed
    refresh_at: float = 0.0
    open: bool = False
    next_at: float = 0.0  # when to ask it again, dead or idle
    failed: str | None = None  # why, while it is dead


class DisplayBus:
    """A step machine for the panels of one bus."""

    def __init__(
        self,
        name: str,
        panels: Sequence[Driven],
        clock: Clock,
        *,
        on_health: Callable[[str, Health, float], None] = lambda panel, health, now: None,
        on_shown: Callable[[str, bytes, float], None] = lambda panel, frame, now: None,
        on_work: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self._clock = clock
        self._slots = {p.name: _Slot(p) for p in panels}
        self._order = list(self._slots)
        self._lock = Lock()
        self._on_health, self._on_shown, self.on_work = on_health, on_shown, on_work

    @property
    def panels(self) -> tuple[str, ...]:
        """The names of the panels on this bus."""
        return tuple(self._slots)

    def failures(self) -> dict[str, str]:
        """Panels that are dead now, and why."""
        return {name: slot.failed for name, slot in self._slots.items() if slot.failed is not None}

    def offer(self, panel: str, picture: Picture) -> None:
        """Leave the latest picture for a panel. Never waits for the bus. KeyError for a panel not here."""
        with self._lock:
            self._slots[panel].picture = picture
        self.on_work()

    def dim(self, panel: str, level: int) -> None:
        """Leave a contrast (0 to 255) for a panel."""
        with self._lock:
            self._slots[panel].level = level
        self.on_work()

    def step(self, now: float) -> float | None:
        """Send one run for the next panel that needs one. The time of the next wake; None on a bus without panels."""
        for _ in range(len(self._order)):
            name = self._order.pop(0)
            self._order.append(name)
            slot = self._slots[name]
            if slot.failed is not None and now < slot.next_at:
                continue
            if self._work(slot):
                return self._clock.now()
        return min((_next(s) for s in self._slots.values()), default=None)

    def renew(self) -> None:
        """Power up every panel anew: for one that lost its supply for a moment and now shows nothing or noise."""
        with self._lock:
            for slot in self._slots.values():
                slot.open, slot.next_at = False, 0.0
        self.on_work()

    def close(self) -> None:
        """Switch all panels off; one that does not answer is left as it is."""
        for slot in self._slots.values():
            try:
                slot.panel.close()
            except DisplayError as error:
                slot.failed = str(error)

    def _work(self, slot: _Slot) -> bool:
        """One slice for one panel; False when it needs none."""
        try:
            if not slot.open:
                slot.panel.open()
                slot.next_at = self._clock.now() + PING_S
                slot.open, slot.shown = True, bytes(FRAME_BYTES)  # luma clears the memory at power-up
                slot.stale, slot.refresh_at = [], self._clock.now() + REFRESH_S
                if slot.failed is not None:
                    slot.failed = None
                    self._on_health(slot.panel.name, Health.BACK, self._clock.now())
                return True
            with self._lock:
                level, slot.level = slot.level, None
                picture, slot.picture = slot.picture, None
            if picture is not None:
                slot.wanted = picture()
            if level is not None:
                slot.panel.contrast(level)
            if self._send(slot) or level is not None:
                slot.next_at = self._clock.now() + PING_S
                return True
            if self._refresh(slot):
                return True
            if self._clock.now() >= slot.next_at:
                slot.panel.ping()
                slot.next_at = self._clock.now() + PING_S
            return False
        except DisplayError as error:
            # The time-out has passed meanwhile: ask the clock again.
            slot.open, slot.shown, slot.next_at = False, None, self._clock.now() + RETRY_S
            if slot.failed is None:
                slot.failed = str(error)
                self._on_health(slot.panel.name, Health.DEAD, self._clock.now())
            slot.failed = str(error)
            return True

    def _refresh(self, slot: _Slot) -> bool:
        """One slice of the refresh, if one is due: the settings, then page after page."""
        if slot.stale and slot.shown is not None:
            page = slot.stale.pop(0)
            slot.panel.send(Run(page, 0, slot.shown[page * COLUMNS : (page + 1) * COLUMNS]))
        elif self._clock.now() >= slot.refresh_at:
            slot.panel.restore()
            slot.stale, slot.refresh_at = list(range(PAGES)), self._clock.now() + REFRESH_S
        else:
            return False
        slot.next_at = self._clock.now() + PING_S
        return True

    def _send(self, slot: _Slot) -> bool:
        if slot.wanted is None or slot.shown is None:
            return False
        run = next_run(slot.shown, slot.wanted)
        if run is None:
            return False
        slot.panel.send(run)
        slot.shown = apply(slot.shown, run)
        if slot.shown == slot.wanted:
            self._on_shown(slot.panel.name, slot.shown, self._clock.now())
        return True


def _next(slot: _Slot) -> float:
    return min(slot.next_at, slot.refresh_at) if slot.failed is None else slot.next_at

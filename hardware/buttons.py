"""Buttons on GPIO pins by gpiozero, their edges brought to the table's one clock.

Rules: gpiozero's own bounce and hold times stay unset; it only reports edges, with the ticks of its pin
factory, in a thread of its own. `_edge` turns ticks into seconds of the one clock and leaves them in a queue;
`step` judges them (`hardware.bounce`) in order of time over all buttons; a press is told only when no other
contact with an earlier first edge is still bouncing, so that of two pressed at once the first is told first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from queue import Empty, SimpleQueue
from typing import Any, Final, assert_never

from hardware.bounce import BURST_S, UP_S, Contact, Event, Happening, edge, settle
from hardware.errors import HardwareError, in_words
from hardware.steps import Clock

_OLDEST_S: Final = 1.0
"""An edge is told within milliseconds; one that seems older comes from a clock that is not the factory's."""


class ButtonError(HardwareError):
    """A button's pin could not be had. Says which button and pin, and the mend."""


class Trouble(Enum):
    """What a board tells besides presses."""

    STUCK = "button-stuck"
    FREE = "button-free"


@dataclass(frozen=True, slots=True)
class Wired:
    """One button: its name (`seat2.call`, `table.undo`), its pin (GPIO number), and how it is wired.

    `to_ground`: between pin and ground, with the Pi's pull-up (usual); else to 3.3 V with the pull-down.
    """

    name: str
    pin: int
    to_ground: bool = True


@dataclass(frozen=True, slots=True)
class Press:
    """`button` went down at `at` (seconds, first contact), `held_s` 0. Held on, it is told once more, as `long`."""

    button: str
    at: float
    held_s: float = 0.0

    @property
    def long(self) -> bool:
        """Whether this tells of a press that was told before and is still held."""
        return self.held_s > 0


class ButtonBoard:
    """All buttons of one machine, a step machine. Opens no pin before `open()`."""

    def __init__(
        self,
        buttons: Sequence[Wired],
        clock: Clock,
        on_press: Callable[[Press], None],
        *,
        on_trouble: Callable[[str, Trouble, float], None] = lambda button, trouble, now: None,
        wake: Callable[[float], None] = lambda at: None,
        pin_factory: Any = None,
    ) -> None:
        names, pins = [b.name for b in buttons], [f"GPIO{b.pin}" for b in buttons]
        for what, seen in (("name", names), ("pin", pins)):
            twice = sorted({x for x in seen if seen.count(x) > 1})
            if twice:
                raise ValueError(f"buttons: {what} {', '.join(twice)} is used twice; each button needs its own")
        self._wired = tuple(buttons)
        self._clock = clock
        self._on_press, self._on_trouble, self.wake = on_press, on_trouble, wake
        self._factory = pin_factory
        self._open: list[tuple[Any, Callable[[Any, Any], None]]] = []
        self._edges: SimpleQueue[tuple[float, str, bool]] = SimpleQueue()
        self._contacts: dict[str, Contact] = {}
        self._told: list[tuple[float, str, Event]] = []  # judged, held back for an earlier one
        self.strange_ticks = 0
        """Edges whose time could not be brought to the clock and were taken as just now."""

    def open(self) -> None:
        """Claim the pins. A button already held is no press, but may turn out to be stuck."""
        from gpiozero import Button

        now = self._clock.now()
        for wired in self._wired:
            try:
                device = Button(wired.pin, pull_up=wired.to_ground, bounce_time=None, pin_factory=self._factory)
            except Exception as error:  # lgpio has an error class of its own
                self.close()
                raise ButtonError(
                    f"button {wired.name} on GPIO{wired.pin}: {in_words(error)}; "
                    "is the pin free, and may this user use GPIO (group gpio)?"
                ) from error
            handler = self._handler(wired, device)
            self._open.append((device, handler))  # gpiozero keeps the handler by a weak reference
            device.pin.when_changed = handler
            held = bool(device.is_pressed)
            self._contacts[wired.name] = Contact(held, now, now, held, Happening.LONG if held else Happening.UP)

    def close(self) -> None:
        """Give the pins back."""
        for device, _ in self._open:
            device.close()
        self._open.clear()

    def step(self, now: float) -> float | None:
        """Tell what has come to pass by `now`; the time of the next wake, None until an edge comes."""
        told = self._told
        edges: list[tuple[float, str, bool]] = []
        while True:
            try:
                edges.append(self._edges.get_nowait())
            except Empty:
                break
        for t, name, closed in sorted(edges):
            self._contacts[name], events = edge(self._contacts[name], t, closed)
            told += [(event.at, name, event) for event in events]
        wakes: list[float] = []
        for name, contact in self._contacts.items():
            self._contacts[name], events, wake = settle(contact, now)
            told += [(event.at, name, event) for event in events]
            if wake is not None:
                wakes.append(wake)
        open_since, ask_at = self._undecided(now)
        if ask_at is not None:
            wakes.append(ask_at)
        told.sort(key=lambda item: item[:2])
        while told and told[0][0] <= open_since:
            at, name, event = told.pop(0)
            match event.what:
                case Happening.DOWN:
                    self._on_press(Press(name, at))
                case Happening.LONG:
                    self._on_press(Press(name, at, event.held_s))
                case Happening.STUCK:
                    self._on_trouble(name, Trouble.STUCK, now)
                case Happening.UP if event.stuck:
                    self._on_trouble(name, Trouble.FREE, now)
                case Happening.UP:
                    pass
                case _:
                    assert_never(event.what)
        return min(wakes, default=None)

    def _undecided(self, now: float) -> tuple[float, float | None]:
        """The first edge of the earliest contact that may yet become a press, and when that will be known."""
        bouncing = [
            c
            for c in self._contacts.values()
            if not c.pressed and c.burst and now <= min(c.since + UP_S, c.burst + BURST_S)
        ]
        first = min((c.burst for c in bouncing), default=inf)
        return first, min((c.since for c in bouncing), default=-inf) + UP_S + 1e-6 if bouncing else None

    def _handler(self, wired: Wired, device: Any) -> Callable[[Any, Any], None]:
        factory = device.pin_factory

        def changed(ticks: Any, state: Any) -> None:
            now = self._clock.now()
            age = float(factory.ticks_diff(factory.ticks(), ticks))
            if not 0 <= age <= _OLDEST_S:
                self.strange_ticks += 1
                age = 0.0
            self._edges.put((now - age, wired.name, bool(state) is not wired.to_ground))
            self.wake(now)

        return changed

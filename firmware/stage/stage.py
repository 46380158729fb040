"""The stage itself: takes outputs and device events, and tells screens, buzzer and lamps what to do.

Its rules: `show` and `device` may be called from any thread and only leave a message; everything else happens
in `step`, so that no screen, sound or lamp ever delays a verdict. What a screen is given is a picture to be
drawn later, by the worker of its bus. Sounds and lamps are made from public outputs alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from firmware.stage.layout import Page
from firmware.stage.scene import Scene, opens_correction
from firmware.stage.signals import COLOURS, TUNES, Signal, weightiest
from firmware.stage.texts import Context, Out
from hardware.lamps import Colour
from hardware.sounds import Tune

DIM_AFTER_S: Final = 120.0
BRIGHT: Final = 0xCF
DIM: Final = 0x08


class Screen(Protocol):
    """Where pages go: a seat's display or the one for all."""

    @property
    def viewer(self) -> int | None:
        """The seat it belongs to; None for everybody."""
        ...

    def show(self, page: Page) -> None:
        """Leave a page; never waits."""
        ...

    def dim(self, level: int) -> None:
        """Leave a brightness; never waits."""
        ...


class Sounder(Protocol):
    """What plays tunes."""

    def play(self, tune: Tune) -> None:
        """Leave a tune; never waits."""
        ...


class Light(Protocol):
    """What gives light: at a seat, or for all."""

    @property
    def viewer(self) -> int | None:
        """The seat it stands at; None for everybody."""
        ...

    def steady(self, colour: Colour) -> None:
        """The lasting colour."""
        ...

    def flash(self, colour: Colour, seconds: float) -> None:
        """A colour for a while."""
        ...


@dataclass(frozen=True, slots=True)
class _Outputs:
    at: float
    outs: tuple[tuple[Out, Out | None], ...]


@dataclass(frozen=True, slots=True)
class _Device:
    at: float
    what: str
    device: str
    up: bool


class Stage:
    """A step machine. `wake` is set by whoever drives it."""

    def __init__(
        self,
        ctx: Context,
        screens: Sequence[Screen] = (),
        sounds: Sequence[Sounder] = (),
        lamps: Sequence[Light] = (),
        *,
        dim_after_s: float = DIM_AFTER_S,
    ) -> None:
        self.ctx = ctx
        self.wake: Callable[[float], None] = lambda at: None
        self.on_device: Callable[[float, str, str], None] = lambda now, what, device: None
        """Told of every device that failed or is back, for a table whose screens do not tell it."""
        self._screens = [(screen, Scene(ctx, screen.viewer)) for screen in screens]
        self._last: list[Page | None] = [None] * len(self._screens)
        self._sounds, self._lamps = tuple(sounds), tuple(lamps)
        self._inbox: SimpleQueue[_Outputs | _Device] = SimpleQueue()
        self._open: list[int | None] = []  # whose corrections are pending, as publicly known
        self._turn: int | None = None
        self._dim_after_s = dim_after_s
        self._active_at = 0.0
        self._dimmed = False

    def show(self, now: float, outs: Sequence[tuple[Out, Out | None]]) -> None:
        """Outputs of one input: each in full, and as everybody may see it (None: nobody)."""
        self._inbox.put(_Outputs(now, tuple(outs)))
        self.wake(now)

    def device(self, now: float, what: str, device: str, *, up: bool) -> None:
        """A device failed or is back: `reader-dead`, `reader-back`, `separate`, `display-dead`, `button-stuck`..."""
        self._inbox.put(_Device(now, what, device, up))
        self.wake(now)

    def step(self, now: float) -> float | None:
        """Take what has come, turn pages, dim when idle; the time of the next wake."""
        while True:
            try:
                item = self._inbox.get_nowait()
            except Empty:
                break
            match item:
                case _Outputs():
                    self._outputs(now, item.outs)
                case _Device():
                    self.on_device(now, item.what, item.device)
                    for _, scene in self._screens:
                        scene.device(now, item.what, item.device, up=item.up)
            self._active_at = now
        wakes = [self._idle(now)]
        for n, (screen, scene) in enumerate(self._screens):
            page, changes = scene.page(now)
            wakes.append(changes)
            if page != self._last[n]:
                self._last[n] = page
                screen.show(page)
        return min((w for w in wakes if w is not None), default=None)

    def _outputs(self, now: float, outs: Sequence[tuple[Out, Out | None]]) -> None:
        opened = [full.get("out") == "refused" and opens_correction(full) for full, _ in outs]
        for _, scene in self._screens:
            seen = [
                (out, opens)
                for (full, public), opens in zip(outs, opened, strict=True)
                if (out := scene.sees(full, public)) is not None
            ]
            if seen:
                scene.take(now, seen)
        public = [(out, opens) for (_, out), opens in zip(outs, opened, strict=True) if out is not None]
        self._lights(public)
        signal = weightiest([out for out, _ in public], self.ctx.game, self.ctx.mode)
        if signal is not None:
            self._signal(signal, frozenset(out.get("seat") for out, _ in public))

    def _lights(self, public: Sequence[tuple[Out, bool]]) -> None:
        for out, opens in public:
            seat = out.get("seat")
            whose = seat if isinstance(seat, int) else None
            match out.get("out"):
                case "refused" if opens:
                    self._open.append(whose)
                case "corrected" | "stood":
                    if whose in self._open:
                        self._open.remove(whose)
                case "turn":
                    self._turn = whose
                case "over":
                    self._open, self._turn = [], None
                case _:
                    pass
        for lamp in self._lamps:
            lamp.steady(self._steady(lamp.viewer))

    def _steady(self, viewer: int | None) -> Colour:
        """Red while something is to be put right (a seat's: by that seat); white at the seat whose turn it is."""
        if self._open if viewer is None else viewer in self._open:
            return Colour.RED
        return Colour.WHITE if viewer is not None and viewer == self._turn else Colour.BLACK

    def _signal(self, signal: Signal, seats: frozenset[object]) -> None:
        for sounder in self._sounds:
            sounder.play(TUNES[signal])
        for lamp in self._lamps:
            if lamp.viewer is None or lamp.viewer in seats or signal is Signal.ANNOUNCEMENT:
                lamp.flash(*COLOURS[signal])

    def _idle(self, now: float) -> float | None:
        dark = now >= self._active_at + self._dim_after_s
        if dark != self._dimmed:
            self._dimmed = dark
            for screen, _ in self._screens:
                screen.dim(DIM if dark else BRIGHT)
        return None if dark else self._active_at + self._dim_after_s

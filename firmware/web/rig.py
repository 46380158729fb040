"""The virtual table's wiring: readers, screens, buttons with their bounce, a lamp; all under the real firmware."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from engine.games import SPECS, referee_for
from engine.setup import GameSpec, Mode, Setup
from engine.zones import ZoneKind
from firmware import demo, presence
from firmware.deck import emulated_deck
from firmware.loop import Loop
from firmware.recordfile import Journal
from firmware.rig import Physics, VirtualTable, build_table
from firmware.simulator import world_for
from firmware.stage import Context
from firmware.stage.virtual import VirtualStage, places, virtual_stage
from firmware.web.hands import Pace, TableHands
from firmware.web.own import Own
from firmware.web.show import Signals
from hardware.buttons import ButtonBoard, Press, Trouble, Wired
from hardware.lamps import Colour, Lamp
from hardware.twin.pins import SHORT_BOUNCE, Fingers, TwinFactory

LAMP_PINS: Final = (17, 27, 22)
"""Red, green, blue; each seat's lamp hangs on a small machine of its own, as its buttons do."""
FIRST_PIN: Final = 4


@dataclass(frozen=True, slots=True)
class Game:
    """What is to be played. `own`: a builder's table instead of the full one."""

    game: str = "tifo"
    seats: int = 4
    seed: int = 1
    mode: Mode = Mode.PLAY
    lang: str = "fr"
    options: Mapping[str, bool | int | float] = field(default_factory=dict)
    own: Own | None = None

    def setup(self) -> Setup:
        """The table for the rules. Raises `SetupError`."""
        spec = SPECS[self.game]
        return Setup(spec, self.seats, mode=self.mode, options=self.options, zones=self._zones(spec))

    def _zones(self, spec: GameSpec) -> dict[str, ZoneKind]:
        if self.own is None:
            return demo.kinds_for(spec, self.seats, demo.Variant.FULL)
        return {zone.name: zone.kind for zone in self.own.for_game(spec, self.seats).layout.zones}


class _TableClock:
    """The clock of everything that has no bus of its own."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop

    def now(self) -> float:
        return self._loop.now


@dataclass(slots=True)
class Buttons:
    """Every button of the table, on pins of one small machine for each owner."""

    boards: list[ButtonBoard] = field(default_factory=list)
    _fingers: dict[str, tuple[Fingers, Callable[[float], None], int]] = field(default_factory=dict)

    def press(self, button: str, at: float) -> None:
        """A finger comes down at `at`; the contact bounces as real ones do."""
        fingers, wake, pin = self._fingers[button]
        fingers.press(pin, at, down=SHORT_BOUNCE, up=SHORT_BOUNCE)
        wake(at)

    def close(self) -> None:
        """Give the pins back."""
        for board in self.boards:
            board.close()


@dataclass(frozen=True, slots=True)
class PinnedLamp:
    """A lamp at a seat, or for all (None), as the stage sees it; `colour` is what its emulated pins make."""

    viewer: int | None
    device: Lamp
    factory: TwinFactory

    @property
    def name(self) -> str:
        """`all`, `seat3`."""
        return "all" if self.viewer is None else f"seat{self.viewer}"

    @property
    def colour(self) -> str:
        """The name of a `Colour`, in small letters."""
        levels = tuple(int(bool(self.factory.pin(pin).state)) for pin in LAMP_PINS)
        return next((c.name.lower() for c in Colour if c.value == levels), "white")

    def steady(self, colour: Colour) -> None:
        """The lasting colour."""
        self.device.steady(colour)

    def flash(self, colour: Colour, seconds: float) -> None:
        """A colour for a while."""
        self.device.flash(colour, seconds)


@dataclass(frozen=True, slots=True)
class Rig:
    """One virtual table, ready to run."""

    setup: Setup
    table: VirtualTable
    stage: VirtualStage
    hands: TableHands
    buttons: Buttons
    lamps: tuple["PinnedLamp", ...]

    def close(self) -> None:
        """Give pins back."""
        self.buttons.close()
        for lamp in self.lamps:
            lamp.device.close()


def build(game: Game, journal: Journal, signals: Signals, pace: Pace, humans: frozenset[int]) -> Rig:
    """Wire a table. Same game, same bytes, as long as nobody sits before a browser. Raises `SetupError`."""
    spec, setup = SPECS[game.game], game.setup()
    made = demo.table_for(spec, game.seats, demo.Variant.FULL)
    own = game.own.for_game(spec, game.seats) if game.own is not None else None
    layout, displays = (own.layout, own.places) if own is not None else (made.layout, places(game.seats))
    physics = replace(Physics(seed=game.seed), pace_s=demo.pace_s(layout), tops=made.tops)
    table = build_table(referee_for(setup), layout, emulated_deck(spec.pack(game.seats)), journal, physics)
    controller, loop = table.controller, table.loop
    assert controller is not None, "build_table makes a controller"
    clock = _TableClock(loop)
    lamps = tuple(_lamp(viewer, loop, clock) for viewer in (None, *range(1, game.seats + 1)))
    ctx = Context.of(setup, game.lang)
    stage = virtual_stage(loop, ctx, displays, sounds=(signals,), lamps=lamps)
    controller.on_outputs.append(stage.stage.show)
    buttons = _buttons(setup, loop, clock, controller.press, stage)
    controller.on_notice.append(lambda now, notice: _notice(stage, now, notice))
    world = world_for(setup, Random(f"{game.game}/{game.seed}/0"))
    hands = TableHands(world, table, game.seed, pace, buttons.press)
    hands.set_humans(humans)
    return Rig(setup, table, stage, hands, buttons, lamps)


def _lamp(viewer: int | None, loop: Loop, clock: _TableClock) -> PinnedLamp:
    factory = TwinFactory(clock)
    lamp = Lamp(*LAMP_PINS, pin_factory=factory)
    wake = loop.add(lamp)
    lamp.wake = lambda: wake(loop.now)
    lamp.open()
    return PinnedLamp(viewer, lamp, factory)


def _buttons(
    setup: Setup, loop: Loop, clock: _TableClock, press: Callable[[str, float], None], stage: VirtualStage
) -> Buttons:
    made = Buttons()
    names = sorted(setup.spec.buttons(setup.seats))

    def pressed(press_: Press) -> None:
        if not press_.long:
            press(press_.button, press_.at)

    def trouble(button: str, what: Trouble, now: float) -> None:
        stage.stage.device(now, what.value, button, up=what is Trouble.FREE)

    for owner in dict.fromkeys(name.partition(".")[0] for name in names):
        wired = [Wired(n, FIRST_PIN + k) for k, n in enumerate(n for n in names if n.startswith(f"{owner}."))]
        factory = TwinFactory(clock)
        board = ButtonBoard(wired, clock, pressed, on_trouble=trouble, pin_factory=factory)
        board.wake = loop.add(board)
        board.open()
        fingers = Fingers(factory)
        wake = loop.add(fingers)
        made.boards.append(board)
        made._fingers.update({w.name: (fingers, wake, w.pin) for w in wired})
    return made


def _notice(stage: VirtualStage, now: float, notice: presence.Notice) -> None:
    match notice:
        case presence.ReaderDown():
            stage.stage.device(now, "reader-dead", notice.reader, up=False)
        case presence.ReaderBack():
            stage.stage.device(now, "reader-back", notice.reader, up=True)
        case presence.Separate():
            stage.stage.device(now, "separate", notice.reader, up=True)  # said once, not for good

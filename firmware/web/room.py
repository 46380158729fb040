"""The room: one show, whoever looks on, and the thread that lets the show's time follow the wall clock.

Rules: everything that touches the show happens in `turn`, called by one thread; `submit` may be called from any.
What viewers see leaves as topics (name -> JSON text); of each topic only the latest counts, so nothing queues up.
Nobody looking: time stands still. A seat whose browser left is given to a bot after `GRACE_S`.
"""

import json
import sys
import traceback
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from random import SystemRandom
from threading import Condition, Thread
from time import monotonic
from typing import Final

from engine.errors import EngineError
from engine.games import SPECS
from engine.setup import Mode
from firmware.recordfile import Journal
from firmware.web.errors import NotAllowedError
from firmware.web.hands import Pace
from firmware.web.messages import Fault, NewGame, Panel, Run, Step, Wish
from firmware.web.own import Own
from firmware.web.rig import Game
from firmware.web.show import Json, Show
from firmware.web.viewers import Viewer
from firmware.web.virtual import VirtualShow

SLICE_S: Final = 0.025
LAG_S: Final = 0.1
"""So much time is made up for at most, if the machine was too slow: then the table's time lags behind."""
GRACE_S: Final = 20.0
PANEL_S: Final = 0.25
PUBLISH_S: Final = 0.045
"""So far apart are states at least, unless a viewer has just done something."""
Topics = dict[str, str]


@dataclass(slots=True)
class Settings:
    """How the room is run."""

    game: Game
    pace: Pace = Pace.CALM
    speed: float = 1.0
    play: bool = True


@dataclass(slots=True)
class _Sent:
    """What was published last."""

    version: int = -1
    log: int = -1
    screens: dict[str, bytes] = field(default_factory=dict)
    lamps: dict[str, str] = field(default_factory=dict)
    sound: int = 0
    panel_at: float = -1.0
    topics: frozenset[str] = frozenset()


class Room:
    """Owns the show. `post` gets the topics that changed, from the room's thread."""

    def __init__(
        self,
        settings: Settings,
        post: Callable[[Topics], None],
        *,
        journal: Callable[[], Journal | None] = lambda: None,
        show: Show | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`show`: another one than a new game on twins. Raises `SetupError`."""
        self.settings = settings
        self.post = post
        self.broken = ""
        self._own = settings.game.own
        self._clock = clock
        self._journal = journal
        self._commands: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._wake = Condition()
        self._stopped = False
        self._sent = _Sent()
        self._published = float("-inf")
        self._viewers: Counter[Viewer] = Counter()
        self._left: dict[int, float] = {}
        self._panels: Counter[bool] = Counter()
        self.show: Show = show if show is not None else self._new_game(settings.game)

    # -- from any thread -------------------------------------------------------------------------------------

    def submit(self, command: Callable[[], None]) -> None:
        """Do this in the room's thread, soon."""
        self._commands.put(command)
        with self._wake:
            self._wake.notify()

    def start(self) -> Thread:
        """Begin to live by the wall clock."""
        thread = Thread(target=self._live, name="room", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """End the thread; the show is closed."""
        self._stopped = True
        self.submit(lambda: None)

    def _live(self) -> None:
        last = self._clock()
        while not self._stopped:
            with self._wake:
                if self._commands.empty():
                    self._wake.wait(SLICE_S)
            now = self._clock()
            self.turn(min(now - last, LAG_S))
            last = now
        self.show.close()

    # -- the room's own thread -------------------------------------------------------------------------------

    def turn(self, dt: float) -> None:
        """Carry out commands, let `dt` seconds of the wall clock pass, publish."""
        asked = False
        while True:
            try:
                command = self._commands.get_nowait()
            except Empty:
                break
            asked = True
            try:
                command()
            except Exception:  # one viewer's wish must not end the table for all
                traceback.print_exc(file=sys.stderr)
        self._give_to_bots()
        if self._viewers and not self.broken:
            self._guarded(lambda: self.show.advance(dt * self.settings.speed))
        now = self._clock()
        if asked or now - self._published >= PUBLISH_S:
            self._published = now
            self._guarded(self._publish)

    def _guarded(self, work: Callable[[], None]) -> None:
        """A fault of ours must not take the page away with it: it is told there, and another game can be begun."""
        try:
            work()
        except Exception as error:
            if not self.broken:
                traceback.print_exc(file=sys.stderr)
            self.broken = f"{type(error).__name__}: {error}"
            self._sent = _Sent(topics=self._sent.topics)

    def join(self, viewer: Viewer) -> None:
        """Somebody looks on."""
        self._viewers[viewer] += 1
        if viewer.seat is not None:
            self._left.pop(viewer.seat, None)
        self._seat_humans()
        self._sent.version = self._sent.log = -1

    def leave(self, viewer: Viewer) -> None:
        """He is gone."""
        self._viewers[viewer] -= 1
        self._viewers = +self._viewers
        if viewer.seat is not None and viewer.seat not in self._taken():
            self._left[viewer.seat] = self._clock()

    def do(self, viewer: Viewer, wish: Wish) -> None:
        """Carry out what a viewer wants. Raises `NotAllowedError`."""
        match wish:
            case Run() | NewGame() | Step() | Fault() if not viewer.is_host:
                raise NotAllowedError("host-only")
            case Run(speed=speed, pace=pace):
                self.settings.speed, self.settings.pace = speed, pace
                if isinstance(self.show, VirtualShow):
                    self.show.set_pace(pace)
                self._sent.version = -1
            case NewGame():
                self._start(wish)
            case Panel():
                raise NotAllowedError("not-here")
            case _:
                if self.broken:
                    raise NotAllowedError("broken")
                self.show.do(replace(viewer, seat=self._seat_here(viewer.seat)), wish)

    def _seat_here(self, seat: int | None) -> int | None:
        """A seat of this game; whoever sits at one that it does not have looks on."""
        return seat if seat is not None and seat <= self.show.setup.seats else None

    def panel(self, viewer: Viewer, wish: Panel, was: Panel) -> str | None:
        """A viewer opened or closed his panel; the topic he gets from now on, None for none."""
        if wish.all and not viewer.is_host:
            raise NotAllowedError("host-only")
        if was.open:
            self._panels[was.all] -= 1
        if wish.open:
            self._panels[wish.all] += 1
            self._sent.panel_at = -1.0
            return panel_topic(wish.all)
        return None

    def open(self, show: Show) -> None:
        """Show something else."""
        self.show.close()
        self.show = show
        self.broken = ""
        self._sent = _Sent(topics=self._sent.topics)
        self._seat_humans()

    def _start(self, wish: NewGame) -> None:
        seed = wish.seed if wish.seed is not None else SystemRandom().randrange(1, 100_000)
        game = Game(wish.game, wish.seats, seed, Mode(wish.mode), wish.lang, wish.options, self._own_for(wish))
        before = self.settings.play
        self.settings.play = wish.play
        try:
            show = self._new_game(game)
        except EngineError:
            self.settings.play = before
            raise NotAllowedError("no-such-table") from None
        self.settings.game = game
        self.open(show)

    def _own_for(self, wish: NewGame) -> Own | None:
        """The builder's table, if this game can be played on it; else it is played on the full one."""
        now, own = self.settings.game, self._own
        same = (wish.game, wish.seats) == (now.game, now.seats)
        return own if own is not None and (same or own.fits(SPECS[wish.game], wish.seats)) else None

    def _new_game(self, game: Game) -> VirtualShow:
        humans = frozenset(seat for seat in self._humans() if seat <= game.seats)
        return VirtualShow(game, self.settings.pace, humans, self._journal())

    def _taken(self) -> frozenset[int]:
        return frozenset(v.seat for v in self._viewers if v.seat is not None)

    def _humans(self) -> frozenset[int]:
        return self._taken() | frozenset(self._left) | (frozenset({1}) if self.settings.play else frozenset())

    def _seat_humans(self) -> None:
        self.show.set_humans(frozenset(seat for seat in self._humans() if seat <= self.show.setup.seats))

    def _give_to_bots(self) -> None:
        now = self._clock()
        gone = [seat for seat, since in self._left.items() if now - since > GRACE_S]
        for seat in gone:
            del self._left[seat]
        if gone:
            self._seat_humans()

    # -- out -------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        if not self._viewers:
            return
        show, sent, out = self.show, self._sent, Topics()
        seats, readers = {v.seat for v in self._viewers}, {(v.seat, v.lang) for v in self._viewers}
        wanted = frozenset(map(state_topic, seats)) | {log_topic(*reader) for reader in readers}
        out |= dict.fromkeys(sent.topics - wanted, "")  # whoever comes back is not shown what was when he left
        sent.topics = wanted
        if show.version != sent.version:
            sent.version = show.version
            for seat in seats:
                out[state_topic(seat)] = _text("state", {**show.state(self._seat_here(seat)), **self._run()})
        if show.log.count != sent.log:
            sent.log = show.log.count
            for seat, lang in readers:
                out[log_topic(seat, lang)] = _text("log", {"lines": show.log.lines(self._seat_here(seat), lang)})
        for name, frame in show.screens().items():
            if sent.screens.get(name) != frame:
                sent.screens[name] = frame
                out[f"screen:{name}"] = _text("screen", {"name": name, "px": b64encode(frame).decode()})
        if show.signals.lamps != sent.lamps:
            sent.lamps = dict(show.signals.lamps)
            out["lamps"] = _text("lamps", {"lamps": sent.lamps})
        if show.signals.sounds != sent.sound:
            sent.sound = show.signals.sounds
            out["sound"] = _text("sound", {"n": sent.sound, "notes": show.signals.notes})
        now = self._clock()
        if sent.panel_at < 0 or now >= sent.panel_at + PANEL_S:
            sent.panel_at = now
            for everything in [key for key, count in self._panels.items() if count > 0]:
                out[panel_topic(everything)] = _text("panel", show.panel(everything))
        if out:
            self.post(out)

    def _run(self) -> Json:
        return {"speed": self.settings.speed, "stopped": bool(self.broken), "play": self.settings.play}


def state_topic(seat: int | None) -> str:
    """The topic of the state as a seat (None: everybody) may see it."""
    return f"state:{seat or ''}"


def log_topic(seat: int | None, lang: str) -> str:
    """The topic of the verdicts that a seat may read, in a language."""
    return f"log:{seat or ''}:{lang}"


def panel_topic(everything: bool) -> str:
    """The topic of the side panel."""
    return "panel:all" if everything else "panel:public"


def _text(kind: str, fields: Json) -> str:
    return json.dumps({"is": kind, **fields}, ensure_ascii=False, separators=(",", ":"))

"""A real table as a show: everybody sees what is public; nothing can be moved here.

Rules: the controller only leaves a copy of its referee and what was said in a queue; all else happens in the
room's thread, so that no browser ever delays a verdict. The screens on the page are drawn by a stage of their own.
"""

from collections.abc import Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from engine.observations import Observation
from engine.record import header_line
from engine.record.writer import Line
from engine.referee import Referee
from engine.rulings import Ruling
from firmware.controller import Controller, Shown
from firmware.loop import Loop
from firmware.recordfile import encode
from firmware.stage import Context
from firmware.stage.virtual import VirtualStage, places, virtual_stage
from firmware.web import layout
from firmware.web.errors import NotAllowedError
from firmware.web.messages import Wish
from firmware.web.show import Json, Log, Signals
from firmware.web.viewers import Viewer


class LiveShow:
    """Looks over the shoulder of a controller."""

    def __init__(self, controller: Controller, lang: str) -> None:
        self.setup = setup = controller.referee.setup
        self.version = 0
        self.lang = lang
        self.signals = Signals()
        self._referee: Referee[object] = controller.referee.fork()
        self._inbox: SimpleQueue[tuple[Referee[object], Shown]] = SimpleQueue()
        self._public: list[Line] = [header_line(setup)]
        context = Context.of(setup, lang)
        self.log = Log(context)
        self._loop = Loop()
        self._stage: VirtualStage = virtual_stage(self._loop, context, places(setup.seats), sounds=(self.signals,))
        self._controller = controller
        controller.on_outputs.append(self._said)
        controller.on_rulings.append(self._judged)

    # -- in the controller's thread: leave it and go on --------------------------------------------------------

    def _said(self, now: float, shown: Shown) -> None:
        self._inbox.put((self._controller.referee.fork(), shown))

    def _judged(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        if not rulings:  # a lift that nobody speaks of moves a card all the same
            self._inbox.put((self._controller.referee.fork(), []))

    # -- in the room's ---------------------------------------------------------------------------------------

    def advance(self, dt: float) -> None:
        """Take in what the controller left."""
        self._loop.run_to(self._loop.now + dt)
        while True:
            try:
                self._referee, shown = self._inbox.get_nowait()
            except Empty:
                return
            self.version += 1
            if shown:
                self.log.add(float(str(shown[0][0]["t"])), shown)
                self._public += [public for _, public in shown if public is not None]
                self._stage.stage.show(self._loop.now, shown)

    def state(self, seat: int | None) -> Json:
        """The public table."""
        told = layout.watched(self._referee.setup, self._referee.public_view(), self._referee.table.lies)
        return {**told, "kind": "live", "lang": self.lang, "finished": False, "broken": False, "faults": []}

    def screens(self) -> Mapping[str, bytes]:
        """What the table's displays show."""
        return {name: chip.frame() for name, chip in self._stage.chips.items()}

    def panel(self, everything: bool) -> Json:
        """The public record."""
        tail = [encode(line) for line in self._public[-8:]]
        return {"now": 0, "readers": [], "latency_ms": None, "lines": len(self._public), "tail": tail}

    def record(self, *, public: bool) -> bytes:
        """What was public so far; the whole record is the arbiter's file."""
        return "".join(encode(line) + "\n" for line in self._public).encode()

    def set_humans(self, seats: frozenset[int]) -> None:
        """They sit at the table."""

    def do(self, viewer: Viewer, wish: Wish) -> None:
        """Nothing. Raises `NotAllowedError`."""
        raise NotAllowedError("not-here")

    def close(self) -> None:
        """Nothing to give back."""


def serve_beside(controller: Controller, lang: str, address: str, port: int) -> str:
    """Serve the live view in a thread that ends with the program; the address. Raises OSError, `WebError`."""
    import uvicorn

    from firmware.web.address import Address, listen
    from firmware.web.rig import Game
    from firmware.web.room import Settings
    from firmware.web.server import make, uvicorn_settings

    setup = controller.referee.setup
    listening = listen(address, port)
    at = Address(address, listening.getsockname()[1])
    game = Game(setup.spec.id, setup.seats, 0, setup.mode, lang)
    server = make(Settings(game, play=False), show=LiveShow(controller, lang))
    runner = uvicorn.Server(uvicorn.Config(server.app(at.names), **uvicorn_settings(address, port)))
    Thread(target=runner.run, kwargs={"sockets": [listening]}, name="web", daemon=True).start()
    return f"{at.house or at.here}/#lang={lang}"

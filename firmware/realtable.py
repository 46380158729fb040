"""A whole table on the Pi: readers, buttons and stage around the controller, each with a thread of its own."""

from collections.abc import Callable

from engine.referee import Referee
from firmware.config.errors import ConfigError
from firmware.config.model import TableConfig
from firmware.controller import Controller
from firmware.deck import Deck
from firmware.errors import FirmwareError
from firmware.layout import Layout
from firmware.realrig import RealReaders, wires
from firmware.recordfile import Journal
from firmware.stage.notices import tell
from firmware.stage.real import real_stage
from firmware.stage.threads import starter
from hardware.buttons import ButtonBoard, Press, Trouble, Wired
from hardware.errors import HardwareError
from hardware.looks import Look
from hardware.pollerprocess import MonotonicClock


class RealTable:
    """Everything that is wired. `on_end` is told why, should a bus or a part of the program be lost for good.

    `on_device` is told what the screens are told of devices: (now, what, which).
    """

    def __init__(
        self,
        config: TableConfig,
        referee: Referee[object],
        deck: Deck,
        journal: Journal,
        on_end: Callable[[str], None],
        on_device: Callable[[float, str, str], None] = lambda now, what, device: None,
    ) -> None:
        refuse_satellites(config)
        self.clock = MonotonicClock()
        self._readers = RealReaders(config, self.clock, self._look, on_end)
        setup = referee.setup
        self.controller = Controller(referee, game_layout(config, tuple(setup.zones)), deck, self._readers, journal)
        self._known = {antenna.reader for antenna in self.controller.layout.readers}
        give, self._threads = starter(self.clock, lambda name, error: on_end(failure(name, error)))
        controller = give("controller", self.controller)
        self.controller.wake = lambda at: controller.wake()
        self._stage = real_stage(config, setup, self.clock)
        self._stage.stage.on_device = on_device
        self.controller.on_outputs.append(self._stage.stage.show)
        self.controller.on_rescan.append(self._stage.renew)
        self.controller.on_notice.append(lambda now, notice: tell(self._stage.stage, now, notice))
        wired = [Wired(button.name, button.pin) for button in config.buttons if button.pin is not None]
        self._buttons = ButtonBoard(wired, self.clock, self._press, on_trouble=self._trouble)
        buttons = give("buttons", self._buttons)
        self._buttons.wake = lambda at: buttons.wake()

    def open(self) -> None:
        """Open every bus and pin, start everything. Raises HardwareError; call `close` all the same."""
        self._readers.open()
        self._buttons.open()
        self._stage.open()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop everything, in the order of the way of a card."""
        self._readers.close()
        for thread in self._threads:
            thread.stop()
        self._buttons.close()
        self._stage.close()

    def why(self, what: str, device: str) -> str:
        """What was found wrong at a device that the stage told of, for who can mend it; empty where nothing was."""
        match what:
            case "reader-dead":
                return self._readers.health(device).finding
            case "display-dead":
                return self._stage.why(device)
            case _:
                return ""

    def _look(self, look: Look) -> None:
        if look.reader in self._known:
            self.controller.look(look)

    def _press(self, press: Press) -> None:
        if not press.long:  # a long press is not two (field report 16)
            self.controller.press(press.button, press.at)

    def _trouble(self, button: str, what: Trouble, now: float) -> None:
        self._stage.stage.device(now, what.value, button, up=what is Trouble.FREE)


def refuse_satellites(config: TableConfig) -> None:
    """Raises `ConfigError` for what only a satellite has: a button nobody reads must not seem to work."""
    wires(config)
    for button in config.buttons:
        if button.pin is None:
            what = f"button {button.name} is at a satellite ({button.port})"
            raise ConfigError(config.file, 0, what, "a button with a pin: satellites come later")


def failure(name: str, error: Exception) -> str:
    """Why a part of the program ended, in one line."""
    if isinstance(error, FirmwareError | HardwareError):
        return str(error)
    return f"{name}: {type(error).__name__}: {error}; the record is kept up to here, start again"


def game_layout(config: TableConfig, zones: tuple[str, ...]) -> Layout:
    """The part of a table that a game uses; readers of other zones are driven, but nobody listens."""
    whole = config.layout()
    return Layout(
        tuple(zone for zone in whole.zones if zone.name in zones),
        tuple(antenna for antenna in whole.readers if antenna.zone in zones),
    )

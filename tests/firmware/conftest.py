"""A bench for the commands that want a Pi: emulated chips below spidev, displays below smbus2, mock pins, hands.

The command runs in the main thread, as it does on a Pi, with its real threads and processes; a script in a second
thread plays the people, and ends it with Ctrl-C. Nothing is judged by wall time: `until` only waits for a state.
"""

import importlib.util
import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.cli import main
from hardware.twin.display import OledChip
from hardware.twin.displaybus import I2cBuses, I2cTwin
from hardware.twin.timeline import TimeLine

STANDIN = Path(__file__).parent / "standin"
PATIENCE_S = 90.0
"""How long a state is waited for before the test fails."""

Wiring = dict[str, dict[str, Any]]


class Bench:
    """One table on the bench."""

    def __init__(self, folder: Path, pins: MockFactory) -> None:
        self.folder = folder
        self.pins = pins
        self.out = io.StringIO()
        self.screens: dict[int, OledChip] = {}
        self._i2c = I2cTwin(TimeLine())
        self.buses = I2cBuses({1: self._i2c})
        self.world = folder / "world.jsonl"
        self._began = self._running = False

    def wire(self, chips: Wiring) -> None:
        """Solder the readers: name -> bus (number), select, reset."""
        self.world.write_text(json.dumps(chips) + "\n", encoding="utf-8")

    def screen(self, address: int) -> None:
        """Put a screen on i2c1."""
        self.screens[address] = OledChip()
        self._i2c.attach(address, self.screens[address])

    # hands and faults

    def put(self, uid: str, reader: str) -> None:
        """Lay a tag on a reader."""
        self._do({"put": uid, "reader": reader})

    def take(self, uid: str) -> None:
        """Lift a tag."""
        self._do({"take": uid})

    def stuck(self, reader: str, value: int | None) -> None:
        """Let a chip answer one byte only, or let it work again."""
        self._do({"stuck": value, "reader": reader})

    def brown_out(self, reader: str) -> None:
        """Let the supply of a chip sag."""
        self._do({"brown_out": reader})

    def press(self, pin: int) -> None:
        """Press a button to ground, and let it go."""
        button = self.pins.pin(pin)
        button.drive_low()
        time.sleep(0.05)
        button.drive_high()
        time.sleep(0.05)

    def _do(self, deed: dict[str, object]) -> None:
        with self.world.open("a", encoding="utf-8") as file:
            file.write(json.dumps(deed) + "\n")

    # what is to be seen

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The whole lines that are in a file by now."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def until(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        patience = time.monotonic() + PATIENCE_S
        while not holds():
            if self._began and not self._running:
                pytest.fail(f"the command ended before this was seen: {what}\n{self.out.getvalue()}")
            if time.monotonic() > patience:
                pytest.fail(f"never seen: {what}\n{self.out.getvalue()}")
            time.sleep(0.01)

    def said(self, words: str) -> None:
        """Wait until the command has said something."""
        self.until(words, lambda: words in self.out.getvalue())

    # running

    def run(self, argv: list[str], script: Callable[[], None]) -> int:
        """Run a command in this thread while `script` runs in another; Ctrl-C after its end. The exit status."""
        failed: list[BaseException] = []

        def play() -> None:
            try:
                script()
            except BaseException as error:  # also pytest's own
                failed.append(error)
            os.kill(os.getpid(), signal.SIGINT)

        def interrupt(number: int, frame: FrameType | None) -> None:
            if self._running:
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, interrupt)
        people = Thread(target=play, name="people")
        self._began = self._running = True
        try:
            with self.buses.installed(), redirect_stdout(self.out):
                people.start()
                status = main(argv)
        finally:
            self._running = False
            people.join()
            signal.signal(signal.SIGINT, before)
        if failed:
            raise failed[0]
        return status


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench, its pins and its spidev in place of the machine's own while the test lasts."""
    spec = importlib.util.spec_from_file_location("spidev", STANDIN / "spidev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "spidev", module)
    monkeypatch.syspath_prepend(str(STANDIN))  # for processes that are started meanwhile
    pins = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    made = Bench(tmp_path, pins)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("ARBITRE_STANDIN", str(made.world))
    monkeypatch.chdir(tmp_path)
    yield made
    pins.reset()

"""The stage of a table.toml on emulated buses and pins, with threads as on the Pi."""

import sys
from collections.abc import Callable
from dataclasses import replace
from threading import Event
from types import ModuleType

import pytest

from engine.games import SPECS
from engine.setup import Mode, Setup
from firmware.config.model import Buzzer, Display, DisplayDriver, Lamp, Language, Loudness, TableConfig
from firmware.stage import Context, text_of
from firmware.stage.layout import pages
from firmware.stage.picture import frame
from firmware.stage.real import RealStage, panel_of, real_stage
from firmware.stage.texts import Out
from firmware.stage.threads import MachineThread
from hardware.display.panel import Serial
from hardware.sounds import Volume
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import I2cBuses, I2cTwin
from hardware.twin.pins import TwinFactory
from hardware.twin.timeline import TimeLine

TURN: Out = {"out": "turn", "seat": 2, "may": ["lay"]}
PATIENCE_S = 90.0
"""Only how long a test waits before it fails; nothing is measured."""


def config(**keys: object) -> TableConfig:
    displays = (
        Display(1, DisplayDriver.SSD1306, "i2c1", 0x3C),
        Display(2, DisplayDriver.SH1106, "i2c1", 0x3D, language=Language("ru")),
        Display(None, DisplayDriver.SSD1309, "i2c3", 0x3C),
        Display(6, DisplayDriver.SSD1306, "i2c3", 0x3D),
    )
    lamps, buzzers = (Lamp(2, 17),), (Buzzer(12, passive=True),)
    return TableConfig("table.toml", "t", Language("fr"), Mode.PLAY, (), (), displays, (), buzzers, lamps)


SETUP = Setup(SPECS["tifo"], 2)


class Wires:
    """Emulated buses and pins for that table, on one clock."""

    def __init__(self) -> None:
        self.clock = TimeLine(overshoot_s=0.0)
        # The buses have lines of their own: threads must not race for one.
        self.buses = {port: I2cTwin(TimeLine()) for port in (1, 3)}
        self.chips = {
            "seat1": OledChip(Kind.SSD1306), "seat2": OledChip(Kind.SH1106), "all": OledChip(Kind.SSD1309),
        }  # fmt: skip
        self.buses[1].attach(0x3C, self.chips["seat1"])
        self.buses[1].attach(0x3D, self.chips["seat2"])
        self.buses[3].attach(0x3C, self.chips["all"])
        self.factory = TwinFactory(self.clock)

    def build(self) -> RealStage:
        through = I2cBuses(self.buses).connecting
        return real_stage(config(), SETUP, self.clock, pin_factory=self.factory, through=through)


@pytest.fixture
def wires() -> Wires:
    return Wires()


def step_all(built: RealStage) -> None:
    """Drive every machine by hand, as its thread would, until nothing is left to do."""
    for _ in range(200):
        built.stage.step(0.0)
        for worker in built.workers:
            worker.step(0.0)


def test_each_display_of_the_file_shows_its_own(wires: Wires) -> None:
    built = wires.build()
    assert [worker.panels for worker in built.workers] == [("seat1", "seat2"), ("all",)]  # seat 6 does not play
    built.stage.show(0.0, [(TURN, TURN)])
    step_all(built)
    ctx = Context("tifo", 2)
    for name, lang, viewer in (("seat1", "fr", 1), ("seat2", "ru", 2), ("all", "fr", None)):
        assert wires.chips[name].frame() == frame(pages(text_of(TURN, ctx, lang, viewer))[0]), name


def test_with_threads_the_pictures_arrive_and_all_ends_dark(wires: Wires) -> None:
    built = wires.build()
    arrived = Event()
    wanted = frame(pages(text_of(TURN, Context("tifo", 2), "fr"))[0])
    done: Callable[[str, bytes, float], None] = lambda name, data, now: (  # noqa: E731
        arrived.set() if name == "all" and data == wanted else None
    )
    built.workers[1]._on_shown = done
    built.open()
    built.stage.show(0.0, [(TURN, TURN)])
    assert arrived.wait(PATIENCE_S)
    built.close()
    assert not any(chip.on for chip in wires.chips.values())
    assert [thread.failed for thread in built.threads] == [None] * len(built.threads)


def test_a_buzzer_is_as_loud_as_the_file_says() -> None:
    quiet = replace(config(), buzzers=(Buzzer(12, passive=True, volume=Loudness.SOFT), Buzzer(13)))
    built = real_stage(quiet, SETUP, TimeLine())
    assert [(b.volume, b.passive) for b in built.buzzers] == [(Volume.SOFT, True), (Volume.LOUD, False)]


def test_pins_are_claimed_at_open_and_given_back(wires: Wires) -> None:
    built = wires.build()
    other = wires.build()
    built.open()
    with pytest.raises(Exception, match="GPIO12"):
        other.open()
    built.close()
    other.buzzers[0].open()


class TestThreads:
    def test_a_machine_is_stepped_when_woken_and_not_after_it_was_stopped(self) -> None:
        stepped = [Event(), Event()]

        class Counting:
            count = 0

            def step(self, now: float) -> float | None:
                if self.count < 2:
                    stepped[self.count].set()
                self.count += 1
                return None

        machine = Counting()
        thread = MachineThread("t", machine, TimeLine())
        thread.start()
        assert stepped[0].wait(PATIENCE_S)
        thread.wake()
        assert stepped[1].wait(PATIENCE_S)
        assert thread.stop(PATIENCE_S)
        before = machine.count
        thread.wake()
        assert machine.count == before

    @pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
    def test_a_fault_is_kept(self) -> None:
        stepped = Event()

        class Faulty:
            def step(self, now: float) -> float | None:
                stepped.set()
                raise ValueError("wire")

        thread = MachineThread("t", Faulty(), TimeLine())
        thread.start()
        assert stepped.wait(PATIENCE_S)
        assert thread.stop(PATIENCE_S)
        assert isinstance(thread.failed, ValueError)


def test_a_display_on_spi_needs_its_pins() -> None:
    with pytest.raises(ValueError, match="display all: on spi0 it needs select and dc"):
        panel_of(Display(None, DisplayDriver.SSD1309, "spi0"), lambda connect: connect, "all")


def test_a_display_selected_by_a_gpio_never_pulls_the_chip_select_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[int, int]] = []

    class Spidev(ModuleType):
        class SpiDev:
            max_speed_hz = mode = 0

            def open(self, bus: int, device: int) -> None:
                opened.append((bus, device))

    monkeypatch.setitem(sys.modules, "spidev", Spidev("spidev"))
    monkeypatch.setattr("gpiozero.Device.pin_factory", TwinFactory(TimeLine()))
    connects: list[Callable[[], object]] = []

    def through(connect: Callable[[], Serial]) -> Callable[[], Serial]:
        connects.append(connect)
        return connect

    displays = (
        Display(1, DisplayDriver.SSD1309, "spi0", select="CE0", dc=24),
        Display(2, DisplayDriver.SSD1309, "spi0", select=16, dc=25),
    )
    real_stage(replace(config(), displays=displays), SETUP, TimeLine(), through=through)
    for connect in connects:
        connect()
    assert opened == [(0, 0), (0, 1)]


def test_two_displays_for_all_on_one_bus_are_both_driven() -> None:
    displays = tuple(Display(None, DisplayDriver.SSD1306, "i2c1", address) for address in (0x3C, 0x3D))
    stage = real_stage(replace(config(), displays=displays), SETUP, TimeLine())
    assert [worker.panels for worker in stage.workers] == [("all", "all-2")]

"""The buzzer and the lamps on mock pins: what the wires did, to the millisecond of virtual time."""

import pytest

from hardware.lamps import Colour, Lamp, LampError
from hardware.sounds import Buzzer, BuzzerError, Note, Tune, Volume
from hardware.twin.pins import TwinFactory, TwinPin
from hardware.twin.timeline import TimeLine

CLICK = Tune((Note(1760, 0.03),), 1)
ALARM = Tune((Note(330, 0.2), Note(0, 0.1), Note(220, 0.3)), 4)


class Bench:
    """Emulated pins, and a machine that is stepped when it asks to be."""

    def __init__(self) -> None:
        self.line = TimeLine(overshoot_s=0.0)
        self.factory = TwinFactory(self.line)

    def run(self, machine: Buzzer | Lamp, until: float) -> None:
        while True:
            wake = machine.step(self.line.now())
            if wake is None or wake > until:
                self.line.advance_to(until)
                return
            self.line.advance_to(wake)

    def sounded(self, pin: int) -> list[tuple[float, float]]:
        """(time, duty) of the buzzer's pin, silence at the beginning left out."""
        history = [(round(t, 6), level) for t, level in self.factory.pin(pin).history]
        return [(t, level) for n, (t, level) in enumerate(history) if level or n]


@pytest.fixture
def bench() -> Bench:
    return Bench()


class TestBuzzer:
    def test_a_tune_has_its_notes_and_rests_in_time(self, bench: Bench) -> None:
        buzzer = Buzzer(12, pin_factory=bench.factory)
        buzzer.open()
        buzzer.play(ALARM)
        bench.run(buzzer, 2.0)
        assert bench.sounded(12) == [(0.0, 0.5), (0.2, 0.0), (0.3, 0.5), (0.6, 0.0)]

    def test_a_click_never_cuts_an_alarm_short_but_an_alarm_a_click(self, bench: Bench) -> None:
        buzzer = Buzzer(12, pin_factory=bench.factory)
        buzzer.open()
        buzzer.play(ALARM)
        bench.run(buzzer, 0.1)
        buzzer.play(CLICK)
        bench.run(buzzer, 5.0)
        assert bench.sounded(12)[-1] == (0.6, 0.0)
        buzzer.play(CLICK)
        bench.run(buzzer, 5.01)
        buzzer.play(ALARM)
        bench.run(buzzer, 9.0)
        assert bench.sounded(12)[-1] == (5.61, 0.0)

    def test_soft_is_a_narrow_pulse_and_off_is_none(self, bench: Bench) -> None:
        buzzer = Buzzer(12, Volume.SOFT, pin_factory=bench.factory)
        buzzer.open()
        buzzer.play(CLICK)
        bench.run(buzzer, 1.0)
        # gpiozero starts a tone at half duty; the narrow pulse follows at once.
        assert bench.sounded(12) == [(0.0, 0.5), (0.0, 0.06), (0.03, 0.0)]
        buzzer.volume = Volume.OFF
        buzzer.play(ALARM)
        bench.run(buzzer, 2.0)
        assert bench.sounded(12)[-1] == (0.03, 0.0)

    def test_silence_is_low_also_where_the_end_of_a_wave_leaves_the_pin_as_it_is(self, bench: Bench) -> None:
        class LikeLgpio(TwinPin):
            def _set_frequency(self, value: float | None) -> None:
                if value is not None:
                    super()._set_frequency(value)
                self._frequency = value

        bench.factory.pin_class = LikeLgpio
        buzzer = Buzzer(12, pin_factory=bench.factory)
        buzzer.open()
        buzzer.play(ALARM)
        bench.run(buzzer, 2.0)
        assert bench.sounded(12) == [(0.0, 0.5), (0.2, 0.0), (0.3, 0.5), (0.6, 0.0)]

    def test_one_that_sounds_by_itself_keeps_the_rhythm(self, bench: Bench) -> None:
        buzzer = Buzzer(12, passive=False, pin_factory=bench.factory)
        buzzer.open()
        buzzer.play(ALARM)
        bench.run(buzzer, 2.0)
        assert bench.sounded(12) == [(0.0, 1.0), (0.2, 0.0), (0.3, 1.0), (0.6, 0.0)]

    def test_a_taken_pin_is_named(self, bench: Bench) -> None:
        Buzzer(12, pin_factory=bench.factory)
        first, second = Buzzer(12, pin_factory=bench.factory), Buzzer(12, pin_factory=bench.factory)
        first.open()
        with pytest.raises(BuzzerError, match="buzzer on GPIO12"):
            second.open()
        first.close()
        second.open()


class TestLamps:
    def test_a_flash_lies_over_the_steady_colour_for_its_time(self, bench: Bench) -> None:
        lamp = Lamp(17, 27, 22, pin_factory=bench.factory)
        lamp.open()
        lamp.steady(Colour.RED)
        bench.run(lamp, 1.0)
        lamp.flash(Colour.BLUE, 0.5)
        bench.run(lamp, 3.0)
        red, blue = ([(round(t, 6), v) for t, v in bench.factory.pin(p).history if t > 0 or v] for p in (17, 22))
        assert red == [(0.0, 1.0), (1.0, 0.0), (1.5, 1.0)]
        assert blue == [(1.0, 1.0), (1.5, 0.0)]

    def test_one_led_is_lit_for_any_colour(self, bench: Bench) -> None:
        lamp = Lamp(17, pin_factory=bench.factory)
        lamp.open()
        lamp.flash(Colour.AMBER, 0.25)
        bench.run(lamp, 1.0)
        assert [(t, v) for t, v in bench.factory.pin(17).history if t > 0 or v] == [(0.0, 1.0), (0.25, 0.0)]

    def test_two_pins_are_no_lamp(self) -> None:
        with pytest.raises(ValueError, match="one pin or three"):
            Lamp(17, 27)

    def test_taken_pins_are_named(self, bench: Bench) -> None:
        first, second = Lamp(17, pin_factory=bench.factory), Lamp(17, 27, 22, pin_factory=bench.factory)
        first.open()
        with pytest.raises(LampError, match="lamp on GPIO17, GPIO27, GPIO22"):
            second.open()

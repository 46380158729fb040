"""A buzzer by gpiozero: short tunes on a passive one, the same rhythm on one that sounds by itself. A step machine.

Rules: `play` only leaves a tune and returns; a newer tune of at least the same weight replaces one that sounds,
a lighter one is dropped, so that a click never cuts an alarm short. Loudness is the duty of the square wave:
half is as loud as a passive buzzer gets, a few hundredths are a whisper.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from hardware.errors import HardwareError, in_words


@dataclass(frozen=True, slots=True)
class Note:
    """`hertz` for `seconds`; 0 Hz is a rest."""

    hertz: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Tune:
    """Notes one after the other. `weight`: what may cut it short."""

    notes: tuple[Note, ...]
    weight: int = 0


class Volume(Enum):
    """How loud: the duty of the square wave."""

    LOUD = 0.5
    SOFT = 0.06
    OFF = 0.0


class BuzzerError(HardwareError):
    """The buzzer's pin could not be had. Says which pin, and the mend."""


class Buzzer:
    """One buzzer on a GPIO pin; `passive`: it wants a tone, else it has one pitch. Opens no pin before `open()`."""

    def __init__(
        self,
        pin: int,
        volume: Volume = Volume.LOUD,
        *,
        passive: bool = True,
        wake: Callable[[], None] = lambda: None,
        pin_factory: Any = None,
    ) -> None:
        self.pin = pin
        self.volume = volume
        self.passive = passive
        self.wake = wake
        self._factory = pin_factory
        self._device: Any = None
        self._next: Tune | None = None
        self._notes: list[Note] = []
        self._weight = 0
        self._until = 0.0

    def open(self) -> None:
        """Claim the pin."""
        from gpiozero import DigitalOutputDevice, TonalBuzzer

        try:
            if self.passive:
                # Four octaves around A4: 27.5 Hz to 7 kHz, all that a piezo disc can do.
                self._device = TonalBuzzer(self.pin, octaves=4, pin_factory=self._factory)
            else:
                self._device = DigitalOutputDevice(self.pin, pin_factory=self._factory)
        except Exception as error:  # lgpio has an error class of its own
            raise BuzzerError(
                f"buzzer on GPIO{self.pin}: {in_words(error)}; "
                "is the pin free, and may this user use GPIO (group gpio)?"
            ) from error

    def close(self) -> None:
        """Silence, and give the pin back."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def play(self, tune: Tune) -> None:
        """Leave a tune; with the volume off, nothing."""
        if self.volume is Volume.OFF or self._device is None:
            return
        if self._next is None or tune.weight >= self._next.weight:
            self._next = tune
        self.wake()

    def step(self, now: float) -> float | None:
        """Begin or end the note that is due; the time of the next one."""
        if self._device is None:
            return None
        tune, self._next = self._next, None
        if tune is not None and (not self._notes or tune.weight >= self._weight):
            self._notes, self._weight, self._until = list(tune.notes), tune.weight, now
            self._sound(self._notes[0], now)
        while self._notes and now >= self._until:
            self._notes.pop(0)
            self._sound(self._notes[0] if self._notes else Note(0, 0), self._until)
        return self._until if self._notes else None

    def _sound(self, note: Note, begin: float) -> None:
        from gpiozero.tones import Tone

        self._until = begin + note.seconds
        if not self.passive:
            self._device.value = note.hertz != 0
            return
        if note.hertz == 0:
            self._device.stop()
            # lgpio leaves the pin as the wave was just then (lgPthTx.c), often high: a coil would go on drawing
            self._device.pwm_device.pin.state = 0
            return
        self._device.play(Tone(frequency=note.hertz))
        self._device.pwm_device.value = self.volume.value

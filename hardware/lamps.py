"""A lamp by gpiozero: one LED, or one with three colours. A step machine.

Rules: a lamp has a steady colour and, for a while, a flash over it; `steady` and `flash` only say what is
wanted and return. A single LED shows every colour but black as light.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

from hardware.errors import HardwareError, in_words


class Colour(Enum):
    """Red, green, blue parts from 0 to 1."""

    BLACK = (0, 0, 0)
    RED = (1, 0, 0)
    GREEN = (0, 1, 0)
    BLUE = (0, 0, 1)
    AMBER = (1, 1, 0)
    WHITE = (1, 1, 1)


class LampError(HardwareError):
    """A lamp's pin could not be had. Says which pins, and the mend."""


class Lamp:
    """One lamp on one pin, or on three (red, green, blue). Opens no pin before `open()`."""

    def __init__(self, *pins: int, wake: Callable[[], None] = lambda: None, pin_factory: Any = None) -> None:
        if len(pins) not in (1, 3):
            raise ValueError(f"a lamp has one pin or three (red, green, blue), not {len(pins)}")
        self.pins = pins
        self.wake = wake
        self._factory = pin_factory
        self._device: Any = None
        self._steady = Colour.BLACK
        self._flash: tuple[Colour, float] | None = None  # asked for: colour, seconds
        self._until: float | None = None
        self._shown = Colour.BLACK

    def open(self) -> None:
        """Claim the pins, dark."""
        from gpiozero import LED, RGBLED

        try:
            if len(self.pins) == 1:
                self._device = LED(self.pins[0], pin_factory=self._factory)
            else:
                self._device = RGBLED(*self.pins, pwm=False, pin_factory=self._factory)
        except Exception as error:  # lgpio has an error class of its own
            places = ", ".join(f"GPIO{p}" for p in self.pins)
            raise LampError(
                f"lamp on {places}: {in_words(error)}; are the pins free, and may this user use GPIO (group gpio)?"
            ) from error

    def close(self) -> None:
        """Dark, and give the pins back."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def steady(self, colour: Colour) -> None:
        """The colour whenever nothing flashes."""
        self._steady = colour
        self.wake()

    def flash(self, colour: Colour, seconds: float) -> None:
        """A colour for a while from the next step on; a newer flash replaces it."""
        self._flash = colour, seconds
        self.wake()

    def step(self, now: float) -> float | None:
        """Show what is due; when a flash ends."""
        if self._device is None:
            return None
        flash, self._flash = self._flash, None
        if flash is not None:
            self._until = now + flash[1]
            self._show(flash[0])
        elif self._until is None or now >= self._until:
            self._until = None
            self._show(self._steady)
        return self._until

    def _show(self, colour: Colour) -> None:
        if colour is self._shown:
            return
        self._shown = colour
        if len(self.pins) == 1:
            self._device.value = colour is not Colour.BLACK
        else:
            self._device.value = colour.value

"""Stands where the library spidev stands on a Pi: behind its `SpiDev` are emulated chips, in real time.

Poller processes import it by its name, as they would the real one. What it needs to know stands in the file that
ARBITRE_STANDIN names, one JSON object a line: first how the chips are wired, then, as a test goes on, what hands and
faults do. Every process reads all of it, so each has the same air above its own chips.
"""

import json
import os
import time
from threading import Lock
from typing import Any

from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.tags import Tag


class Now:
    """The real time, as a chip takes it."""

    def now(self) -> float:
        return time.monotonic()


class World:
    """The chips that hang on this machine's buses, and the tags above them."""

    def __init__(self, path: str) -> None:
        self.lock = Lock()
        self.field = Field()
        self.clock = Now()
        self._file = open(path, encoding="utf-8")  # noqa: SIM115 - as long as the process
        self._tags: dict[str, Tag] = {}
        self.wired: dict[str, dict[str, Any]] = json.loads(self._file.readline())
        self.chips = {name: Mfrc522Twin(self.field, name, self.clock) for name in self.wired}
        self._edges = dict.fromkeys(self.wired, 0)
        self._pins: dict[int, Any] = {}

    def read_on(self) -> None:
        """Do what was written since."""
        while line := self._file.readline():
            match json.loads(line):
                case {"put": uid, "reader": reader}:
                    self.field.put(self._tags.setdefault(uid, Tag(uid)), reader, self.clock.now())
                case {"take": uid}:
                    self.field.take(self._tags[uid], self.clock.now())
                case {"stuck": value, "reader": reader}:
                    self.chips[reader].faults.stuck = value
                case {"brown_out": reader}:
                    self.chips[reader].brown_out()
                case other:
                    raise ValueError(f"{other}: not known, expected put, take, stuck or brown_out")

    def selected(self, bus: int, device: int) -> Mfrc522Twin | None:
        """The chip whose chip select is low while this device is spoken to; None where nobody listens."""
        found = []
        for name, wire in self.wired.items():
            if wire["bus"] == bus:
                self._reset(name, wire["reset"])
                select = wire["select"]
                if select == f"CE{device}" or (isinstance(select, int) and self._level(select) == 0):
                    found.append(self.chips[name])
        if len(found) > 1:
            raise AssertionError(f"two chips are selected at once: {[chip.reader for chip in found]}")
        return found[0] if found else None

    def _reset(self, name: str, pin: int | None) -> None:
        """Bring what happened at the reset line to the chip; between two transfers it may have been a whole pulse."""
        if pin is None or self._level(pin) is None:
            return
        states = self._pins[pin].states
        if len(states) == self._edges[name]:
            return
        for state in states[self._edges[name] :]:
            self.chips[name].reset_line(low=not state.state)
        self._edges[name] = len(states)

    def _level(self, pin: int) -> int | None:
        """What this program drives a pin to; None for one that it has not claimed."""
        if pin not in self._pins:
            from gpiozero import Device

            factory = Device._default_pin_factory() if Device.pin_factory is None else Device.pin_factory
            if Device.pin_factory is None:
                Device.pin_factory = factory
            self._pins[pin] = factory.pin(pin)
        mock = self._pins[pin]
        return int(mock.state) if mock.function == "output" else None


_worlds: dict[str, World] = {}


class SpiDev:
    """As much of spidev's class as is used."""

    def __init__(self) -> None:
        self.mode = 3
        self.max_speed_hz = 125_000_000
        self._place = (-1, -1)
        self._world: World | None = None

    def open(self, bus: int, device: int) -> None:
        path = os.environ["ARBITRE_STANDIN"]
        self._world = _worlds.setdefault(path, World(path))
        if not any(wire["bus"] == bus for wire in self._world.wired.values()):
            raise FileNotFoundError(2, "No such file or directory")
        self._place = (bus, device)

    def xfer2(self, data: list[int]) -> list[int]:
        if self._world is None:
            raise OSError(9, "Bad file descriptor")
        with self._world.lock:
            self._world.read_on()
            chip = self._world.selected(*self._place)
            if chip is None or self.mode != 0 or self.max_speed_hz > 10_000_000:
                return [0xFF] * len(data)
            return list(chip.exchange(bytes(data)))

    def close(self) -> None:
        self._world = None

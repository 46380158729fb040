"""A chip on bare wires: registers read and written as SPI bytes."""

from collections.abc import Callable

import pytest

from hardware.iso14443 import cascade, select_frame
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.timeline import TimeLine


class Wires:
    """Reads and writes registers as SPI bytes."""

    def __init__(self, *, absolute: bool = False, version: int = 0x92) -> None:
        self.line = TimeLine()
        self.field = Field(top=6)
        self.chip = Mfrc522Twin(self.field, "r", self.line, absolute_collisions=absolute, version=version)

    def write(self, register: int, *values: int) -> None:
        self.chip.exchange(bytes([register << 1, *values]))

    def read(self, register: int) -> int:
        return self.chip.exchange(bytes([register << 1 | 0x80, 0]))[1]

    def set_up(self, *, reload: int = 7) -> None:
        for register, value in (
            (0x2A, 0x80), (0x2B, 0xA9), (0x2C, reload >> 8), (0x2D, reload & 0xFF),
            (0x15, 0x40), (0x14, 0x83), (0x0E, 0),
        ):  # fmt: skip
            self.write(register, value)
        self.line.advance(10e-3)

    def send(self, frame: bytes, last: int = 0, align: int = 0, wait_s: float = 5e-3) -> None:
        self.write(0x01, 0)
        self.write(0x04, 0x7F)
        self.write(0x0A, 0x80)
        self.write(0x09, *frame)
        self.write(0x01, 0x0C)
        self.write(0x0D, 0x80 | align << 4 | last)
        self.line.advance(wait_s)

    def fifo(self) -> bytes:
        return bytes(self.read(0x09) for _ in range(self.read(0x0A)))

    def select(self, uid: str) -> None:
        """Wake a tag and select it through all levels."""
        self.send(b"\x26", last=7)
        for code, part in cascade(bytes.fromhex(uid)):
            self.send(select_frame(code, part))

    def start(self, command: int, *arguments: int, wait_s: float = 1e-3) -> None:
        """Clear interrupts and FIFO, write a command's arguments, start it."""
        self.write(0x01, 0)
        self.write(0x04, 0x7F)
        self.write(0x0A, 0x80)
        self.write(0x09, *arguments)
        self.write(0x01, command)
        self.line.advance(wait_s)


NewWires = Callable[..., Wires]


@pytest.fixture
def new_wires() -> NewWires:
    """Makes a chip on bare wires; `absolute` and `version` as of the chip."""
    return Wires


@pytest.fixture
def wires() -> Wires:
    """A chip that was switched on just now."""
    return Wires()

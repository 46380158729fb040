"""How a reader is doing: counted by the driver, read by `doctor` and `watch`."""

from dataclasses import dataclass, field
from enum import Enum

from hardware.looks import Cause
from hardware.mfrc522.registers import VERSIONS


class ReaderState(Enum):
    """What can be said of the chip now."""

    UNKNOWN = "unknown"  # not brought up yet
    WELL = "well"
    AILING = "ailing"  # being re-initialised
    DEAD = "dead"  # given up for now; asked again from time to time


@dataclass(slots=True)
class Health:
    """Counters and findings of one reader since the start."""

    reader: str
    state: ReaderState = ReaderState.UNKNOWN
    version: int | None = None
    """VersionReg as last read."""
    looks: int = 0
    troubles: dict[Cause, int] = field(default_factory=lambda: dict.fromkeys(Cause, 0))
    resets: int = 0
    """How often the registers were found back at their reset values."""
    reinits: int = 0
    """How often the chip was initialised again after the first time."""
    failed_inits: int = 0
    dead_since: float | None = None
    deaf_registers: tuple[int, ...] = ()
    """Registers that did not keep what was written (clones)."""
    longest_look_s: float = 0.0
    finding: str = ""
    """The last thing found wrong, in words, with how to mend it."""

    @property
    def chip(self) -> str:
        """The chip's name; clones are named as such."""
        if self.version is None:
            return "not read yet"
        if self.version in (0x00, 0xFF):
            return "no chip"
        return VERSIONS.get(self.version, f"unknown chip (version {self.version:02X})")

    @property
    def is_clone(self) -> bool:
        """Whether the version byte is none of NXP's."""
        return self.version is not None and self.version not in (0x91, 0x92, 0x00, 0xFF)

"""What an emulated chip can be told to do wrong. All chances are for each frame, drawn from the chip's own seed."""

from dataclasses import dataclass


@dataclass(slots=True)
class Faults:
    """The faults of one chip; change them at any time, or by `chip.schedule(at, change)`."""

    drop: float = 0.0
    """Chance that the answer of one tag does not reach the chip."""
    noise: float = 0.0
    """Chance that what is received is broken; in silence: that something is received though nobody spoke."""
    hidden_noise: float = 0.0
    """Like `noise`, but the chip does not notice: only BCC and CRC can tell."""
    stuck: int | None = None
    """Every byte that leaves the chip is this one (0x00: no power or MISO low; 0xFF: no chip)."""
    fuzz: bool = False
    """Every byte that leaves the chip is random."""
    deaf_registers: frozenset[int] = frozenset()
    """Registers whose writes are ignored (seen on clones)."""
    dead_timer: bool = False
    """The timer never runs out (seen on a clone)."""

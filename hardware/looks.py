"""What a reader says after it has looked into its field once.

Three things are kept apart (field reports 1-3): tags that answered, silence, and trouble. Silence of a known
tag is an answer ("it did not reply within the chip's timer"); trouble says nothing about any tag.
"""

from dataclasses import dataclass
from enum import Enum


class Cause(Enum):
    """Why a look could say nothing, or not everything."""

    NOISE = "noise"  # an answer came, but broken (CRC, BCC, parity, framing)
    COLLISION = "collision"  # tags answered that could not be separated before the deadline
    LATE = "late"  # the host was too late to judge; nothing is known
    DEAD = "dead"  # the chip answers 00 or FF, or its registers do not hold
    RESET = "reset"  # registers were back at their reset values; re-initialised, look again


@dataclass(frozen=True, slots=True)
class Look:
    """One look of one reader. Times are seconds on the table's one clock.

    `present`: UIDs (upper-case hex, 8, 14 or 20 digits) proved to be in the field during this look, by SELECT
    of that very UID. `silent`: known UIDs that were asked and did not answer. A known UID in neither was not
    asked, or the answer was spoilt. `trouble` is None for a clean look.
    """

    reader: str
    began: float
    ended: float
    present: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    trouble: Cause | None = None
    contacts: tuple[tuple[str, float], ...] = ()  # (uid, time it first answered in this look), newcomers only
    weak: tuple[str, ...] = ()  # of `present` those that were asked and did not answer at once: frames were lost

"""What presence remembers: one track for each (reader, tag), one state for each reader.

These are the mutable insides of `Presence`; nothing outside holds them.
"""

import math
from dataclasses import dataclass, field
from enum import Enum

from firmware.layout import Antenna, Zone


class Phase(Enum):
    """How far a tag has come at one reader."""

    SIGHTED = "sighted"  # it answered; its dwell, or a contest with another place, is not over
    LAID = "laid"  # placed, or resting where it was placed
    COVERED = "covered"  # placed, and now silent beneath a newer card (piles only)
    ECHO = "echo"  # heard through a neighbour's field; it lies elsewhere


@dataclass(slots=True, eq=False)
class Track:
    """One tag at one reader."""

    uid: str
    ident: str
    antenna: Antenna
    zone: Zone
    contact: float
    after: float | None
    layer: int
    seen: float
    phase: Phase = Phase.SIGHTED
    silences: int = 0  # in a row, since the last answer
    since: float = 0.0  # beginning of the first of them
    judged: float = 0.0  # end of the last of them
    ask_at: float | None = None  # when to ask the reader about it out of turn
    asked_at: float | None = None  # asked, and not yet told


@dataclass(slots=True, eq=False)
class Contest:
    """One tag heard in two places: which of them holds it? `rounds` counts answers in turn, new then old."""

    old: Track
    new: Track
    opened: float
    old_silences: int = 0
    new_silences: int = 0
    old_answers: int = 0
    new_answers: int = 1
    rounds: int = 0
    new_spoke_last: bool = True


@dataclass(slots=True)
class ReaderState:
    """One reader: when it last saw clearly, how often its resting tags fall silent."""

    antenna: Antenna
    zone: Zone
    tracks: dict[str, Track] = field(default_factory=dict)
    clean: float | None = None  # any tag that lay there then has answered its last clean look
    down: bool = False
    collisions: int = 0
    collided_since: float = 0.0
    separate_said: bool = False
    missed: float = 0.3  # decayed counts of silences and answers of resting tags: 3 % to begin with
    answered: float = 9.7

    def learn(self, silences: int) -> None:
        """Count one answer of a resting tag after so many silences (about the last hundred answers weigh)."""
        self.missed = self.missed * 0.99 + silences
        self.answered = self.answered * 0.99 + 1

    def silences_for_gone(self, least: int, most: int, doubt: float) -> int:
        """How many silences in a row a resting tag shows with probability below `doubt` only."""
        rate = min(0.9, max(0.01, self.missed / (self.missed + self.answered)))
        return max(least, min(most, math.ceil(math.log(doubt) / math.log(rate))))

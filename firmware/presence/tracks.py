"""What presence remembers: one track for each (reader, tag), one state for each reader.

These are the mutable insides of `Presence`; nothing outside holds them.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from enum import Enum

from firmware.layout import Antenna, Zone
from firmware.presence.events import Notice, ReaderBack, ReaderDown, Separate
from firmware.presence.limits import Limits
from hardware.looks import Cause, Look


class Phase(Enum):
    """How far a tag has come at one reader."""

    SIGHTED = "sighted"  # it answered; its dwell, or a contest with another place, is not over
    LAID = "laid"  # placed, or resting where it was placed
    COVERED = "covered"  # placed, and now silent beneath a newer card (piles only)
    ECHO = "echo"  # heard through a neighbour's field; it lies elsewhere


def identity(uid: str) -> str:
    """The name a tag is tracked by: its UID, or one name for all random UIDs (four bytes, the first 08)."""
    return "08-random" if len(uid) == 8 and uid.startswith("08") else uid


RESTS = (Phase.LAID, Phase.COVERED)
"""A tag that was placed and has not gone."""


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
    answers: int = 1  # looks in which it answered
    weak: int = 0  # those of them in which it did not answer at once
    missed: int = 0  # looks in which it did not, and then answered again
    silences: int = 0  # in a row, since the last answer
    since: float = 0.0  # beginning of the first of them
    judged: float = 0.0  # end of the last of them
    held: float = 0.0  # last answer at another antenna of its zone, where that one has lost it
    ask_at: float | None = None  # when to ask the reader about it out of turn
    asked_at: float | None = None  # asked, and not yet told
    mates: dict[str, float] = field(default_factory=dict)  # readers that share its air and have still to be heard

    @property
    def dwelt(self) -> bool:
        """Has it answered for as long as its zone wants?"""
        return self.seen >= self.contact + self.zone.dwell_s


@dataclass(slots=True, eq=False)
class Contest:
    """One tag heard in two places: which of them holds it? `rounds` counts answers in turn, new then old."""

    old: Track
    new: Track
    opened: float
    old_silences: int = 0  # in a row
    new_silences: int = 0
    old_answers: int = 0
    new_answers: int = 1
    old_missed: int = 0  # all silences and weak answers
    new_missed: int = 0
    odds: float = 0.0  # logarithm: above 0 the new place is the likelier one
    rounds: int = 0
    new_spoke_last: bool = True


@dataclass(slots=True)
class Losses:
    """How often a frame is lost between reader and tag: decayed counts of repeated and of sent frames."""

    lost: float = 0.0
    sent: float = 0.0

    def learn(self, lost: int, answered: int) -> None:
        """Count tags that answered, and of these the ones that had to be asked again (three frames for each)."""
        if answered:
            self.lost = self.lost * 0.99**answered + lost
            self.sent = self.sent * 0.99**answered + 3 * answered

    def rate(self, usual: float) -> float:
        """The chance that a frame is lost; `usual` counts like so many frames of one's own."""
        own = 120
        return (self.lost + own * usual) / (self.sent + own)


@dataclass(slots=True)
class ReaderState:
    """One reader: when it last saw clearly, how often its resting tags fall silent."""

    antenna: Antenna
    zone: Zone
    tracks: dict[str, Track] = field(default_factory=dict)
    clear: deque[float] = field(default_factory=lambda: deque(maxlen=17))  # beginnings of the last clean looks
    losses: Losses = field(default_factory=Losses)
    down: bool = False
    collisions: int = 0
    collided_since: float = 0.0
    separate_said: bool = False
    missed: float = 0.3  # decayed counts of silences and answers of resting tags: 3 % to begin with
    answered: float = 9.7

    @property
    def clean(self) -> float | None:
        """Any tag that lay there then was asked in the last clean look, and heard unless its answer was lost."""
        return self.clear[-1] if self.clear else None

    def empty_at(self, usual_loss: float, doubt: float) -> float | None:
        """When a tag that is found now did not lie there yet: before all looks that lost answers can have spoilt.

        One answer to REQA that is lost costs two looks: the next REQA only sends the tag back to IDLE (ISO/IEC
        14443-3 section 6.4).
        """
        rate = min(self.losses.rate(usual_loss), 0.5)
        lost, chance = 0, rate
        while chance > doubt:
            lost, chance = lost + 1, chance * rate
        return self.clear[-min(2 * lost + 1, len(self.clear))] if self.clear else None

    def learn(self, silences: int) -> None:
        """Count one answer of a resting tag after so many silences (about the last hundred answers weigh)."""
        self.missed = self.missed * 0.99 + silences
        self.answered = self.answered * 0.99 + 1

    def silences_for_gone(self, least: int, most: int, doubt: float) -> int:
        """How many silences in a row a resting tag shows with probability below `doubt` only."""
        rate = min(0.9, max(0.01, self.missed / (self.missed + self.answered)))
        return max(least, min(most, math.ceil(math.log(doubt) / math.log(rate))))

    def health(self, look: Look, limits: Limits) -> tuple[Notice, ...]:
        """What a look tells of the reader itself: it died, it is back, its tags cannot be told apart."""
        zone, name, at = self.zone.name, self.antenna.reader, look.ended
        if look.trouble is Cause.COLLISION:
            if self.collisions == 0:
                self.collided_since = look.began
            self.collisions += 1
            long_enough = self.collisions >= limits.collided and at - self.collided_since >= limits.collided_s
            if long_enough and not self.separate_said:
                self.separate_said = True
                return (Separate(zone, name, at),)
        elif look.trouble is None:
            self.collisions = 0
            self.separate_said = False
            if self.down:
                self.down = False
                return (ReaderBack(zone, name, at),)
        elif look.trouble is Cause.DEAD and not self.down:
            self.down = True
            return (ReaderDown(zone, name, at, look.trouble),)
        return ()

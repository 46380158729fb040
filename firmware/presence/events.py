"""What presence says: facts about tags (placed, lifted), and notices about readers.

All times are seconds on the table's one clock.
"""

from dataclasses import dataclass

from hardware.looks import Cause


@dataclass(frozen=True, slots=True)
class Placed:
    """A tag has come to rest in a zone. `contact`: when it first answered there.

    `after`: the last time this reader was known not to hold it; None where nobody looked before.
    `conflict`: its old place still answers too (one tag in two zones).
    """

    zone: str
    uid: str
    reader: str
    contact: float
    after: float | None
    conflict: bool = False

    @property
    def key(self) -> float:
        """Its place in the order of events."""
        return self.contact


@dataclass(frozen=True, slots=True)
class Lifted:
    """A tag has left a zone. `since`: when the silence that proved it began; `seen`: its last answer."""

    zone: str
    uid: str
    reader: str
    since: float
    seen: float

    @property
    def key(self) -> float:
        """Its place in the order of events."""
        return self.since


@dataclass(frozen=True, slots=True)
class Separate:
    """Tags lie in this reader's field that cannot be told apart: the players must separate the cards."""

    zone: str
    reader: str
    at: float


@dataclass(frozen=True, slots=True)
class ReaderDown:
    """A reader can say nothing any more."""

    zone: str
    reader: str
    at: float
    cause: Cause


@dataclass(frozen=True, slots=True)
class ReaderBack:
    """A reader that was down sees again."""

    zone: str
    reader: str
    at: float


Fact = Placed | Lifted
Notice = Separate | ReaderDown | ReaderBack

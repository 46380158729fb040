"""The air above the readers: which tags lie where and when, which antennas are on, who hears whom.

Rules:
- A hand is scheduled in advance: `put(tag, reader, at)` and `take(tag, at)`, times in seconds of the table.
  Every reader's pile is kept as a history, so that two buses at different times each see their own moment.
- Tags put on one reader cover each other: the newest `top` of them have enough field to answer, the others
  have none. `top` is 2 by default and can be set for each reader, down to 0 (nothing is ever read there).
- `couple(a, b, strength)` lets the antenna of `a` hear tags that lie on `b`: a frame gets through with
  probability `strength`. It is one direction; two calls make it mutual.
- A tag that no antenna feeds falls to IDLE and needs its `settle_s` of field before it answers again. A tag
  in two fields lives as long as one of them holds from one frame it hears to the next.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hardware.twin.tags import Tag

NEVER = float("inf")


@dataclass(slots=True)
class _Place:
    """The history of one reader's pile: from `times[i]` on, `piles[i]` lies there, oldest first."""

    top: int
    on_since: float = NEVER
    changes: list[tuple[float, int, bool, Tag]] = field(default_factory=list)
    times: list[float] = field(default_factory=lambda: [float("-inf")])
    piles: list[tuple[Tag, ...]] = field(default_factory=lambda: [()])
    reachable: list[tuple[tuple[Tag, float], ...]] = field(default_factory=lambda: [()])  # (tag, reachable since)

    def write(self, at: float, order: int, arrives: bool, tag: Tag) -> None:
        insort(self.changes, (at, order, arrives, tag), key=lambda change: change[:2])
        if self.times[-1] <= at:
            self._append(at, arrives, tag)
        else:
            self.rebuild()

    def rebuild(self) -> None:
        self.times, self.piles, self.reachable = [float("-inf")], [()], [()]
        for at, _, arrives, tag in self.changes:
            self._append(at, arrives, tag)

    def _append(self, at: float, arrives: bool, tag: Tag) -> None:
        before = self.piles[-1]
        pile = (*before, tag) if arrives else tuple(other for other in before if other is not tag)
        since = dict(self.reachable[-1])
        top = pile[-self.top :] if self.top else ()
        self.times.append(at)
        self.piles.append(pile)
        self.reachable.append(tuple((other, since.get(other, at)) for other in top))

    def index(self, t: float) -> int:
        if t >= self.times[-1]:
            return len(self.times) - 1
        return bisect_right(self.times, t) - 1


class Field:
    """All readers' air. Example: `field.put(Tag("04A81D12DE5F80"), "seat1", at=1.0)`."""

    def __init__(self, *, top: int = 2, seed: int = 0) -> None:
        self._top = top
        self._random = Random(seed)
        self._places: dict[str, _Place] = {}
        self._coupled: dict[str, list[tuple[str, float]]] = {}  # who hears: [(whose tags, strength)]
        self._heard_by: dict[str, list[str]] = {}  # whose tags: [who hears]
        self._where: dict[Tag, list[tuple[float, str | None]]] = {}
        self._order = 0
        self.history: list[tuple[float, str, str, str]] = []
        """What hands did, in order of the calls: (time, "put" or "take", UID, reader)."""
        self.switches: list[tuple[float, str, bool]] = []
        """Antennas that went on (True) or off, in order of the calls: (time, reader, on)."""

    def add_reader(self, reader: str, *, top: int | None = None) -> None:
        """Make the place where the tags of `reader` lie; a second call changes `top`."""
        place = self._places.get(reader)
        if place is None:
            self._places[reader] = _Place(self._top if top is None else top)
        elif top is not None:
            place.top = top
            place.rebuild()

    def couple(self, reader: str, neighbour: str, strength: float) -> None:
        """Let `reader` hear tags that lie on `neighbour`; each frame gets through with this probability."""
        if not 0 <= strength <= 1:
            raise ValueError(f"coupling {reader}-{neighbour}: {strength} is no probability; give 0 to 1")
        self._place(reader), self._place(neighbour)
        self._coupled[reader] = [pair for pair in self._coupled.get(reader, []) if pair[0] != neighbour] + [
            (neighbour, strength)
        ]
        hearers = self._heard_by.setdefault(neighbour, [])
        if reader not in hearers:
            hearers.append(reader)

    def _place(self, reader: str) -> _Place:
        try:
            return self._places[reader]
        except KeyError:
            raise ValueError(f"field: no reader {reader!r}; there are {sorted(self._places)}") from None

    # hands

    def put(self, tag: Tag, reader: str, at: float) -> None:
        """Lay `tag` on top of what lies on `reader` at time `at`; it is lifted from where it lay before."""
        place = self._place(reader)
        lies = self.where(tag, at)
        if lies is not None:
            self.take(tag, at)
        self._order += 1
        place.write(at, self._order, True, tag)
        insort(self._where.setdefault(tag, []), (at, reader), key=lambda item: item[0])
        self.history.append((at, "put", tag.uid_hex, reader))

    def take(self, tag: Tag, at: float) -> None:
        """Lift `tag` at time `at` from the reader where it lies then."""
        reader = self.where(tag, at)
        if reader is None:
            raise ValueError(f"tag {tag.uid_hex} lies nowhere at {at} s; put it first")
        self._order += 1
        self._places[reader].write(at, self._order, False, tag)
        insort(self._where[tag], (at, None), key=lambda item: item[0])
        self.history.append((at, "take", tag.uid_hex, reader))

    def where(self, tag: Tag, at: float) -> str | None:
        """The reader on which the tag lies at that time; None: in nobody's field."""
        steps = self._where.get(tag)
        if not steps:
            return None
        index = bisect_right(steps, at, key=lambda item: item[0])
        return steps[index - 1][1] if index else None

    def pile(self, reader: str, at: float) -> tuple[Tag, ...]:
        """What lies on a reader at that time, the lowest first."""
        place = self._place(reader)
        return place.piles[place.index(at)]

    # antennas

    def switch(self, reader: str, on: bool, at: float) -> None:
        """An antenna goes on or off."""
        place = self._places[reader]
        if on != (place.on_since != NEVER):
            place.on_since = at if on else NEVER
            self.switches.append((at, reader, on))

    def is_on(self, reader: str) -> bool:
        """Whether the antenna radiates now."""
        return self._place(reader).on_since != NEVER

    def listeners(self, reader: str, t: float) -> Iterator[Tag]:
        """The tags that understand a frame sent by `reader` at `t`, in order of the pile; theirs first."""
        place = self._places[reader]
        if place.on_since == NEVER:
            return
        for tag, since in place.reachable[place.index(t)]:
            if self._feed(tag, reader, reader, since, t):
                yield tag
        for neighbour, strength in self._coupled.get(reader, ()):
            other = self._places[neighbour]
            for tag, since in other.reachable[other.index(t)]:
                if self._random.random() < strength and self._feed(tag, reader, neighbour, since, t):
                    yield tag

    def _feed(self, tag: Tag, speaker: str, home: str, since: float, t: float) -> bool:
        """Settle what became of the tag's power since it last heard anything; whether it can answer at `t`."""
        fed_since = max(since, self._places[speaker].on_since)
        hearers = self._heard_by.get(home)
        if hearers or speaker != home:
            for other in {home, *(hearers or ())}:
                fed_since = min(fed_since, max(since, self._places[other].on_since))
        if fed_since > t:
            fed_since = t
        if fed_since > tag.heard_at:
            tag.lose_field()
            tag.powered_at = fed_since
        tag.heard_at = t
        return t - tag.powered_at >= tag.settle_s

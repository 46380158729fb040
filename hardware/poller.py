"""One poller for each bus: it looks into every reader's field in turn and reports what it saw.

Rules:
- A look asks known tags that are due (WUPA and SELECT of that very UID), then searches newcomers by REQA while
  known tags rest in HALT. While one reader waits for its air, others have the bus.
- The poller remembers which UIDs it has reported; they stay known until `forget`. A known tag that answers is
  asked every `check_s`; one that falls silent is asked again quickly, and after a dozen silences now and then
  (it may be covered in a pile).
- Every look ends by its deadline, a whole number of exchanges later at most. What was found until then counts.
- Readers of one group share their air: one antenna at a time, each turn begins with 5 ms of settling.
- A chip that is dead or was reset is initialised again, three times in a row; then it is called dead and tried
  again once a second. Nothing that a chip answers makes `step` raise.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

from hardware.errors import HardwareError
from hardware.iso14443 import ANSWER, BROKEN, REQA, SILENCE, check, find, halt
from hardware.looks import Cause, Look
from hardware.mfrc522 import ChipTrouble, Health, Reader, ReaderState
from hardware.mfrc522.driver import SETTLE_S
from hardware.steps import Clock

NEVER = float("inf")
SLICE_S = 5e-3
"""How long one `step` works before it lets others have a turn."""
WAKES = 5
"""WUPAs for one check: a tag that missed the end of an exchange needs one just to fall back."""
SLOW_WAKES = 3
QUICK_CHECKS = 12
QUICK_CHECK_S = 20e-3
SLOW_CHECK_S = 0.5
CHECKS_A_LOOK = 3
SEARCHES = 8
"""Failed searches for a newcomer in one look before it is called inseparable."""
MAX_FAILURES = 3
RETRY_S = 50e-3
REVIVE_S = 1.0


@dataclass(slots=True)
class _Known:
    """When a known tag is asked next, and how often in a row it was silent."""

    due: float
    silences: int = 0


@dataclass(slots=True)
class _Station:
    """One reader and what the poller remembers of its field."""

    reader: Reader
    order: int
    known: dict[str, _Known] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    work: Generator[float, None, None] | None = None
    wake: float = 0.0
    up: bool = False
    failures: int = 0
    reading: int = 0


class Poller:
    """A machine (`hardware.steps.Machine`) that drives all readers of one bus and hands out their Looks."""

    def __init__(
        self,
        bus_name: str,
        readers: Iterable[Reader],
        clock: Clock,
        on_look: Callable[[Look], None],
        *,
        pace_s: float = 8e-3,
        check_s: float = 60e-3,
        deadline_s: float = 50e-3,
    ) -> None:
        self.bus_name = bus_name
        self.pace_s = pace_s
        self.check_s = check_s
        self.deadline_s = deadline_s
        self._clock = clock
        self._on_look = on_look
        self._stations = [_Station(reader, order) for order, reader in enumerate(readers)]
        self._by_name = {station.reader.name: station for station in self._stations}
        if len(self._by_name) != len(self._stations):
            raise ValueError(f"bus {bus_name}: two readers have the same name; give each its own")
        self._members: dict[str, int] = {}
        for station in self._stations:
            if station.reader.group is not None:
                self._members[station.reader.group] = self._members.get(station.reader.group, 0) + 1
        self._air: dict[str, _Station] = {}  # group -> whose turn it is
        self._orders: deque[tuple[bool, str, str]] = deque()  # (ask?, reader, uid); filled by other threads too

    # what presence says

    def forget(self, reader: str, uid: str) -> None:
        """The tag is judged gone: should it answer again, it is a newcomer."""
        self._orders.append((False, self._station(reader).reader.name, uid))

    def ask(self, reader: str, uid: str) -> None:
        """Look for this very tag at this reader at once, out of turn."""
        self._orders.append((True, self._station(reader).reader.name, uid))

    def known(self, reader: str) -> tuple[str, ...]:
        """The UIDs that are known at a reader, first come first."""
        return tuple(self._station(reader).known)

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the readers, in the order of the wiring."""
        return tuple(self._by_name)

    def health(self, reader: str) -> Health:
        """How a reader is doing."""
        return self._station(reader).reader.health

    def _station(self, reader: str) -> _Station:
        try:
            return self._by_name[reader]
        except KeyError:
            raise ValueError(f"bus {self.bus_name}: no reader {reader!r}; it has {list(self._by_name)}") from None

    # the machine

    def step(self, now: float) -> float | None:
        """Work on what is due for a slice of time; the time of the next wake."""
        clock = self._clock
        self._take_orders(now)
        until = max(now, clock.now()) + SLICE_S
        while True:
            first: _Station | None = None
            for station in self._stations:
                if (first is None or station.wake < first.wake) and self._may_run(station):
                    first = station
            if first is None:
                return None
            now = clock.now()
            if first.wake > now or now >= until:
                return max(first.wake, now)
            self._advance(first, now)

    def _may_run(self, station: _Station) -> bool:
        group = station.reader.group
        return group is None or self._air.get(group, station) is station

    def _take_orders(self, now: float) -> None:
        while self._orders:
            ask, name, uid = self._orders.popleft()
            station = self._by_name[name]
            if not ask:
                station.known.pop(uid, None)
            elif uid not in station.asked:
                station.asked.append(uid)
                if station.work is None and station.up:
                    station.wake = min(station.wake, now)

    def _advance(self, station: _Station, now: float) -> None:
        if station.work is None:
            group = station.reader.group
            if group is not None:
                self._air[group] = station
            station.work = self._look(station) if station.up else self._bring_up(station)
        try:
            station.wake = next(station.work)
        except StopIteration:
            station.work = None
            group = station.reader.group
            if group is not None:
                del self._air[group]

    # bringing up

    def _bring_up(self, station: _Station) -> Generator[float, None, None]:
        reader, clock = station.reader, self._clock
        health = reader.health
        began = clock.now()
        if health.state is not ReaderState.UNKNOWN:
            health.reinits += 1
        try:
            yield from reader.bring_up()
        except (ChipTrouble, HardwareError) as trouble:
            health.failed_inits += 1
            self._failed(station, trouble)
            self._report(station, Look(reader.name, began, clock.now(), trouble=Cause.DEAD))
            return
        station.up = True
        station.wake = clock.now()
        if health.state is ReaderState.UNKNOWN:
            health.state = ReaderState.WELL

    def _failed(self, station: _Station, trouble: ChipTrouble | HardwareError) -> Cause:
        now = self._clock.now()
        cause = station.reader.note_trouble(trouble, now)
        station.up = False
        station.failures += 1
        health = station.reader.health
        station.wake = now
        if station.failures > 1:
            station.wake += RETRY_S
        if station.failures > MAX_FAILURES:
            station.wake = now + REVIVE_S
            if health.dead_since is None:
                health.dead_since = now
            health.state = ReaderState.DEAD
        return cause

    def _report(self, station: _Station, look: Look) -> None:
        health = station.reader.health
        health.looks += 1
        health.longest_look_s = max(health.longest_look_s, look.ended - look.began)
        if look.trouble is not None:
            health.troubles[look.trouble] += 1
        self._on_look(look)

    # looking

    def _look(self, station: _Station) -> Generator[float, None, None]:
        reader, clock = station.reader, self._clock
        shares_air = reader.group is not None and self._members[reader.group] > 1
        seen = _Seen()
        began = clock.now()
        try:
            if not reader.antenna_on:
                reader.antenna(on=True)
                yield clock.now() + SETTLE_S
            deadline = clock.now() + self.deadline_s
            yield from self._check_known(station, seen, deadline, rest=shares_air)
            if seen.trouble is None or seen.trouble is Cause.NOISE:
                yield from self._search(station, seen, deadline)
            if shares_air:
                reader.antenna(on=False)
            station.failures = 0
            reader.health.state = ReaderState.WELL
            reader.health.dead_since = None
            # never faster than the pace, but what is unfinished goes on at once
            station.wake = began + self.pace_s if seen.trouble is None else clock.now()
        except (ChipTrouble, HardwareError) as trouble:
            seen.trouble = self._failed(station, trouble)
            self._silence_antenna(station, shares_air)
        ended = clock.now()
        self._report(
            station,
            Look(
                reader.name, began, ended, tuple(seen.present), tuple(seen.silent), seen.trouble, tuple(seen.contacts)
            ),
        )

    def _silence_antenna(self, station: _Station, shares_air: bool) -> None:
        if not shares_air:
            return
        try:
            station.reader.antenna(on=False)
        except HardwareError as error:
            station.reader.health.finding = str(error)

    def _check_known(
        self, station: _Station, seen: "_Seen", deadline: float, *, rest: bool
    ) -> Generator[float, None, None]:
        reader, clock, known = station.reader, self._clock, station.known
        now = clock.now()
        asked, station.asked = station.asked, []
        # with shared air every tag starts IDLE: those that are known are put to rest first, whenever they are due
        due = sorted((item.due, uid) for uid, item in known.items() if rest or item.due <= now)
        due_uids = [uid for _, uid in due if uid not in asked]
        for uid in asked + due_uids[: max(0, CHECKS_A_LOOK - len(asked))]:
            item = known.get(uid)
            slow = item is not None and item.silences >= QUICK_CHECKS
            kind = SILENCE
            for _ in range(SLOW_WAKES if slow else WAKES):
                answer = yield from reader.run(check(bytes.fromhex(uid)), deadline)
                if answer is None:
                    seen.trouble = Cause.LATE
                    return
                if answer == ANSWER:
                    kind = ANSWER
                    break
                if answer == BROKEN:
                    kind = BROKEN
            item = known.get(uid)  # it may have been forgotten meanwhile
            if kind == ANSWER:
                seen.present.append(uid)
                if item is None:
                    known[uid] = item = _Known(0.0)
                item.due = clock.now() + self.check_s
                item.silences = 0
                if rest:
                    yield from reader.run(halt(), deadline)
                continue
            if kind == BROKEN:
                seen.trouble = Cause.NOISE
            else:
                seen.silent.append(uid)
            if item is not None and kind == SILENCE:
                item.silences += 1
                item.due = clock.now() + (QUICK_CHECK_S if item.silences < QUICK_CHECKS else SLOW_CHECK_S)

    def _search(self, station: _Station, seen: "_Seen", deadline: float) -> Generator[float, None, None]:
        reader, clock, known = station.reader, self._clock, station.known
        reading = station.reading
        misses = 0
        silences_needed = 1
        last = SILENCE
        while silences_needed:
            result = yield from reader.run(find(REQA, reading), deadline)
            if result is None:
                seen.trouble = Cause.COLLISION if misses or seen.contacts else Cause.LATE
                return
            kind, uid_bytes, _, guessed = result
            if kind == SILENCE:
                silences_needed -= 1
                continue
            if kind == ANSWER:
                station.reading = reading
                misses = 0
                silences_needed = 1
                uid = uid_bytes.hex().upper()
                if uid not in seen.present:
                    seen.present.append(uid)
                item = known.get(uid)
                if item is None:
                    known[uid] = item = _Known(0.0)
                    seen.contacts.append((uid, reader.first_answer_at))
                item.due = clock.now() + self.check_s
                item.silences = 0
                if uid in seen.silent:
                    seen.silent.remove(uid)
                if (yield from reader.run(halt(), deadline)) is None:
                    seen.trouble = Cause.COLLISION  # there may be more tags; those that rest are not lost
                    return
                continue
            last = kind
            misses += 1
            # tags may be left anywhere between READY and ACTIVE: the next REQA may only send them back
            silences_needed = 2
            if guessed:
                reading ^= 1
            if misses >= SEARCHES:
                seen.trouble = Cause.NOISE if last == BROKEN else Cause.COLLISION
                return


class _Seen:
    """What one look has found so far."""

    __slots__ = ("contacts", "present", "silent", "trouble")

    def __init__(self) -> None:
        self.present: list[str] = []
        self.silent: list[str] = []
        self.contacts: list[tuple[str, float]] = []
        self.trouble: Cause | None = None

"""One poller for each bus: it looks into every reader's field in turn and reports what it saw.

Rules:
- A look (see `hardware.station`) waits for its air without holding the bus: others work meanwhile. Of those that
  could go on, looks that were asked for come first, then looks that have begun: a look is short, and few are open
  at once.
- The poller remembers which UIDs it has reported; they stay known until `forget`.
- Every look ends by its deadline, one exchange later at most. What was found until then counts.
- Readers of one group share their air: one antenna at a time, each turn begins with 5 ms of settling.
- A chip that is dead or was reset is initialised again, three times in a row; then it is called dead and tried
  again once a second. Nothing that a chip answers makes `step` raise.
"""

from collections import deque
from collections.abc import Callable, Iterable

from hardware.errors import HardwareError
from hardware.looks import Cause, Look
from hardware.mfrc522 import ChipTrouble, Health, Reader, ReaderState
from hardware.mfrc522.driver import SETTLE_S
from hardware.station import Seen, Station, Steps
from hardware.steps import Clock

SLICE_S = 5e-3
"""How long one `step` works before it lets others have a turn."""
MAX_FAILURES = 3
RETRY_S = 50e-3
REVIVE_S = 1.0
CHECK_SPAN_S = 12e-3
"""A check takes some 6 ms of the bus: with that much for each known tag, checks take at most half of it."""


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
        """`pace_s`: a reader's looks begin at least that far apart; `check_s`: how often a known tag is asked (more
        seldom where many are known)."""
        self.bus_name = bus_name
        self.pace_s = pace_s
        self.check_s = check_s
        self.deadline_s = deadline_s
        self._clock = clock
        self._on_look = on_look
        self._stations = [Station(reader, clock, check_s) for reader in readers]
        self._by_name = {station.reader.name: station for station in self._stations}
        if len(self._by_name) != len(self._stations):
            raise ValueError(f"bus {bus_name}: two readers have the same name; give each its own")
        self._members: dict[str, int] = {}
        for station in self._stations:
            if station.reader.group is not None:
                self._members[station.reader.group] = self._members.get(station.reader.group, 0) + 1
        self._air: dict[str, Station] = {}  # group -> whose turn it is
        self._orders: deque[tuple[bool, str, str]] = deque()  # (ask?, reader, uid); filled by other threads too

    # what presence says

    def forget(self, reader: str, uid: str) -> None:
        """The tag is judged gone: should it answer again, it is a newcomer."""
        self._orders.append((False, self._station(reader).reader.name, uid))

    def ask(self, reader: str, uid: str) -> None:
        """Look for this very tag at this reader at once, out of turn. A look that comes too late to judge
        (Cause.LATE) tells nothing: whoever still wants to know asks again."""
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

    def close(self) -> None:
        """Antennas off where a chip still listens; give all wires back."""
        for station in self._stations:
            try:
                station.reader.close()
            except HardwareError as error:
                station.reader.health.finding = str(error)

    def _station(self, reader: str) -> Station:
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
            now = clock.now()
            first: Station | None = None
            for station in self._stations:
                if (first is None or station.goes_before(first, now)) and self._may_run(station):
                    first = station
            if first is None:
                return None
            if first.wake > now or now >= until:
                return max(first.wake, now)
            self._advance(first)

    def _may_run(self, station: Station) -> bool:
        group = station.reader.group
        return group is None or self._air.get(group, station) is station

    def _take_orders(self, now: float) -> None:
        while self._orders:
            ask, name, uid = self._orders.popleft()
            station = self._by_name[name]
            if not ask:
                station.forget(uid)
            elif uid not in station.asked:
                station.asked.append(uid)
                station.urgent = True
                if station.work is None and station.up:
                    station.wake = min(station.wake, now)

    def _advance(self, station: Station) -> None:
        group = station.reader.group
        if station.work is None:
            if group is not None:
                self._air[group] = station
            station.work = self._look(station) if station.up else self._bring_up(station)
        try:
            station.wake = next(station.work)
        except StopIteration:
            station.work = None
            station.urgent = bool(station.asked)
            if station.urgent and station.up:
                station.wake = min(station.wake, self._clock.now())
            if group is not None:
                del self._air[group]

    def _look(self, station: Station) -> Steps:
        reader, clock = station.reader, self._clock
        shares_air = reader.group is not None and self._members[reader.group] > 1
        seen = Seen()
        station.check_s = max(self.check_s, CHECK_SPAN_S * sum(len(other.known) for other in self._stations))
        began = clock.now()
        try:
            if not reader.antenna_on:
                reader.antenna(on=True)
                yield clock.now() + SETTLE_S
            yield from station.look(seen, clock.now() + self.deadline_s, rest=shares_air)
            if shares_air:
                reader.antenna(on=False)
            station.failures = 0
            reader.health.state = ReaderState.WELL
            reader.health.dead_since = None
            # never faster than the pace, but what is unfinished goes on at once
            unfinished = station.asked or (seen.trouble is Cause.COLLISION and seen.contacts)
            station.wake = clock.now() if unfinished else began + self.pace_s
        except (ChipTrouble, HardwareError) as trouble:
            seen.trouble = self._failed(station, trouble)
            if shares_air:
                self._silence_antenna(reader)
        self._report(
            station,
            Look(
                reader.name,
                began,
                clock.now(),
                tuple(seen.present),
                tuple(seen.silent),
                seen.trouble,
                tuple(seen.contacts),
                tuple(seen.weak),
            ),
        )

    # chips that fail

    def _bring_up(self, station: Station) -> Steps:
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

    def _failed(self, station: Station, trouble: ChipTrouble | HardwareError) -> Cause:
        """Note what was found and when to try again; a chip that fails again and again is called dead."""
        now = self._clock.now()
        health = station.reader.health
        health.finding = str(trouble)
        station.up = False
        station.failures += 1
        if station.failures > MAX_FAILURES:
            station.wake = now + REVIVE_S
            health.state = ReaderState.DEAD
            if health.dead_since is None:
                health.dead_since = now
        else:
            station.wake = now if station.failures == 1 else now + RETRY_S
            health.state = ReaderState.AILING
        return trouble.cause if isinstance(trouble, ChipTrouble) else Cause.DEAD

    def _silence_antenna(self, reader: Reader) -> None:
        try:
            reader.antenna(on=False)
        except HardwareError as error:
            reader.health.finding = str(error)

    def _report(self, station: Station, look: Look) -> None:
        health = station.reader.health
        health.looks += 1
        health.longest_look_s = max(health.longest_look_s, look.ended - look.began)
        if look.trouble is not None:
            health.troubles[look.trouble] += 1
        self._on_look(look)

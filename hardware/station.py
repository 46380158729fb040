"""One look of one reader: newcomers first, then known tags that are due.

Rules:
- Known tags are asked by WUPA and SELECT of that very UID; whoever answered is put to rest by the REQA of the next
  search (a tag that was woken from HALT falls back to HALT). A look with a newcomer leaves them to the next look.
- A tag that somebody asked for comes before all, but one a look: silent ones take long, and a newcomer that only
  crosses the field does not wait for them. Where the field was off, known tags that answer come first, with HLTA
  each; those that were silent come last: the search would find them too.
- The search wakes by REQA, so that known tags rest; where none is known it wakes by WUPA, which also reaches a tag
  that somebody else put to rest (a neighbour whose field touches, an earlier run).
- It goes on until it meets silence. After a search that failed tags may be anywhere between READY and ACTIVE, and
  the next REQA may only send them back: then two silences are needed.
- What was found before the deadline counts; the cause says what was not finished.
- A known tag that answers is asked every `check_s`; one that falls silent is asked again quickly, and after a
  dozen silences now and then (it may be covered in a pile).
- A tag that was forgotten though it lies there still rests in HALT, where no REQA finds it (field report 2); so
  it is asked for a few more times, and if it answers it is a newcomer. Where the field goes off that is not needed.
"""

from collections.abc import Generator
from dataclasses import dataclass, field

from hardware.iso14443 import ANSWER, BROKEN, REQA, SILENCE, WUPA, check, find, halt
from hardware.looks import Cause
from hardware.mfrc522 import Reader
from hardware.steps import Clock

TRIES = 3
"""Questions in one check, HLTA between them: a tag that missed the end of an exchange would answer no WUPA."""
SLOW_TRIES = 2
QUICK_CHECKS = 12
QUICK_CHECK_S = 20e-3
SLOW_CHECK_S = 0.5
CHECKS_A_LOOK = 3
GHOST_CHECKS_S = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Pauses before each further question for a tag that was forgotten."""
OVERDUE_S = 50e-3
"""A look that has waited so long goes before those that were asked for: cards cross a slot in some 100 ms."""
SEARCHES = 8
"""Failed searches for a newcomer in one look before it is called inseparable."""

Steps = Generator[float, None, None]


@dataclass(slots=True)
class Known:
    """When a known tag is asked next, and how often in a row it was silent."""

    due: float
    silences: int = 0


@dataclass(slots=True)
class Seen:
    """What one look has found so far."""

    present: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    contacts: list[tuple[str, float]] = field(default_factory=list)
    trouble: Cause | None = None
    weak: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Station:
    """One reader and what is remembered of its field."""

    reader: Reader
    clock: Clock
    check_s: float
    known: dict[str, Known] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    ghosts: dict[str, tuple[float, int]] = field(default_factory=dict)  # uid -> (due, checks done)
    work: Steps | None = None
    wake: float = 0.0
    urgent: bool = False  # somebody asked for this look
    up: bool = False
    failures: int = 0
    awake: str = ""  # the known tag that was asked last, if it answered and nothing has put it to rest since
    reading: int = 0  # how this chip counts collisions, as far as is known (hardware.iso14443)

    def goes_before(self, other: "Station", now: float) -> bool:
        """Who has the bus next, of those whose wait is over: the overdue, then the urgent, then the ones begun."""
        wake, other_wake = self.wake, other.wake
        if wake > now or other_wake > now:
            return wake < other_wake
        overdue, other_overdue = now - wake > OVERDUE_S, now - other_wake > OVERDUE_S
        if overdue != other_overdue:
            return overdue
        if self.urgent != other.urgent:
            return self.urgent
        if (self.work is None) != (other.work is None):
            return other.work is None
        return wake < other_wake

    def forget(self, uid: str) -> None:
        """The tag is judged gone."""
        if self.known.pop(uid, None) is not None:
            self.ghosts[uid] = (self.clock.now() + GHOST_CHECKS_S[0], 0)

    def look(self, seen: Seen, deadline: float, *, rest: bool) -> Steps:
        """Look once. `rest`: the field was off, so every known tag is IDLE and must be put to rest first."""
        asked, self.asked = self.asked[:1], self.asked[1:]
        if rest:
            self.ghosts.clear()  # without a field they fell to IDLE, where REQA finds them
            self.awake = ""
            wanted = asked + self._due(asked, everybody=True)
            yield from self._check([uid for uid in wanted if self._answers(uid)], seen, deadline, rest=True)
            yield from self._search(seen, deadline)
            missing = [uid for uid in wanted if uid not in seen.present and uid not in seen.silent]
            yield from self._check(missing, seen, deadline, rest=False)
            return
        yield from self._check(asked, seen, deadline, rest=False)
        yield from self._search(seen, deadline)
        if not seen.contacts:
            yield from self._check(self._due(asked), seen, deadline, rest=False)
            yield from self._check_ghost(seen, deadline)

    def _answers(self, uid: str) -> bool:
        """Whether a tag is known and answered when it was last asked."""
        item = self.known.get(uid)
        return item is not None and item.silences == 0

    def _due(self, asked: list[str], *, everybody: bool = False) -> list[str]:
        """Known tags whose time has come, the most overdue first; `everybody`: whether it has come or not."""
        now = self.clock.now()
        due = sorted((item.due, uid) for uid, item in self.known.items() if everybody or item.due <= now)
        return [uid for _, uid in due if uid not in asked][:CHECKS_A_LOOK]

    def _check(self, uids: list[str], seen: Seen, deadline: float, *, rest: bool) -> Steps:
        known = self.known
        for uid in uids:
            item = known.get(uid)
            slow = item is not None and item.silences >= QUICK_CHECKS
            kind, failed, broken = yield from self._ask(uid, SLOW_TRIES if slow else TRIES, deadline)
            if kind is None:
                seen.trouble = seen.trouble or Cause.LATE
                return
            if kind == ANSWER:
                if failed:
                    seen.weak.append(uid)
                self._arrived(seen, uid)
                if rest:
                    yield from self.reader.run(halt(), deadline)
                    self.awake = ""
            elif broken:
                seen.trouble = seen.trouble or Cause.NOISE  # says nothing about the tag
            else:
                seen.silent.append(uid)
                item = known.get(uid)
                if item is not None:
                    item.silences += 1
                    pause = QUICK_CHECK_S if item.silences < QUICK_CHECKS else SLOW_CHECK_S
                    item.due = self.clock.now() + pause

    def _ask(self, uid: str, tries: int, deadline: float) -> Generator[float, None, tuple[int | None, int, bool]]:
        """Ask for one tag until it answers: (what came last, how many tries failed, whether one met noise)."""
        failed, broken = 0, False
        kind: int | None = SILENCE
        while failed < tries:
            if failed or uid == self.awake:  # where it may have heard part of an exchange it would hear no WUPA
                yield from self.reader.run(halt(), deadline)
            kind = yield from self.reader.run(check(bytes.fromhex(uid)), deadline)
            self.awake = uid if kind == ANSWER else ""
            broken = broken or kind == BROKEN
            if kind is None or kind == ANSWER:
                break
            failed += 1
        return kind, failed, broken

    def _check_ghost(self, seen: Seen, deadline: float) -> Steps:
        now = self.clock.now()
        uid = next((uid for uid, (due, _) in self.ghosts.items() if due <= now), None)
        if uid is None:
            return
        checks = self.ghosts.pop(uid)[1] + 1
        if checks < len(GHOST_CHECKS_S):
            self.ghosts[uid] = (now + GHOST_CHECKS_S[checks], checks)
        kind, _, _ = yield from self._ask(uid, SLOW_TRIES, deadline)
        if kind == ANSWER:  # it rests again after the next search
            self._arrived(seen, uid)

    def _search(self, seen: Seen, deadline: float) -> Steps:
        reader = self.reader
        reading = self.reading
        command = REQA if self.known else WUPA
        misses = 0
        silences_needed = 1
        while silences_needed:
            result = yield from reader.run(find(command, reading), deadline)
            if result is None:
                seen.trouble = Cause.COLLISION if misses or seen.contacts else seen.trouble or Cause.LATE
                return
            self.awake = ""  # a REQA or WUPA that it does not expect puts it to rest
            kind, uid, _, guessed = result
            if kind == SILENCE:
                silences_needed -= 1
            elif kind == ANSWER:
                self.reading = reading
                command = REQA
                misses = 0
                silences_needed = 1
                self._arrived(seen, uid.hex().upper())
                if (yield from reader.run(halt(), deadline)) is None:
                    seen.trouble = Cause.COLLISION  # there may be more tags; those that rest are not lost
                    return
            else:
                misses += 1
                silences_needed = 2
                if guessed:
                    reading ^= 1
                if misses >= SEARCHES:
                    seen.trouble = Cause.NOISE if kind == BROKEN else Cause.COLLISION
                    return

    def _arrived(self, seen: Seen, uid: str) -> None:
        """A tag was proved to be there by the protocol that ran last."""
        if uid not in seen.present:
            seen.present.append(uid)
        if uid in seen.silent:
            seen.silent.remove(uid)
        item = self.known.get(uid)
        if item is None:
            self.known[uid] = item = Known(0.0)
            self.ghosts.pop(uid, None)
            seen.contacts.append((uid, self.reader.first_answer_at))
        item.due = self.clock.now() + self.check_s
        item.silences = 0

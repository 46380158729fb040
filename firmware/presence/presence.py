"""Presence: from looks to facts. A pure step machine over `hardware.looks.Look`.

Its rules:
- an arrival is *sighted* at once and *placed* when it still answers after its zone's dwell (0: at once) and
  every reader at work has looked since, so that a neighbour has had its say;
- a departure needs a run of silences too long for chance; noise, lateness, a dead chip tell of no tag;
- in a pile a card silent beneath a newer one is covered, not gone, and its reappearance is nothing;
- a `pass` zone has crossings only: no lifts, and a new crossing needs confirmed absence;
- a tag heard in two zones is a contest (`contests`), never two plays;
- several readers of one zone are one place;
- tags that draw their UID anew for each field (UID0 = 08, ISO/IEC 14443-3) count as one tag for a reader;
- a UID that no deck knows must prove itself (parts of two can make a third while frames are lost);
- what was sighted by a reader that then died keeps nobody waiting.
"""

from collections.abc import Callable

from engine.zones import ZoneKind
from firmware.layout import Layout
from firmware.presence import piles
from firmware.presence.asker import Asker
from firmware.presence.contests import Heard, Outcome, crossed, judge, note
from firmware.presence.events import Fact, Lifted, Notice, Placed
from firmware.presence.limits import Limits
from firmware.presence.tracks import RESTS, Contest, Losses, Phase, ReaderState, Track, identity
from hardware.looks import Cause, Look

_TELLS_SILENCE = (None, Cause.NOISE)  # looks whose `silent` was proved by the chip's own timer


class Presence:
    """Judges looks: `take` feeds one, `step` asks what is due, `facts` and `notices` hand out results."""

    def __init__(
        self,
        layout: Layout,
        asker: Asker,
        limits: Limits | None = None,
        familiar: Callable[[str], bool] = lambda uid: True,
    ) -> None:
        """`familiar`: whether a deck knows this UID."""
        self._asker = asker
        self._familiar = familiar
        self._limits = limits or Limits()
        self._readers = {
            antenna.reader: ReaderState(antenna, layout.zone(antenna.zone)) for antenna in layout.readers
        }
        self._contests: dict[str, Contest] = {}
        self._losses = Losses()  # of all readers: what to expect of one that had no tag to learn from
        self._layer = 0
        self._sighted: list[Track] = []
        self._wanted: dict[Track, None] = {}  # tracks with `ask_at`, in the order they were wanted
        self._facts: list[Fact] = []
        self._notices: list[Notice] = []
        self.echoes = 0
        """Sightings that turned out to be a neighbour's tag (for `doctor` and `watch`)."""

    # -- looks in ----------------------------------------------------------------------------------

    def take(self, look: Look) -> None:
        """Take one look into account. Looks of one reader come in order of time."""
        reader = self._readers[look.reader]
        self._notices += reader.health(look, self._limits)
        contacts = dict(look.contacts)
        answered = len(look.present) - len(contacts)
        lost = sum(uid not in contacts for uid in look.weak)
        reader.losses.learn(lost, answered)
        self._losses.learn(lost, answered)
        here = {identity(uid) for uid in look.present}
        for uid in look.present:
            self._answered(reader, look, uid, contacts.get(uid, look.ended))
        if look.trouble in _TELLS_SILENCE:
            for uid in look.silent:
                if identity(uid) not in here:
                    self._silent(reader, look, uid)
        if look.trouble is None:
            reader.clear.append(look.began - self._limits.wakes_s)
        for ident in sorted(here | {identity(uid) for uid in look.silent}):
            self._weigh(ident, look)
        self._settle(look.ended)

    def _answered(self, reader: ReaderState, look: Look, uid: str, contact: float) -> None:
        ident = identity(uid)
        track = reader.tracks.get(ident)
        if track is None:
            self._layer += 1
            after = reader.empty_at(self._losses.rate(0.0), self._limits.lost_doubt)
            track = Track(uid, ident, reader.antenna, reader.zone, contact, after, self._layer, look.ended)
            reader.tracks[ident] = track
            if any(other.zone == track.zone and other.phase in RESTS for other in self._others(track)):
                track.phase = Phase.LAID  # it slid from one antenna of the zone to another
            else:
                self._sighted.append(track)
                self._ask_mates(track, look.ended)
                if reader.zone.dwell_s > 0:
                    self._want(track, contact + reader.zone.dwell_s)
                elif not self._familiar(uid):
                    self._want(track, look.ended)
        else:
            if track.phase is Phase.LAID:
                if len(self._tracks(ident)) == 1:  # else it may lie on another antenna, and this one only hears it
                    reader.learn(min(track.silences, self._limits.covered))  # longer runs are hands
            elif track.phase is Phase.COVERED:
                track.phase = Phase.LAID
            if track.uid != uid:
                self._asker.forget(reader.antenna.reader, track.uid)  # that UID will never answer again
            track.uid = uid
            track.answers += 1
            track.weak += uid in look.weak
            track.missed += track.silences
            track.silences = 0
            track.seen = look.ended
            track.asked_at = None
        contest = self._contests.get(ident)
        if contest is not None:
            note(contest, track, Heard.WEAK if uid in look.weak else Heard.PROMPT, self._limits)

    def _silent(self, reader: ReaderState, look: Look, uid: str) -> None:
        track = reader.tracks.get(identity(uid))
        if track is None:
            self._asker.forget(reader.antenna.reader, uid)  # a reader that restarted may still carry it along
            return
        if track.silences == 0:
            track.since = look.began
        track.silences += 1
        track.judged = look.ended
        track.asked_at = None
        contest = self._contests.get(track.ident)
        if contest is not None:
            note(contest, track, Heard.SILENCE, self._limits)

    # -- judgement ---------------------------------------------------------------------------------

    def _weigh(self, ident: str, look: Look) -> None:
        """Judge one tag after a look that spoke of it."""
        contest = self._contests.get(ident)
        if contest is not None:
            self._decide(contest, look)
        for track in self._tracks(ident):
            if look.began >= track.contact:
                track.mates.pop(look.reader, None)
            match track.phase:
                case Phase.SIGHTED if self._passed_on(track):
                    self._drop(track)
                case Phase.ECHO if track.silences >= self._limits.contest:
                    self._drop(track)
                case Phase.LAID | Phase.COVERED if track.silences and not self._contested(track):
                    self._doubt(track)
                case _:
                    pass
        if ident not in self._contests:
            self._oppose(ident, look)

    def _passed_on(self, track: Track) -> bool:
        """Has a sighted tag gone before its dwell was over? One that has dwelt only waits for its turn."""
        proved = track.dwelt and self._proved(track)
        return not proved and track.silences >= self._limits.drag and not self._contested(track)

    def _proved(self, track: Track) -> bool:
        """A tag that no deck knows must answer more than once."""
        return track.answers >= self._limits.proofs or self._familiar(track.uid)

    def _oppose(self, ident: str, look: Look) -> None:
        """Open a contest where a newly sighted tag is already somewhere else."""
        tracks = sorted(self._tracks(ident), key=lambda track: track.layer)
        for new in tracks:
            if new.phase is not Phase.SIGHTED:
                continue
            for old in tracks:
                earlier = old.phase in RESTS or (old.phase is Phase.SIGHTED and old.layer < new.layer)
                if old.zone != new.zone and earlier:
                    self._contests[ident] = Contest(old, new, look.ended)
                    self._want(old, look.ended)
                    self._want(new, look.ended)
                    return

    def _decide(self, contest: Contest, look: Look) -> None:
        limits = self._limits
        old_reader = self._readers[contest.old.antenna.reader]
        needs = old_reader.silences_for_gone(limits.contest, limits.gone_most, limits.moved_doubt)
        new_reader = self._readers[contest.new.antenna.reader]
        outcome = judge(contest, look.ended, needs, limits, old_reader.down, new_reader.down)
        if outcome is Outcome.OPEN:
            return
        del self._contests[contest.new.ident]
        match outcome:
            case Outcome.MOVED:
                if contest.old.phase is Phase.SIGHTED and crossed(contest.old, contest.new):
                    self._lay(contest.old)
                for other in self._others(contest.old):
                    if other.zone == contest.old.zone and other.silences >= limits.contest:
                        self._depart(other, other.since)  # the whole zone has lost it
                self._depart(contest.old, min(contest.old.since, contest.new.contact))
            case Outcome.STAYED:
                self.echoes += 1
                self._drop(contest.new)
            case Outcome.ECHO:
                self.echoes += 1
                contest.new.phase = Phase.ECHO
            case Outcome.BOTH:
                if contest.old.phase is Phase.SIGHTED:
                    self._lay(contest.old)
                self._lay(contest.new, conflict=True)

    def _doubt(self, track: Track) -> None:
        """A resting tag is silent: covered, gone, or only missed?"""
        reader = self._readers[track.antenna.reader]
        if track.zone.kind is ZoneKind.PILE:
            if piles.beneath_answering(reader, track):
                if track.phase is Phase.LAID and track.silences >= self._limits.covered:
                    track.phase = Phase.COVERED
                    self._asker.forget(track.antenna.reader, track.uid)  # no use asking while it is covered
                if track.phase is Phase.COVERED:
                    track.silences = 0  # its silence proves nothing while something lies on it
                    track.ask_at = None
                    return
            if piles.newer(reader, track) or piles.beneath_covered(reader, track):
                self._want(track, track.judged + self._limits.ask_gap_s)
                return  # its silences count, but first the card above must be judged
        least, most = self._limits.gone_least, self._limits.gone_most
        needed = reader.silences_for_gone(least, most, self._limits.gone_doubt)
        if track.silences >= needed and track.judged - track.since >= self._limits.gone_s:
            self._depart(track, track.since)
        else:
            self._want(track, track.judged + self._limits.ask_gap_s)

    def _settle(self, now: float) -> None:
        """Place what has rested long enough and has been heard by nobody else."""
        if not self._sighted:
            return
        for track in self._sighted:
            if (
                track.phase is Phase.SIGHTED
                and track.dwelt
                and self._proved(track)
                and track.ident not in self._contests
                and self.swept(track.contact, now)
                and (not track.mates or now >= track.contact + self._limits.group_s)
            ):
                self._lay(track)
        self._sighted = [track for track in self._sighted if track.phase is Phase.SIGHTED]

    def _lay(self, track: Track, conflict: bool = False) -> None:
        """The tag is in this zone, whichever of its antennas hear it."""
        for one in (track, *self._others(track)):
            if one.zone == track.zone and one.phase is Phase.SIGHTED:
                one.phase = Phase.LAID
                one.ask_at = None
        self._facts.append(
            Placed(track.zone.name, track.uid, track.antenna.reader, track.contact, track.after, conflict)
        )

    def _depart(self, track: Track, since: float) -> None:
        self._drop(track)
        others = self._others(track)
        still = [other for other in others if other.zone == track.zone and other.phase in RESTS]
        for other in still:
            other.held = max(other.held, track.held, track.seen)
        if track.phase in RESTS and not still:
            if track.zone.kind is not ZoneKind.PASS:
                seen = max(track.seen, track.held)
                self._facts.append(
                    Lifted(track.zone.name, track.uid, track.antenna.reader, max(since, track.held), seen)
                )
            for other in others:
                if other.phase is Phase.ECHO and other.seen <= since:
                    self._drop(other)
                elif other.phase is Phase.ECHO:  # now it lies where only its echo was heard
                    other.phase = Phase.SIGHTED
                    self._sighted.append(other)
                    other.contact = max(other.contact, track.seen)
                    other.after = track.seen
                    self._want(other, other.contact + other.zone.dwell_s)
        if track.zone.kind is ZoneKind.PILE:  # the next few may be its top now, or may have gone with the top
            for below in piles.next_below(self._readers[track.antenna.reader], track, self._limits.deep):
                self._want(below, track.judged)

    def _drop(self, track: Track) -> None:
        if track in self._sighted:
            self._sighted.remove(track)
        track.ask_at = None
        self._readers[track.antenna.reader].tracks.pop(track.ident, None)
        self._asker.forget(track.antenna.reader, track.uid)

    # -- questions out -----------------------------------------------------------------------------

    def step(self, now: float) -> float | None:
        """Ask what is due, settle what only waited for time. Returns the next wake, if any."""
        self._settle(now)
        for contest in self._contests.values():
            for track in (contest.old, contest.new):
                if track.ask_at is None:
                    self._want(track, track.seen + self._limits.contest_gap_s)
        wake: float | None = None
        for track in self._sighted:
            at = self._ask_mates_again(track, now) if track.mates else track.contact + self._limits.sweep_s
            if at > now:
                wake = at if wake is None else min(wake, at)
        for track in list(self._wanted):
            ask_at = self._ask(track, now)
            if ask_at is None:
                self._wanted.pop(track, None)
            elif wake is None or ask_at < wake:
                wake = ask_at
        return wake

    def _ask_mates(self, track: Track, now: float) -> None:
        """Who shares its air must have been heard before a tag is placed: the first to hear it may hear an echo."""
        group = track.antenna.group
        for mate, reader in self._readers.items():
            if group is not None and group == reader.antenna.group and track.zone != reader.zone:
                track.mates[mate] = now
                self._asker.ask(mate, track.uid)

    def _ask_mates_again(self, track: Track, now: float) -> float:
        """Ask those who have not answered yet; when to come back."""
        for mate, asked_at in list(track.mates.items()):
            if self._readers[mate].down:
                del track.mates[mate]
            elif now >= asked_at + self._limits.answer_s:
                track.mates[mate] = now
                self._asker.ask(mate, track.uid)
        return min(track.mates.values(), default=now) + self._limits.answer_s

    def _want(self, track: Track, at: float) -> None:
        """Ask about this track at that time."""
        track.ask_at = at
        self._wanted[track] = None

    def _ask(self, track: Track, now: float) -> float | None:
        """Ask if it is time; when to come back, None where nothing more is to be asked."""
        if track.ask_at is None:
            return None
        if track.asked_at is not None and now < track.asked_at + self._limits.answer_s:
            return track.asked_at + self._limits.answer_s
        if track.ask_at <= now:
            self._asker.ask(track.antenna.reader, track.uid)
            track.asked_at = now
            gap = self._limits.contest_gap_s if self._contested(track) else self._limits.ask_gap_s
            track.ask_at = now + gap if track.silences > 0 or track.phase is Phase.SIGHTED else None
        return track.ask_at

    # -- results out -------------------------------------------------------------------------------

    def facts(self) -> tuple[Fact, ...]:
        """The facts settled since the last call."""
        facts, self._facts = tuple(self._facts), []
        return facts

    def notices(self) -> tuple[Notice, ...]:
        """The notices since the last call."""
        notices, self._notices = tuple(self._notices), []
        return notices

    def swept(self, at: float, now: float) -> bool:
        """Has every reader at work looked since `at`? After `sweep_s` nobody is waited for."""
        return now >= at + self._limits.sweep_s or all(
            reader.down or (reader.clean is not None and reader.clean >= at) for reader in self._readers.values()
        )

    def undecided(self, key: float, now: float) -> bool:
        """May something still come out that belongs before `key`?"""
        return any(
            piles.open_before(reader, track, self._contests.get(track.ident), key, now, self._limits)
            for reader in self._readers.values()
            if not reader.down
            for track in reader.tracks.values()
        )

    def lying(self) -> tuple[tuple[str, str], ...]:
        """(zone, uid) of everything placed and not gone, for a comparison of the table with a game."""
        return tuple(
            (track.zone.name, track.uid)
            for reader in self._readers.values()
            for track in reader.tracks.values()
            if track.phase in RESTS
        )

    # -- look-ups ----------------------------------------------------------------------------------

    def _tracks(self, ident: str) -> list[Track]:
        return [reader.tracks[ident] for reader in self._readers.values() if ident in reader.tracks]

    def _others(self, track: Track) -> list[Track]:
        return [other for other in self._tracks(track.ident) if other is not track]

    def _contested(self, track: Track) -> bool:
        contest = self._contests.get(track.ident)
        return contest is not None and (track is contest.old or track is contest.new)

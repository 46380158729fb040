"""The one door and the windows of every referee, and what all games share.

Order of judgement for a placing: over; `table/correct-first`; the other `table/` rules; then the game's own
(its turn first). The first that applies is given, and only that one. An illegal play never changes the game's
state; it opens a correction. A refused press opens none. Games fill in the hooks below the line.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import permutations
from typing import ClassVar, Generic, TypeVar, assert_never

from engine import ids
from engine.cards import Card
from engine.errors import ObservationError
from engine.observations import (
    Announce,
    Lifted,
    Observation,
    Placed,
    Pressed,
    Tick,
    Unknown,
    interval,
    overlap,
)
from engine.rulings import NONE, Args, Corrected, Keys, Match, Move, Over, Refused, Ruling, Stood, Undone
from engine.setup import Setup
from engine.table import Correction, Table
from engine.zones import ZoneKind, seat_of

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a play is not legal: the rule it breaks, how to mend it, and whose play it was."""

    rule: str
    mend: str
    seat: int | None
    args: Args = ()


@dataclass(frozen=True, slots=True)
class _Past(Generic[S]):
    """The state before an input with a move; a linked list, newest first."""

    state: S
    half: object
    move: Move
    older: "_Past[S] | None"


class Referee(ABC, Generic[S]):
    """Judges one game at one table: `receive` is the only door.

    `state` is the game as ruled (frozen, equal after a refused play); `table` is what the sensors see.
    """

    over_rule: ClassVar[str]
    over_mend: ClassVar[str] = ids.TAKE_BACK
    pack: frozenset[Card]

    def __init__(self, setup: Setup, state: S) -> None:
        self.setup = setup
        self.state = state
        self.table = Table()
        self.pack = frozenset(setup.spec.pack(setup.seats))
        self._now = 0.0
        self._past: _Past[S] | None = None

    # -- the door and the windows ---------------------------------------------------------------------------

    def receive(self, observation: Observation) -> tuple[Ruling, ...]:
        """Judge one observation. Raises `ObservationError` if no table of this game could have made it."""
        self._check(observation)
        self._now = observation.t
        out = self.timers(observation.t)
        self._end_corrections(out)
        fired = len(out)
        before, half = self.state, self.half_done()
        match observation:
            case Placed():
                out += self._placed(observation)
            case Lifted():
                out += self._lifted(observation)
            case Pressed(button="table.accept"):
                out += self._accept(observation.t)
            case Pressed(button="table.undo"):
                return (*out, *self._undo(observation.t))
            case Pressed():
                out += self.press(observation)
            case Announce():
                out += self.announce(observation)
            case Tick():
                pass
            case Unknown():
                out.append(self._unknown(observation))
            case _:
                assert_never(observation)
        first = next((r for r in out if isinstance(r, Move)), None)
        if first is not None:
            self._past = _Past(before, half, first, self._past)
        self._end_corrections(out[fired:])
        return tuple(out)

    @abstractmethod
    def public_view(self) -> Mapping[str, object]:
        """What everybody may know, as plain values (JSON)."""

    @abstractmethod
    def view(self, seat: int) -> Mapping[str, object]:
        """What the player of `seat` may know, as plain values (JSON)."""

    def try_order(self, observations: Sequence[Observation]) -> tuple[Observation, ...] | None:
        """An order of `observations` in which none is refused, or None. Changes nothing.

        The order given is tried first; times are those of the places in the line. At most five are tried.
        """
        if len(observations) > 5:
            return None
        for order in permutations(observations):
            trial = self.fork()
            trial._now = 0.0
            lines = [_at(o, when.t) for o, when in zip(order, observations, strict=True)]
            if not any(isinstance(r, Refused) for o in lines for r in trial.receive(o)):
                return tuple(lines)
        return None

    def fork(self) -> "Referee[S]":
        """An independent referee in the same position (all that it holds is immutable, so this is cheap)."""
        return copy(self)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What is still to be put right, oldest first."""
        return self.table.corrections

    # -- placings and lifts ---------------------------------------------------------------------------------

    def _placed(self, o: Placed) -> list[Ruling]:
        out = self._moved_away(o)
        self.table, back = self.table.moved(o.card).returned(o.zone, o.card)
        was = self._see(o)
        if back:
            return out + [self._corrected(o.t, c) for c in back]
        if self._lies_there(o, was) or self.housekeeping(o):
            return out
        out += self.before_play(o)
        out += self._judge(o, was)
        return out

    def _see(self, o: Placed) -> str | None:
        """The sensors see a card put down (crossing a `pass` zone it lies nowhere); where it lay before."""
        was = self.table.lies.get(o.card)
        self.table = self.table.put(o.card, None if self.setup.kind(o.zone) is ZoneKind.PASS else o.zone)
        return was

    def _moved_away(self, o: Placed) -> list[Ruling]:
        """A card seen on another zone was lifted from the first, seen or not; so was one put down again."""
        out: list[Ruling] = []
        for c in self.table.corrections:
            if not c.back and o.card in c.pending and (c.zone != o.zone or not self.setup.sees_lifts(c.zone)):
                self.table, ended = self.table.lifted(c.zone, o.card)
                out += [self._corrected(o.t, e) for e in ended]
                if self.table.lies.get(o.card) == c.zone:
                    self.table = self.table.put(o.card, None)
        return out

    def _lies_there(self, o: Placed, was: str | None) -> bool:
        if self.zone_by_state(o.card) == o.zone:
            return True
        return self.setup.sees_lifts(o.zone) and was == o.zone

    def _judge(self, o: Placed, was: str | None) -> list[Ruling]:
        illegal = self._table_rules(o, was)
        if illegal is None:
            result = self.play(o)
            if not isinstance(result, Illegal):
                self._note_play(o)
                return result
            illegal = result
        refused = self.refuse(o, illegal)
        self._note_play(o)
        return [refused]

    def _table_rules(self, o: Placed, was: str | None) -> Illegal | None:
        seat = self.offender(o)
        if self.is_over():
            return Illegal(self.over_rule, self.over_mend, seat)
        if any(o.card not in c.pending and self.binds(c, o) for c in self.table.corrections):
            return Illegal(ids.CORRECT_FIRST, ids.MEND_FIRST, seat)
        if o.card not in self.pack:
            return Illegal(ids.FOREIGN_CARD, ids.TAKE_BACK, seat)
        if self.elsewhere(o):
            return Illegal(ids.CARD_ELSEWHERE, ids.TAKE_BACK, seat)
        if was is not None and was != o.zone and not self.leaves_unseen(was, o):
            return Illegal(ids.TWO_PLACES, ids.ONE_PLACE, seat)
        return None

    def refuse(self, o: Placed, illegal: Illegal) -> Refused:
        """Refuse a placing and open its correction (never after the end)."""
        secret = self.secret(o.zone, o.card)
        if illegal.rule != self.over_rule:
            self.table = self.table.open(
                Correction(illegal.rule, illegal.seat, o.zone, o.card, frozenset({o.card}), play=o, secret=secret)
            )
            if self.setup.kind(o.zone) is not ZoneKind.PASS:
                self.table = self.table.strayed(o.card)
        return Refused(
            o.t,
            illegal.rule,
            illegal.seat,
            o.zone,
            illegal.mend,
            card=o.card,
            tie=self.tied(o),
            args=illegal.args,
            secret=secret,
        )

    def refuse_press(self, o: Pressed, illegal: Illegal) -> list[Ruling]:
        """Refuse a press; nothing has to be put right."""
        return [Refused(o.t, illegal.rule, illegal.seat, None, illegal.mend, button=o.button, args=illegal.args)]

    def tied(self, o: Placed) -> bool:
        """Whether the sensors cannot tell this play from the one before it on the same pile (S18)."""
        last = self.table.last_play.get(o.zone)
        return last is not None and overlap(last, interval(o))

    def _note_play(self, o: Placed) -> None:
        if o.zone == "discard" or o.zone.startswith("centre"):
            self.table = self.table.played(o.zone, interval(o))

    def _lifted(self, o: Lifted) -> list[Ruling]:
        if self.table.lies.get(o.card) == o.zone:
            self.table = self.table.put(o.card, None)
        self.table, ended = self.table.lifted(o.zone, o.card)
        out: list[Ruling] = [self._corrected(o.t, c) for c in ended]
        if not ended and not self.is_over() and o.card in self.pack:
            out = self.lift(o)
        self.table = self.table.moved(o.card)
        return out

    def _unknown(self, o: Unknown) -> Refused:
        # Nobody's play: the tag may have been anybody's keys, so there is no offender.
        return Refused(o.t, ids.UNKNOWN_CARD, None, o.zone, ids.REMOVE_TAG, uid=o.uid)

    # -- corrections, accept, undo --------------------------------------------------------------------------

    def _corrected(self, t: float, c: Correction) -> Corrected:
        return Corrected(t, c.rule, c.seat, c.zone, c.card, c.secret)

    def end_by_ok(self, o: Pressed) -> list[Ruling]:
        """`ok` stands for an unseen lift: it ends the oldest correction of that seat in a `pile` or `pass`."""
        seat = seat_of(o.button)
        for c in self.table.corrections:
            if c.seat == seat and not c.back and not self.setup.sees_lifts(c.zone):
                self.table = self.table.drop(c)
                for card in c.pending:
                    self.table = self.table.moved(card).put(card, None)
                return [self._corrected(o.t, c)]
        return []

    def end_all_of(self, seat: int, t: float) -> list[Ruling]:
        """End every correction of a seat, and what waits for a card's return to its zone."""
        mine = [c for c in self.table.corrections if c.seat == seat or (c.back and seat_of(c.zone) == seat)]
        for c in mine:
            self.table = self.table.drop(c)
        return [self._corrected(t, c) for c in mine]

    def _end_corrections(self, rulings: Iterable[Ruling]) -> None:
        """At the end of a game or round nothing is left to be put right."""
        if any(isinstance(r, Over | Match) for r in rulings):
            self.table = replace(self.table, corrections=())

    def _accept(self, t: float) -> list[Ruling]:
        if not self.table.corrections:
            return []
        c = self.table.corrections[0]
        self.table = self.table.drop(c)
        stood = Stood(t, c.rule, c.seat, c.zone, c.card, c.secret)
        return [stood, *self.stand(c, t)]

    def _undo(self, t: float) -> list[Ruling]:
        if self.table.corrections:
            c = self.table.corrections[0]
            self.table = self.table.drop(c)
            return [self._corrected(t, c)]
        if self._past is None:
            return []
        past, self._past = self._past, self._past.older
        self.state = past.state
        self.after_undo(past.half)
        return [Undone(t, past.move.seat, past.move.move, past.move.args, past.move.secret)]

    def _check(self, o: Observation) -> None:
        if o.t < self._now:
            raise ObservationError(f"time goes back from {self._now} to {o.t}, expected no earlier time")
        if isinstance(o, Placed | Lifted | Unknown) and o.zone not in self.setup.zones:
            raise ObservationError(f"zone {o.zone!r} is not on this table, expected one of its zones")

    # -- hooks ----------------------------------------------------------------------------------------------

    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game (or round, where plays must wait for the next) has ended."""

    @abstractmethod
    def offender(self, o: Placed) -> int | None:
        """Whose placing this is, for the `over` and `table/` rules."""

    @abstractmethod
    def elsewhere(self, o: Placed) -> bool:
        """Whether the card cannot have come from the hand that played it (`table/card-elsewhere`)."""

    @abstractmethod
    def zone_by_state(self, card: Card) -> str | None:
        """The zone in which the game's state holds a card; None for a hand, a pile, anywhere unseen."""

    @abstractmethod
    def play(self, o: Placed) -> "list[Ruling] | Illegal":
        """Judge a placing by the game's own rules and, if legal, carry it out."""

    @abstractmethod
    def press(self, o: Pressed) -> list[Ruling]:
        """A seat's button, or a table button of this game; calls `end_by_ok` at its place in the order."""

    @abstractmethod
    def stand(self, c: Correction, t: float) -> list[Ruling]:
        """The moves of a refused play that the arbiter lets stand; none where the state cannot express it."""

    def lift(self, o: Lifted) -> list[Ruling]:
        """A lift that ended no correction."""
        return []

    def announce(self, o: Announce) -> list[Ruling]:
        """A spoken announcement."""
        raise ObservationError(f"{self.setup.spec.id} has no announcements, expected another input")

    def due(self) -> float | None:
        """When a timer fires next, so that the table can send a `Tick` then; None where no timer runs."""
        return None

    def timers(self, now: float) -> list[Ruling]:
        """What came due by `now`, each ruling with its own deadline as its time."""
        return []

    def housekeeping(self, o: Placed) -> bool:
        """A placing that only tidies the table."""
        return False

    def before_play(self, o: Placed) -> list[Ruling]:
        """What a play elsewhere ends or uncovers, refused before the play itself is judged."""
        return []

    def binds(self, c: Correction, o: Placed) -> bool:
        """Whether this correction must come before that placing."""
        return True

    def leaves_unseen(self, zone: str, o: Placed) -> bool:
        """Whether a card may leave `zone` without a lift, so that being seen elsewhere is no conflict."""
        return zone in ("discard", "draw") or zone.startswith("centre")

    def secret(self, zone: str, card: Card) -> Keys:
        """Keys to keep out of public rulings about a card on this zone."""
        return NONE

    def half_done(self) -> object:
        """What is begun and no move yet, so no part of the state; kept for an arbiter who takes a move back."""
        return None

    def after_undo(self, half: object) -> None:
        """Take up again what was half done before the input that was taken back."""
        return


def _at(o: Observation, t: float) -> Observation:
    match o:
        case Placed():
            return Placed(t, o.zone, o.card, o.contact, o.after)
        case Lifted():
            return Lifted(t, o.zone, o.card)
        case Pressed():
            return Pressed(t, o.button)
        case Tick():
            return Tick(t)
        case Announce():
            return Announce(t, o.seat, o.value, o.count)
        case Unknown():
            return Unknown(t, o.zone, o.uid)

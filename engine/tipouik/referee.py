"""The referee of Tipouik: turns what a table sees into plays, and judges them.

`state` holds what has been ruled. `laid` holds the cards put before each player and not yet announced: that is
what the sensors see, so an undo leaves it. No ruling about a face-down card carries the card in public.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine import ids as table_ids
from engine.cards import Card
from engine.observations import Announce, Lifted, Placed, Pressed
from engine.referee import Illegal, Referee
from engine.rulings import CARD, Keys, Over, Refused, Ruling, Undone
from engine.setup import Setup
from engine.table import Correction
from engine.tipouik import ids, views
from engine.tipouik.challenge import challenge, draw, give, take
from engine.tipouik.rules import (
    has_room,
    over,
    start,
    why_not_act,
    why_not_announce,
    why_not_challenge,
    why_not_count,
    why_not_lay,
    why_not_open,
)
from engine.tipouik.scoring import count_hand
from engine.tipouik.state import Phase, Stage, State, believable, deal, house_of
from engine.tipouik.turns import Step, decline, end_round, gift, open_round, pass_turn, pose
from engine.zones import ZoneKind, role_of, seat_of


class TipouikReferee(Referee[State]):
    """Judges one match of Tipouik; the cards are dealt and the 1 is awaited when it is made."""

    over_rule = ids.OVER
    over_mend = ids.M_OVER

    def __init__(self, setup: Setup) -> None:
        self.house = house_of(setup)
        super().__init__(setup, deal(self.house))
        self.laid: Mapping[int, tuple[Card, ...]] = {}
        # Whose hand a card lifted from a lay went to, for an undo of what came before; and whose a laid card may
        # be, where that is not plain (a gift or draw was taken back while cards lay there).
        self._lifted_by: Mapping[Card, frozenset[int]] = {}
        self._laid_by: Mapping[Card, frozenset[int]] = {}
        self._void: Mapping[Card, str] = {}  # laid in a `pass` zone, and no player's to lay since an undo
        self._shown: Mapping[Card, int] = {}  # shown before whom in the round before, and not seen to move since

    # -- windows --------------------------------------------------------------------------------------------

    def public_view(self) -> Mapping[str, object]:
        """What everybody may know."""
        return views.public(self.state, self.house, self.laid, self.table.corrections)

    def view(self, seat: int) -> Mapping[str, object]:
        """What a player may know: the public view, and his own cards as far as the table knows them."""
        return views.private(self.state, self.house, self.laid, self.table.corrections, seat)

    # -- common hooks ---------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Whether nothing is played any more; while hands are counted, cards are still laid."""
        return self.state.phase is Phase.END

    def offender(self, o: Placed) -> int:
        """The player of the zone."""
        return _seat(o.zone)

    def zone_by_state(self, card: Card) -> str | None:
        """The zone before a player where a card lies unannounced."""
        return next((f"seat{seat}" for seat, cards in self.laid.items() if card in cards), None)

    def elsewhere(self, o: Placed) -> bool:
        """Whether the card lies in the centre, out of the round or unseen before another, or is known elsewhere."""
        s, seat = self.state, _seat(o.zone)
        if o.card in s.buried or o.card in s.out or not s.known.may_be(o.card, seat):
            return True
        lies = self.zone_by_state(o.card)
        return lies is not None and self.setup.kind(lies) is ZoneKind.PASS

    def binds(self, c: Correction, o: Placed) -> bool:
        """Only the offender's own zone waits for his correction."""
        return c.zone == o.zone

    def leaves_unseen(self, zone: str, o: Placed) -> bool:
        """Announced cards are pushed away at any time; of one laid anew `play` says that it is in two places."""
        return o.card in self.state.announced

    def secret(self, zone: str, card: Card) -> Keys:
        """Every card on a zone lies face down."""
        return CARD

    def due(self) -> float | None:
        """The end of the final window."""
        return None if self.state.window is None else self.state.window.deadline

    def timers(self, now: float) -> list[Ruling]:
        """Close the final window at its deadline (P12)."""
        window = self.state.window
        if window is None or now < window.deadline:
            return []
        return self._step(end_round(self.state, window.seat, "empty-hand", window.deadline), window.deadline)

    # -- laying and lifting ---------------------------------------------------------------------------------

    def _placed(self, o: Placed) -> list[Ruling]:
        laid = self.zone_by_state(o.card) == o.zone
        refused = any(c.zone == o.zone and c.card == o.card for c in self.table.corrections)
        void = self._void.get(o.card) == o.zone
        self._void = {card: zone for card, zone in self._void.items() if card != o.card}
        self._gather(o.card)
        if self.setup.kind(o.zone) is not ZoneKind.PASS or not (laid or refused or void):
            return super()._placed(o)
        out = self._moved_away(o)  # it crosses again: taken back, whether it was laid, refused or counts no more
        self.table = self.table.put(o.card, None)
        if laid:
            self._take_back(_seat(o.zone), o.card)
        return out

    def _table_rules(self, o: Placed, was: str | None) -> Illegal | None:
        seat = _seat(o.zone)  # whose hand is counted has nothing more to show
        return over(seat) if self._is_counted(seat) else super()._table_rules(o, was)

    def play(self, o: Placed) -> list[Ruling] | Illegal:
        """A card is laid: the opening 1, part of a pose to come, or part of a hand shown at the end."""
        s, seat, cards = self.state, _seat(o.zone), self.laid.get(_seat(o.zone), ())
        if self.zone_by_state(o.card) is not None:
            return Illegal(table_ids.TWO_PLACES, table_ids.ONE_PLACE, seat)
        if s.phase in (Phase.GIFT, Phase.DEAL):
            illegal = why_not_open(s, seat, o.card)
            return self._step(open_round(s, self.house, seat, o.card, o.t), o.t) if illegal is None else illegal
        illegal = None if s.phase is Phase.COUNT else why_not_lay(s, seat, o.card, cards)
        if illegal is not None:
            return illegal
        self._lay(seat, *cards, o.card)
        return []

    def _lifted(self, o: Lifted) -> list[Ruling]:
        lay_there = self.table.lies.get(o.card) == o.zone
        out = super()._lifted(o)
        self._gather(o.card)
        if self.zone_by_state(o.card) == o.zone:
            self._take_back(_seat(o.zone), o.card)
        elif lay_there and self._all_taken(o.zone, o.card):
            out += self._step(take(self.state, o.t), o.t)
        return out

    def _all_taken(self, zone: str, card: Card) -> bool:
        """Whether `card` was the last of the revealed ones to leave the accused's zone."""
        s = self.state
        if s.settle is None or s.pose is None or s.settle.stage not in (Stage.TAKE_BACK, Stage.TAKE):
            return False
        here = zone == f"seat{s.settle.accused}" and card in s.pose.cards
        return here and all(self.table.lies.get(c) != zone for c in s.pose.cards)

    def _take_back(self, seat: int, card: Card) -> None:
        """A card lifted from one's own lay is known in that hand; one already counted stays counted."""
        if self.state.phase is Phase.END or self._is_counted(seat):
            return
        owners = self._laid_by.get(card, frozenset({seat}))
        self._lay(seat, *(c for c in self.laid[seat] if c != card))
        if self.state.phase is Phase.PLAY:
            self.state = believable(replace(self.state, known=self.state.known.seen((card,), *owners)))
            self._lifted_by = {**self._lifted_by, card: owners}

    def _lay(self, seat: int, *cards: Card) -> None:
        gone = frozenset(self.laid.get(seat, ())) - frozenset(cards)
        self._laid_by = {card: owners for card, owners in self._laid_by.items() if card not in gone}
        self.laid = {**self.laid, seat: cards}

    def _is_counted(self, seat: int) -> bool:
        s = self.state
        return s.phase is Phase.COUNT and s.hand(seat) > 0 and s.counted[seat - 1] is not None

    # -- presses and announcements --------------------------------------------------------------------------

    def press(self, o: Pressed) -> list[Ruling]:
        """`call`, `next`, `ok` of a seat."""
        seat = _seat(o.button)
        match role_of(o.button):
            case "call":
                illegal = why_not_challenge(self.state, seat)
                if illegal is not None:
                    return self.refuse_press(o, illegal)
                return self._step(challenge(self.state, self.house, seat, o.t), o.t)
            case "next":
                illegal = why_not_announce(self.state, self.house, seat, None, len(self.laid.get(seat, ())))
                if illegal is not None:
                    return self.refuse_press(o, illegal)
                return self._pose(seat, self.house.next_value(self.state.value), o.t)
            case _:
                return self.end_by_ok(o) or self._ok(o, seat)

    def announce(self, o: Announce) -> list[Ruling]:
        """A spoken announcement; its count, where there is one, must be the count that lies there (P5)."""
        cards = self.laid.get(o.seat, ())
        illegal = why_not_announce(self.state, self.house, o.seat, o.value, len(cards), o.count)
        if illegal is not None:
            return [Refused(o.t, illegal.rule, o.seat, None, illegal.mend, args=illegal.args)]
        return self._pose(o.seat, o.value, o.t)

    def _ok(self, o: Pressed, seat: int) -> list[Ruling]:
        s, cards = self.state, self.laid.get(seat, ())
        match s.phase:
            case Phase.END:
                return self.refuse_press(o, over(seat))
            case Phase.COUNT:
                return self._count(o, seat, cards)
            case Phase.GIFT if seat == s.king:
                return self._hand_over(seat, gift(s, o.t), o.t)
            case Phase.GIFT | Phase.DEAL:
                return self.refuse_press(o, start(s, seat))
            case Phase.PLAY:
                if s.settle is not None and seat == s.settle.actor:
                    return self._settle(s.settle.stage, o.t)
                if s.window is not None and seat != s.window.seat:
                    return self._step(decline(s, self.house, seat, o.t), o.t)
        illegal = why_not_announce(s, self.house, seat, s.value, len(cards)) if cards else why_not_act(s, seat)
        if illegal is not None:
            return self.refuse_press(o, illegal)
        if cards:
            return self._pose(seat, s.value, o.t)
        return self._step(pass_turn(s, self.house, seat, o.t), o.t)

    def _pose(self, seat: int, value: int, t: float) -> list[Ruling]:
        cards = self.laid[seat]
        self._lay(seat)
        self._lifted_by = {c: owners for c, owners in self._lifted_by.items() if c not in cards}
        return self._step(pose(self.state, self.house, seat, cards, value, t), t)

    def _settle(self, stage: Stage, t: float) -> list[Ruling]:
        s = self.state
        assert s.settle is not None, "a stage belongs to a challenge"
        match stage:
            case Stage.TAKE_BACK | Stage.TAKE:
                return self._step(take(s, t), t)
            case Stage.GIVE:
                return self._hand_over(s.settle.challenger, give(s, t), t)
            case Stage.DRAW:
                return self._hand_over(s.settle.accused, draw(s, t), t)

    def _hand_over(self, giver: int, step: Step, t: float) -> list[Ruling]:
        self._lifted_by = {c: owners for c, owners in self._lifted_by.items() if giver not in owners}
        return self._step(step, t)

    def _count(self, o: Pressed, seat: int, cards: tuple[Card, ...]) -> list[Ruling]:
        s = self.state
        if self._is_counted(seat):
            return []
        illegal = why_not_count(s, seat, len(cards))
        if illegal is not None:
            return self.refuse_press(o, illegal)
        out = self._step(count_hand(s, self.house, seat, cards, o.t), o.t)
        if self.state.phase is not Phase.COUNT:
            self.table = replace(self.table, corrections=())
            if self.state.phase is not Phase.END:
                self._deal()
        return out

    def _deal(self) -> None:
        """All cards are gathered and dealt anew, whether or not every lift was seen."""
        self._shown = {card: seat for seat in self.laid for card in self._lying(seat)}
        self.table = replace(self.table, lies={})
        self.laid, self._lifted_by, self._laid_by, self._void = {}, {}, {}, {}

    def _gather(self, card: Card) -> None:
        self._shown = {c: seat for c, seat in self._shown.items() if c != card}

    def _lying(self, seat: int) -> tuple[Card, ...]:
        """What was laid before a seat and, as far as lifts are seen there, lies there still."""
        zone = f"seat{seat}"
        unseen = self.setup.kind(zone) is ZoneKind.PASS
        return tuple(c for c in self.laid[seat] if unseen or self.table.lies.get(c) == zone)

    def _step(self, step: Step, t: float) -> list[Ruling]:
        before, (after, told) = self.state, step
        self.state = believable(after)
        return told + views.guidance(before, self.state, self.house, t)

    # -- the arbiter ----------------------------------------------------------------------------------------

    def stand(self, c: Correction, t: float) -> list[Ruling]:
        """A card that may stand counts as laid by the player it lies before, if it can have been his at all."""
        seat, cards = _seat(c.zone), self.laid.get(_seat(c.zone), ())
        if c.rule in ids.INEXPRESSIBLE or c.card not in self.pack or c.play is None or self.elsewhere(c.play):
            return []
        if self.zone_by_state(c.card) is None and has_room(self.state, seat, c.card, cards):
            self._lay(seat, *cards, c.card)
        return []

    def _end_corrections(self, rulings: Iterable[Ruling]) -> None:
        told = tuple(rulings)
        if any(isinstance(r, Over) for r in told):
            for c in self.table.corrections:  # a card that lies there still is a part of the hand, to be counted
                if self.table.lies.get(c.card) == c.zone:
                    self.stand(c, told[0].t)
        super()._end_corrections(told)

    def _undo(self, t: float) -> list[Ruling]:
        before = self.state
        out = super()._undo(t)
        if out and isinstance(out[0], Undone):
            self._handed_back(out[0])
            if before.round != self.state.round:
                self._undeal()
            elif before.phase in (Phase.COUNT, Phase.END):  # a hand once counted may have been taken up again
                for seat in self.laid:
                    self._lay(seat, *self._lying(seat))
            self._as_seen(before)
            out += views.guidance(before, self.state, self.house, t)
        return out

    def _undeal(self) -> None:
        """Hands shown in the round before lie there still, but for cards that were seen to move."""
        for card, seat in self._shown.items():
            self._lay(seat, *self.laid.get(seat, ()), card)
            if self.setup.kind(f"seat{seat}") is not ZoneKind.PASS:
                self.table = self.table.put(card, f"seat{seat}")
        self._shown = {}

    def _as_seen(self, undone: State) -> None:
        """What sensors saw stays: cards of an undone pose that still lie there, and where lifted cards went."""
        s, last = self.state, undone.pose
        # A card laid anew after it was taken, and the taking undone, is in no hand.
        void = {card: f"seat{seat}" for seat, cards in self.laid.items() for card in cards if card in s.buried}
        self._void = {**self._void, **{c: z for c, z in void.items() if self.setup.kind(z) is ZoneKind.PASS}}
        for seat, cards in self.laid.items():
            self._lay(seat, *(c for c in cards if c not in s.buried))
        went = {card: owners for card, owners in self._lifted_by.items() if card not in s.buried}
        if last is not None and not last.opening and not last.same_as(s.pose):
            zone = f"seat{last.seat}"
            unseen = self.setup.kind(zone) is ZoneKind.PASS
            there = tuple(c for c in last.cards if unseen or self.table.lies.get(c) == zone)
            self._lay(last.seat, *there, *self.laid.get(last.seat, ()))
            went |= {c: frozenset({last.seat}) for c in last.cards if c not in there}
        self._lifted_by = went  # a further undo leaves them where they are
        for card, owners in went.items():
            s = replace(s, known=s.known.seen((card,), *owners))
        self.state = believable(s)

    def _handed_back(self, undone: Undone) -> None:
        """A gift or a draw is taken back: what its taker has laid or lifted since may be the giver's again."""
        other = dict(undone.args).get({"give": "to", "draw": "from"}.get(undone.move, ""))
        if not isinstance(other, int) or undone.seat is None:
            return
        both = frozenset({other, undone.seat})
        taker = other if undone.move == "give" else undone.seat
        for card, owners in self._lifted_by.items():
            if taker in owners and self.state.known.where(card) != owners:
                self._lifted_by = {**self._lifted_by, card: owners | both}
        self._laid_by = {**self._laid_by, **dict.fromkeys(self.laid.get(taker, ()), both)}


def _seat(name: str) -> int:
    seat = seat_of(name)
    assert seat is not None, f"{name} belongs to no seat"
    return seat

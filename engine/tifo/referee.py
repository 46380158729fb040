"""The referee of TIFO: turns what a table sees into plays, and judges them.

`state` holds what has been ruled. Two things are only half done and so no part of it: a shout whose cards are
being gathered, and an attack the player in turn has lifted to say which one his parade answers (T14).
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.cards import Card
from engine.ids import CORRECT_FIRST
from engine.observations import Lifted, Placed, Pressed
from engine.referee import Illegal, Referee
from engine.rulings import CARD, NONE, Keys, Move, Refused, Ruling
from engine.setup import Setup
from engine.table import Correction
from engine.tifo import ids, views
from engine.tifo.cards import Family, family_of, is_attack, kind_of
from engine.tifo.half import HalfDone, Shout, as_it_lies, lacking, slams, without
from engine.tifo.piles import Step, begin_turn, pile_is_empty, seen_draw
from engine.tifo.rules import (
    Parry,
    Play,
    answered,
    carry_out,
    concede,
    let_go,
    read_play,
    rob,
    shout,
    swap,
    why_no_rob,
    why_no_shout,
    why_no_swap,
    why_not,
)
from engine.tifo.stand import play_that_stands
from engine.tifo.state import BURIED, State, change, house_of, start
from engine.zones import ZoneKind, role_of, seat_of


class TifoReferee(Referee[State]):
    """Judges one game of TIFO; the first turn has begun (and its draw is due) when it is made."""

    over_rule = ids.OVER
    over_mend = ids.M_OVER

    def __init__(self, setup: Setup) -> None:
        self.house = house_of(setup)
        state, _ = begin_turn(start(setup), self.house, setup.first, 0.0)
        super().__init__(setup, state)
        self.shout: Shout | None = None
        self.aside: Card | None = None

    # -- windows --------------------------------------------------------------------------------------------

    def public_view(self) -> Mapping[str, object]:
        """What everybody may know."""
        return views.public(self.state, self.house, self.table.corrections)

    def view(self, seat: int) -> Mapping[str, object]:
        """What a player may know: the public view, and those of his own cards that the table knows."""
        return views.private(self.state, self.house, self.table.corrections, seat)

    # -- common hooks ---------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.ended

    def offender(self, o: Placed) -> int | None:
        """The player in turn: only `tifo/turn` names another."""
        return self.state.turn

    def zone_by_state(self, card: Card) -> str | None:
        """`seatN` or `discard` for a card in plain sight."""
        return self.state.zone_of(card)

    def elsewhere(self, o: Placed) -> bool:
        """Whether the card lies in plain sight or is known not to be in the hand (or pile) it came from."""
        if self.shout is not None and o.card in self.shout.cards:
            return o.zone == "draw"  # it lies before a player; on any other zone it gives the shout up
        if self.state.zone_of(o.card) is not None:
            return True
        if o.zone == "draw":
            return self.state.known.where(o.card) is not None
        return not self.state.may_hold(self._hand_behind(o), o.card)

    def _hand_behind(self, o: Placed) -> int:
        seat = seat_of(o.zone)
        return self.state.turn if seat is None or is_attack(o.card) else seat

    def housekeeping(self, o: Placed) -> bool:
        """A card of an eliminated player's hand going to the discard (T30)."""
        where = self.state.known.where(o.card)
        return o.zone == "discard" and where is not None and BURIED in where and self.state.turn not in where

    def secret(self, zone: str, card: Card) -> Keys:
        """Drawn cards are secret (T33), discards with `hidden_discard` (T39)."""
        return CARD if zone == "draw" or (zone == "discard" and self.house.hidden_discard) else NONE

    def half_done(self) -> object:
        """The shout and the lifted attack."""
        return HalfDone(self.shout, self.aside)

    def after_undo(self, half: object) -> None:
        """The shout and the lifted attack are again what they were, but for cards that have moved since."""
        assert isinstance(half, HalfDone)
        now = as_it_lies(half, self.state, self.setup, self.table.lies)
        self.shout, self.aside = now.shout, now.aside

    # -- placings -------------------------------------------------------------------------------------------

    def _placed(self, o: Placed) -> list[Ruling]:
        if o.card == self.aside and self.state.zone_of(o.card) == o.zone:
            self.aside = None  # put back: nothing
        return super()._placed(o)

    def _lies_there(self, o: Placed, was: str | None) -> bool:
        if self.shout is not None and o.card in self.shout.cards and seat_of(o.zone) == self.shout.seat:
            if self.setup.kind(o.zone) is ZoneKind.PASS:
                self._ungather(o.card)  # it crossed again: taken back
            return True
        return super()._lies_there(o, was)

    def before_play(self, o: Placed) -> list[Ruling]:
        """A play elsewhere gives up an open shout; one that is not the parade meant uncovers a lifted attack."""
        if self.is_over():
            return []
        out: list[Ruling] = []
        if self.shout is not None and o.zone != "draw" and seat_of(o.zone) != self.shout.seat:
            self._ungather(o.card)
            out += self._give_up(o.t)
        if self.aside is not None and o.zone != "draw":
            seat = seat_of(o.zone)
            play = read_play(self.state, o.card, seat, self.aside) if o.card in self.pack else None
            if not self._meant(play):
                out += self._left(o.t, f"seat{self.state.turn}", self.aside)
        return out

    def _meant(self, play: Play | None) -> bool:
        """Whether a play is the parade for which an attack was set aside (T14)."""
        s = self.state
        return isinstance(play, Parry) and play.seat == s.turn and answered(s, play) == self.aside

    def play(self, o: Placed) -> list[Ruling] | Illegal:
        """Judge a placing by the rules of TIFO."""
        s = self.state
        if o.zone == "draw":
            return self._draw(o)
        seat = seat_of(o.zone)
        if self.shout is not None and seat == self.shout.seat:
            return self._gather(o, self.shout)
        if seat is not None and seat != s.turn and not is_attack(o.card):
            if slams(s, seat, o.card):
                return self._gather(o, Shout(seat, pressed=False))
            return Illegal(ids.TURN, ids.M_WAIT, seat)
        play = read_play(s, o.card, seat, self.aside)
        illegal = why_not(s, play)
        if illegal is not None:
            return illegal
        self.aside = None
        return self._step(carry_out(s, self.house, play, o.t))

    def _draw(self, o: Placed) -> list[Ruling] | Illegal:
        if not self.state.due:
            return Illegal(ids.DRAW_TWICE, ids.M_RETURN_DRAW, self.state.turn)
        drawn, seat = seen_draw(self.state, o.card)
        return self._step((drawn, [Move(o.t, seat, "draw", (("card", o.card),), CARD)]))

    # -- the shout ------------------------------------------------------------------------------------------

    def _gather(self, o: Placed, called: Shout) -> list[Ruling] | Illegal:
        missing = lacking(self.state, called)
        if kind_of(o.card) not in missing:
            return Illegal(ids.SHOUT, ids.M_MISSING_ONLY, called.seat)
        self.shout = replace(called, cards=(*called.cards, o.card))
        if len(missing) > 1:
            return []
        cards, self.shout = self.shout.cards, None
        return self._step(shout(self.state, self.house, called.seat, cards, o.t))

    def _ungather(self, card: Card) -> None:
        self.shout = without(self.shout, card)

    def _give_up(self, t: float) -> list[Ruling]:
        """End an open shout: silently if nothing was gathered, else all its cards go back."""
        called, self.shout = self.shout, None
        if called is None or not called.cards:
            return []
        last = called.cards[-1]
        self.table = self.table.open(Correction(ids.SHOUT, called.seat, called.zone, last, frozenset(called.cards)))
        return [Refused(t, ids.SHOUT, called.seat, called.zone, ids.M_LIFT_ALL, card=last)]

    # -- lifts ----------------------------------------------------------------------------------------------

    def _lifted(self, o: Lifted) -> list[Ruling]:
        laid = self.state.zone_of(o.card) == o.zone != "discard"
        if laid and o.card not in self.table.lies:
            return []  # not there: lifted before, or a `pass` zone, which has no lifts
        return super()._lifted(o)

    def lift(self, o: Lifted) -> list[Ruling]:
        """A swap from the discard, a card of a shout taken back, or a card that should have stayed."""
        s = self.state
        seat = seat_of(o.zone)
        if o.zone == "discard":
            return self._swap_by_lift(o)
        if seat is None:
            return []
        if self.shout is not None and seat == self.shout.seat and o.card in self.shout.cards:
            self._ungather(o.card)
            return []
        if o.card in s.attacks[seat - 1] and self._may_set_aside(seat, o.card):
            self.aside = o.card
            return []
        if o.card in s.laid[seat - 1] or o.card in s.attacks[seat - 1]:
            return self._left(o.t, o.zone, o.card)
        return []

    def _may_set_aside(self, seat: int, card: Card) -> bool:
        s = self.state
        both = family_of(card) is Family.SEMI and s.has_attack(seat, Family.BLOCKING)
        return both and seat == s.turn and self.aside is None

    def _left(self, t: float, zone: str, card: Card) -> list[Ruling]:
        """A laid card or an attack left its zone without cause."""
        if card == self.aside:
            self.aside = None
        if any(c.back and c.card == card for c in self.table.corrections):
            return []
        self.table = self.table.open(Correction(ids.LAID_STAYS, None, zone, card, frozenset({card}), back=True))
        return [Refused(t, ids.LAID_STAYS, None, zone, ids.M_PUT_BACK, card=card)]

    def _swap_by_lift(self, o: Lifted) -> list[Ruling]:
        s = self.state
        if s.ola is None or o.card == s.ola:
            return []
        if s.loose:  # the order is unknown: any card is the swap (T30), but one that was only refused there
            takes = o.card in s.discard or (s.unread > 0 and self._may_be_buried(o.card))
        else:
            takes = o.card == s.last_discarded()
        if not takes:
            return []
        out = self._uncover(o.t)
        illegal = why_no_swap(s, o.card)
        if illegal is not None:
            secret = self.secret("discard", o.card)
            rule, seat, mend = illegal.rule, illegal.seat, illegal.mend
            return [*out, Refused(o.t, rule, seat, "discard", mend, card=o.card, secret=secret)]
        return out + self._step(swap(s, self.house, o.card, o.t))

    def _may_be_buried(self, card: Card) -> bool:
        unseen = self.state.zone_of(card) is None and card not in self.table.astray
        return unseen and self.state.known.may_be(card, BURIED)

    # -- presses --------------------------------------------------------------------------------------------

    def press(self, o: Pressed) -> list[Ruling]:
        """`call`, `next`, `ok` of a seat; `table.pile`."""
        seat = seat_of(o.button)
        if seat is None:
            return [] if self.is_over() else self._pile_empty(o.t)
        role = role_of(o.button)
        if self.is_over():
            if role == "call":
                return self.refuse_press(o, Illegal(ids.OVER, ids.M_OVER, seat))
            return []
        if role == "call":
            return self._call(o, seat)
        if role == "next":
            return self._next(o, seat)
        return self._ok(o, seat)

    def _call(self, o: Pressed, seat: int) -> list[Ruling]:
        if self.shout is not None and seat == self.shout.seat:
            return self._give_up(o.t) if self.shout.pressed else []
        if seat != self.state.turn:
            return self._out_of_turn(o, seat)
        out = self._uncover(o.t)
        illegal = why_no_shout(self.state)
        if illegal is not None:
            return out + self.refuse_press(o, illegal)
        self.shout = Shout(seat, pressed=True)
        self.state = change(self.state, slam=None)  # another play has come before any slam
        return out

    def _next(self, o: Pressed, seat: int) -> list[Ruling]:
        s = self.state
        if s.ola is None:
            return []
        if seat != s.turn:
            return self._out_of_turn(o, seat)
        out = self._uncover(o.t)
        card = s.last_discarded()
        illegal = why_no_swap(s, card)
        if illegal is not None or card is None:
            return out + (self.refuse_press(o, illegal) if illegal is not None else [])
        return out + self._step(swap(s, self.house, card, o.t))

    def _ok(self, o: Pressed, seat: int) -> list[Ruling]:
        s = self.state
        under_interdit = s.has_attack(seat, Family.INTERDIT)
        if seat == s.turn and under_interdit:
            out = self._uncover(o.t)
            out += self.end_all_of(seat, o.t)
            return out + self._step(concede(s, self.house, o.t))
        ended = self.end_by_ok(o)
        if ended:
            return ended
        if s.ola is not None:
            out = self._uncover(o.t)
            if seat == s.turn:
                return out + self._step(let_go(s, self.house, o.t))
            illegal = why_no_rob(s, seat)
            if illegal is not None:
                return out + self.refuse_press(o, illegal)
            return out + self._step(rob(s, self.house, seat, o.t))
        return self._out_of_turn(o, seat) if under_interdit else []

    def _out_of_turn(self, o: Pressed, seat: int) -> list[Ruling]:
        return self.refuse_press(o, Illegal(ids.TURN, ids.M_WAIT, seat))

    def _uncover(self, t: float) -> list[Ruling]:
        out = self._give_up(t)
        if self.aside is not None:
            out += self._left(t, f"seat{self.state.turn}", self.aside)
        return out

    def _pile_empty(self, t: float) -> list[Ruling]:
        return self._step(pile_is_empty(self.state, self.house, t))

    # -- the arbiter ----------------------------------------------------------------------------------------

    def _accept(self, t: float) -> list[Ruling]:
        out: list[Ruling] = []
        if self.corrections:
            c = self.corrections[0]
            play = self._standing(c)
            if play is not None and play.seat == self.state.turn and not self._joins_shout(c):
                # A play of the player in turn, like any other: it ends what he had half done.
                out = self._give_up(t)
                if self.aside is not None and not self._meant(play):
                    out += self._left(t, f"seat{self.state.turn}", self.aside)
        return out + super()._accept(t)

    def stand(self, c: Correction, t: float) -> list[Ruling]:
        """Carry out a refused play as if it had been legal, where the state can express it."""
        if c.play is None or not self._expressible(c, c.play):
            return []
        o = replace(c.play, t=t)
        if c.zone == "draw":
            result = self._draw(o)
        elif self._joins_shout(c) and self.shout is not None:
            result = self._gather(o, self.shout)
        else:
            play = self._standing(c)
            if play is None:
                return []
            if play.seat == self.state.turn:
                self.aside = None
            return self._step(carry_out(self.state, self.house, play, t))
        return [] if isinstance(result, Illegal) else result

    def _standing(self, c: Correction) -> Play | None:
        """What a refused placing becomes; None where the state cannot express it (or it is a draw)."""
        if c.play is None or c.zone == "draw" or not self._expressible(c, c.play):
            return None
        return play_that_stands(self.state, c.card, seat_of(c.zone), self.aside)

    def _expressible(self, c: Correction, play: Placed) -> bool:
        return c.rule not in ids.INEXPRESSIBLE and c.card in self.pack and not self.elsewhere(play)

    def _joins_shout(self, c: Correction) -> bool:
        """Whether a card refused only because another had to go first belongs to the open shout."""
        called = self.shout
        return called is not None and c.rule == CORRECT_FIRST and c.zone == called.zone

    # -- outcome --------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> list[Ruling]:
        before = self.state
        self.state, out = step
        return out + views.guidance(before, self.state, out, self.setup.mode, self._now)

"""The referee of Тьфу!: no turns, inputs are judged one by one in their order.

Where columns are watched every card is known to belong to one until it reaches a centre; without them only the
centres, the calls and the spares that were turned over tell what is legal. `tfu/frozen` takes the place of
`table/correct-first`: an illegal card binds its own pile and no other.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine import ids as common
from engine.cards import Card
from engine.observations import Lifted, Placed, Pressed
from engine.referee import Illegal, Referee
from engine.rulings import CARD, NONE, Keys, Move, Refused, Ruling
from engine.setup import Setup
from engine.table import Correction
from engine.tfu import endings, ids, rules, views
from engine.tfu.columns import Columns
from engine.tfu.rules import Play, Spit
from engine.tfu.state import Phase, State, start
from engine.zones import centre_of, column_of, role_of, seat_of


class TfuReferee(Referee[State]):
    """Judges one match of Тьфу!."""

    over_rule = ids.OVER
    over_mend = ids.M_NEXT_ROUND

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, start(setup.seats))
        self.columns = Columns()
        self.watched = "seat1.col1" in setup.zones
        self.refill = bool(setup.option("refill"))
        self._meant: Mapping[Placed, Spit | Play] = {}  # what cards that did not fit, or on frozen piles, were to be

    # -- windows --------------------------------------------------------------------------------------------

    def public_view(self) -> Mapping[str, object]:
        """What everybody may know."""
        return views.public(self.state, self.columns, self.watched, self.table.corrections)

    def view(self, seat: int) -> Mapping[str, object]:
        """What a player may know: nobody sees more than all do, not even of his own columns."""
        return {**self.public_view(), "me": seat}

    # -- placings -------------------------------------------------------------------------------------------

    def _placed(self, o: Placed) -> list[Ruling]:
        if column_of(o.zone) is not None:
            self._clear_unseen()
        out = self._moved_away(o)
        was = self._see(o)
        return out if self._lies_there(o, was) else out + self._judge(o, was)

    def _lies_there(self, o: Placed, was: str | None) -> bool:
        """Whether a card lies there already: on a centre by the state, on a column by what was seen."""
        if centre_of(o.zone) is not None:
            return super()._lies_there(o, was)
        if self.setup.sees_lifts(o.zone):
            return was == o.zone
        return self.columns.where(o.card) == o.zone

    def _judge(self, o: Placed, was: str | None) -> list[Ruling]:
        home, owner = self._home(o.card), self.offender(o)
        illegal = self._table_rules(o, was)
        if home != o.zone and (illegal is None or illegal.rule != common.TWO_PLACES):
            self._leave(o.card, home)
        result = self.play(o) if illegal is None else illegal
        put_back = home == o.zone and self.state.phase is not Phase.OVER
        if column_of(o.zone) is not None and (put_back or not isinstance(result, Illegal)):
            self.columns = self.columns.put(o.card, o.zone)
            if self._home(o.card) == o.zone:
                self.columns = self.columns.returned(o.card)
        if isinstance(result, Illegal):
            result = [self.refuse(o, replace(result, seat=owner))]  # it lay in his column until now
        self._note_play(o)
        return result

    def _leave(self, card: Card, home: str | None) -> None:
        """A card seen elsewhere has left its column."""
        if home is not None:
            self.columns = self.columns.lifted(self.state.number, card, home, self.state.gone)
        self.columns = self.columns.taken(card)

    def _clear_unseen(self) -> None:
        """With the first card of a new layout, columns that do not report every lift have been cleared."""
        if self.state.phase is not Phase.OVER or self.columns.cleared_for == self.state.number:
            return
        blind = [z for z in self.columns.seen if not self.setup.sees_lifts(z)]
        for zone in blind:
            for card in self.columns.seen[zone]:
                if self.table.lies.get(card) == zone:
                    self.table = self.table.put(card, None)
        self.columns = self.columns.cleared(blind, self.state.number)

    def _table_rules(self, o: Placed, was: str | None) -> Illegal | None:
        seat, on_centre = self.offender(o), centre_of(o.zone) is not None
        if self.state.phase is Phase.DONE:
            return Illegal(ids.OVER, ids.M_NEW_MATCH, seat)
        if on_centre and self.state.phase is Phase.OVER:
            return Illegal(ids.OVER, ids.M_NEXT_ROUND, seat)
        if on_centre and self._is_frozen(o.zone):
            return Illegal(ids.FROZEN, ids.M_CLEAR_PILE, seat)
        if o.card not in self.pack:
            return Illegal(common.FOREIGN_CARD, common.TAKE_BACK, seat)
        if self.elsewhere(o):
            return Illegal(common.CARD_ELSEWHERE, common.TAKE_BACK, seat)
        if was is not None and was != o.zone and not self.leaves_unseen(was, o):
            return Illegal(common.TWO_PLACES, common.ONE_PLACE, seat)
        return None

    def _is_frozen(self, zone: str) -> bool:
        return any(c.zone == zone for c in self.table.corrections)

    def _home(self, card: Card) -> str | None:
        return self.columns.home(self.state.number, card, self.state.gone)

    # -- common hooks ---------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Whether a round or the match has ended."""
        return self.state.phase in (Phase.OVER, Phase.DONE)

    def offender(self, o: Placed) -> int | None:
        """Whose card it is: of a column, of a spare with a known order; else whose column it was put on."""
        home = self._home(o.card)
        if self.state.phase is not Phase.PLAY:
            home = self.columns.where(o.card) or home
        if home is not None:
            return seat_of(home)
        owner = self.state.spare_with(o.card)
        return seat_of(o.zone) if owner is None else owner

    def elsewhere(self, o: Placed) -> bool:
        """Whether the card lies in a pile (S22)."""
        return self.zone_by_state(o.card) is not None

    def zone_by_state(self, card: Card) -> str | None:
        """The centre whose pile holds a card; after a round all piles are taken up."""
        pile = self.state.pile_of(card) if self.state.phase is Phase.PLAY else None
        return None if pile is None else f"centre{pile}"

    def leaves_unseen(self, zone: str, o: Placed) -> bool:
        """A centre may lose a card unseen; a column's open top on a centre counts as lifted."""
        if centre_of(zone) is not None:
            return True
        if centre_of(o.zone) is None:
            return False
        s = self.state
        if s.phase is Phase.PLAY:
            return self._home(o.card) == zone and self.columns.is_open(s.number, o.card, zone, s.gone)
        return self.columns.seen.get(zone, ())[-1:] == (o.card,)

    def secret(self, zone: str, card: Card) -> Keys:
        """A card on a column may lie face down: only what has been an open top there is told in public."""
        if column_of(zone) is None:
            return NONE
        s, home = self.state, self._home(card)
        if s.phase is Phase.PLAY and (card in s.gone or (home is not None and self._column(home)[-1] == card)):
            return NONE
        return CARD

    def _column(self, zone: str) -> tuple[Card, ...]:
        return self.columns.column(self.state.number, zone, self.state.gone)

    # -- plays ----------------------------------------------------------------------------------------------

    def play(self, o: Placed) -> list[Ruling] | Illegal:
        """Judge a card on a centre or a column by the game's own rules; whose it was `_judge` adds."""
        pile = centre_of(o.zone)
        if pile is None:
            return self._on_column(o)
        meaning = self._read(pile, o.card)
        if isinstance(meaning, Play) and not rules.fits(self.state, pile, o.card):
            return Illegal(ids.STEP, ids.M_ONE_STEP, None)
        return meaning if isinstance(meaning, Illegal) else self._carry_out(meaning, o.card, o.t)

    def _read(self, pile: int, card: Card) -> Spit | Play | Illegal:
        s, zone = self.state, self._home(card)
        is_open = zone is not None and self.columns.is_open(s.number, card, zone, s.gone)
        return rules.read(s, pile, card, column_of(zone) if zone else None, self.watched, is_open)

    def _on_column(self, o: Placed) -> list[Ruling] | Illegal:
        """A layout, a card put back, a move to an empty column; anything else is no column's (S4, S5)."""
        s, home = self.state, self._home(o.card)
        if s.phase is not Phase.PLAY:
            return []
        if home == o.zone:
            fits = self.columns.may_return(s.number, o.card, home, s.gone)
            return [] if fits else Illegal(ids.COLUMN, ids.M_OPEN_TOP, None)
        if home is not None and self.refill and seat_of(home) == seat_of(o.zone):
            empty = not self._column(o.zone)
            if empty and self.columns.is_open(s.number, o.card, home, s.gone):
                self.columns = self.columns.moved(s.number, o.card, home, o.zone)
                return []
        return Illegal(ids.COLUMN, ids.M_OWN_COLUMN, None)

    def _carry_out(self, meaning: Spit | Play, card: Card, t: float) -> list[Ruling]:
        before = self.state
        if isinstance(meaning, Spit):
            self.state = rules.spit(before, meaning.pile, card)
            move = Move(t, meaning.pile, "spit", (("pile", meaning.pile), ("card", card)))
        else:
            self.state = rules.play(before, meaning.pile, card)
            args = (("pile", meaning.pile), ("card", card), ("column", meaning.column))
            move = Move(t, meaning.seat, "play", args)
        ending = self._ending(meaning, t)
        return [move, *views.progress(before, self.state, self.setup.mode, t), *ending]

    def _ending(self, meaning: Spit | Play, t: float) -> list[Ruling]:
        """What a play or spit ends: empty columns (S20), or a round in which nothing can go on (S14)."""
        s = self.state
        if not self.watched:
            return []
        seat = meaning.seat if isinstance(meaning, Play) else None
        if seat is not None and not any(self._column(zone) for zone in _columns_of(seat)):
            return self._end(endings.won(s, seat, self._left()), t)
        if s.owed:
            return []
        if rules.cycled(s) or (rules.exhausted(s) and not rules.can_play(s, self._tops(), lambda _: True)):
            left = self._left()
            return self._end(endings.blocked(s, rules.fewest(left), left), t)
        return []

    def _end(self, after: State, t: float) -> list[Ruling]:
        self.state = after
        return views.ended(after, self.setup.mode, t)

    def _left(self) -> dict[int, int]:
        """Cards in the columns of each seat, those in its hands too."""
        return {n: sum(len(self._column(z)) for z in _columns_of(n)) for n in self.state.seats}

    def _tops(self) -> dict[int, tuple[Card, ...]]:
        """What each seat could play (S8); nothing that is known where columns are not watched."""
        return {n: tuple(c for z in _columns_of(n) for c in self._playable(z)) for n in self.state.seats}

    def _playable(self, zone: str) -> tuple[Card, ...]:
        return self.columns.playable(self.state.number, zone, self.state.gone)

    def _lifted(self, o: Lifted) -> list[Ruling]:
        if column_of(o.zone) is not None:
            if self.columns.where(o.card) == o.zone:
                self.columns = self.columns.taken(o.card)
            if self._home(o.card) == o.zone:
                self.columns = self.columns.lifted(self.state.number, o.card, o.zone, self.state.gone)
        return super()._lifted(o)

    # -- buttons --------------------------------------------------------------------------------------------

    def press(self, o: Pressed) -> list[Ruling]:
        """`call` is "Тьфу!", `ok` is "Вышел!"; neither ever ends a correction."""
        seat = seat_of(o.button)
        assert seat is not None, "the game has no table button but the arbiter's"
        if role_of(o.button) == "ok" and self.state.won == seat:
            self.state = endings.said_out(self.state)
            return [Move(o.t, seat, "out")]
        if self.state.phase is Phase.DONE:
            return self.refuse_press(o, Illegal(ids.OVER, ids.M_NEW_MATCH, seat))
        return self._call(o, seat) if role_of(o.button) == "call" else self._ok(o, seat)

    def _call(self, o: Pressed, seat: int) -> list[Ruling]:
        s = self.state
        if s.phase is not Phase.PLAY:
            return self._begin(o, seat)
        if s.owed:
            return []
        able = rules.can_play(s, self._tops(), lambda pile: not self._is_frozen(f"centre{pile}"))
        if able:
            return self.refuse_press(o, Illegal(ids.CAN_PLAY, ids.M_PLAY_ON, seat, (("can", able),)))
        if rules.exhausted(s) or rules.cycled(s):
            return self._ask(o.t)
        after, turned, closed = rules.call(s)
        self.state = after
        moves: list[Ruling] = [Move(o.t, seat, "call")]
        moves += [Move(o.t, n, "turn-over", (("pile", n),)) for n in turned]
        return moves + views.called(after, closed, self.setup.mode, o.t)

    def _begin(self, o: Pressed, seat: int) -> list[Ruling]:
        if self.watched:
            wrong = self._badly_laid()
            if wrong:
                return self.refuse_press(o, Illegal(ids.LAYOUT, ids.M_LAY_OUT, seat, (("columns", wrong),)))
        self.state = rules.begin(self.state)
        self.columns = self.columns.begun(self.state.number)
        return [Move(o.t, seat, "call"), *views.called(self.state, (), self.setup.mode, o.t)]

    def _badly_laid(self) -> tuple[str, ...]:
        """The columns that do not hold as many cards as the next deal needs (S15)."""
        deal = self.state.upcoming
        return tuple(
            zone
            for n in self.state.seats
            for zone, need in zip(_columns_of(n), deal.columns(n), strict=True)
            if len(self.columns.seen.get(zone, ())) != need
        )

    def _ask(self, t: float) -> list[Ruling]:
        """Nothing can go on: a small table asks who has fewest cards, asked again it deals again (S14)."""
        if self.watched:
            return []
        if self.state.asked:
            return self._end(endings.blocked(self.state, None, None), t)
        self.state = endings.asked(self.state)
        return [views.question(t)]

    def _ok(self, o: Pressed, seat: int) -> list[Ruling]:
        s = self.state
        if s.phase is Phase.OVER:
            return []
        if self.watched:
            laid = any(self.columns.seen.get(zone) for zone in _columns_of(seat))
            out = not (self._left()[seat] if s.phase is Phase.PLAY else laid)
            return [] if out else self.refuse_press(o, Illegal(ids.NOT_OUT, ids.M_PLAY_OUT, seat))
        if s.asked:
            return self._end(endings.blocked(s, seat, None), o.t)
        if s.plays < s.deal.held(seat):
            return self.refuse_press(o, Illegal(ids.NOT_OUT, ids.M_PLAY_OUT, seat))
        return [Move(o.t, seat, "out"), *self._end(endings.won(s, seat, None), o.t)]

    # -- the arbiter ----------------------------------------------------------------------------------------

    def refuse(self, o: Placed, illegal: Illegal) -> Refused:
        """Refuse a placing, and keep what it was to be: calls and cards put back may change that before it stands."""
        pile = centre_of(o.zone)
        if pile is not None and illegal.rule in (ids.STEP, ids.FROZEN) and o.card in self.pack:
            meaning = self._read(pile, o.card)
            if not isinstance(meaning, Illegal):
                self._meant = {**self._meant, o: meaning}
        return super().refuse(o, illegal)

    def stand(self, c: Correction, t: float) -> list[Ruling]:
        """A card that does not fit, or one on a frozen pile, becomes the play or spit it was meant to be."""
        o = c.play
        if o is None or o not in self._meant or self.elsewhere(o):
            return []
        meaning: Spit | Play | Illegal = self._meant[o]
        if isinstance(meaning, Spit):  # of several cards put down for an owed one only the first is that
            meaning = self._read(meaning.pile, o.card)
        return [] if isinstance(meaning, Illegal) else self._carry_out(meaning, o.card, t)


def _columns_of(seat: int) -> tuple[str, ...]:
    return tuple(f"seat{seat}.col{c}" for c in range(1, 5))

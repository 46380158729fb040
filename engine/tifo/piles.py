"""Drawing, the change of piles, and the end of a turn (T1, T24, T25, T33, T34, T37, T38).

Rules: cards leave the pile when they are due. Without a `draw` zone they reach the hand at once; with one they
stand in `due` until they are seen. A pile changes when a card is due and none is left.
"""

from engine.rulings import Move, Over, Ruling, Score
from engine.tifo.cards import FUMIS_UNPARRIED, POINTS, kind_of
from engine.tifo.state import BURIED, HIDDEN, Due, House, State, change, with_hand

Step = tuple[State, list[Ruling]]
"""The position after, and what happened."""


def begin_turn(s: State, house: House, seat: int, t: float) -> Step:
    """A seat's turn begins: its cards are due (T33; two with `draw_two`, T37)."""
    s = change(s, turn=seat, drawn=())
    s, out = _supply(s, house, seat, t)
    if s.pile == 0:
        return change(s, final=True), out
    number = min(2 if house.draw_two else 1, s.pile)
    s = _leave(s, house, number)
    if house.watches_draw:
        return change(s, due=(*s.due, *(Due(seat),) * number)), out
    return change(with_hand(s, seat, 1), hidden=s.hidden + number - 1), out


def robbed_draw(s: State, house: House, seat: int, t: float) -> Step:
    """The robbed player draws at once (T24); in the last pile he may stay one short (T25)."""
    s, out = _supply(s, house, s.turn, t)
    if s.pile == 0:
        return s, out
    s = _leave(s, house, 1)
    if house.watches_draw:
        return change(s, due=(*s.due, Due(seat, robbed=True))), out
    return with_hand(s, seat, 1), out


def pile_is_empty(s: State, house: House, t: float) -> Step:
    """The arbiter says that no card is left: the next pile is made, or this turn is the last (T33, T34)."""
    due = s.due
    s = change(s, pile=0, due=(), astray=s.astray + s.pile + len(due))
    s, out = _supply(s, house, s.turn, t)
    if not out:
        return change(s, final=True), out
    given = min(len(due), s.pile)  # cards due but not drawn come from the new pile
    return change(_leave(s, house, given), due=due[:given]), out


def seen_draw(s: State, card: str) -> tuple[State, int]:
    """A card crossed the `draw` zone: the position after, and whose it is. Some card must be due."""
    due, rest = s.due[0], s.due[1:]
    s = change(s, due=rest)
    if due.robbed or not s.drawn:
        drawn = s.drawn if due.robbed else (card,)
        s = with_hand(change(s, drawn=drawn, known=s.known.seen([card], due.seat)), due.seat, 1)
    else:
        both = (*s.drawn, card)
        known = s.known.seen(both, due.seat, HIDDEN)
        s = change(s, drawn=both, pairs=(*s.pairs, both), hidden=s.hidden + 1, known=known)
    return s, due.seat


def end_turn(s: State, house: House, t: float) -> Step:
    """The player in turn has played: the next one's turn, or the end on points (T34)."""
    if s.final:
        return by_points(s, t)
    return begin_turn(s, house, s.next_seat(), t)


def by_points(s: State, t: float) -> Step:
    """Score and end: laid cards only; equal points share the win; eliminated players have none (T34-T36)."""
    scores = tuple(points(s, n) for n in range(1, len(s.hands) + 1))
    best = max(scores[n - 1] for n in s.alive())
    winners = tuple(n for n in s.alive() if scores[n - 1] == best)
    return change(s, ended=True), [Score(t, scores), Over(t, winners, "points")]


def points(s: State, seat: int) -> int:
    """What a seat's laid cards count; a FUMIS less under FUMIS INTERDITS (T36). Who is out has none (T35)."""
    lowered = s.has_kind(seat, "fumis-interdits")
    kinds = [kind_of(c) for c in s.laid[seat - 1]]
    return sum(FUMIS_UNPARRIED if k == "fumis" and lowered else POINTS[k] for k in kinds)


def _leave(s: State, house: House, number: int) -> State:
    pile = s.pile - number
    return change(s, pile=pile, final=s.final or (pile == 0 and s.pile_no >= house.last_pile))


def _supply(s: State, house: House, seat: int, t: float) -> Step:
    """Make the next pile if none is left and one can be made. The waiting OLA stays where it is."""
    waiting = (s.ola,) if s.ola is not None else ()
    shuffled = tuple(c for c in s.discard if c not in waiting)
    number = len(shuffled) + s.unread + s.hidden
    if s.pile > 0 or s.pile_no >= house.last_pile or number == 0:
        return s, []
    known = s.known.forget(shuffled).forget_place(HIDDEN).forget_place(BURIED)
    s = change(
        s,
        pile=number,
        pile_no=s.pile_no + 1,
        discard=waiting,
        loose=False,
        unread=0,
        hidden=0,
        pairs=(),
        known=known,
    )
    return s, [Move(t, seat, "pile", (("number", s.pile_no),))]

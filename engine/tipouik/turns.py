"""Opening, posing, passing, the final window: each gives the state after it and the rulings that say so."""

from dataclasses import replace

from engine.cards import Card
from engine.rulings import Move, Over, Ruling
from engine.tipouik.state import CENTRE, House, Phase, Pose, State, Window

Step = tuple[State, list[Ruling]]


def gift(s: State, t: float) -> Step:
    """The King has given the Abru a card before the first one is played (P32)."""
    assert s.king is not None, "a King gives"
    assert s.abru is not None, "an Abru takes"
    given = replace(s.handed(s.king, s.abru, 1), phase=Phase.DEAL)
    return given, [Move(t, s.king, "give", (("to", s.abru),))]


def open_round(s: State, house: House, seat: int, card: Card, t: float) -> Step:
    """The 1 is laid face up; the next seat goes on."""
    after = replace(
        s.more(seat, -1),
        phase=Phase.PLAY,
        turn=house.after(seat),
        value=1,
        pose=Pose(seat, (card,), 1, opening=True),
        buried=frozenset({card}),
        announced=frozenset({card}),
    )
    return after, [Move(t, seat, "open", (("card", card),))]


def pose(s: State, house: House, seat: int, cards: tuple[Card, ...], value: int, t: float) -> Step:
    """Laid cards are announced as `value`. The last card opens the final window (P11)."""
    fewer = s.more(seat, -len(cards))
    last = fewer.hand(seat) == 0
    after = replace(
        fewer,
        turn=house.after(seat),
        value=value,
        must_next=False,
        passes=0,
        pose=Pose(seat, cards, value),
        buried=s.buried | frozenset(cards),
        announced=s.announced | frozenset(cards),
        known=s.known.forget(cards),
        # Nobody saw which cards these were: all that this hand was known to hold may be in the centre now.
        seen=s.seen.moved(seat, CENTRE) if last else s.seen.passed(seat, CENTRE),
    )
    told: list[Ruling] = [Move(t, seat, "pose", (("count", len(cards)), ("value", value)))]
    if not last:
        return after, told
    if house.window_s == 0:
        return then(told, end_round(after, seat, "empty-hand", t))
    return replace(after, window=Window(seat, t + house.window_s)), told


def pass_turn(s: State, house: House, seat: int, t: float) -> Step:
    """No card is laid; when all have passed in a row the round ends without winner (P13, P29)."""
    after = replace(s, turn=house.after(seat), passes=s.passes + 1)
    told: list[Ruling] = [Move(t, seat, "pass")]
    if after.passes < house.seats:
        return after, told
    return then(told, end_round(after, None, "all-passed", t))


def decline(s: State, house: House, seat: int, t: float) -> Step:
    """A player lets the last pose stand; when all the others have, the round is over (P12)."""
    assert s.window is not None, "only the final window is declined"
    declined = s.window.declined | {seat}
    if len(declined) == house.seats - 1:
        return end_round(s, s.window.seat, "empty-hand", t)
    return replace(s, window=replace(s.window, declined=declined)), []


def end_round(s: State, winner: int | None, by: str, t: float) -> Step:
    """The round is decided; hands are counted next, empty ones without being shown (P30)."""
    after = replace(
        s,
        phase=Phase.COUNT,
        turn=None,
        settle=None,
        window=None,
        winner=winner,
        by=by,
        counted=tuple(0 if n == 0 else None for n in s.hands),
    )
    return after, [Over(t, () if winner is None else (winner,), by)]


def then(told: list[Ruling], step: Step) -> Step:
    """What was said before, with a step that follows from it."""
    after, more = step
    return after, told + more

"""Why a play of Tipouik is not legal. Pure; the first rule that applies, in the order of the rulings' table."""

from engine import ids as table_ids
from engine.cards import Card
from engine.referee import Illegal
from engine.tipouik import ids
from engine.tipouik.cards import ONE
from engine.tipouik.state import House, Phase, State


def over(seat: int) -> Illegal:
    """The round has ended."""
    return Illegal(ids.OVER, ids.M_OVER, seat)


def start(s: State, seat: int) -> Illegal:
    """The round must be opened first, or the King's gift comes before (P32)."""
    return Illegal(ids.START, ids.M_KING if s.phase is Phase.GIFT else ids.M_OPEN, seat)


def why_not_open(s: State, seat: int, card: Card) -> Illegal | None:
    """Before the opening: only the 1, from any seat, and not before the King's gift."""
    return None if s.phase is Phase.DEAL and card == ONE else start(s, seat)


def why_not_act(s: State, seat: int) -> Illegal | None:
    """Laying, announcing and passing alike: settled first, in turn, not in the final window (P11)."""
    if s.settle is not None:
        return Illegal(ids.TAKE_BACK, ids.M_SETTLE, seat)
    if s.window is not None or seat != s.turn:
        return Illegal(ids.TURN, ids.M_WAIT, seat)
    return None


def why_not_lay(s: State, seat: int, card: Card, laid: tuple[Card, ...]) -> Illegal | None:
    """Laying a card; unlike cards are no fault, they are the bluff itself (P4)."""
    illegal = why_not_act(s, seat)
    if illegal is not None:
        return illegal
    return None if has_room(s, seat, card, laid) else _elsewhere(seat)


def has_room(s: State, seat: int, card: Card, laid: tuple[Card, ...]) -> bool:
    """Whether a hand can hold the card beside those known to be in it and those laid from it."""
    return len({*s.known.surely(seat), *laid, card}) <= s.hand(seat)


def _elsewhere(seat: int) -> Illegal:
    return Illegal(table_ids.CARD_ELSEWHERE, table_ids.TAKE_BACK, seat)


def why_not_announce(
    s: State, house: House, seat: int, value: int | None, laid: int, count: int | None = None
) -> Illegal | None:
    """Announcing `value` (None: the next one) for so many laid cards; `count` where one was spoken."""
    if s.phase in (Phase.COUNT, Phase.END):
        return over(seat)
    if s.phase is not Phase.PLAY:
        return start(s, seat)
    illegal = why_not_act(s, seat)
    if illegal is not None:
        return illegal
    if laid == 0:
        return Illegal(ids.NOTHING, ids.M_LAY, seat)
    following = house.next_value(s.value)
    if value not in (None, s.value, following):
        return Illegal(ids.VALUE, ids.M_VALUE, seat, (("values", (s.value, following)),))
    if value == s.value and s.must_next:
        return Illegal(ids.AFTER_CHALLENGE, ids.M_NEXT, seat, (("values", (following,)),))
    if count is not None and count != laid:
        return Illegal(ids.COUNT, ids.M_COUNT, seat, (("laid", laid),))
    if laid > s.hand(seat):  # one of them was given away or drawn while it lay there
        return _elsewhere(seat)
    return None


def why_not_challenge(s: State, seat: int) -> Illegal | None:
    """PROUVE-LE! by `seat`, at whatever moment (P2, P7, P9, P35)."""
    if s.phase in (Phase.COUNT, Phase.END):
        return over(seat)
    if s.pose is None:
        return Illegal(ids.NOTHING, ids.M_NO_POSE, seat)
    if s.pose.opening:
        return Illegal(ids.CHALLENGE_OPENING, ids.M_OPENING, seat)
    if s.pose.seat == seat:
        return Illegal(ids.CHALLENGE_SELF, ids.M_SELF, seat)
    if s.pose.challenged:
        return Illegal(ids.CHALLENGE_CLOSED, ids.M_CLOSED, seat)
    return None


def why_not_count(s: State, seat: int, shown: int) -> Illegal | None:
    """Showing so many cards at scoring."""
    if shown == s.hand(seat):
        return None
    return Illegal(ids.HAND_COUNT, ids.M_SHOW, seat, (("hand", s.hand(seat)), ("shown", shown)))

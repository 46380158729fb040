"""What of a game of Tipouik may be seen, by everybody or by one seat, and what the table prompts in mode `play`.

Nothing public depends on a face-down card: `seen` lists cards everybody saw going to a hand, with every place
where they can be now, as far as a player without the readers' eyes could tell.
"""

from collections.abc import Mapping

from engine.cards import Card
from engine.rulings import Ruling, Say, Turn
from engine.setup import Mode
from engine.table import Correction
from engine.tipouik import ids
from engine.tipouik.state import CENTRE, House, Phase, Settle, Stage, State

View = dict[str, object]
Laid = Mapping[int, tuple[Card, ...]]


def public(s: State, house: House, laid: Laid, corrections: tuple[Correction, ...]) -> View:
    """Plain values, none of which depends on a hidden card."""
    seats = [
        {
            "seat": n,
            "hand": s.hand(n),
            "laid": len(laid.get(n, ())),
            "total": s.totals[n - 1],
            "king": n == s.king,
            "abru": n == s.abru,
            "counted": s.phase is Phase.COUNT and s.counted[n - 1] is not None,
        }
        for n in range(1, house.seats + 1)
    ]
    return {
        "game": "tipouik",
        "phase": s.phase.value,
        "round": s.round,
        "rounds": house.rounds,
        "seats": seats,
        "turn": s.turn if may(s) else None,
        "may": list(may(s)),
        "last": _last(s),
        "next_value": house.next_value(s.value) if s.phase is Phase.PLAY else None,
        "must_next": s.must_next,
        "passes": s.passes,
        "settle": _settle(s.settle),
        "window": _window(s),
        "centre": len(s.buried),
        "out": sorted(s.out),
        "seen": [{"card": card, "where": _places(s, card)} for card in sorted(s.seen.places)],
        "scores": None if s.scores is None else list(s.scores),
        "winner": s.winner,
        "by": s.by,
        "corrections": [{"rule": c.rule, "seat": c.seat, "zone": c.zone} for c in corrections],
        "over": s.phase in (Phase.COUNT, Phase.END),
    }


def private(s: State, house: House, laid: Laid, corrections: tuple[Correction, ...], seat: int) -> View:
    """The public view; this seat's own cards before it, and those the table knows to be in its hand."""
    mine = laid.get(seat, ())
    known = [card for card in s.known.surely(seat) if card not in mine]
    return {**public(s, house, laid, corrections), "me": seat, "my_laid": list(mine), "known": known}


def _last(s: State) -> View | None:
    pose = s.pose
    if pose is None:
        return None
    return {
        "seat": pose.seat,
        "count": len(pose.cards),
        "value": pose.value,
        "opening": pose.opening,
        "challenged": pose.challenged,
        "cards": list(pose.cards) if pose.opening or pose.challenged else None,
    }


def _settle(settle: Settle | None) -> View | None:
    if settle is None:
        return None
    return {
        "stage": settle.stage.value,
        "seat": settle.actor,
        "accused": settle.accused,
        "challenger": settle.challenger,
        "count": settle.count,
    }


def _window(s: State) -> View | None:
    if s.window is None:
        return None
    return {"seat": s.window.seat, "deadline": s.window.deadline, "declined": sorted(s.window.declined)}


def _places(s: State, card: Card) -> list[int | str]:
    places = s.seen.places[card]
    return [*sorted(p for p in places if isinstance(p, int)), *([CENTRE] if CENTRE in places else [])]


def may(s: State) -> tuple[str, ...]:
    """What is open to the player in turn, as ids; nothing while nobody is in turn."""
    if s.phase is not Phase.PLAY or s.settle is not None or s.window is not None:
        return ()
    return ("next", "pass") if s.must_next else ("same", "next", "pass")


def guidance(before: State, after: State, house: House, t: float) -> list[Ruling]:
    """Prompts of mode `play`, where what is to be done next has changed."""
    if house.mode is not Mode.PLAY:
        return []
    if after.phase is not before.phase:
        told = _phase(after, t)
    elif after.settle is not None:
        told = [_act(after.settle, t), *_turn_of(after.settle, t)]
    elif after.window is not None and before.window is None:
        args = (("seat", after.window.seat), ("seconds", house.window_s))
        told = [Say(t, "all", ids.SAY_WINDOW, args)]
    else:
        told = []
    turn = after.turn
    if turn is None or not may(after):
        return told
    if after.must_next:
        told.append(Say(t, turn, ids.SAY_NEXT_VALUE, (("value", house.next_value(after.value)),)))
    return [*told, Turn(t, turn, may(after))]


def _phase(s: State, t: float) -> list[Ruling]:
    match s.phase:
        case Phase.GIFT:
            assert s.king is not None, "only a King gives"
            return [Say(t, s.king, ids.SAY_KING, (("to", s.abru),)), Turn(t, s.king, (Stage.GIVE.value,))]
        case Phase.DEAL:
            return [Say(t, "all", ids.SAY_START)]
        case Phase.COUNT:
            return [Say(t, "all", ids.SAY_SHOW)]
        case Phase.PLAY | Phase.END:
            return []


def _act(settle: Settle, t: float) -> Ruling:
    count = ("count", settle.count)
    match settle.stage:
        case Stage.TAKE_BACK | Stage.TAKE:
            return Say(t, settle.actor, ids.SAY_TAKE, (count,))
        case Stage.GIVE:
            return Say(t, settle.actor, ids.SAY_GIVE, (("to", settle.accused),))
        case Stage.DRAW:
            return Say(t, settle.actor, ids.SAY_DRAW, (count, ("from", settle.accused)))


def _turn_of(settle: Settle, t: float) -> list[Ruling]:
    return [Turn(t, settle.actor, (settle.stage.value,))]

"""What of a game of TIFO may be seen, by everybody or by one seat, and what the table prompts in mode `play`."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.rulings import Move, Ruling, Say, Turn
from engine.setup import Mode
from engine.table import Correction
from engine.tifo import ids
from engine.tifo.cards import ANSWERS, Family
from engine.tifo.rules import (
    Attack,
    Discard,
    Lay,
    Parry,
    Play,
    why_no_rob,
    why_no_shout,
    why_no_swap,
    why_not,
)
from engine.tifo.state import House, State

View = dict[str, object]
ONE_OF_EACH_CLASS: Final = ("interdit#1", "greve#1", "locaux#1")
"""Attacks: the rules tell the classes apart, not the kinds (T7, T8)."""


def public(s: State, house: House, corrections: tuple[Correction, ...]) -> View:
    """Plain values, none of which depends on a hidden card."""
    seats = [
        {
            "seat": n,
            "hand": s.hands[n - 1],
            "laid": list(s.laid[n - 1]),
            "attacks": list(s.attacks[n - 1]),
            "missing": sorted(s.missing(n)),
            "out": n in s.out,
        }
        for n in range(1, house.seats + 1)
    ]
    top = s.last_discarded() if s.ola is None else s.ola
    return {
        "game": "tifo",
        "seats": seats,
        "turn": None if s.ended else s.turn,
        "may": [] if s.ended else list(may(s)),
        "pile": s.pile,
        "pile_number": s.pile_no,
        "last_pile": house.last_pile,
        "final": s.final,
        "discard": len(s.discard) + s.unread,
        "discard_top": None if house.hidden_discard and top != s.ola else top,
        "ola": s.ola is not None,
        "due": [d.seat for d in s.due],
        "corrections": [
            {"rule": c.rule, "seat": c.seat, "zone": c.zone, "card": None if "card" in c.secret else c.card}
            for c in corrections
        ],
        "over": s.ended,
    }


def private(s: State, house: House, corrections: tuple[Correction, ...], seat: int) -> View:
    """The public view and the cards that are known to be in this seat's own hand."""
    return {**public(s, house, corrections), "me": seat, "known": list(s.known.surely(seat))}


def may(s: State) -> tuple[str, ...]:
    """What is open to the player in turn, as ids: what the rules would take from him, if he holds the card for it."""
    seat = s.turn
    concede = ("concede",) if s.has_attack(seat, Family.INTERDIT) else ()
    if any(d.seat == seat for d in s.due):
        return ("draw", *concede)
    if s.ola is not None:
        rob = ("rob",) if any(n != seat and why_no_rob(s, n) is None for n in s.alive()) else ()
        swap = ("swap",) if s.loose or why_no_swap(s, s.last_discarded()) is None else ()
        return (*rob, *swap, *(concede or ("let-go",)))
    legal = [name for name, plays in _plays(s) if any(why_not(s, play) is None for play in plays)]
    return (*legal, *(("call",) if why_no_shout(s) is None else ()), *concede)


def _plays(s: State) -> Iterator[tuple[str, Iterator[Play]]]:
    """The plays of the player in turn by their ids, one for all cards that the rules do not tell apart there."""
    seat = s.turn
    yield "lay", (Lay(seat, f"{kind}#1") for kind in s.missing(seat))
    yield "attack", (Attack(seat, card, n) for card in ONE_OF_EACH_CLASS for n in s.alive())
    yield "parry", (Parry(seat, f"{kind}#1") for kind in ANSWERS)
    yield "discard", iter([Discard(seat, "mediation#1")])
    yield "ola", iter([Discard(seat, "ola#1")])


def guidance(before: State, after: State, moves: Sequence[Ruling], mode: Mode, t: float) -> list[Ruling]:
    """Prompts of mode `play`: whose turn it is now, who must draw, that this turn is the last."""
    if mode is not Mode.PLAY or after.ended:
        return []
    out: list[Ruling] = []
    if after.final and not before.final:
        out.append(Say(t, "all", ids.SAY_FINAL))
    for move in moves:
        if isinstance(move, Move) and move.move == "rob":
            target = int(str(move.arg("target")))
            draws = after.hands[target - 1] == before.hands[target - 1] or any(d.seat == target for d in after.due)
            out.append(Say(t, target, ids.SAY_ROBBED if draws else ids.SAY_SHORT))
    if before.ola is not None and after.ola is None and before.turn == after.turn:
        out.append(Say(t, after.turn, ids.SAY_AGAIN))
    if before.turn != after.turn or may(before) != may(after):
        out.append(Turn(t, after.turn, may(after)))
    return out

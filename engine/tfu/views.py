"""What of a match of Тьфу! may be seen, and what the table says beside its rulings.

Everybody sees the same: centres, open tops, counts. A card that lies face down in a column, or an open top that
is in somebody's hand, hides what is beneath it.
"""

from collections.abc import Sequence

from engine.rulings import Match, Over, Ruling, Say
from engine.setup import Mode
from engine.table import Correction
from engine.tfu import ids
from engine.tfu.columns import Columns
from engine.tfu.state import Phase, State

View = dict[str, object]


def public(s: State, columns: Columns, watched: bool, corrections: tuple[Correction, ...]) -> View:
    """Plain values, none of which depends on a hidden card."""
    playing = s.phase is Phase.PLAY
    upcoming = s.deal if playing else s.upcoming
    seats: list[View] = []
    for n in s.seats:
        zones = [_column(s, columns, f"seat{n}.col{c}") for c in range(1, 5)] if watched else None
        spare = s.spare[n - 1] if playing else upcoming.spare(n)
        held = None if zones is None else sum(int(str(z["count"])) for z in zones)
        seats.append(
            {
                "seat": n,
                "hand": spare if held is None else spare + held,
                "spare": spare,
                "columns": zones,
                "owes": n in s.owed,
            }
        )
    return {
        "game": "tfu",
        "seats": seats,
        "centres": [_centre(s, n, corrections) for n in s.seats],
        "turn": None,
        "round": upcoming.round,
        "phase": s.phase.value,
        "asked": s.asked,
        "last": {"winners": list(s.winners), "by": s.by} if s.by else None,
        "corrections": [
            {"rule": c.rule, "seat": c.seat, "zone": c.zone, "card": None if "card" in c.secret else c.card}
            for c in corrections
        ],
        "over": s.phase is Phase.DONE,
    }


def _column(s: State, columns: Columns, zone: str) -> View:
    if s.phase is not Phase.PLAY:
        return {"count": len(columns.seen.get(zone, ())), "open": None, "lifted": False}
    cards = columns.column(s.number, zone, s.gone)
    top = cards[-1] if cards else None
    return {"count": len(cards), "open": top, "lifted": top in columns.up}


def _centre(s: State, n: int, corrections: tuple[Correction, ...]) -> View:
    cards = s.piles[n - 1]
    return {
        "pile": n,
        "count": len(cards),
        "top": cards[-1] if cards else None,
        "closed": n in s.shut,
        "frozen": any(c.zone == f"centre{n}" for c in corrections),
    }


def called(s: State, closed: Sequence[int], mode: Mode, t: float) -> list[Ruling]:
    """After a call in mode `play`: which piles close, how many cards are owed."""
    if mode is not Mode.PLAY:
        return []
    closing: list[Ruling] = [Say(t, "all", ids.SAY_CLOSED, (("pile", n),)) for n in closed]
    return [*closing, Say(t, "all", ids.SAY_SPIT, (("owed", len(s.owed)),))]


def progress(before: State, after: State, mode: Mode, t: float) -> list[Ruling]:
    """After a spit in mode `play`: whose spare is out, and that play may begin."""
    if mode is not Mode.PLAY:
        return []
    out: list[Ruling] = [
        Say(t, "all", ids.SAY_SPARE_OUT, (("seat", n),))
        for n in after.seats
        if before.spare[n - 1] and not after.spare[n - 1]
    ]
    ready = before.owed and not after.owed and after.phase is Phase.PLAY
    return [*out, Say(t, "all", ids.SAY_GO)] if ready else out


def question(t: float) -> Say:
    """The small table's question, in every mode: the rules demand it (S14)."""
    return Say(t, "all", ids.SAY_FEWEST)


def ended(s: State, mode: Mode, t: float) -> list[Ruling]:
    """The end of a round, of the match, and in mode `play` what is dealt next."""
    out: list[Ruling] = [Over(t, s.winners, s.by)]
    if s.phase is Phase.DONE:
        return [*out, Match(t, s.winners)]
    if mode is not Mode.PLAY:
        return out
    deal = s.upcoming
    if deal.round == s.deal.round:
        return [*out, Say(t, "all", ids.SAY_AGAIN, (("round", deal.round),))]
    counts = [
        Say(t, n, ids.SAY_DEAL, (("round", deal.round), ("cards", deal.counts[n - 1]), ("spare", deal.spare(n))))
        for n in s.seats
    ]
    return [*out, *counts]

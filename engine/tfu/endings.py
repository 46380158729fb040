"""How rounds and the match end (S14, S17, S20, S24), as new states."""

from collections.abc import Mapping
from dataclasses import replace

from engine.tfu.rules import next_deal
from engine.tfu.state import Deal, Phase, State

Left = Mapping[int, int] | None
"""Cards in the columns of each seat, None where no sensor sees them."""


def won(s: State, seat: int, left: Left) -> State:
    """A player's columns are empty; without a spare he has won the match (S24).

    Nobody sees the columns of a small table: with two players the counts follow all the same, with more the
    match ends here (S17).
    """
    bare = s.spare[seat - 1] == 0
    by = "no-cards" if bare else "columns-empty"
    if left is not None:
        return replace(_over(s, (seat,), by, next_deal(s, seat, left), bare), won=seat)
    if len(s.spare) > 2:
        return _over(s, (seat,), by, s.deal, True)
    return _over(s, (seat,), by, next_deal(s, seat, _unseen(s, seat)), bare)


def blocked(s: State, winner: int | None, left: Left) -> State:
    """Nothing can go on. Without a winner, or where nobody saw the columns, the same counts are dealt again."""
    winners = () if winner is None else (winner,)
    if winner is None or left is None:
        return _over(s, winners, "blocked", s.deal, winner is not None and len(s.spare) > 2)
    return _over(s, winners, "blocked", next_deal(s, winner, left), False)


def asked(s: State) -> State:
    """The small table has asked who has fewest cards."""
    return replace(s, asked=True)


def said_out(s: State) -> State:
    """The winner has said "Вышел!"."""
    return replace(s, won=None)


def _unseen(s: State, winner: int) -> Mapping[int, int]:
    """What two players have left in columns that nobody sees: of those of the winner nothing."""
    held = sum(s.deal.held(n) for n in s.seats)
    return {n: 0 if n == winner else held - s.plays for n in s.seats}


def _over(s: State, winners: tuple[int, ...], by: str, upcoming: Deal, done: bool) -> State:
    return replace(
        s,
        phase=Phase.DONE if done else Phase.OVER,
        upcoming=upcoming,
        owed=frozenset(),
        asked=False,
        winners=winners,
        by=by,
    )

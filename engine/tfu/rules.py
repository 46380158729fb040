"""What the rules of Тьфу! allow and what follows from it: pure functions over the state."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.cards import Card
from engine.referee import Illegal
from engine.tfu import ids
from engine.tfu.cards import adjacent
from engine.tfu.state import Deal, Phase, State

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spit:
    """An owed spare card reaches its owner's pile."""

    pile: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card from a column reaches a pile; seat and column are None where columns are not watched."""

    pile: int
    seat: int | None
    column: int | None


def read(
    s: State, pile: int, card: Card, home: tuple[int, int] | None, watched: bool, is_open: bool
) -> Spit | Play | Illegal:
    """What a card on a centre means, apart from its rank (S9, S10, S12, S25) and from whose play an illegal one is.

    `home`: seat and column that hold the card by rule, None for any other card; `is_open`: whether it is the
    open top there.
    """
    if s.number == 0:
        return Illegal(ids.SPARE, ids.M_CALL_FIRST, None)
    if s.owed:
        if pile in s.owed and home is None and _is_next(s, pile, card):
            return Spit(pile)
        return Illegal(ids.SPARE, ids.M_OWED_FIRST if s.spare_with(card) is None else ids.M_SPARE_ORDER, None)
    if s.spare_with(card) is not None:
        return Illegal(ids.SPARE, ids.M_SPARE_ORDER, None)
    if s.top(pile) is None:
        return Illegal(ids.SPARE, ids.M_OPEN_PILE, None)
    if not watched:
        return Play(pile, None, None)
    if home is None or not is_open:
        return Illegal(ids.COLUMN, ids.M_OPEN_TOP, None)
    return Play(pile, home[0], home[1])


def _is_next(s: State, owner: int, card: Card) -> bool:
    """Whether a card can be the next of a spare: of a turned-over one only its next, else any never seen."""
    known = s.known[owner - 1]
    return card == known[0] if known else card not in s.gone


def fits(s: State, pile: int, card: Card) -> bool:
    """Whether a card is one above or below the pile's top (S3)."""
    top = s.top(pile)
    return top is not None and adjacent(card, top)


def can_play(s: State, tops: Mapping[int, Iterable[Card]], takes: Callable[[int], bool]) -> tuple[int, ...]:
    """The seats with an open top that fits a pile which `takes` cards (S8)."""
    piles = [top for n in s.seats if takes(n) and (top := s.top(n)) is not None]
    return tuple(seat for seat in s.seats if any(adjacent(c, p) for c in tops.get(seat, ()) for p in piles))


def begin(s: State) -> State:
    """The first call of a round: everybody with a spare owes a card, the others' piles never open (S13)."""
    deal = s.upcoming
    spare = tuple(deal.spare(n) for n in s.seats)
    none: tuple[tuple[Card, ...], ...] = ((),) * len(spare)
    fed = frozenset(n for n in s.seats if spare[n - 1])
    return State(
        phase=Phase.PLAY,
        deal=deal,
        upcoming=deal,
        number=s.number + 1,
        spare=spare,
        known=none,
        piles=none,
        gone=frozenset(),
        shut=frozenset(s.seats) - fed,
        owed=fed,
        plays=0,
        fed=(0,) * len(spare),
        asked=False,
        won=None,
        winners=(),
        by="",
    )


def call(s: State) -> tuple[State, tuple[int, ...], tuple[int, ...]]:
    """A call within a round: the new state, whose piles are turned over (S10), whose close (S12)."""
    bare = tuple(n for n in s.seats if not s.spare[n - 1])
    if s.deal.round == 1:
        turned = bare  # all of a spare lies in its owner's pile, so there is one
        s = replace(
            s,
            spare=tuple(len(s.piles[n - 1]) if n in turned else s.spare[n - 1] for n in s.seats),
            known=tuple(s.piles[n - 1] if n in turned else s.known[n - 1] for n in s.seats),
            piles=tuple(() if n in turned else s.piles[n - 1] for n in s.seats),
        )
        closed: tuple[int, ...] = ()
    else:
        turned = ()
        closed = tuple(n for n in bare if n not in s.shut)
    owed = frozenset(n for n in s.seats if s.spare[n - 1])
    return replace(s, owed=owed, shut=s.shut | frozenset(closed)), turned, closed


def spit(s: State, owner: int, card: Card) -> State:
    """The owed card of `owner` lies on his pile."""
    i = owner - 1
    return replace(
        s,
        spare=_at(s.spare, i, s.spare[i] - 1),
        known=_at(s.known, i, s.known[i][1:]),
        piles=_at(s.piles, i, (*s.piles[i], card)),
        gone=s.gone | {card},
        owed=s.owed - {owner},
        fed=_at(s.fed, i, s.fed[i] + 1),
    )


def play(s: State, pile: int, card: Card) -> State:
    """A card from a column lies on a pile."""
    i = pile - 1
    return replace(
        s,
        piles=_at(s.piles, i, (*s.piles[i], card)),
        gone=s.gone | {card},
        plays=s.plays + 1,
        fed=(0,) * len(s.fed),
        asked=False,
    )


def exhausted(s: State) -> bool:
    """Nobody has a spare; in round one a pile that can be turned over is one (S14)."""
    return not any(s.spare) and not (s.deal.round == 1 and any(s.piles))


def cycled(s: State) -> bool:
    """Round one: everybody has put down his whole stock since the last play (S14)."""
    return s.deal.round == 1 and all(
        fed >= spare + len(pile) for fed, spare, pile in zip(s.fed, s.spare, s.piles, strict=True)
    )


def fewest(left: Mapping[int, int]) -> int | None:
    """The seat with fewest cards in its columns, None if several share it."""
    least = min(left.values())
    seats = [n for n, count in left.items() if count == least]
    return seats[0] if len(seats) == 1 else None


def next_deal(s: State, winner: int, left: Mapping[int, int]) -> Deal:
    """The counts of the next round: the winner keeps his spare and columns, the others share the centre (S17).

    What cannot be shared equally goes to the fullest columns (of equal ones to the first seat).
    """
    centre = sum(len(p) for p in s.piles)
    losers = [n for n in s.seats if n != winner]
    each, rest = divmod(centre, len(losers))
    fullest = max(losers, key=lambda n: (left[n], -n))
    counts = tuple(
        s.spare[n - 1] + left[n] + (0 if n == winner else each) + (rest if n == fullest else 0) for n in s.seats
    )
    return Deal(s.deal.round + 1, counts)


def _at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])

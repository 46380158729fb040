"""What hands of a given temper do next: always something legal."""

from dataclasses import dataclass
from enum import Enum
from random import Random

from engine.setup import Setup
from firmware.simulator.deeds import Deed, Press, Put, Take, Wait
from firmware.simulator.tfu.truth import Truth


class Temper(Enum):
    """How a player plays."""

    QUICK = "slams whatever fits"
    STEADY = "keeps the pace of the table"
    SLOW = "is often second"
    PONDERER = "lifts a card and thinks with it in the hand"


SPEED = {Temper.QUICK: 6, Temper.STEADY: 3, Temper.SLOW: 1, Temper.PONDERER: 2}


@dataclass(frozen=True, slots=True)
class Hand:
    """A card lifted and not yet put down."""

    seat: int
    zone: str
    card: str


def spits(t: Truth, seats: frozenset[int]) -> list[Deed]:
    """The owed cards of some seats, in any order."""
    return [
        Deed((Put(n, f"centre{n}", t.spare[n][0]),), moves=("spit",)) for n in sorted(t.owed & seats) if t.spare[n]
    ]


def put_down(t: Truth, hand: Hand, frozen: frozenset[int], rng: Random) -> Deed:
    """The lifted card goes on a pile it fits, or back to its column."""
    piles = [pile for _, card, pile in t.plays_of(hand.seat) if card == hand.card and pile not in frozen]
    if piles and not t.owed:
        return Deed((Put(hand.seat, f"centre{rng.choice(piles)}", hand.card),), moves=("play",))
    return Deed((Put(hand.seat, hand.zone, hand.card),))


def play(
    t: Truth, tempers: dict[int, Temper], seats: frozenset[int], frozen: frozenset[int], setup: Setup, rng: Random
) -> tuple[Deed, Hand | None] | None:
    """One of `seats` plays, moves a card to an empty column, or lifts one; None if none of them can."""
    watched = "seat1.col1" in setup.zones
    able = {n: plays for n in sorted(seats) if (plays := [p for p in t.plays_of(n) if p[2] not in frozen])}
    if watched and setup.option("refill") and rng.random() < 0.1:
        moved = refill(t, seats, rng)
        if moved is not None:
            return moved, None
    if not able:
        return None
    seat = rng.choices(list(able), [SPEED[tempers[n]] for n in able])[0]
    zone, card, pile = rng.choice(able[seat])
    if watched and tempers[seat] is Temper.PONDERER and rng.random() < 0.4:
        return Deed((Take(seat, zone, card),)), Hand(seat, zone, card)
    if watched and rng.random() < 0.03:
        return Deed((Take(seat, zone, card), Put(seat, zone, card))), None
    source = zone if watched else None
    return Deed((Put(seat, f"centre{pile}", card, source),), moves=("play",)), None


def refill(t: Truth, seats: frozenset[int], rng: Random) -> Deed | None:
    """An open top goes to an empty column of the same player (option `refill`)."""
    options = [
        Deed((Put(n, empty, card, zone),))
        for n in sorted(seats)
        for empty in t.zones_of(n)
        if not t.columns[empty]
        for zone, card in t.tops(n)
        if len(t.columns[zone]) > 1
    ]
    return rng.choice(options) if options else None


def small_end(t: Truth, asked: bool, bots: frozenset[int], rng: Random) -> Deed | None:
    """On a table without columns: who is out says so; asked, who has fewest says so, else they call again."""
    for n in t.players:
        if not t.in_columns(n) and not asked:
            return Deed((Press(f"seat{n}.ok"),), moves=("out",)) if n in bots else Deed((Wait(1.0),))
    if not asked:
        return None
    left = {n: len(t.in_columns(n)) for n in t.players}
    fewest = [n for n in t.players if left[n] == min(left.values())]
    if len(fewest) == 1:
        return Deed((Press(f"seat{fewest[0]}.ok"),)) if fewest[0] in bots else Deed((Wait(1.0),))
    return call(bots, rng)


def call(bots: frozenset[int], rng: Random, moves: tuple[str, ...] = ()) -> Deed:
    """Somebody calls; nobody does where all are human."""
    if not bots:
        return Deed((Wait(1.0),))
    return Deed((Press(f"seat{rng.choice(sorted(bots))}.call"),), moves=moves)

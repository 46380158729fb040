"""What a bot of a given temper plays when it is its turn: always something legal."""

from dataclasses import dataclass
from enum import Enum
from random import Random

from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.simulator.deeds import Action, Deed, Press, Put, Take
from firmware.simulator.tifo.truth import ATTACKS, PARADES, TIFO, Truth, kind


class Temper(Enum):
    """How a bot likes to win."""

    EAGER = "lays what it has"
    HOARDER = "keeps its cards for one great shout"
    FIGHTER = "attacks whoever is ahead"
    CAREFUL = "parries first"


WEIGHTS = {
    Temper.EAGER: {"lay": 8, "attack": 2, "parry": 6, "ola": 2, "discard": 1},
    Temper.HOARDER: {"lay": 1, "attack": 2, "parry": 6, "ola": 4, "discard": 3},
    Temper.FIGHTER: {"lay": 3, "attack": 8, "parry": 4, "ola": 2, "discard": 1},
    Temper.CAREFUL: {"lay": 4, "attack": 2, "parry": 12, "ola": 2, "discard": 2},
}


@dataclass(frozen=True, slots=True)
class Option:
    """One legal thing to do, and its class for the weights."""

    sort: str
    deed: Deed


def decide(t: Truth, temper: Temper, setup: Setup, rng: Random) -> Deed:
    """A legal deed for the seat in turn, which has drawn."""
    seat = t.turn
    if t.ola is not None:
        return use_ola(t, setup, rng)
    won = shout(t, setup, rng, temper)
    if won is not None:
        return won
    options = [*lays(t, seat), *attacks(t, seat), *parries(t, seat), *discards(t, seat)]
    if not options:
        return concede(seat)
    weights = [WEIGHTS[temper][o.sort] for o in options]
    return rng.choices(options, weights)[0].deed


def concede(seat: int) -> Deed:
    """Give up under INTERDIT (T28)."""
    return Deed((Press(f"seat{seat}.ok"),), moves=("eliminated",))


def lays(t: Truth, seat: int) -> list[Option]:
    """Every TIFO card that may be laid."""
    cards = [c for c in t.hands[seat] if kind(c) in TIFO and t.can_lay(seat, c)]
    return [Option("lay", Deed((Put(seat, f"seat{seat}", c),), moves=("lay",))) for c in cards]


def attacks(t: Truth, seat: int) -> list[Option]:
    """Every attack on every target it may have."""
    return [
        Option("attack", Deed((Put(seat, f"seat{n}", c),), moves=("attack",)))
        for c in t.hands[seat]
        if kind(c) in ATTACKS
        for n in t.targets(seat, c)
    ]


def parries(t: Truth, seat: int) -> list[Option]:
    """Every parade that answers something."""
    cards = [c for c in t.hands[seat] if kind(c) in PARADES and t.answers(seat, c)]
    return [Option("parry", Deed((Put(seat, f"seat{seat}", c),), moves=("parry",))) for c in cards]


def discards(t: Truth, seat: int) -> list[Option]:
    """Every card that may go to the discard."""
    out = []
    for c in t.hands[seat]:
        if t.can_discard(seat, c):
            sort = "ola" if kind(c) == "ola" else "discard"
            out.append(Option(sort, Deed((Put(seat, "discard", c),), moves=(sort,))))
    return out


def shout(t: Truth, setup: Setup, rng: Random, temper: Temper) -> Deed | None:
    """The whole TIFO, if the hand completes it: called first, or slammed down (T17)."""
    seat = t.turn
    missing = t.missing(seat)
    have = {kind(c): c for c in t.hands[seat] if kind(c) in missing}
    if set(have) != missing or not t.can_shout(seat):
        return None
    cards = sorted(have.values())
    puts: tuple[Action, ...] = tuple(Put(seat, f"seat{seat}", c) for c in cards)
    # In the turn that ends the game a slam comes too late: its first card is the turn's one play.
    may_slam = len(cards) > 1 and len(t.pile) > 4
    if may_slam and temper is not Temper.HOARDER and rng.random() < 0.5:
        return Deed(puts, moves=("lay", "tifo"))
    return Deed((Press(f"seat{seat}.call"), *puts), moves=("tifo",))


def use_ola(t: Truth, setup: Setup, rng: Random) -> Deed:
    """Rob, swap or let go."""
    seat = t.turn
    options: list[Deed] = []
    for n in t.alive():
        if n != seat and t.hands[n]:
            options.append(Deed((Press(f"seat{n}.ok"),), moves=("rob",)))
    options += swaps(t, setup)
    if not t.under(seat, "interdit"):
        options.append(Deed((Press(f"seat{seat}.ok"),), moves=("discard",)))
    return rng.choice(options) if options else concede(seat)


def swaps(t: Truth, setup: Setup) -> list[Deed]:
    """Take the last discarded card by `next`, or by lifting it where lifts are seen."""
    seat, ola = t.turn, t.ola or ""
    cards = t.swappable()
    out: list[Deed] = []
    if cards and not t.loose:
        out.append(Deed((Press(f"seat{seat}.next"),), moves=("swap",)))
    if setup.zones["discard"] is not ZoneKind.PASS:
        for card in cards[-3:]:
            lift = (Take(seat, "discard", ola), Take(seat, "discard", card), Put(seat, "discard", ola))
            out.append(Deed(lift, moves=("swap",)))
    return out

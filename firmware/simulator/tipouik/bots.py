"""What the bots decide: which cards to lay as what, when to pass, whom to believe."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from firmware.simulator.tipouik.truth import Truth, is_red, kind


class Temper(Enum):
    """How a bot plays."""

    HONEST = "honest"
    BLUFFING = "bluffing"
    SUSPICIOUS = "suspicious"
    TIMID = "timid"
    SLEEPY = "sleepy"


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances: to pass though able, to bluff when unable, to bluff though able; a table's suspicion of a pose."""

    passes: float
    bluffs: float
    lies: float
    doubts: float


HABITS = {
    Temper.HONEST: Habits(0.02, 0.35, 0.02, 0.10),
    Temper.BLUFFING: Habits(0.02, 0.90, 0.45, 0.15),
    Temper.SUSPICIOUS: Habits(0.02, 0.50, 0.10, 0.45),
    Temper.TIMID: Habits(0.25, 0.10, 0.00, 0.03),
    Temper.SLEEPY: Habits(0.96, 0.00, 0.00, 0.02),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Cards to lay and the value to say for them; no card means to pass."""

    cards: tuple[str, ...]
    value: int


def tempers_of_table(seats: int, rng: Random) -> dict[int, Temper]:
    """A temper for each seat; now and then a whole table falls asleep, so that all pass."""
    if rng.random() < 0.12:
        return dict.fromkeys(range(1, seats + 1), Temper.SLEEPY)
    awake = [t for t in Temper if t is not Temper.SLEEPY]
    return {n: rng.choice(awake) for n in range(1, seats + 1)}


def plan(t: Truth, temper: Temper, free: Sequence[str], rng: Random) -> Plan:
    """What the player in turn does with the cards in hand."""
    habits = HABITS[temper]
    if rng.random() < habits.passes:
        return Plan((), t.value)
    honest = [p for value in t.values if (p := _honest(free, value, rng)) is not None]
    if honest and rng.random() >= habits.lies:
        return max(honest, key=lambda p: len(p.cards)) if rng.random() < 0.7 else rng.choice(honest)
    if not honest and rng.random() >= habits.bluffs:
        return Plan((), t.value)
    return _bluff(t, free, rng)


def _honest(free: Sequence[str], value: int, rng: Random) -> Plan | None:
    cards = [c for c in free if kind(c) == str(value)]
    wild = [c for c in free if kind(c) == "any"]
    if wild and (rng.random() < 0.3 or len(cards) + len(wild) == len(free)):
        cards += wild
    if not cards:
        return None
    if rng.random() < 0.15:
        cards = cards[: rng.randint(1, len(cards))]
    return Plan(tuple(cards), value)


def _bluff(t: Truth, free: Sequence[str], rng: Random) -> Plan:
    value = rng.choice(t.values)
    reds = [c for c in free if is_red(c)]
    if reds and rng.random() < 0.5:
        return Plan((rng.choice(reds),), value)
    count = len(free) if len(free) <= 3 and rng.random() < 0.6 else rng.randint(1, min(3, len(free)))
    zeros = [c for c in free if kind(c) == "zero"]
    first = [rng.choice(zeros)] if zeros and rng.random() < 0.5 else []
    others = [c for c in free if c not in first]
    return Plan((*first, *rng.sample(others, count - len(first))), value)


def value_for(t: Truth, cards: Sequence[str], rng: Random) -> int:
    """What to say for cards that lie there already: the truth where it can be said."""
    true = [v for v in t.values if all(kind(c) in ("any", str(v)) for c in cards)]
    return rng.choice(true or list(t.values))


def doubts(t: Truth, seat: int, temper: Temper, rng: Random) -> bool:
    """Whether a bot will not believe the last pose. A claim that cannot be true is seldom believed."""
    pose = t.pose
    assert pose is not None, "there is a pose to doubt"
    mine = sum(kind(c) in ("any", str(pose.value)) for c in t.hands[seat])
    wild = sum(kind(c) == "any" for cards in (*t.hands.values(), t.buried) for c in cards)
    if mine + len(pose.cards) > pose.value + wild:
        return rng.random() < 0.8
    base = HABITS[temper].doubts * (3 if t.window is not None else 1)
    return rng.random() < base * min(1.0, 3 / (t.seats - 1)) * (0.5 + 0.25 * len(pose.cards))


def gift(free: Sequence[str], rng: Random) -> str:
    """The card one would rather not keep: a zero, else the dearest, or any."""
    zeros = [c for c in free if kind(c) == "zero"]
    return rng.choice(zeros) if zeros else rng.choice(list(free))

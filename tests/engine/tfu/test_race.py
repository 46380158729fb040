"""Races (S18, S19): two hands slam cards, 0 to 50 ms apart, on one pile or on two; readers see them later.

The true order of contact is known here. What the readers report is an interval for each card that holds its
true contact. Cards are put in order as the firmware does it: by contact, and where intervals overlap in an order
in which all are legal, if there is one. Where no intervals overlap the verdicts are those of the true order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import SPECS
from engine.observations import Lifted, Observation, Placed, interval, overlap
from engine.referee import Referee
from engine.rulings import Move, Refused
from engine.setup import Setup
from engine.tfu.referee import TfuReferee
from engine.tfu.state import State
from engine.zones import usual_kind
from firmware.simulator.run import observe
from firmware.simulator.tfu import TfuWorld

SPEC = SPECS["tfu"]
Verdicts = dict[str, str]
Table = Referee[State]


@dataclass(frozen=True)
class Slam:
    """A card that truly touched a pile at `at` and was seen there in the interval of `seen`."""

    at: float
    column: str
    seen: Placed


def opened(seed: int) -> tuple[Table, TfuWorld, float]:
    """A watched table for two, played up to a moment at which cards may be played."""
    setup = Setup(SPEC, 2, zones={z: usual_kind(z) for z in SPEC.all_zones(2)})
    referee, world, t = TfuReferee(setup), TfuWorld(setup, Random(seed), rounds=1), 0.0
    plays = Random(seed).randint(0, 8)
    while True:
        truth = world.truth
        if truth.phase == "play" and not truth.owed and truth.plays >= plays:
            return referee, world, t
        deed = world.next()
        if deed is None:
            return opened(seed + 1)
        for action in deed.actions:
            t += 1.0
            rulings = [r for o in observe(action, t, setup) for r in referee.receive(o)]
            world.hear(rulings)


def slams(world: TfuWorld, t: float, rng: Random, cards: int, blur_s: float) -> list[Slam]:
    """Open tops of both players, on any piles, in their true order; each column gives one card at most."""
    tops = [(zone, card) for n in (1, 2) for zone, card in world.truth.tops(n)]
    rng.shuffle(tops)
    out, at = [], t + 1.0
    piles = [rng.choice((1, 2)) for _ in range(cards)] if rng.random() < 0.5 else [1] * cards
    for (zone, card), pile in zip(tops, piles, strict=False):
        after, contact = at - rng.uniform(0, blur_s), at + rng.uniform(0, blur_s)
        out.append(Slam(at, zone, Placed(t + 9.0, f"centre{pile}", card, contact, after)))
        at += rng.uniform(0.0005, 0.05)
    return out


def verdicts(referee: Table, order: Sequence[Placed]) -> tuple[Verdicts, set[str]]:
    """What was said of each card, and which refusals carry `tie`."""
    said: Verdicts = {}
    ties: set[str] = set()
    for o in order:
        for r in referee.receive(o):
            if isinstance(r, Refused):
                said[o.card] = r.rule
                ties |= {o.card} if r.tie else set()
            elif isinstance(r, Move):
                said[o.card] = r.move
    return said, ties


def clusters(seen: Sequence[Placed]) -> list[list[Placed]]:
    """Cards in order of contact; those whose intervals chain together are one cluster."""
    out: list[list[Placed]] = []
    for o in sorted(seen, key=lambda p: interval(p)[1]):
        if out and any(overlap(interval(o), interval(p)) for p in out[-1]):
            out[-1].append(o)
        else:
            out.append([o])
    return out


def judged(referee: Table, seen: Sequence[Placed]) -> tuple[Verdicts, set[str], list[Placed]]:
    """The verdicts as the firmware brings them about, and the order it chose."""
    said: Verdicts = {}
    ties: set[str] = set()
    chosen: list[Placed] = []
    for cluster in clusters(seen):
        legal = referee.try_order(cluster) if len(cluster) > 1 else None
        order = [o for o in legal if isinstance(o, Placed)] if legal is not None else cluster
        more, tied = verdicts(referee, order)
        said |= more
        ties |= tied
        chosen += order
    return said, ties, chosen


def race(seed: int, cards: int, blur_s: float) -> tuple[Table, Table, list[Slam]]:
    """Two referees in the same position, and the cards that are in the air."""
    referee, world, t = opened(seed)
    fast = slams(world, t, Random(f"race/{seed}"), cards, blur_s)
    for slam in fast:
        lift: Observation = Lifted(t, slam.column, slam.seen.card)
        referee.receive(lift)
    return referee, referee.fork(), fast


@given(st.integers(0, 100_000), st.integers(2, 5), st.sampled_from([0.0, 0.001, 0.01, 0.03]))
def test_verdicts_are_those_of_the_true_order_unless_intervals_overlap(seed: int, cards: int, blur_s: float) -> None:
    table, truth, fast = race(seed, cards, blur_s)
    true, _ = verdicts(truth, [s.seen for s in fast])
    said, ties, order = judged(table, [s.seen for s in fast])
    if all(len(c) == 1 for c in clusters(order)):
        assert said == true
        assert ties == set()
    for pile in ("centre1", "centre2"):
        here = [o for o in order if o.zone == pile]
        close = {b.card for a, b in pairwise(here) if overlap(interval(a), interval(b))}
        refused = {o.card for o in here if said[o.card].startswith("tfu/")}
        assert ties & {o.card for o in here} == close & refused


@given(st.integers(0, 100_000), st.sampled_from([0.005, 0.03]))
def test_of_two_cards_at_once_a_legal_order_is_found_where_there_is_one(seed: int, blur_s: float) -> None:
    """The players' doubt is theirs: if either order makes both legal, both are."""
    table, truth, fast = race(seed, 2, blur_s)
    seen = [s.seen for s in fast]
    assert len(seen) == 2
    said, ties, _ = judged(table, seen)
    if not overlap(interval(seen[0]), interval(seen[1])):
        return
    both = [verdicts(truth.fork(), order)[0] for order in (seen, seen[::-1])]
    if any(set(v.values()) == {"play"} for v in both):
        assert set(said.values()) == {"play"}
        assert ties == set()
    else:
        assert said in both


@pytest.mark.parametrize("blur_s", [0.0, 0.02])
def test_nothing_is_lost_when_ten_cards_a_second_arrive_for_a_minute(blur_s: float) -> None:
    """Every card gets its verdict; illegal ones are lifted and the race goes on."""
    seen = 0
    seed = 0
    while seen < 600:
        referee, _, fast = race(seed, 5, blur_s)
        before = sum(len(p) for p in referee.state.piles)
        said, _, _ = judged(referee, [s.seen for s in fast])
        assert set(said) == {s.seen.card for s in fast}
        played = sum(v == "play" for v in said.values())
        assert sum(len(p) for p in referee.state.piles) == before + played
        assert len(referee.corrections) == len(said) - played
        for slam in fast:
            referee.receive(Lifted(slam.seen.t, slam.seen.zone, slam.seen.card))
        assert referee.corrections == ()
        seen, seed = seen + len(fast), seed + 1

"""Whole simulated games of Tipouik: no legal play is refused, no illegal one that can be told goes through."""

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

from engine.games import SPECS, referee_for
from engine.observations import Observation
from engine.rulings import Move, Over, Refused
from engine.setup import Setup
from engine.tipouik import ids
from engine.zones import ZoneKind
from firmware.simulator.deeds import Action, Deed, Press, Put, Take, Wait
from firmware.simulator.run import Report, observe, run_game, simulate
from firmware.simulator.tipouik import TipouikWorld
from firmware.simulator.tipouik.cheats import SWAPPED

SPEC = SPECS["tipouik"]


def table(seats: int, kind: ZoneKind = ZoneKind.SPREAD, **options: bool | int | float) -> Setup:
    return Setup(SPEC, seats, options=options, zones=dict.fromkeys(SPEC.all_zones(seats), kind))


@pytest.mark.parametrize("kind", list(ZoneKind))
@pytest.mark.parametrize("seats", range(3, 11))
def test_no_legal_play_is_refused_and_no_verdict_is_wrong(seats: int, kind: ZoneKind) -> None:
    setup, report = table(seats, kind), Report()
    for n in range(4):
        world = TipouikWorld(setup, Random(f"{seats}/{n}"))
        run_game(setup, world, report)
        assert world.disagreements == []
        assert world.ending() in ("empty-hand", "all-passed")
    assert (report.legal_refused, report.faults) == (0, [])


def test_who_laid_cards_thinks_again_when_the_pass_before_him_is_taken_back() -> None:
    """Seat 6 laid two cards to say "6"; seat 5's pass was undone, and he posed 7."""
    report = Report()
    run_game(table(9), TipouikWorld(table(9), Random("tipouik/1/1076"), 0.2), report)
    assert report.faults == []


@pytest.mark.parametrize(("seats", "game"), [(10, "tipouik/4/1064"), (3, "tipouik/4/1727")])
def test_what_crossed_a_zone_before_an_undo_is_not_lost(seats: int, game: str) -> None:
    """A taken card was laid and the taking undone; a pose was undone that repeats the cards of the one before."""
    report, setup = Report(), table(seats, ZoneKind.PASS)
    run_game(setup, TipouikWorld(setup, Random(game), 0.3), report)
    assert report.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ZoneKind.SPREAD, ZoneKind.PASS])
def test_every_rule_is_broken_and_caught(kind: ZoneKind) -> None:
    report = Report()
    for seats, options in ((3, {"rounds": 3, "titles": True}), (5, {"final_window_s": 20}), (10, {})):
        report.add(simulate(table(seats, kind, **options), TipouikWorld, 25, 4, 0.25))
    assert (report.legal_refused, report.missed, report.faults) == (0, 0, [])
    assert report.caught + report.undetectable == report.tried
    two_places = {"table/two-places"} if kind is ZoneKind.SPREAD else set()
    tables = {"table/foreign-card", "table/card-elsewhere", "table/correct-first"} | two_places
    assert set(ids.RULES) | tables <= set(report.rules)
    assert set(report.blind) == {SWAPPED}


def test_rounds_end_in_every_way() -> None:
    ends: Counter[str] = Counter()
    setup = table(3, final_window_s=8)
    for n in range(60):
        log: list[Observation] = []
        run_game(setup, TipouikWorld(setup, Random(n)), Report(), log)
        ends[_how(setup, log)] += 1
    assert set(ends) >= {"timer", "declined", "challenged", "all-passed"}


def _how(setup: Setup, log: list[Observation]) -> str:
    referee = referee_for(setup)
    for o in log:
        out = referee.receive(o)
        over = next((r for r in out if isinstance(r, Over)), None)
        if over is None:
            continue
        if over.by == "all-passed":
            return over.by
        if over.t < o.t or type(o).__name__ == "Tick":
            return "timer"
        moves = [r.move for r in out if isinstance(r, Move)]
        return "challenged" if "verdict" in moves else moves[0] if moves else "declined"
    return "none"


def test_the_same_seed_plays_the_same_game() -> None:
    setup = table(4)
    logs: list[list[Observation]] = [[], []]
    for log in logs:
        run_game(setup, TipouikWorld(setup, Random("again"), 0.2), Report(), log)
    assert logs[0] == logs[1]


@dataclass
class Sitting:
    """A referee and a world at one table, and its clock."""

    setup: Setup
    world: TipouikWorld
    t: float = 0.0

    def __post_init__(self) -> None:
        self.referee = referee_for(self.setup)
        self.moves = Counter[int | None]()

    def act(self, action: Action) -> None:
        """An action is seen, judged and heard; nothing may be refused."""
        self.t += 0.2
        for o in observe(action, self.t, self.setup):
            self.t = o.t
            told = self.referee.receive(o)
            assert not [r for r in told if isinstance(r, Refused)]
            self.moves.update(r.seat for r in told if isinstance(r, Move))
            self.world.hear(told)


def test_the_bots_wait_for_a_human_and_hear_what_he_did() -> None:
    for seed in range(8):
        setup = table(3)
        world = TipouikWorld(setup, Random(seed), humans=frozenset({2}))
        sitting = Sitting(setup, world)
        while (d := world.next()) is not None:
            assert all(_actor(a) != 2 for a in d.actions)
            for action in d.actions:
                sitting.act(action)
            mine = _human(world) if all(isinstance(a, Wait) for a in d.actions) else None
            for action in mine.actions if mine is not None else ():
                world.observe(action)
                sitting.act(action)
            assert sitting.t < 3000
        assert world.disagreements == []
        assert sitting.moves[2] > 0


def _actor(action: Action) -> int | None:
    """Whose play an action is; tidying up is nobody's."""
    match action:
        case Press(button=button):
            return int(button[4:].split(".")[0])
        case Put(seat=seat):
            return seat
        case _:
            return None


def _human(world: TipouikWorld) -> Deed | None:
    """A human at seat 2 who lays the first card he holds, and does what he must."""
    t, hand = world.truth, world.hand(2)
    if t.phase == "deal":
        return Deed((Put(2, "seat2", "1#1"),)) if "1#1" in hand else None
    if t.phase == "count":
        return Deed((*(Put(2, "seat2", c) for c in hand), Press("seat2.ok"))) if 2 not in t.counted else None
    if t.settle is not None:
        if t.settle.stage == "give" and t.settle.actor == 2:
            return Deed((Put(2, f"hand{t.settle.accused}", hand[0]), Press("seat2.ok")))
        return Deed((Press("seat2.ok"),)) if t.settle.actor == 2 else None
    if t.window is not None:
        return Deed((Press("seat2.ok"),)) if t.window != 2 else None
    return Deed((Put(2, "seat2", hand[0]), Press("seat2.next"))) if t.turn == 2 and hand else None


def test_a_human_gives_the_card_he_chose() -> None:
    setup = table(3)
    world = TipouikWorld(setup, Random(3), humans=frozenset({1, 2, 3}))
    sitting = Sitting(setup, world)
    opener = world.truth.holder("1#1")
    assert opener is not None
    poser, other = world.truth.after(opener), world.truth.after(world.truth.after(opener))
    wrong = next(c for c in world.hand(poser) if c.split("#")[0] not in ("2", "any", "plus1", "plus2"))
    chosen = world.hand(other)[4]
    for action in (
        Put(opener, f"seat{opener}", "1#1"),
        Put(poser, f"seat{poser}", wrong),
        Press(f"seat{poser}.next"),
        Press(f"seat{other}.call"),
        Take(poser, f"seat{poser}", wrong),
        Put(other, f"hand{poser}", chosen),
        Press(f"seat{other}.ok"),
    ):
        world.observe(action)
        sitting.act(action)
    assert chosen in world.hand(poser)
    assert wrong in world.hand(poser)
    assert chosen not in world.hand(other)

"""Whatever is observed: cards are conserved, refusals change nothing, undo restores, a replay is the same.

The observations are those of whole simulated games (illegal plays among them), cut, doubled and mixed with
others that no player would make.
"""

from dataclasses import replace
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.games import SPECS
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick
from engine.rulings import Move, Over, Refused, Reveal, Ruling, Undone
from engine.setup import Mode, Setup
from engine.tipouik.referee import TipouikReferee
from engine.tipouik.state import Phase, State
from engine.zones import ZoneKind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tipouik import TipouikWorld

SPEC = SPECS["tipouik"]
FOREIGN = ("capo#1", "12#12", "Ah")


def table(rng: Random) -> Setup:
    """Some table of Tipouik."""
    seats = rng.choice([3, 3, 4, 5])
    kinds = {z: rng.choice([ZoneKind.SPREAD, ZoneKind.SPREAD, ZoneKind.PASS]) for z in SPEC.all_zones(seats)}
    options: dict[str, bool | int | float] = {
        "rounds": rng.choice([1, 2]),
        "titles": rng.random() < 0.5,
        "final_window_s": rng.choice([0, 5, 20.5]),
    }
    return Setup(SPEC, seats, mode=rng.choice(list(Mode)), options=options, zones=kinds)


def observed(setup: Setup, rng: Random) -> list[Observation]:
    """What a table reports of a game with cheats."""
    log: list[Observation] = []
    run_game(setup, TipouikWorld(setup, rng, cheat=0.2), Report(), log)
    return log


def at(o: Observation, t: float) -> Observation:
    return replace(o, t=t)


def noise(setup: Setup, rng: Random, seen: list[Observation], t: float) -> Observation:
    """An observation out of the blue."""
    seat = rng.randint(1, setup.seats)
    cards = [o.card for o in seen if isinstance(o, Placed)] or ["1#1"]
    card = rng.choice([*cards[-30:], *FOREIGN, "1#1", "plus1#1"])
    match rng.randrange(8):
        case 0 | 1:
            return Placed(t, f"seat{seat}", card)
        case 2:
            return Lifted(t, f"seat{seat}", card)
        case 3:
            return Announce(t, seat, rng.randint(0, 9), rng.choice([None, 1, 2]))
        case 4:
            return Tick(t)
        case 5:
            return Pressed(t, rng.choice(["table.accept", "table.undo"]))
        case _:
            return Pressed(t, f"seat{seat}.{rng.choice(['ok', 'next', 'call'])}")


def mixed(setup: Setup, rng: Random) -> list[Observation]:
    """A game with observations dropped, doubled and thrown in."""
    out: list[Observation] = []
    chance = rng.choice([0.0, 0.02, 0.15])
    for o in observed(setup, rng):
        if rng.random() < chance / 2:
            continue
        out.append(o)
        if rng.random() < chance:
            out.append(o)
        if rng.random() < chance:
            out.append(noise(setup, rng, out, o.t))
    return out


def fuzz(seed: int) -> tuple[TipouikReferee, list[Observation]]:
    rng = Random(seed)
    setup = table(rng)
    return TipouikReferee(setup), mixed(setup, rng)


def assert_conserved(referee: TipouikReferee) -> None:
    s: State = referee.state
    laid = [c for cards in referee.laid.values() for c in cards]
    assert len(laid) == len(set(laid))
    plain = s.buried | s.out
    assert not s.buried & s.out
    if s.phase is Phase.PLAY:
        assert plain.isdisjoint(laid)
        assert plain.isdisjoint(s.known.places)
    assert plain <= referee.pack
    assert set(laid) <= referee.pack
    assert all(n >= 0 for n in s.hands)
    assert sum(s.hands) + len(plain) == len(referee.pack)
    for seat in range(1, len(s.hands) + 1):
        assert len(s.known.surely(seat)) <= s.hand(seat)


@settings(max_examples=40)
@given(st.integers(0, 10**9))
@example(437).via("a card lifted after an undone count, from a hand that was known to the last card")
@example(5359).via("the same, beside one that still lies there")
def test_no_card_is_lost_or_doubled_whatever_is_observed(seed: int) -> None:
    referee, observations = fuzz(seed)
    for o in observations:
        referee.receive(o)
        assert_conserved(referee)


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_a_refused_play_leaves_the_state_equal(seed: int) -> None:
    referee, observations = fuzz(seed)
    refused = 0
    for o in observations:
        referee.receive(Tick(o.t))  # what falls due by then is no part of the play
        before, laid = referee.state, referee.laid
        out = referee.receive(o)
        if any(isinstance(r, Refused) for r in out):
            refused += 1
            assert not any(isinstance(r, Move) for r in out)
            assert (referee.state, referee.laid) == (before, laid)
    assert refused


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_undo_right_after_a_move_restores_the_state_before_it(seed: int) -> None:
    rng = Random(seed)
    setup = table(rng)
    referee, moves = TipouikReferee(setup), 0
    for o in observed(setup, rng):
        referee.receive(Tick(o.t))
        before = referee.state
        out = referee.receive(o)
        first = next((r for r in out if isinstance(r, Move)), None)
        if first is None:
            continue
        moves += 1
        trial = referee.fork()
        assert isinstance(trial, TipouikReferee)
        undone: tuple[Ruling, ...] = ()
        while not undone or not isinstance(undone[0], Undone):
            undone = trial.receive(Pressed(o.t, "table.undo"))
            assert undone
        assert (undone[0].seat, undone[0].move) == (first.seat, first.move)
        # Cards of the pose that no reader sees lying any more are known to have gone back to the hand.
        assert replace(trial.state, known=before.known) == before
        again, known, pose = trial.state.known.places, before.known.places, referee.state.pose
        changed = {c for c in {*again, *known} if again.get(c) != known.get(c)}
        assert changed <= set(pose.cards if first.move == "pose" and pose is not None else ())
    assert moves


@settings(max_examples=15)
@given(st.integers(0, 10**9))
def test_the_same_inputs_give_the_same_outputs(seed: int) -> None:
    referee, observations = fuzz(seed)
    first = [referee.receive(o) for o in observations]
    again = TipouikReferee(referee.setup)
    assert [again.receive(o) for o in observations] == first
    assert again.public_view() == referee.public_view()


@settings(max_examples=15)
@given(st.integers(0, 10**9))
def test_prompts_are_all_that_the_mode_changes(seed: int) -> None:
    referee, observations = fuzz(seed)
    plain = TipouikReferee(replace(referee.setup, mode=Mode.REFEREE))
    wordy = TipouikReferee(replace(referee.setup, mode=Mode.PLAY))
    for o in observations:
        told = wordy.receive(o)
        assert tuple(r for r in told if type(r).__name__ not in ("Turn", "Say")) == plain.receive(o)


@settings(max_examples=15)
@given(st.integers(0, 10**9))
def test_who_reveals_and_who_ends_is_told_once(seed: int) -> None:
    referee, observations = fuzz(seed)
    for o in observations:
        out = referee.receive(o)
        assert sum(isinstance(r, Over) for r in out) <= 1
        for r in out:
            if isinstance(r, Reveal):
                assert referee.state.pose is not None
                assert r.cards == referee.state.pose.cards

"""What holds whatever is observed: conservation, refusals that change nothing, undo, replay."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import TFU_DECK
from engine.games import SPECS
from engine.observations import Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.record import output_line
from engine.rulings import Move, Over, Refused, Ruling
from engine.setup import Setup
from engine.tfu.referee import TfuReferee
from engine.tfu.state import State
from engine.zones import ZoneKind, usual_kind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tfu import TfuWorld

SPEC = SPECS["tfu"]
FEW = ("2c", "3c", "3d", "4c", "Kh", "Ac", "Ad", "capo#1")
"""Few cards, so that they meet often."""


def table(seats: int, watched: bool, kind: ZoneKind | None, refill: bool) -> Setup:
    names = SPEC.all_zones(seats) if watched else SPEC.smallest(seats)
    options = {"refill": True} if refill else {}
    return Setup(SPEC, seats, options=options, zones={z: kind or usual_kind(z) for z in names})


def simulated(setup: Setup, seed: int) -> list[Observation]:
    log: list[Observation] = []
    run_game(setup, TfuWorld(setup, Random(seed), 0.3, rounds=2), Report(), log)
    return log


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Setup, list[Observation]]:
    """A table, a stretch of a real game on it, and nonsense after it and between."""
    kind = draw(st.sampled_from([None, *ZoneKind]))
    setup = table(draw(st.integers(2, 4)), draw(st.booleans()), kind, draw(st.booleans()))
    log = simulated(setup, draw(st.integers(0, 999)))
    start = log[: draw(st.integers(0, len(log)))]
    zones = st.sampled_from(sorted(setup.zones))
    cards = st.sampled_from(FEW) | st.sampled_from(TFU_DECK)
    buttons = st.sampled_from(sorted(SPEC.buttons(setup.seats)))
    t = start[-1].t if start else 0.0
    nonsense = st.one_of(
        st.builds(Placed, st.just(t), zones, cards),
        st.builds(Placed, st.just(t), zones, cards, st.just(t), st.floats(0, t)),
        st.builds(Lifted, st.just(t), zones, cards),
        st.builds(Pressed, st.just(t), buttons),
        st.builds(Tick, st.just(t)),
        st.builds(Unknown, st.just(t), zones, st.just("04AABBCC")),
    )
    return setup, [*start, *draw(st.lists(nonsense, max_size=40))]


def conserved(s: State) -> bool:
    """Every card that reached a centre is in exactly one pile or turned-over spare; no card is anywhere twice."""
    there = [c for pile in s.piles for c in pile] + [c for spare in s.known for c in spare]
    known = all(not order or len(order) == count for order, count in zip(s.known, s.spare, strict=True))
    total = sum(len(p) for p in s.piles) + sum(s.spare) - s.plays
    begun = s.number > 0
    right = not begun or total == sum(s.deal.spare(n) for n in s.seats)
    return len(there) == len(set(there)) and set(there) == s.gone and known and right and min(s.spare) >= 0


@settings(max_examples=40)
@given(evenings())
def test_no_card_is_lost_or_doubled(evening: tuple[Setup, list[Observation]]) -> None:
    setup, log = evening
    referee = TfuReferee(setup)
    for o in log:
        referee.receive(o)
        assert conserved(referee.state)
        assert sum(referee.state.upcoming.counts) == sum(referee.state.deal.counts)


@settings(max_examples=40)
@given(evenings())
def test_a_refusal_leaves_the_state_as_it_was(evening: tuple[Setup, list[Observation]]) -> None:
    setup, log = evening
    referee = TfuReferee(setup)
    for o in log:
        before = referee.state
        rulings = referee.receive(o)
        if any(isinstance(r, Refused) for r in rulings):
            assert referee.state == before
            assert not any(isinstance(r, Move | Over) for r in rulings)


@settings(max_examples=40)
@given(evenings())
def test_undo_brings_back_the_state_before_the_move(evening: tuple[Setup, list[Observation]]) -> None:
    setup, log = evening
    referee = TfuReferee(setup)
    for o in log:
        before = referee.state
        rulings = referee.receive(o)
        moved = next((r for r in rulings if isinstance(r, Move)), None)
        if moved is not None:
            trial = referee.fork()
            while trial.corrections:
                trial.receive(Pressed(o.t, "table.undo"))
            undone = output_line(trial.receive(Pressed(o.t, "table.undo"))[0])
            assert (undone["out"], undone["seat"], undone["move"]) == ("undone", moved.seat, moved.move)
            assert trial.state == before


@settings(max_examples=20)
@given(evenings())
def test_the_same_inputs_give_the_same_outputs(evening: tuple[Setup, list[Observation]]) -> None:
    setup, log = evening

    def play() -> list[tuple[Ruling, ...]]:
        referee = TfuReferee(setup)
        return [referee.receive(o) for o in log]

    assert play() == play()


@settings(max_examples=20)
@given(evenings(), st.data())
def test_trying_an_order_changes_nothing(evening: tuple[Setup, list[Observation]], data: st.DataObject) -> None:
    setup, log = evening
    referee = TfuReferee(setup)
    cut = data.draw(st.integers(0, len(log)))
    for o in log[:cut]:
        referee.receive(o)
    before, table_before, columns = referee.state, referee.table, referee.columns
    few = tuple(log[cut : cut + 4])
    order = referee.try_order(few)
    assert (referee.state, referee.table, referee.columns) == (before, table_before, columns)
    if order is not None:
        assert not any(isinstance(r, Refused) for o in order for r in referee.receive(o))

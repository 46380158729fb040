"""What holds for any sequence of inputs at a table of TIFO, sensible or not."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import TIFO_DECK
from engine.observations import Lifted, Observation, Placed, Pressed
from engine.record import output_line, public_output
from engine.rulings import Corrected, Move, Refused, Ruling, Stood, Undone
from engine.setup import Setup
from engine.tifo.referee import TifoReferee
from engine.tifo.spec import SPEC
from engine.zones import ZoneKind, usual_kind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tifo import TifoWorld

CARDS = ["capo#1", "capo#2", "voile#1", "mats#1", "fumis#1", "echarpe#1", "interdit#1", "greve#1", "controle#1"]
CARDS += ["locaux#1", "fumis-interdits#1", "avocat#1", "mediation#1", "identite#1", "mastre#1"]
CARDS += ["ola#1", "ola#2", "10h"]
ROLES = [f"seat{n}.{role}" for n in (1, 2, 3) for role in ("call", "ok", "next")]
TABLE = ["table.pile", "table.accept", "table.undo"]


@st.composite
def tables(draw: st.DrawFn) -> Setup:
    names = SPEC.all_zones(3) if draw(st.booleans()) else SPEC.smallest(3)
    seats = draw(st.sampled_from([ZoneKind.SPREAD, ZoneKind.PASS]))
    kinds = {z: seats if z.startswith("seat") else usual_kind(z) for z in names}
    options = {name: True for name in ("draw_two", "hidden_discard") if draw(st.booleans())}
    return Setup(SPEC, 3, first=draw(st.integers(1, 3)), options=options, zones=kinds)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Setup, list[Observation]]:
    setup = draw(tables())
    zones = st.sampled_from(list(setup.zones))
    cards = st.sampled_from(CARDS)
    one = st.one_of(
        st.builds(Placed, st.just(0.0), zones, cards),
        st.builds(Placed, st.just(0.0), zones, st.sampled_from(TIFO_DECK)),
        st.builds(Lifted, st.just(0.0), zones, cards),
        st.builds(Pressed, st.just(0.0), st.sampled_from(ROLES)),
        st.builds(Pressed, st.just(0.0), st.sampled_from(TABLE)),
    )
    return setup, draw(st.lists(one, min_size=1, max_size=40))


@settings(max_examples=300)
@given(histories())
def test_cards_are_conserved_and_nothing_raises(history: tuple[Setup, list[Observation]]) -> None:
    setup, inputs = history
    referee = TifoReferee(setup)
    for o in inputs:
        for r in referee.receive(o):
            output_line(r)
        assert referee.state.count() == len(TIFO_DECK)
        lying = [c for row in (*referee.state.laid, *referee.state.attacks, referee.state.discard) for c in row]
        assert len(lying) == len(set(lying))


@settings(max_examples=300)
@given(histories())
def test_a_refusal_leaves_the_state_equal(history: tuple[Setup, list[Observation]]) -> None:
    setup, inputs = history
    referee = TifoReferee(setup)
    for o in inputs:
        before = referee.state
        rulings = referee.receive(o)
        if (
            rulings
            and all(isinstance(r, Refused | Corrected | Stood) for r in rulings)
            and not _judges_another(o, rulings)
        ):
            assert referee.state == before


def _judges_another(o: Observation, rulings: Sequence[Ruling]) -> bool:
    """Whether an input only ended what was half done (a shout, whose card is refused now), and was itself good."""
    refused = [r for r in rulings if isinstance(r, Refused)]
    about = o.button if isinstance(o, Pressed) else o.card if isinstance(o, Placed | Lifted) else None
    return bool(refused) and about not in [r.button or r.card for r in refused]


def test_a_call_that_ends_anothers_slam_refuses_that_and_is_a_call_itself() -> None:
    referee = TifoReferee(Setup(SPEC, 3))
    for card in ("capo#1", "voile#1"):
        referee.receive(Placed(0.0, "seat1", card))
    rulings = referee.receive(Pressed(1.0, "seat2.call"))
    assert [(r.rule, r.seat, r.card) for r in rulings if isinstance(r, Refused)] == [("tifo/shout", 1, "voile#1")]
    assert referee.shout is not None
    assert referee.shout.seat == 2


@settings(max_examples=300)
@given(histories())
def test_undo_after_any_move_restores_the_state_before_it(history: tuple[Setup, list[Observation]]) -> None:
    setup, inputs = history
    referee = TifoReferee(setup)
    for o in inputs:
        before = referee.state
        first = next((r for r in referee.receive(o) if isinstance(r, Move)), None)
        if first is not None:
            trial = referee.fork()
            assert isinstance(trial, TifoReferee)
            while trial.corrections:
                assert isinstance(trial.receive(Pressed(0.0, "table.undo"))[0], Corrected)
            undone = trial.receive(Pressed(0.0, "table.undo"))
            assert [(r.seat, r.move) for r in undone if isinstance(r, Undone)] == [(first.seat, first.move)]
            assert trial.state == before


@settings(max_examples=150)
@given(histories())
def test_the_same_inputs_give_the_same_outputs_and_forks_do_not_touch_each_other(
    history: tuple[Setup, list[Observation]],
) -> None:
    setup, inputs = history
    one, two = TifoReferee(setup), TifoReferee(setup)
    for n, o in enumerate(inputs):
        fork = one.fork()
        fork.receive(inputs[-1 - n])
        one.try_order(inputs[n : n + 3])
        assert one.receive(o) == two.receive(o)
        assert one.state == two.state
        assert one.table == two.table


@pytest.mark.parametrize("options", [{}, {"draw_two": True}, {"hidden_discard": True, "draw_two": True}])
@pytest.mark.parametrize("seed", range(12))
def test_public_outputs_do_not_depend_on_hidden_cards(seed: int, options: dict[str, bool | int | float]) -> None:
    names = SPEC.all_zones(3)
    setup = Setup(SPEC, 3, options=options, zones={z: usual_kind(z) for z in names})
    log: list[Observation] = []
    run_game(setup, TifoWorld(setup, Random(f"secret/{seed}")), Report(), log)
    shown = {o.card for o in log if isinstance(o, Placed) and o.zone.startswith("seat")}
    if not setup.option("hidden_discard"):
        shown |= {o.card for o in log if isinstance(o, Placed) and o.zone == "discard"}
    hidden = sorted({o.card for o in log if isinstance(o, Placed)} - shown)
    hidden = [c for c in hidden if not c.startswith("ola")]
    assert len(hidden) >= 2
    a, b = Random(seed).sample(hidden, 2)
    exchanged = [_exchange(o, a, b) for o in log]
    assert exchanged != log
    assert _public(setup, log) == _public(setup, exchanged)


def _exchange(o: Observation, a: str, b: str) -> Observation:
    names = {a: b, b: a}
    match o:
        case Placed():
            return Placed(o.t, o.zone, names.get(o.card, o.card), o.contact, o.after)
        case Lifted():
            return Lifted(o.t, o.zone, names.get(o.card, o.card))
        case _:
            return o


def _public(setup: Setup, log: list[Observation]) -> list[object]:
    referee = TifoReferee(setup)
    out: list[object] = []
    for o in log:
        out += [public_output(r) for r in referee.receive(o)]
        out.append(referee.public_view())
    return out

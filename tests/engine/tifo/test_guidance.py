"""What mode `play` says is open to the player in turn is what the referee would take from him, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.cards import TIFO_DECK
from engine.observations import Lifted, Observation, Placed, Pressed
from engine.rulings import Move, Refused, Turn
from engine.setup import Mode, Setup
from engine.tifo.cards import ATTACKS, Family, family_of
from engine.tifo.referee import TifoReferee
from engine.tifo.rules import read_play, why_not
from engine.tifo.spec import SPEC
from engine.tifo.state import change
from engine.tifo.views import may
from engine.zones import usual_kind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tifo import TifoWorld

SEATS = 3
MOVES = {"tifo": "lay", "eliminated": "concede"}


def tries(referee: TifoReferee) -> Iterator[Observation]:
    """All that the player in turn could do now, with any card there is."""
    seat = referee.state.turn
    for card in TIFO_DECK:
        for zone in referee.setup.zones:
            yield Placed(0.0, zone, card)
    yield from (Pressed(0.0, f"seat{n}.ok") for n in range(1, SEATS + 1))
    yield Pressed(0.0, f"seat{seat}.next")
    yield Pressed(0.0, f"seat{seat}.call")
    yield from (Lifted(0.0, "discard", card) for card in TIFO_DECK)


def taken(referee: TifoReferee) -> set[str]:
    """What of that the referee takes, as the ids of `may`."""
    found = set()
    for o in tries(referee):
        trial = referee.fork()
        rulings = trial.receive(replace(o, t=1e6))
        if isinstance(o, Pressed) and o.button.endswith("call"):
            found |= set() if any(isinstance(r, Refused) for r in rulings) else {"call"}
            continue
        move = next((r.move for r in rulings if isinstance(r, Move) and r.seat == referee.state.turn), None)
        if move is not None:
            found.add("let-go" if move == "discard" and isinstance(o, Pressed) else MOVES.get(move, move))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_what_is_open_is_what_is_taken(seed: int) -> None:
    names = SPEC.all_zones(SEATS) if seed % 2 else SPEC.smallest(SEATS)
    options = {"draw_two": seed % 3 == 1, "hidden_discard": seed % 3 == 2}
    setup = Setup(SPEC, SEATS, mode=Mode.PLAY, options=options, zones={z: usual_kind(z) for z in names})
    log: list[Observation] = []
    run_game(setup, TifoWorld(setup, Random(seed), 0.0), Report(), log)
    referee = TifoReferee(setup)
    dice, kinds = Random(seed), set()
    for o in log[:150]:
        turns = [r for r in referee.receive(o) if isinstance(r, Turn)]
        assert all(r.may == may(referee.state) for r in turns)
        if referee.is_over() or referee.shout or referee.state.slam or dice.random() > 0.4:
            continue
        said, found = may(referee.state), taken(referee)
        assert len(said) == len(set(said))
        assert found <= set(said)
        for name in set(said) - found:
            assert out_of_sight(referee, name) == [], "it was a card that is no longer to be had"
        kinds |= found
    assert {"lay", "attack", "discard"} <= kinds


def out_of_sight(referee: TifoReferee, name: str) -> list[str]:
    """The cards for a play that may still be in the player's hand."""
    s = referee.state
    fits = {"lay": {Family.TIFO}, "attack": ATTACKS, "ola": {Family.OLA}, "parry": {Family.PARADE}}[name]
    hidden = [c for c in TIFO_DECK if family_of(c) in fits and s.zone_of(c) is None and s.known.may_be(c, s.turn)]
    places = {"ola": (None,), "attack": range(1, SEATS + 1)}.get(name, (s.turn,))
    return [c for c in hidden if any(why_not(s, read_play(s, c, n)) is None for n in places)]


def play(seats: int, *acts: str) -> TifoReferee:
    """Each act is a zone and a card, or a button."""
    referee = TifoReferee(Setup(SPEC, seats, mode=Mode.PLAY, zones={z: usual_kind(z) for z in SPEC.smallest(seats)}))
    for act in acts:
        zone, _, card = act.partition(" ")
        rulings = referee.receive(Placed(0.0, zone, card) if card else Pressed(0.0, zone))
        assert not any(isinstance(r, Refused) for r in rulings), act
    return referee


def test_there_is_no_attack_where_everybody_has_two() -> None:
    full = play(2, "seat2 greve#1", "discard crs#1", "seat2 locaux#1", "discard crs#2")
    assert may(full.state) == ("lay", "discard", "ola", "call")


def test_nothing_is_left_to_lay_but_a_forbidden_fumis() -> None:
    kinds = ("capo", "voile", "mats", "echarpe")
    rounds = [act for n, kind in enumerate(kinds, 1) for act in (f"seat1 {kind}#1", f"discard crs#{n}")]
    barred = play(2, *rounds, "discard crs#5", "seat1 fumis-interdits#1")
    assert may(barred.state) == ("attack", "parry", "discard", "ola")


def test_under_interdit_one_parries_with_avocat_takes_an_ola_or_goes() -> None:
    assert may(play(2, "seat2 interdit#1").state) == ("parry", "ola", "concede")
    assert may(play(3, "seat2 interdit#1", "discard ola#1").state) == ("rob", "concede")


def test_after_a_pile_change_there_is_nothing_to_swap() -> None:
    out = ("seat2 interdit#1", "seat2.ok")
    assert may(play(3, *out, "discard ola#1").state) == ("rob", "swap", "let-go")
    assert may(play(3, *out, "table.pile", "discard ola#1").state) == ("rob", "let-go")


def test_an_empty_hand_is_not_robbed() -> None:
    """T23: it comes about when one was robbed again and again in the last pile."""
    waits = play(3, "discard ola#1")
    waits.state = change(waits.state, hands=(8, 0, 8))
    assert [r.rule for r in waits.fork().receive(Pressed(1.0, "seat2.ok")) if isinstance(r, Refused)] == [
        "tifo/ola-target"
    ]
    assert any(isinstance(r, Move) and r.move == "rob" for r in waits.fork().receive(Pressed(1.0, "seat3.ok")))
    waits.state = change(waits.state, hands=(8, 0, 0))
    assert may(waits.state) == ("let-go",)

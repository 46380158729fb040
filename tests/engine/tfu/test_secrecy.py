"""Secrecy: two cards that nobody has seen may change places throughout, and nothing public differs.

Not before one of them is turned up, that is: then it does differ, so that these tests can fail.
"""

import json
from dataclasses import replace
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.games import SPECS
from engine.observations import Lifted, Observation, Placed
from engine.record import public_output
from engine.setup import Mode, Setup
from engine.tfu.referee import TfuReferee
from engine.zones import ZoneKind, centre_of, usual_kind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tfu import TfuWorld

SPEC = SPECS["tfu"]


def game(seed: int, cheat: float) -> tuple[Setup, list[Observation]]:
    rng = Random(seed)
    seats = rng.choice([2, 3, 4])
    names = SPEC.all_zones(seats) if rng.random() < 0.8 else SPEC.smallest(seats)
    kind = rng.choice([None, ZoneKind.PASS])
    setup = Setup(SPEC, seats, mode=Mode.PLAY, zones={z: kind or usual_kind(z) for z in names})
    log: list[Observation] = []
    run_game(setup, TfuWorld(setup, rng, cheat, rounds=1), Report(), log)
    return setup, log


def exchanged(log: list[Observation], one: str, other: str) -> list[Observation]:
    names = {one: other, other: one}
    return [replace(o, card=names.get(o.card, o.card)) if isinstance(o, Placed | Lifted) else o for o in log]


def public(setup: Setup, log: list[Observation]) -> list[str]:
    """What everybody sees after each observation."""
    referee = TfuReferee(setup)
    lines = []
    for o in log:
        outputs = [public_output(r) for r in referee.receive(o)]
        lines.append(json.dumps([outputs, referee.public_view()]))
    return lines


def hidden_until(setup: Setup, log: list[Observation], cards: tuple[str, str]) -> int:
    """How many observations pass before the first of the cards is turned up, or shown in the centre."""
    referee = TfuReferee(setup)
    for n, o in enumerate(log):
        if isinstance(o, Placed) and o.card in cards and centre_of(o.zone) is not None:
            return n
        referee.receive(o)
        columns = referee.columns
        for number in range(1, referee.state.number + 1):
            for zone in columns.deals[number - 1]:
                if columns.column(number, zone, referee.state.gone)[-1:] in ((cards[0],), (cards[1],)):
                    return n
    return len(log)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.3]), st.data())
def test_unseen_cards_may_change_places_in_silence(seed: int, cheat: float, data: st.DataObject) -> None:
    setup, log = game(seed, cheat)
    seen = sorted({o.card for o in log if isinstance(o, Placed) and "#" not in o.card})
    one, other = data.draw(st.lists(st.sampled_from(seen), min_size=2, max_size=2, unique=True))
    until = hidden_until(setup, log, (one, other))
    assume(until > 10)
    assert public(setup, log[:until]) == public(setup, exchanged(log[:until], one, other))


def test_a_card_once_shown_does_make_a_difference() -> None:
    setup, log = game(3, 0.0)
    shown = next(o.card for o in log if isinstance(o, Placed) and centre_of(o.zone) is not None)
    other = next(o.card for o in reversed(log) if isinstance(o, Placed) and o.card != shown)
    assert public(setup, log) != public(setup, exchanged(log, shown, other))

"""The referee of TIFO seen from outside: it refuses no legal play and misses no illegal one."""

from random import Random

import pytest

from engine.setup import Setup
from engine.tifo import ids
from engine.tifo.spec import SPEC
from engine.zones import ZoneKind, usual_kind
from firmware.simulator import world_for
from firmware.simulator.run import Report, run_game, simulate


def table(seats: int, kind: ZoneKind = ZoneKind.SPREAD, smallest: bool = False, **options: bool) -> Setup:
    names = SPEC.smallest(seats) if smallest else SPEC.all_zones(seats)
    return Setup(
        SPEC, seats, options=options, zones={z: kind if z.startswith("seat") else usual_kind(z) for z in names}
    )


TABLES = {
    "two": table(2),
    "three, pass, draw two": table(3, ZoneKind.PASS, draw_two=True),
    "four, smallest": table(4, smallest=True),
    "five, hidden discard": table(5, hidden_discard=True),
    "six, smallest, pass": table(6, ZoneKind.PASS, smallest=True),
}


@pytest.mark.parametrize("setup", TABLES.values(), ids=TABLES)
def test_no_legal_play_is_refused(setup: Setup) -> None:
    report = simulate(setup, world_for, 8, 11, 0.0)
    assert report.faults == []
    assert report.games == 8
    assert report.ended["cap"] == 0


@pytest.mark.parametrize("setup", TABLES.values(), ids=TABLES)
def test_no_illegal_play_is_missed(setup: Setup) -> None:
    report = simulate(setup, world_for, 6, 12, 0.2)
    assert report.faults == []
    assert report.caught > 50
    assert report.tried == report.caught + report.undetectable


@pytest.mark.parametrize(
    ("seats", "game", "cheat"),
    [
        (
            6,
            "tifo/1/109",
            0.5,
        ),  # a card refused on the discard is lifted while an OLA waits after an elimination (T30)
        (4, "tifo/1/105", 0.7),  # a card in two places, from a hand that is empty by then
        (5, "tifo/9/56", 0.8),  # an OLA that the arbiter let stand upon an OLA
    ],
)
def test_a_game_full_of_cheats_ends_and_every_one_is_told(seats: int, game: str, cheat: float) -> None:
    report = Report()
    run_game(table(seats), world_for(table(seats), Random(game), cheat), report)
    assert report.faults == []
    assert report.tried > 200


@pytest.mark.slow
def test_every_rule_is_caught_and_every_ending_seen() -> None:
    # Some rules need a rare moment (two attacks on one player, an empty discard): play on until all have come.
    report = Report()
    wanted = {"tifo", "points", "last-standing"}
    for seed in range(10):
        for seats in (2, 3, 4):
            report.add(simulate(table(seats), world_for, 8, seed, 0.6))
        if set(ids.RULES) <= set(report.rules) and wanted <= set(report.ended):
            break
    assert report.faults == []
    assert set(ids.RULES) - set(report.rules) == set()
    assert wanted <= set(report.ended)

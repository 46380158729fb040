"""A table that a game does not allow is named, with what was expected."""

from collections.abc import Callable

import pytest

from engine.errors import SetupError
from engine.games import SPECS
from engine.setup import Setup
from engine.zones import ZoneKind, centre_of, column_of, role_of, seat_of, usual_kind

TFU = SPECS["tfu"]
COLUMNS = dict.fromkeys(TFU.all_zones(2), ZoneKind.SPREAD)

WRONG = {
    "too few": (lambda: Setup(TFU, 1), "1 seats, expected 2 to 4 for tfu"),
    "too many": (lambda: Setup(TFU, 5), "5 seats, expected 2 to 4 for tfu"),
    "first below": (lambda: Setup(SPECS["tifo"], 2, first=0), "first seat 0, expected 1 to 2"),
    "first beyond": (lambda: Setup(SPECS["tifo"], 2, first=3), "first seat 3, expected 1 to 2"),
    "another option": (
        lambda: Setup(TFU, 2, options={"rounds": 2}),
        "option 'rounds' is none of tfu, expected one of: refill",
    ),
    "no switch": (lambda: Setup(TFU, 2, options={"refill": 1}), "option 'refill' is 1, expected true or false"),
    "no whole number": (
        lambda: Setup(SPECS["tipouik"], 3, options={"rounds": 1.5}),
        "option 'rounds' is 1.5, expected a whole number from 1",
    ),
    "a zone of a seat beyond": (
        lambda: Setup(TFU, 2, zones={"centre3": ZoneKind.PILE}),
        "zone 'centre3' on a table of tfu for 2, expected centre1, centre2, ..., seat2.col3, seat2.col4",
    ),
    "a column short": (
        lambda: Setup(TFU, 2, zones={z: k for z, k in COLUMNS.items() if z != "seat2.col3"}),
        "zone 'seat2.col3' is missing, expected all columns of all seats or none",
    ),
}


@pytest.mark.parametrize(("make", "told"), WRONG.values(), ids=WRONG)
def test_a_wrong_table_is_told_in_full(make: Callable[[], Setup], told: str) -> None:
    with pytest.raises(SetupError) as e:
        make()
    assert str(e.value) == told


@pytest.mark.parametrize(
    ("seconds", "good"), [(0, True), (1e308, True), (True, False), (-0.1, False), (1e309, False)]
)
def test_seconds_are_a_number_from_0(seconds: float, good: bool) -> None:
    options = {"final_window_s": seconds}
    if good:
        assert Setup(SPECS["tipouik"], 3, options=options).option("final_window_s") == seconds
        return
    with pytest.raises(SetupError, match="expected a number from 0"):
        Setup(SPECS["tipouik"], 3, options=options)


@pytest.mark.parametrize("rounds", [True, 0, -1])
def test_a_count_is_a_whole_number_from_1(rounds: int) -> None:
    with pytest.raises(SetupError, match="expected a whole number from 1"):
        Setup(SPECS["tipouik"], 3, options={"rounds": rounds})
    assert Setup(SPECS["tipouik"], 3, options={"rounds": 1}).option("rounds") == 1


def test_what_a_table_leaves_out_has_its_default() -> None:
    setup = Setup(TFU, 2)
    assert setup.option("refill") is False
    assert setup.option("refill", True) is True
    assert list(setup.zones) == ["centre1", "centre2"]
    assert not setup.sees_lifts("centre1")
    assert not setup.sees_lifts("seat1.col1")
    assert Setup(TFU, 2, zones=COLUMNS).sees_lifts("seat1.col1")


@pytest.mark.parametrize("game", SPECS)
def test_every_number_of_seats_of_a_game_can_be_set_with_all_zones_and_with_the_fewest(game: str) -> None:
    spec = SPECS[game]
    for seats in range(spec.min_seats, spec.max_seats + 1):
        every = spec.all_zones(seats)
        assert len(set(every)) == len(every)
        assert set(spec.smallest(seats)) <= set(every)
        assert Setup(spec, seats, first=seats, zones={z: usual_kind(z) for z in every}).zones
        assert set(Setup(spec, seats).zones) == set(spec.smallest(seats))
        buttons = spec.buttons(seats)
        assert f"seat{seats}.ok" in buttons
        assert f"seat{seats + 1}.ok" not in buttons
        assert {"table.accept", "table.undo"} <= buttons


def test_names_of_zones_and_buttons_are_read() -> None:
    assert [seat_of(name) for name in ("seat3", "seat10.col1", "seat2.ok")] == [3, 10, 2]
    assert [seat_of(name) for name in ("seat", "seats", "draw", "centre1", "table.undo")] == [None] * 5
    assert [centre_of(name) for name in ("centre1", "centre12", "centre", "centres", "seat1")] == [1, 12, *[None] * 3]
    assert [column_of(name) for name in ("seat1.col4", "seat12.col1")] == [(1, 4), (12, 1)]
    assert [column_of(name) for name in ("seat1", "seat1.col", "seat1.ok", "centre1", "x.col1")] == [None] * 5
    assert [role_of(name) for name in ("seat1.ok", "table.undo", "draw")] == ["ok", "undo", ""]
    kinds = [usual_kind(name) for name in ("draw", "discard", "centre2", "seat1", "seat1.col1")]
    assert kinds == [ZoneKind.PASS, ZoneKind.PILE, ZoneKind.PILE, ZoneKind.SPREAD, ZoneKind.SPREAD]

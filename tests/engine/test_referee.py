"""What all referees share: the one door, orders that are tried, forks."""

from dataclasses import replace

import pytest

from engine.errors import ObservationError
from engine.games import SPECS, referee_for
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown, interval, overlap
from engine.record import output_line
from engine.referee import Referee
from engine.setup import Mode, Setup

GAMES = {"tifo": 3, "tipouik": 3, "tfu": 2}


def referee(game: str) -> "Referee[object]":
    return referee_for(Setup(SPECS[game], GAMES[game], mode=Mode.REFEREE))


def lines(table: "Referee[object]", *observations: Observation) -> list[str]:
    said = [output_line(r) for o in observations for r in table.receive(o)]
    return [" ".join(str(line.get(k)) for k in ("t", "out", "move", "rule") if k in line) for line in said]


@pytest.mark.parametrize("game", GAMES)
def test_time_does_not_go_back(game: str) -> None:
    table = referee(game)
    table.receive(Tick(2.0))
    with pytest.raises(ObservationError, match=r"from 2\.0 to 1\.5, expected no earlier time"):
        table.receive(Tick(1.5))
    assert table.receive(Tick(2.0)) == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_zone_that_the_table_lacks_is_named_and_nothing_changes(game: str) -> None:
    table = referee(game)
    before = (table.state, table.table)
    for o in (Placed(3.0, "seat9", "10h"), Lifted(3.0, "seat9", "10h"), Unknown(3.0, "seat9", "04")):
        with pytest.raises(ObservationError, match="zone 'seat9' is not on this table"):
            table.receive(o)
    assert (table.state, table.table) == before
    assert table.receive(Tick(1.0)) == ()


@pytest.mark.parametrize("game", ["tifo", "tfu"])
def test_only_tipouik_has_announcements(game: str) -> None:
    with pytest.raises(ObservationError, match=f"{game} has no announcements, expected another input"):
        referee(game).receive(Announce(1.0, 1, 2))


@pytest.mark.parametrize("game", GAMES)
def test_with_nothing_to_stand_or_to_undo_the_arbiter_says_nothing(game: str) -> None:
    table = referee(game)
    assert table.receive(Pressed(1.0, "table.accept")) == ()
    assert table.receive(Pressed(2.0, "table.undo")) == ()
    assert table.due() is None


@pytest.mark.parametrize("game", GAMES)
def test_a_tag_that_no_deck_knows_is_nobodys_and_waits_for_nothing(game: str) -> None:
    table = referee(game)
    zone = next(iter(table.setup.zones))
    (line,) = [output_line(r) for r in table.receive(Unknown(1.0, zone, "04A1"))]
    wanted = {"t": 1.0, "out": "refused", "rule": "table/unknown-card", "seat": None, "zone": zone, "uid": "04A1"}
    assert {k: v for k, v in line.items() if k != "mend"} == wanted
    assert table.corrections == ()


def late(t: float, card: str) -> Placed:
    return Placed(t, "centre1", card, t - 0.1, t - 0.2)


def begun() -> "Referee[object]":
    """A small table of Тьфу! with a 4 and a king on the piles."""
    table = referee("tfu")
    lines(table, Pressed(1.0, "seat1.call"), Placed(2.0, "centre1", "4h"), Placed(3.0, "centre2", "Kh"))
    return table


def test_an_order_that_is_tried_keeps_the_times_of_the_places_in_the_line() -> None:
    """What the readers saw of each card stays with the card."""
    table = begun()
    before = (table.state, table.table)
    order = table.try_order([late(4.0, "7c"), late(5.0, "6c"), late(6.0, "5c")])
    assert order == (
        replace(late(6.0, "5c"), t=4.0),
        replace(late(5.0, "6c"), t=5.0),
        replace(late(4.0, "7c"), t=6.0),
    )
    assert (table.state, table.table, table.corrections) == (*before, ())


def test_the_order_given_is_the_first_that_is_tried() -> None:
    line = [late(4.0, "5c"), late(5.0, "4c"), late(6.0, "5d")]
    assert begun().try_order(line) == tuple(line)
    assert begun().try_order([*line, Lifted(7.0, "centre1", "Qh"), Pressed(8.0, "seat2.call")]) is not None


def test_of_more_than_five_none_is_tried() -> None:
    ticks: list[Observation] = [Tick(4.0 + n) for n in range(6)]
    assert begun().try_order(ticks) is None
    assert begun().try_order(ticks[:5]) == tuple(ticks[:5])


def test_orders_are_tried_of_all_kinds_of_inputs() -> None:
    """A call and the owed card after it came at once; so did a stray lift and a tick."""
    table = referee("tfu")
    line: list[Observation] = [
        Placed(1.0, "centre1", "4h"),
        Pressed(2.0, "seat1.call"),
        Lifted(3.0, "centre2", "4h"),
        Tick(4.0),
    ]
    order = table.try_order(line)
    assert order is not None
    assert [o.t for o in order] == [1.0, 2.0, 3.0, 4.0]
    assert [type(o).__name__ for o in order] == ["Pressed", "Placed", "Lifted", "Tick"]
    assert table.try_order([Unknown(1.0, "centre1", "04"), Tick(2.0)]) is None
    bids: list[Observation] = [Announce(2.0, 2, 2, 1), Placed(3.0, "seat2", "2#1")]
    tipouik = referee("tipouik")
    assert lines(tipouik, Placed(1.0, "seat1", "1#1")) == ["1.0 move open"]
    assert tipouik.try_order(bids) == (Placed(2.0, "seat2", "2#1"), Announce(3.0, 2, 2, 1))


def test_a_fork_goes_its_own_way() -> None:
    table = begun()
    fork = table.fork()
    assert lines(fork, Placed(4.0, "centre1", "9c"), Placed(5.0, "centre2", "Ac")) == [
        "4.0 refused tfu/step",
        "5.0 move play",
    ]
    assert table.corrections == ()
    assert lines(table, Placed(3.5, "centre1", "5c")) == ["3.5 move play"]


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (Placed(1.0, "x", "a"), Placed(1.0, "x", "b"), True),
        (Placed(1.0, "x", "a"), Placed(1.1, "x", "b"), False),
        (Placed(2.0, "x", "a", 1.0, 0.5), Placed(2.0, "x", "b", 1.5, 1.0), True),
        (Placed(2.0, "x", "a", 1.0, 0.5), Placed(2.0, "x", "b", 1.5, 1.1), False),
        (Placed(2.0, "x", "a", 1.5, 1.1), Placed(2.0, "x", "b", 1.0, 0.5), False),
        (Placed(2.0, "x", "a", 1.0), Placed(2.0, "x", "b", 1.0), True),
        (Placed(2.0, "x", "a", 1.0), Placed(2.0, "x", "b", 2.0), False),
        (Placed(2.0, "x", "a", None, 1.0), Placed(2.0, "x", "b", 1.5, 1.5), True),
    ],
)
def test_readers_cannot_tell_which_came_first_where_the_times_between_overlap(
    one: Placed, other: Placed, together: bool
) -> None:
    assert overlap(interval(one), interval(other)) is together

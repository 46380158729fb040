"""Single plays, lifts and slips, on columns of every kind."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.observations import Placed
from engine.setup import Mode
from engine.zones import ZoneKind

Desks = Callable[..., Any]


@pytest.mark.parametrize("kind", list(ZoneKind))
def test_an_open_top_is_played_with_or_without_a_lift(desks: Desks, kind: ZoneKind) -> None:
    desk = desks(kind=kind)
    desk.begin("4h", "Qh")
    assert desk.play(1, "5c") == ["play 1 1 5c 1"]
    assert desk.play(2, "Jd", None if kind is ZoneKind.PASS else "seat2.col4") == ["play 2 2 Jd 4"]


@pytest.mark.parametrize("kind", list(ZoneKind))
def test_a_covered_card_is_never_played(desks: Desks, kind: ZoneKind) -> None:
    """S5 S25. Where a reader still holds it, it is in two places."""
    desk = desks(kind=kind)
    desk.begin("2h", "5h")
    rule = "tfu/column" if kind is ZoneKind.PASS else "table/two-places"
    assert desk.play(2, "4c") == [f"refused {rule} 1"]
    assert not desk.referee.state.plays


def test_a_card_lifted_and_put_back_is_no_play(desks: Desks) -> None:
    desk = desks()
    desk.begin("4h", "Qh")
    before = desk.referee.state
    assert desk.lift("seat1.col1", "5c") == []
    assert desk.put("seat1.col1", "5c") == []
    assert desk.referee.state == before
    assert desk.play(1, "5c", "seat1.col1") == ["play 1 1 5c 1"]


def test_a_card_beneath_a_lifted_one_may_be_played(desks: Desks) -> None:
    """S6: with both hands; the readers cannot tell in which order two cards left."""
    desk = desks()
    desk.begin("5h", "Qh")
    assert desk.lift("seat1.col1", "4c") == []
    assert desk.lift("seat1.col1", "5c") == []
    assert desk.put("centre1", "4c") == ["play 1 1 4c 1"]
    assert desk.put("centre1", "5c") == ["play 1 1 5c 1"]


def test_a_card_does_not_come_back_on_a_column_that_was_played_meanwhile(desks: Desks) -> None:
    """S5: told once; lifted again it lies there as before."""
    desk = desks()
    desk.begin("5h", "Qh")
    desk.lift("seat1.col1", "5c")
    assert desk.play(1, "4c", "seat1.col1") == ["play 1 1 4c 1"]
    assert desk.put("seat1.col1", "5c") == ["refused tfu/column 1"]
    assert desk.lift("seat1.col1", "5c") == ["corrected tfu/column"]
    assert desk.put("centre1", "5c") == ["play 1 1 5c 1"]


def test_a_card_in_a_hand_may_come_back_over_one_that_the_arbiter_brought_back(desks: Desks) -> None:
    desk = desks()
    desk.begin("5h", "Qh")
    desk.lift("seat1.col1", "5c")
    desk.play(1, "4c", "seat1.col1")
    desk.put("seat1.col1", "5c")
    desk.lift("seat1.col1", "5c")
    assert desk.press("table.undo") == ["undone 1 play"]
    assert desk.put("seat1.col1", "4c") == []
    assert desk.put("seat1.col1", "5c") == []


def test_a_lifted_card_counts_as_playable_and_hides_what_is_beneath(desks: Desks) -> None:
    """S8: nothing tells what lies under a card that is still in somebody's hand."""
    desk = desks()
    desk.begin("3h", "Ah")
    desk.lift("seat1.col1", "5c")
    assert desk.public()["seats"][0]["columns"][0] == {"count": 4, "open": "5c", "lifted": True}
    assert desk.press("seat2.call") == ["call 2"]  # the four beneath would fit on the three


@pytest.mark.parametrize("kind", list(ZoneKind))
def test_a_foreign_card_is_no_part_of_the_layout(desks: Desks, kind: ZoneKind) -> None:
    """Not even where nobody sees it go: a call is never held up by a correction."""
    desk = desks(kind=kind)
    desk.lay({1: ("2c 3c 4c 5c", "6c 7c 8c", "9c 10c", "Jc"), 2: ("2d 3d 4d 5d", "6d 7d 8d", "9d 10d")})
    assert desk.put("seat2.col4", "capo#1") == ["refused table/foreign-card 2"]
    assert desk.press("seat1.call") == ["refused tfu/layout 1"]
    assert desk.put("seat2.col4", "Jd") == []
    assert desk.press("seat1.call") == ["call 1"]
    assert desk.lift("seat2.col4", "capo#1") == ["corrected table/foreign-card"]


@pytest.mark.parametrize("kind", [ZoneKind.PILE, ZoneKind.PASS])
def test_columns_that_report_no_lifts_are_clear_when_the_next_layout_begins(desks: Desks, kind: ZoneKind) -> None:
    desk = desks(seats=4, kind=kind)
    chain = "9c 10c Jc Qc", "Kc Ac 2c", "3c 4c", "5c"
    others = {
        2: ("2d 3d 4d 8d", "5d 6d 8s", "9d 8h", "8c"),
        3: ("2h 3h 4h Jh", "5h 9h Js", "7h Qh", "Qs"),
        4: ("2s 3s 4s Qd", "5s 9s Kd", "7s Kh", "Ks"),
    }
    desk.begin("6h", "Ad", "Ah", "As", columns={1: chain, **others})
    for card in ["5c", "4c", "3c", "2c", "Ac", "Kc", "Qc", "Jc", "10c"]:
        assert desk.play(1, card)[0].startswith("play 1 1")
    assert desk.play(1, "9c") == ["play 1 1 9c 1", "over [1] columns-empty"]
    desk.lay({1: ("2d 3d",), **dict.fromkeys((2,), ("2h 3h 4h 8d", "5d 6d 8s", "9d 8h", "8c"))})
    desk.lay({3: ("2c 3c 4c Jh", "5h 9h Js", "7h Qh", "Qs"), 4: ("2s 3s 4s Qd", "5s 9s Kd", "7s Kh", "Ks")})
    assert desk.press("seat3.call") == ["call 3"]
    assert desk.press("table.undo") == ["undone 3 call"]
    assert desk.put("seat2.col4", "8c") == []
    assert desk.press("seat4.call") == ["call 4"]  # what was laid since the end of the round still lies there


def test_a_refill_uncovers_the_next_card(desks: Desks) -> None:
    """S4, option `refill`: not on a column that is not empty, nor from beneath."""
    desk = desks(refill=True)
    desk.begin("4h", "Qh")
    desk.play(2, "Jc", "seat1.col4")
    assert desk.lift("seat1.col3", "9c") == []
    assert desk.put("seat1.col4", "9c") == ["refused tfu/column 1"]
    assert desk.lift("seat1.col4", "9c") == ["corrected tfu/column"]
    assert desk.put("seat1.col3", "9c") == []
    assert desk.lift("seat1.col3", "10c") == []
    assert desk.put("seat1.col4", "10c") == []
    assert desk.public()["seats"][0]["columns"][2]["open"] == "9c"
    assert desk.lift("seat1.col2", "8c") == []
    assert desk.put("seat1.col4", "8c") == ["refused tfu/column 1"]


def test_a_card_of_the_layout_on_a_centre_is_its_owners(desks: Desks) -> None:
    """`seat` is null only where nobody knows whose card it is."""
    desk = desks()
    assert desk.put("seat2.col4", "Jd") == []
    assert desk.put("centre1", "Jd") == ["refused tfu/spare 2"]
    assert desk.put("centre2", "Kh") == ["refused tfu/spare None"]


def test_the_table_prompts_in_mode_play_only(desks: Desks) -> None:
    desk = desks(seats=3, watched=False, mode=Mode.PLAY)
    assert desk.press("seat1.call") == ["call 1", "say tfu/spit"]
    desk.put("centre1", "2c")
    desk.put("centre2", "2d")
    assert desk.put("centre3", "2h") == ["spit 3 3 2h", "say tfu/go"]
    silent = desks(seats=3, watched=False)
    assert silent.press("seat1.call") == ["call 1"]


def test_a_frozen_pile_leaves_a_legal_order_to_the_rest(desks: Desks) -> None:
    """S18: two cards at once on one pile; of the two orders one is legal."""
    desk = desks()
    desk.begin(
        "4h",
        "Qh",
        columns={1: ("2c 3c 4c 5c", "7c 8c 6c", "9c 10c", "Jc"), 2: ("2d 3d 4d 5d", "7d 8d 6d", "9d 10d", "Kd")},
    )
    six, five = Placed(90.0, "centre1", "6d", 90.0, 89.9), Placed(90.0, "centre1", "5c", 90.0, 89.9)
    order = desk.referee.try_order([six, five])
    assert [o.card for o in order] == ["5c", "6d"]
    assert desk.referee.try_order([six, Placed(90.0, "centre1", "10c", 90.0, 89.9)]) is None
    assert not desk.referee.corrections

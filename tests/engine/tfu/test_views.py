"""What everybody may see: the public view, and cards of columns that public rulings tell or keep."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.tfu.state import Deal

Desks = Callable[..., Any]

LAID = ("2c 3c 4c 5c", "6c 7c 8c", "9c 10c", "Jc")


def test_a_card_refused_on_a_column_is_told_if_all_have_seen_it(desks: Desks) -> None:
    """An open top, or a card of the centre; a covered card or one of a spare may lie there face down."""
    desk = desks()
    desk.begin("4h", "Qh")
    for column in ("seat1.col1", "seat1.col3"):
        desk.lift(column, {"seat1.col1": "5c", "seat1.col3": "10c"}[column])
    assert desk.told("seat2.col4", "5c") == ("tfu/column", "5c")
    desk.lift("seat1.col1", "4c")
    assert desk.told("seat2.col4", "4c") == ("tfu/column", None)
    assert desk.told("seat2.col4", "Kh") == ("tfu/column", None)
    desk.lift("centre2", "Qh")
    assert desk.told("seat1.col2", "Qh") == ("table/card-elsewhere", "Qh")


@pytest.mark.parametrize("watched", [True, False])
def test_the_centres_as_all_see_them(desks: Desks, watched: bool) -> None:
    desk = desks(watched=watched)
    empty = {"count": 0, "top": None, "closed": False, "frozen": False}
    assert desk.public()["centres"] == [{"pile": 1, **empty}, {"pile": 2, **empty}]
    desk.begin("4h", "Qh")
    desk.play(1, "5c", "seat1.col1" if watched else None)
    assert desk.play(2, "Jc", "seat1.col4" if watched else None)[0].startswith("play")
    assert desk.put("centre2", "2d")[0].startswith("refused")
    assert desk.public()["centres"] == [
        {"pile": 1, "count": 2, "top": "5c", "closed": False, "frozen": False},
        {"pile": 2, "count": 2, "top": "Jc", "closed": False, "frozen": True},
    ]


def test_hands_and_spares_as_all_see_them(desks: Desks) -> None:
    """The columns count with the hand where they are watched."""
    desk = desks()
    desk.begin("4h")
    desk.lift("seat1.col1", "5c")
    seats = desk.public()["seats"]
    assert [(s["seat"], s["hand"], s["spare"], s["owes"]) for s in seats] == [(1, 25, 15, False), (2, 26, 16, True)]
    assert [c["count"] for c in seats[1]["columns"]] == [4, 3, 2, 1]
    assert [c["open"] for c in seats[0]["columns"]] == ["5c", "8c", "10c", "Jc"]
    assert [c["lifted"] for c in seats[0]["columns"]] == [True, False, False, False]
    small = desks(watched=False)
    small.begin("4h")
    seats = small.public()["seats"]
    assert [(s["seat"], s["hand"], s["spare"], s["columns"]) for s in seats] == [(1, 15, 15, None), (2, 16, 16, None)]


def test_columns_of_a_layout_show_only_how_many(desks: Desks) -> None:
    desk = desks()
    desk.lay({1: LAID, 2: ("2d",)})
    columns = desk.public()["seats"][1]["columns"]
    assert columns[0] == {"count": 1, "open": None, "lifted": False}
    assert columns[3] == {"count": 0, "open": None, "lifted": False}
    assert desk.public()["seats"][0]["spare"] == 16
    assert desk.public()["phase"] == "layout"


def test_what_is_to_be_put_right_as_all_see_it(desks: Desks) -> None:
    """A card that may lie face down is not named."""
    desk = desks()
    desk.begin("4h", "Qh")
    assert desk.public()["corrections"] == []
    desk.play(2, "8c", "seat1.col2")
    desk.put("seat2.col4", "Kh")
    assert desk.public()["corrections"] == [
        {"rule": "tfu/step", "seat": 1, "zone": "centre2", "card": "8c"},
        {"rule": "tfu/column", "seat": 2, "zone": "seat2.col4", "card": None},
    ]


def test_the_question_and_the_end_of_a_round_as_all_see_them(desks: Desks) -> None:
    """S14: nobody played, and all have put down all their spare cards."""
    desk = desks(seats=4, watched=False)

    def seen(*keys: str) -> list[object]:
        return [desk.public()[key] for key in keys]

    assert seen("phase", "round", "asked", "last", "over", "turn") == ["layout", 1, False, None, False, None]
    for ranks in "29J":
        assert desk.press("seat1.call")[0] == "call 1"
        for pile, suit in enumerate("cdhs", 1):
            assert desk.put(f"centre{pile}", ranks + suit) == [f"spit {pile} {pile} {ranks}{suit}"]
    assert seen("phase", "round", "asked", "last", "over") == ["play", 1, False, None, False]
    assert desk.press("seat1.call") == ["say tfu/fewest"]
    assert seen("phase", "round", "asked", "last", "over") == ["play", 1, True, None, False]
    again = desk.referee.fork()
    assert desk.press("seat2.call") == ["over [] blocked"]
    last: dict[str, object] = {"winners": [], "by": "blocked"}
    assert seen("phase", "round", "asked", "last", "over") == ["over", 1, False, last, False]
    assert [s["spare"] for s in desk.public()["seats"]] == [3, 3, 3, 3]
    desk.referee = again
    assert desk.press("seat2.ok") == ["over [2] blocked", "match [2]"]
    last = {"winners": [2], "by": "blocked"}
    assert seen("phase", "round", "asked", "last", "over") == ["done", 1, False, last, True]


def test_a_player_sees_what_all_see(desks: Desks) -> None:
    desk = desks()
    desk.begin("4h", "Qh")
    assert desk.referee.view(2) == {**desk.public(), "me": 2}


def test_a_pile_that_closed_is_seen_to_be_closed(desks: Desks) -> None:
    """S12 S13, in round two of two players, one of whom has no spare."""
    desk = desks(watched=False)
    desk.begin("6h", "Ks")
    for card in ("5h", "4h", "3h", "2h", "Ah", "Kh", "Qh", "Jh", "10h", "9h"):
        assert desk.play(1, card)[0].startswith("play")
    desk.press("seat1.ok")
    desk.referee.state = replace(desk.referee.state, upcoming=Deal(2, (10, 42)))
    assert desk.press("seat2.call") == ["call 2"]
    seats = desk.public()["seats"]
    assert [(s["spare"], s["owes"]) for s in seats] == [(0, False), (32, True)]
    assert [c["closed"] for c in desk.public()["centres"]] == [True, False]
    assert desk.put("centre2", "2c") == ["spit 2 2 2c"]
    assert desk.put("centre1", "3c") == ["refused tfu/spare None"]

"""Ends of rounds and of the match, and what the arbiter takes back."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

Desks = Callable[..., Any]

CHAIN: dict[int, tuple[str, ...]] = {
    1: ("9c 10c Jc Qc", "Kc Ac 2c", "3c 4c", "5c"),
    2: ("2d 3d 4d 8d", "5d 6d 8s", "9d 8h", "8c"),
}
PLAYS = ["5c", "4c", "3c", "2c", "Ac", "Kc", "Qc", "Jc", "10c", "9c"]


def won(desks: Desks) -> Any:
    """Player 1 plays ten cards in a row after one call."""
    desk = desks()
    desk.begin("6h", "Ks", columns=CHAIN)
    for card in PLAYS[:-1]:
        assert desk.play(1, card)[0].startswith("play 1 1")
    return desk


def test_the_round_is_won_with_the_placing(desks: Desks) -> None:
    """S20."""
    desk = won(desks)
    assert desk.press("seat1.ok") == ["refused tfu/not-out 1"]
    assert desk.play(1, "9c") == ["play 1 1 9c 1", "over [1] columns-empty"]
    assert desk.referee.state.upcoming.counts == (15, 37)


def test_undo_takes_back_the_end_and_the_card_may_be_played_again(desks: Desks) -> None:
    """Field report 22: the end, the pile and the counts come back together."""
    desk = won(desks)
    before = desk.referee.state
    desk.play(1, "9c", "seat1.col1")
    assert desk.press("table.undo") == ["undone 1 play"]
    assert desk.referee.state == before
    assert desk.public()["seats"][0]["columns"][0] == {"count": 1, "open": "9c", "lifted": True}
    assert desk.put("seat1.col1", "9c") == []
    assert desk.play(1, "9c", "seat1.col1") == ["play 1 1 9c 1", "over [1] columns-empty"]


@pytest.mark.parametrize("spare", [15, 0], ids=["of the round", "of the match"])
def test_a_card_put_back_after_the_end_is_in_no_hand_when_the_end_is_undone(desks: Desks, spare: int) -> None:
    """It lies in its column: what is beneath it is not open."""
    desk = won(desks)
    desk.referee.state = replace(desk.referee.state, spare=(spare, 15))
    assert desk.lift("seat2.col3", "8h") == []
    assert desk.play(1, "9c", "seat1.col1")[1].startswith("over [1]")
    assert desk.put("seat2.col3", "8h") == ([] if spare else ["refused tfu/over 2"])
    assert desk.press("table.undo") == ["undone 1 play"]
    assert desk.public()["seats"][1]["columns"][2] == {"count": 2, "open": "8h", "lifted": False}
    assert desk.put("centre1", "9d") == ["refused table/two-places 2"]


def test_a_card_laid_elsewhere_after_the_end_is_off_its_column_when_the_end_is_undone(desks: Desks) -> None:
    desk = won(desks)
    assert desk.lift("seat2.col3", "8h") == []
    assert desk.play(1, "9c", "seat1.col1")[1].startswith("over [1]")
    assert desk.put("seat1.col4", "8h") == []
    assert desk.press("table.undo") == ["undone 1 play"]
    assert desk.public()["seats"][1]["columns"][2] == {"count": 2, "open": "8h", "lifted": True}
    assert desk.put("centre1", "9d") == ["play 2 1 9d 3"]


def test_undo_reaches_over_a_new_layout(desks: Desks) -> None:
    """The columns stay as seen; the round before has its own memory of them."""
    desk = won(desks)
    before = desk.referee.state
    desk.play(1, "9c", "seat1.col1")
    for number, cards in enumerate(CHAIN[2], 1):
        for card in reversed(cards.split()):
            desk.lift(f"seat2.col{number}", card)
    desk.lay(
        {
            1: ("2d 3d 4d 8d", "5d 6d 8s", "9d 8h", "8c"),
            2: ("2c 3c 4c 5c", "6c 7c 9s", "9c 10c", "Jc"),
        }
    )
    assert desk.press("seat2.call") == ["call 2"]
    assert desk.press("table.undo") == ["undone 2 call"]
    assert desk.press("seat2.call") == ["call 2"]
    assert desk.press("table.undo") == ["undone 2 call"]
    assert desk.press("table.undo") == ["undone 1 play"]
    assert desk.referee.state == before
    assert desk.lift("seat2.col3", "9c") == []
    assert desk.put("centre1", "9c") == ["play 1 1 9c 1", "over [1] columns-empty"]


def test_corrections_end_with_the_round(desks: Desks) -> None:
    desk = won(desks)
    assert desk.play(2, "8c", "seat2.col4") == ["refused tfu/step 2"]
    assert desk.play(1, "9c")[-1] == "over [1] columns-empty"
    assert desk.referee.corrections == ()
    assert desk.lift("centre2", "8c") == []


def test_a_late_card_opens_no_correction(desks: Desks) -> None:
    """S19: the last cards race like any others."""
    desk = won(desks)
    desk.lift("seat1.col1", "9c")
    assert desk.put("centre1", "9c", 60.02, 60.0)[-1] == "over [1] columns-empty"
    desk.t = 60.0
    assert desk.put("centre1", "8c", 60.03, 60.01) == ["refused tfu/over 2 True"]
    assert desk.referee.corrections == ()


def test_a_small_table_believes_only_what_can_be(desks: Desks) -> None:
    desk = desks(watched=False)
    desk.begin("6h", "Ks")
    for card in PLAYS[:-1]:
        assert desk.play(1, card) == [f"play None 1 {card} None"]
    assert desk.press("seat2.ok") == ["refused tfu/not-out 2"]
    desk.play(1, "9c")
    assert desk.press("seat2.ok") == ["out 2", "over [2] columns-empty"]
    assert desk.referee.state.upcoming.counts == (37, 15)


def test_after_a_match_everything_is_over_but_the_winners_word(desks: Desks) -> None:
    desk = desks(seats=3, watched=False)
    desk.begin("6h", "Ks", "Kd")
    for card in PLAYS:
        desk.play(1, card)
    assert desk.press("seat2.ok") == ["out 2", "over [2] columns-empty", "match [2]"]
    for button in ("seat1.call", "seat2.ok", "seat3.ok"):
        assert desk.press(button) == [f"refused tfu/over {button[4]}"]
    assert desk.public()["over"] is True


def test_a_call_into_a_frozen_last_pile_is_nothing(desks: Desks) -> None:
    """With no spares left a call brings no card; and an illegal card ends no round (S14, S21)."""
    desk = desks()
    desk.begin("4h", "Kh")
    state = desk.referee.state
    desk.referee.state = replace(state, spare=(0, 0), deal=replace(state.deal, round=2))
    assert desk.play(1, "Jc", "seat1.col4") == ["refused tfu/step 1"]
    before = desk.referee.state
    assert desk.press("seat2.call") == []
    assert desk.referee.state == before
    desk.lift("centre1", "Jc")
    assert desk.play(1, "5c", "seat1.col1") == ["play 1 1 5c 1"]


def test_a_card_that_did_not_fit_stands_as_a_play_even_after_the_next_call(desks: Desks) -> None:
    desk = desks()
    desk.begin("3h", "Kh")
    assert desk.play(1, "Jc", "seat1.col4") == ["refused tfu/step 1"]
    assert desk.press("seat2.call") == ["call 2"]
    assert desk.put("centre1", "2h") == ["refused tfu/frozen None"]
    assert desk.press("table.accept") == ["stood tfu/step", "play 1 1 Jc 4"]
    assert desk.press("table.accept") == ["stood tfu/frozen", "spit 1 1 2h"]
    assert desk.put("centre2", "Ks") == ["spit 2 2 Ks"]


def test_a_card_that_did_not_fit_stands_as_a_play_though_another_came_back_over_it(desks: Desks) -> None:
    desk = desks()
    desk.begin("3h", "Kh")
    assert desk.lift("seat1.col3", "10c") == []
    assert desk.play(1, "9c", "seat1.col3") == ["refused tfu/step 1"]
    assert desk.put("seat1.col3", "10c") == []
    assert desk.press("table.accept") == ["stood tfu/step", "play 1 1 9c 3"]
    assert desk.public()["seats"][0]["columns"][2] == {"count": 1, "open": "10c", "lifted": False}


def test_a_card_on_a_frozen_pile_stands_as_a_play_though_another_came_back_over_it(desks: Desks) -> None:
    desk = desks()
    desk.begin("3h", "Kh")
    assert desk.play(1, "Jd", "seat2.col4") == ["refused tfu/step 2"]
    assert desk.lift("seat1.col3", "10c") == []
    assert desk.play(1, "9c", "seat1.col3") == ["refused tfu/frozen 1"]
    assert desk.put("seat1.col3", "10c") == []
    assert desk.press("table.accept") == ["stood tfu/step", "play 2 1 Jd 4"]
    assert desk.press("table.accept") == ["stood tfu/frozen", "play 1 1 9c 3"]


def test_a_card_that_did_not_fit_stands_as_a_play_though_its_pile_was_turned_over(desks: Desks) -> None:
    """S10: it starts the pile anew, the owed card comes on it."""
    desk = desks(watched=False)
    desk.begin("3h", "Kh")
    state = desk.referee.state
    desk.referee.state = replace(state, spare=(0, 16))
    assert desk.put("centre1", "9c") == ["refused tfu/step None"]
    assert desk.press("seat2.call") == ["call 2", "turn-over 1 1"]
    assert desk.press("table.accept") == ["stood tfu/step", "play None 1 9c None"]
    assert desk.put("centre1", "3h") == ["spit 1 1 3h"]
    assert desk.referee.state.piles[0] == ("9c", "3h")


def test_a_late_card_is_its_present_owners(desks: Desks) -> None:
    """After a new layout the columns of the round before say nothing."""
    desk = won(desks)
    desk.play(1, "9c", "seat1.col1")
    desk.lift("seat2.col4", "8c")
    assert desk.put("seat1.col4", "8c") == []
    assert desk.put("centre1", "8c") == ["refused tfu/over 1"]


def test_a_card_refused_on_its_column_of_the_last_round_is_no_part_of_the_new_layout(desks: Desks) -> None:
    desk = won(desks)
    desk.play(1, "9c", "seat1.col1")
    for number, cards in enumerate(CHAIN[2], 1):
        for card in reversed(cards.split()):
            desk.lift(f"seat2.col{number}", card)
    assert desk.put("seat1.col1", "8d") == []
    assert desk.put("seat2.col1", "8d") == ["refused table/two-places 1"]
    counts = [seat["columns"][0]["count"] for seat in desk.public()["seats"]]
    assert counts == [1, 0]


def test_of_the_next_layout_no_card_is_told(desks: Desks) -> None:
    """Whatever was seen of it in the round before, it may lie face down now."""
    desk = won(desks)
    desk.play(1, "9c", "seat1.col1")
    assert desk.put("seat1.col1", "5c") == []
    assert desk.told("seat2.col1", "5c") == ("table/two-places", None)
    assert desk.told("seat2.col4", "8d") == ("table/two-places", None)

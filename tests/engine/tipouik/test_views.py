"""The windows of a table of Tipouik: counts for all, cards only for whom they were seen by."""

import json

import pytest

from engine.games import SPECS
from engine.observations import Announce, Lifted, Observation, Placed, Pressed
from engine.setup import Mode, Setup
from engine.tipouik.referee import TipouikReferee


class Play:
    """A table for three in few words."""

    def __init__(self) -> None:
        self.referee = TipouikReferee(Setup(SPECS["tipouik"], 3, mode=Mode.REFEREE))
        self.t = 0.0

    def see(self, *observations: Observation) -> None:
        for o in observations:
            self.referee.receive(o)

    def put(self, seat: int, *cards: str) -> None:
        for card in cards:
            self.t += 1
            self.see(Placed(self.t, f"seat{seat}", card))

    def press(self, button: str) -> None:
        self.t += 1
        self.see(Pressed(self.t, button))

    def public(self) -> dict[str, object]:
        view = self.referee.public_view()
        assert json.loads(json.dumps(view)) == view
        return dict(view)


def taken_by_three() -> Play:
    """Seat 3 challenged two honest cards of seat 2, and took them."""
    play = Play()
    play.put(1, "1#1")
    play.put(2, "2#1", "any#1")
    play.press("seat2.next")
    play.press("seat3.call")
    play.press("seat3.ok")
    return play


def test_a_view_before_the_opening_is_plain() -> None:
    view = Play().public()
    assert (view["phase"], view["turn"], view["last"], view["may"]) == ("deal", None, None, [])
    seats = view["seats"]
    assert isinstance(seats, list)
    assert [s["hand"] for s in seats] == [11, 11, 11]


def last_of(play: Play) -> tuple[object, ...]:
    """Seat, value and cards of the last pose, as all may see it."""
    last = play.public()["last"]
    assert isinstance(last, dict)
    return last["seat"], last["value"], last["cards"]


def test_the_last_pose_shows_its_cards_if_it_opened_or_was_challenged() -> None:
    play = Play()
    play.put(1, "1#1")
    assert last_of(play) == (1, 1, ["1#1"])
    play.put(2, "2#1")
    play.press("seat2.next")
    assert last_of(play) == (2, 2, None)
    assert last_of(taken_by_three()) == (2, 2, ["2#1", "any#1"])


def test_cards_taken_openly_are_known_to_all() -> None:
    play = taken_by_three()
    assert play.public()["seen"] == [{"card": "2#1", "where": [3]}, {"card": "any#1", "where": [3]}]
    assert play.referee.view(3)["known"] == ["2#1", "any#1"]
    assert play.referee.view(1)["known"] == []


@pytest.mark.parametrize("card", ["any#1", "5#1"])
def test_a_pose_tells_nobody_whether_a_known_card_was_in_it(card: str) -> None:
    play = taken_by_three()
    play.put(3, card)
    before = play.public()["seen"]
    play.press("seat3.next")
    after = play.public()["seen"]
    assert before == [{"card": "2#1", "where": [3]}, {"card": "any#1", "where": [3]}]
    assert after == [{"card": "2#1", "where": [3, "centre"]}, {"card": "any#1", "where": [3, "centre"]}]


def test_laid_cards_are_a_number_to_all_but_their_owner() -> None:
    play = taken_by_three()
    play.put(3, "any#1", "5#1")
    seats = play.public()["seats"]
    assert isinstance(seats, list)
    assert [s["laid"] for s in seats] == [0, 0, 2]
    assert "5#1" not in json.dumps([play.referee.public_view(), play.referee.view(1), play.referee.view(2)])
    assert (play.referee.view(3)["my_laid"], play.referee.view(3)["known"]) == (["any#1", "5#1"], ["2#1"])


def test_a_card_lifted_from_ones_own_lay_is_in_no_other_view() -> None:
    play = taken_by_three()
    play.put(3, "5#1")
    play.see(Lifted(play.t, "seat3", "5#1"))
    assert "5#1" in json.dumps(play.referee.view(3))
    assert "5#1" not in json.dumps([play.referee.public_view(), play.referee.view(1), play.referee.view(2)])


def test_what_is_open_after_a_challenge_is_told_until_the_next_announcement() -> None:
    play = taken_by_three()
    view = play.public()
    assert (view["turn"], view["may"], view["next_value"]) == (3, ["next", "pass"], 3)
    play.press("seat3.ok")
    assert play.public()["may"] == ["next", "pass"]
    play.put(1, "3#1")
    play.see(Announce(play.t, 1, 3))
    assert play.public()["may"] == ["same", "next", "pass"]


def test_the_final_window_names_its_end_and_who_declined() -> None:
    play = Play()
    play.put(1, "1#1")
    play.put(2, *(f"7#{n}" for n in range(1, 8)), "6#1", "6#2", "6#3", "6#4")
    play.press("seat2.ok")
    play.press("seat1.ok")
    view = play.public()
    assert view["window"] == {"seat": 2, "deadline": 18.0, "declined": [1]}
    assert play.referee.due() == 18.0
    assert (view["turn"], view["over"]) == (None, False)
    play.press("seat3.ok")
    view = play.public()
    assert (view["over"], view["winner"], view["by"], play.referee.due()) == (True, 2, "empty-hand", None)

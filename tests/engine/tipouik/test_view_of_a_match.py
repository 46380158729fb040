"""The public window through a whole match with titles: what is under way, who holds what, and how it ended."""

from collections.abc import Mapping

from engine.games import SPECS
from engine.observations import Placed, Pressed
from engine.setup import Mode, Setup
from engine.tipouik.referee import TipouikReferee

NUMBERS = [f"{value}#{n}" for value in range(2, 8) for n in range(1, value + 1)]
SPECIALS = ["zero#1", "zero#2", "any#1", "plus1#1", "plus2#1"]


class Match:
    """Three players, two rounds, no final window."""

    def __init__(self) -> None:
        options: dict[str, bool | int | float] = {"rounds": 2, "titles": True, "final_window_s": 0}
        self.referee = TipouikReferee(Setup(SPECS["tipouik"], 3, mode=Mode.REFEREE, options=options))
        self.t = 0.0

    def put(self, seat: int, *cards: str) -> None:
        for card in cards:
            self.t += 1
            self.referee.receive(Placed(self.t, f"seat{seat}", card))

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.t += 1
            self.referee.receive(Pressed(self.t, button))

    def show(self, *keys: str) -> tuple[object, ...]:
        view = self.referee.public_view()
        return tuple(view[key] for key in keys)

    def each(self, key: str) -> list[object]:
        seats = self.referee.public_view()["seats"]
        assert isinstance(seats, list)
        return [s[key] for s in seats]

    def settle(self) -> Mapping[str, object]:
        settle = self.referee.public_view()["settle"]
        assert isinstance(settle, dict)
        return settle

    def first_round(self) -> None:
        """Seat 2 lays all he has; seat 1 has shown his hand, seat 3 has not."""
        self.put(1, "1#1")
        self.put(2, *NUMBERS[:11])
        self.press("seat2.next")
        self.put(1, *NUMBERS[11:21])
        self.press("seat1.ok")

    def second_round(self) -> None:
        """Seat 3, who scored the most, has got a card of seat 2, who won; seat 1 opens."""
        self.first_round()
        self.put(3, *NUMBERS[21:], *SPECIALS)
        self.press("seat3.ok", "seat2.ok")
        self.put(1, "1#1")


def test_hands_are_counted_after_the_round() -> None:
    match = Match()
    match.first_round()
    assert match.show("phase", "over", "winner", "by", "turn", "may") == ("count", True, 2, "empty-hand", None, [])
    assert match.show("round", "rounds", "centre", "next_value", "scores") == (1, 2, 12, None, None)
    assert match.each("counted") == [True, True, False]
    assert match.each("hand") == [10, 0, 11]
    assert match.each("total") == [0, 0, 0]


def test_the_next_round_begins_with_the_gift_of_the_king() -> None:
    match = Match()
    match.first_round()
    match.put(3, *NUMBERS[21:], *SPECIALS)
    match.press("seat3.ok")
    assert match.show("phase", "over", "round", "winner", "scores") == ("gift", False, 2, None, [58, 0, 92])
    assert match.each("total") == [58, 0, 92]
    assert match.each("hand") == [11, 11, 11]
    assert (match.each("king"), match.each("abru")) == ([False, True, False], [False, False, True])
    assert match.each("counted") == [False, False, False]
    match.press("seat2.ok")
    assert match.show("phase", "centre") == ("deal", 0)
    assert match.each("hand") == [11, 10, 12]
    match.put(1, "1#1")
    assert match.show("phase", "turn", "may", "next_value") == ("play", 2, ["same", "next", "pass"], 2)
    match.press("seat2.ok")
    assert match.show("passes", "turn") == (1, 3)


def test_a_challenge_on_its_way_says_who_acts_and_for_how_many_cards() -> None:
    match = Match()
    match.second_round()
    match.put(2, "zero#1", "3#1")
    match.press("seat2.next", "seat1.call")
    who = {"accused": 2, "challenger": 1}
    assert match.settle() == {"stage": "take-back", "seat": 2, "count": 2, **who}
    assert match.show("turn", "may", "must_next", "window") == (None, [], True, None)
    assert (match.each("king"), match.each("abru")) == ([True, False, False], [False, False, True])
    match.press("seat2.ok")
    assert match.settle() == {"stage": "give", "seat": 1, "count": 1, **who}
    match.press("seat1.ok")
    assert match.show("settle", "turn", "may") == (None, 3, ["next", "pass"])
    match.put(3, "plus2#1")
    match.press("seat3.next", "seat1.call")
    assert match.settle() == {"stage": "draw", "seat": 1, "accused": 3, "challenger": 1, "count": 2}
    assert match.show("out", "centre") == (["plus2#1"], 1)
    match.press("seat1.ok")
    match.put(1, "any#1")
    match.press("seat1.next", "seat3.call")
    assert match.settle() == {"stage": "take", "seat": 3, "accused": 1, "challenger": 3, "count": 1}


def test_a_match_ends_with_the_last_hand_counted() -> None:
    match = Match()
    match.second_round()
    match.press("seat2.ok", "seat3.ok", "seat1.ok")
    assert match.show("phase", "over", "winner", "by") == ("count", True, None, "all-passed")
    match.put(1, *NUMBERS[:10])
    match.put(2, *NUMBERS[10:20])
    match.put(3, *NUMBERS[20:], *SPECIALS)
    match.press("seat1.ok", "seat2.ok")
    assert match.each("counted") == [True, True, False]
    match.press("seat3.ok")
    assert match.show("phase", "over", "round", "turn") == ("end", True, 2, None)
    assert match.show("scores") == ([34, 56, 99],)
    assert match.each("total") == [92, 56, 191]
    assert match.each("counted") == [False, False, False]


def test_what_is_to_be_put_right_is_told_without_the_card() -> None:
    match = Match()
    match.second_round()
    match.put(3, "7#7")
    assert match.show("corrections") == ([{"rule": "tipouik/turn", "seat": 3, "zone": "seat3"}],)

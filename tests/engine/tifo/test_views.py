"""What everybody may see of a game of TIFO, and what one seat may see besides."""

from typing import Any

from engine.observations import Placed, Pressed
from engine.setup import Setup
from engine.tifo.referee import TifoReferee
from engine.tifo.spec import SPEC
from engine.zones import usual_kind


def after(*acts: str, draw: bool = False, **options: bool) -> TifoReferee:
    """Three players; each act is a zone and a card, or a button."""
    names = SPEC.all_zones(3) if draw else SPEC.smallest(3)
    referee = TifoReferee(Setup(SPEC, 3, options=options, zones={z: usual_kind(z) for z in names}))
    for act in acts:
        zone, _, card = act.partition(" ")
        referee.receive(Placed(0.0, zone, card) if card else Pressed(0.0, zone))
    return referee


def seats(referee: TifoReferee) -> Any:
    """The rows of the public view."""
    return referee.public_view()["seats"]


def test_what_lies_before_each_and_how_much_each_holds_is_seen() -> None:
    referee = after("seat1 capo#1", "seat3 greve#1")
    view = referee.public_view()
    assert [row["hand"] for row in seats(referee)] == [8, 8, 9]
    assert [row["laid"] for row in seats(referee)] == [["capo#1"], [], []]
    assert [row["attacks"] for row in seats(referee)] == [[], [], ["greve#1"]]
    assert seats(referee)[0]["missing"] == ["echarpe", "fumis", "mats", "voile"]
    assert (view["turn"], view["pile"], view["pile_number"], view["last_pile"]) == (3, 59, 1, 2)
    assert (view["ola"], view["final"], view["over"], view["due"]) == (False, False, False, [])


def test_the_top_of_the_discard_is_seen_and_a_waiting_ola_is_the_top() -> None:
    assert after().public_view()["discard_top"] is None
    assert after("discard crs#1").public_view()["discard_top"] == "crs#1"
    waiting = after("discard crs#1", "discard ola#1").public_view()
    assert (waiting["discard_top"], waiting["ola"], waiting["discard"]) == ("ola#1", True, 2)


def test_a_hidden_discard_shows_no_top_but_the_waiting_ola() -> None:
    assert after("discard crs#1", hidden_discard=True).public_view()["discard_top"] is None
    assert after("discard crs#1", "discard ola#1", hidden_discard=True).public_view()["discard_top"] == "ola#1"
    robbed = after("discard crs#1", "discard ola#1", "seat2.ok", hidden_discard=True)
    assert robbed.public_view()["discard_top"] is None


def test_a_correction_shows_its_card_unless_it_lies_face_down() -> None:
    def cards(referee: TifoReferee) -> list[object]:
        corrections = referee.public_view()["corrections"]
        assert isinstance(corrections, list)
        return [c["card"] for c in corrections]

    assert cards(after("seat1 greve#1")) == ["greve#1"]
    assert cards(after("draw crs#1", "draw crs#2", draw=True)) == [None]


def test_a_seat_sees_what_is_known_in_its_own_hand_only() -> None:
    referee = after("draw crs#1", "discard crs#2", "draw crs#3", draw=True)
    assert referee.view(1)["known"] == ["crs#1"]
    assert referee.view(2)["known"] == ["crs#3"]
    assert "known" not in referee.public_view()


def test_an_eliminated_player_has_nothing_and_is_out() -> None:
    referee = after("seat1 capo#1", "seat3 interdit#1", "seat3.ok")
    assert [row["out"] for row in seats(referee)] == [False, False, True]
    assert (seats(referee)[2]["hand"], seats(referee)[2]["attacks"]) == (0, [])
    assert referee.public_view()["discard"] == 9 + 1, "eight cards, the one drawn, and INTERDIT"
    assert referee.public_view()["turn"] == 1


def test_in_the_end_it_is_nobodys_turn() -> None:
    ended = after("seat2 interdit#1", "seat2.ok", "discard crs#1", "table.pile", "table.pile")
    assert ended.public_view()["final"] is True
    ended.receive(Placed(0.0, "discard", "crs#2"))
    view = ended.public_view()
    assert (view["over"], view["turn"], view["may"]) == (True, None, [])

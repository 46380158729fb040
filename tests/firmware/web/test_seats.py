"""Who sits where, and what a human may do at a seat: options of games, seats that come and go, the OLA."""

import json
from typing import Any

import pytest

from firmware.web.errors import NotAllowedError
from firmware.web.hub import Client, Hub
from firmware.web.messages import DrawCard, NewGame, Push, PutCard, TakeCard
from firmware.web.rig import Game
from firmware.web.viewers import Role

WITH_OLA = 1
"""TIFO for two with this seed: seat 1 holds an OLA."""


def new(game: str, seats: int, **options: Any) -> NewGame:
    return NewGame(game, seats, "play", "en", 5, True, options)


def test_the_options_of_a_game_reach_its_rules(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3))
    host = someone(1, Role.HOST)
    table.room.join(host)
    for wish in (
        new("tifo", 2, draw_two=True, hidden_discard=True),
        new("tipouik", 3, rounds=2, titles=True, final_window_s=2.5),
        new("tfu", 2, refill=True),
    ):
        table.room.do(host, wish)
        table.turn(0.2)
        assert table.state(1)["options"] == wish.options
        assert dict(table.room.show.setup.options) == wish.options
    for wrong in (new("tifo", 2, rounds=2), new("tipouik", 3, rounds=0), new("tfu", 2, refill=1)):
        with pytest.raises(NotAllowedError, match="no-such-table"):
            table.room.do(host, wrong)
    assert table.room.show.setup.spec.id == "tfu", "the game that is played goes on"


def test_whoever_sits_at_a_seat_that_the_new_game_lacks_looks_on(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 4, 3))
    host, fourth = someone(1, Role.HOST), someone(4)
    table.room.join(host)
    table.room.join(fourth)
    table.turn(0.3)
    assert table.state(4)["humans"] == [1, 4]
    table.room.do(host, new("tifo", 2))
    table.turn(1)
    seen = table.state(4)
    assert (seen["seats"], seen["me"], seen["humans"]) == (2, None, [1])
    assert all(hand["cards"] is None for hand in seen["hands"].values())
    with pytest.raises(NotAllowedError, match="no-seat"):
        table.room.do(fourth, DrawCard())
    assert table.room.broken == ""
    table.room.do(host, new("tifo", 5))
    table.turn(0.3)
    assert table.state(4)["me"] == 4, "his seat is there again"


def test_whoever_comes_back_is_not_shown_what_was_when_he_left(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3))
    hub = Hub()
    table.room.join(someone(None))
    table.room.join(someone(2))
    table.turn(0.3)
    hub.take(dict(table.sent))
    there = Client({"state:2", "log:2:en"})
    assert there.next(hub.latest) is not None
    table.room.leave(someone(2))
    table.sent.clear()
    table.turn(0.3)
    hub.take(dict(table.sent))
    late = Client({"state:2", "log:2:en"})
    assert late.next(hub.latest) is None
    assert there.next(hub.latest) is None


def drawn_ola(stand: Any, someone: Any) -> tuple[Any, Any, str]:
    """Seat 1 has drawn and put its OLA on the discard; before that each player discarded a card."""
    table = stand(Game("tifo", 2, WITH_OLA))
    me, other = someone(1, Role.HOST), someone(2)
    table.room.join(me)
    table.room.join(other)
    table.turn(0.4)
    for who in (me, other):
        seat = who.seat
        table.room.do(who, DrawCard())
        table.until(lambda seat=seat: len(table.hand(seat)) == 9)
        card = next(c for c in table.hand(seat) if not c.startswith("ola"))
        table.room.do(who, PutCard(card, "discard"))
        table.until(lambda seat=seat: table.state(seat)["view"]["turn"] != seat)
    table.room.do(me, DrawCard())
    table.until(lambda: len(table.hand(1)) == 9)
    ola = next(c for c in table.hand(1) if c.startswith("ola"))
    table.room.do(me, PutCard(ola, "discard"))
    table.until(lambda: bool(table.state(1)["view"]["ola"]))
    return table, me, card


def test_a_human_robs_by_his_ola(stand: Any, someone: Any) -> None:
    table, me, _ = drawn_ola(stand, someone)
    before, theirs = set(table.hand(1)), set(table.hand(2))
    with pytest.raises(NotAllowedError, match="not-yours"):
        table.room.do(someone(2), Push("seat1.next"))
    table.room.do(me, Push("seat2.ok"))
    table.until(lambda: table.state(1)["view"]["ola"] is False)
    table.turn(0.2)
    got = set(table.hand(1)) - before
    assert len(got) == 1
    assert got <= theirs
    assert table.state(1)["view"]["due"] == [2], "the robbed player draws at once (T24)"


@pytest.mark.parametrize("by_lifting", [False, True])
def test_a_human_swaps_his_ola_for_the_last_discard(by_lifting: bool, stand: Any, someone: Any) -> None:
    table, me, last = drawn_ola(stand, someone)
    if by_lifting:
        pile = table.state(1)["zones"]["discard"]["cards"]
        assert [entry["c"] for entry in pile if entry.get("take")][-2] == last, "beneath the OLA"
        assert not any(entry.get("take") for entry in table.state(2)["zones"]["discard"]["cards"][:-1])
        table.room.do(me, TakeCard(last))
    else:
        table.room.do(me, Push("seat1.next"))
    table.until(lambda: last in table.hand(1))
    table.turn(0.5)
    assert table.state(1)["view"]["ola"] is False
    assert last not in json.dumps(table.state(1)["zones"]["discard"])
    table.room.do(me, PutCard(next(c for c in table.hand(1) if c != last), "discard"))
    table.until(lambda: table.state(1)["view"]["turn"] == 2)
    assert table.room.show.rig.hands.broken == ""

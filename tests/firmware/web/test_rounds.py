"""Matches of several rounds with a human at the table: scoring, clearing away, the next deal."""

from typing import Any

from firmware.web.messages import Push, PutCard, ShowHand
from firmware.web.rig import Game
from firmware.web.viewers import Role


def passes(table: Any, me: Any) -> None:
    """One round of Tipouik in which seat 1 opens if it must, and passes at every turn, until hands are counted."""
    for _ in range(400):
        view = table.state(1)["view"]
        if view["phase"] == "count":
            return
        if view["phase"] == "deal" and "1#1" in table.hand(1):
            table.room.do(me, PutCard("1#1", "seat1"))
        elif view["turn"] == 1 and view["settle"] is None and view["window"] is None:
            table.room.do(me, Push("seat1.ok"))
        table.turn(0.5)
    raise AssertionError("the round never ended")


def test_a_human_plays_two_rounds_of_tipouik(stand: Any, someone: Any) -> None:
    table = stand(Game("tipouik", 3, 4, options={"rounds": 2}))
    me = someone(1, Role.HOST)
    table.room.join(me)
    table.turn(0.3)
    for n in (1, 2):
        assert table.state(1)["view"]["round"] == n
        passes(table, me)
        hand = table.hand(1)
        if hand:
            table.room.do(me, ShowHand())
            table.room.do(me, Push("seat1.ok"))  # impatient: the hand presses when all cards are down
        table.until(lambda n=n: table.state(1)["view"]["round"] > n or table.state(1)["finished"])
    totals = [seat["total"] for seat in table.state(1)["view"]["seats"]]
    assert sum(totals) > 0
    record = table.room.show.record(public=True).decode()
    assert '"out": "match"' in record
    assert "tipouik/hand-count" not in record
    table.until(lambda: table.state(1)["finished"])
    assert table.room.show.rig.hands.broken == ""


RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def playable(state: Any) -> tuple[str, str] | None:
    """An open card of seat 1 and a centre on which it fits."""
    view = state["view"]
    for column in view["seats"][0]["columns"]:
        for centre in view["centres"]:
            card, top = column["open"], centre["top"]
            if card and top and not centre["closed"] and not centre["frozen"]:
                step = abs(RANKS.index(card[:-1]) - RANKS.index(top[:-1]))
                if step in (1, 12):
                    return card, f"centre{centre['pile']}"
    return None


def test_a_human_plays_on_into_the_next_round_of_tfu(stand: Any, someone: Any) -> None:
    table = stand(Game("tfu", 2, 3))
    me = someone(1, Role.HOST)
    table.room.join(me)
    for _ in range(3000):
        table.turn(0.3)
        state = table.state(1)
        view = state["view"]
        if view["round"] == 2 and view["phase"] == "play":
            break
        if state["finished"]:
            break
        if view["seats"][0]["owes"]:
            table.room.do(me, PutCard("spare", "centre1"))
        elif (play := playable(state)) is not None:
            table.room.do(me, PutCard(*play))
        elif any(e.get("bad") and e.get("take") for z in state["zones"].values() for e in z["cards"]):
            raise AssertionError("a play that fits is refused only if another was quicker")
    assert table.state(1)["view"]["round"] == 2, "the cards were cleared away and dealt anew"
    assert table.room.show.rig.hands.broken == ""

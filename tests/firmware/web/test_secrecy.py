"""No browser gets a card that its viewer may not know: tested on the bytes that would leave, not on the page."""

import json
import re
from typing import Any

import pytest

from engine.cards import ALL_CARDS
from firmware.web.messages import DrawCard, Panel, PutCard, Step
from firmware.web.playback import RecordShow
from firmware.web.rig import Game
from firmware.web.viewers import Role

NAMES = re.compile(r'"((?:[a-z0-9-]+#\d+)|(?:(?:10|[2-9JQKA])[cdhs]))"')


def cards_in(text: str) -> set[str]:
    """Every card that a message names."""
    return {name for name in NAMES.findall(text) if name in ALL_CARDS}


def public_so_far(stand: Any) -> set[str]:
    """Cards that lie open or that a public output has named."""
    return cards_in(stand.room.show.record(public=True).decode()) | open_now(stand)


def open_now(stand: Any) -> set[str]:
    """Cards that lie open at this moment."""
    show = stand.room.show
    named: set[str] = set()
    lying = show.rig.hands.lies
    game = show.setup.spec.id
    view = show.rig.table.controller.referee.public_view()
    if game == "tifo":
        named |= set(lying)
    elif game == "tfu":
        named |= {card for card, spot in lying.items() if spot.zone.startswith("centre")}
        named |= {c["open"] for seat in view["seats"] for c in seat["columns"] if c["open"]}
    return named


@pytest.mark.parametrize(("game", "seats", "seconds"), [("tifo", 3, 12), ("tipouik", 4, 15), ("tfu", 2, 14)])
def test_every_message_names_only_cards_its_viewer_may_know(
    game: str, seats: int, seconds: int, stand: Any, someone: Any
) -> None:
    table = stand(Game(game, seats, 5), play=False)
    table.room.join(someone(None))
    table.room.join(someone(2))
    table.room.show.set_humans(frozenset())  # bots play for the seat that looks on, so that there is much to see
    public: set[str] = set()
    mine: set[str] = set()
    seen = 0
    for _ in range(seconds * 10):
        before = len(table.sent)
        public |= public_so_far(table)
        mine |= set(table.room.show.rig.hands.world.hand(2)) if game != "tfu" else set()
        table.turn(0.1)
        public |= public_so_far(table)
        mine |= set(table.room.show.rig.hands.world.hand(2)) if game != "tfu" else set()
        for topic, text in table.sent[before:]:
            named = cards_in(text)
            seen += len(named)
            may_know = public | mine if topic.startswith(("state:2", "log:2")) else public
            assert named <= may_know, f"{topic} at {table.now:.1f} s names {sorted(named - may_know)}"
    assert seen > 100, "messages that name no card prove nothing"


def exchanged(table: Any, a: str, b: str) -> None:
    """Exchange two cards throughout a world, wherever they are hidden."""
    truth = table.room.show.rig.hands.world.truth
    for cards in (*truth.hands.values(), truth.pile):
        cards[:] = [b if c == a else a if c == b else c for c in cards]


def test_spectators_get_equal_bytes_whatever_is_drawn_face_down(stand: Any, someone: Any) -> None:
    sent = []
    for swap in (False, True):
        table = stand(Game("tifo", 2, 7))
        world = table.room.show.rig.hands.world
        top, other = world.truth.pile[-1], world.truth.hands[2][3]
        assert top.split("#")[0] != other.split("#")[0]
        if swap:
            exchanged(table, top, other)
        table.room.join(someone(1))
        table.room.join(someone(2))
        table.room.join(someone(None))
        table.room.panel(someone(None), Panel(True, False), Panel(False, False))
        table.turn(0.5)
        # Seat 1 draws the exchanged card over the reader, plays another; seat 2, who may hold the other, plays too.
        for seat in (1, 2, 1):
            table.room.do(someone(seat), DrawCard())
            table.turn(0.8)
            hidden = {top, other}
            card = next(c for c in table.hand(seat) if c not in hidden)
            table.room.do(someone(seat), PutCard(card, "discard"))
            table.turn(0.8)
        sent.append([(topic, text) for topic, text in table.sent if not topic.startswith(("state:1", "state:2"))])
        drawn = top if not swap else other
        assert drawn in table.hand(1), "the exchanged card was drawn"
        assert any('"move"' in text for topic, text in table.sent if topic.startswith("log"))
    assert sent[0] == sent[1]


def test_spectators_get_equal_bytes_whatever_is_laid_face_down(stand: Any, someone: Any) -> None:
    sent = []
    for swap in (False, True):
        table = stand(Game("tipouik", 3, 11))
        world = table.room.show.rig.hands.world
        for seat in (1, 2, 3):
            table.room.join(someone(seat))
        table.room.join(someone(None))
        table.room.panel(someone(None), Panel(True, False), Panel(False, False))
        opener = world.truth.holder("1#1")
        following = opener % 3 + 1
        third = following % 3 + 1
        laid = next(c for c in world.truth.hands[following] if c[0] != "1")
        other = next(c for c in world.truth.hands[third] if c.split("#")[0] != laid.split("#")[0])
        if swap:
            for cards in world.truth.hands.values():
                cards[:] = [other if c == laid else laid if c == other else c for c in cards]
        table.turn(0.5)
        table.room.do(someone(opener), PutCard("1#1", f"seat{opener}"))
        table.turn(0.8)
        table.room.do(someone(following), PutCard(other if swap else laid, f"seat{following}"))
        table.turn(0.8)
        table.room.show.rig.hands.push(f"seat{following}.next")
        table.turn(1.5)
        assert table.state()["view"]["last"]["seat"] == following
        private = tuple(f"state:{seat}" for seat in (1, 2, 3))
        sent.append([(topic, text) for topic, text in table.sent if not topic.startswith(private)])
    assert sent[0] == sent[1]


def test_a_seat_sees_its_own_face_down_card_and_nobody_else_does(stand: Any, someone: Any) -> None:
    table = stand(Game("tipouik", 3, 11))
    for seat in (1, 2, 3, None):
        table.room.join(someone(seat))
    opener = table.room.show.rig.hands.world.truth.holder("1#1")
    following = opener % 3 + 1
    table.turn(0.3)
    table.room.do(someone(opener), PutCard("1#1", f"seat{opener}"))
    table.turn(0.8)
    card = next(c for c in table.hand(following) if not c.startswith("1#"))
    table.room.do(someone(following), PutCard(card, f"seat{following}"))
    table.turn(0.3)
    faces = {seat: table.state(seat)["zones"][f"seat{following}"]["cards"] for seat in (1, 2, 3, None)}
    assert [entry["c"] for entry in faces[following]] == [card]
    for seat in {1, 2, 3, None} - {following}:
        assert [entry["c"] for entry in faces[seat]] == [None]


def test_the_public_panel_and_record_name_no_tag_and_no_hidden_card(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3), play=False)
    table.room.join(someone(None))
    table.room.panel(someone(None), Panel(True, False), Panel(False, False))
    table.turn(8)
    uids = {tag.uid_hex for tag in table.room.show.rig.table.tags.values()}
    texts = [text for topic, text in table.sent if topic == "panel:public"]
    texts.append(table.room.show.record(public=True).decode())
    assert len(texts) > 5
    assert [uid for uid in uids if any(uid in text for text in texts)] == []
    assert '"in"' not in texts[-1], "inputs name hidden cards"
    assert '"move": "draw"' in texts[-1]
    full = table.room.show.record(public=False).decode()
    assert '"in": "placed", "zone": "draw"' in full


@pytest.mark.parametrize(("game", "seats", "seconds"), [("tifo", 3, 8), ("tipouik", 3, 12), ("tfu", 2, 10)])
def test_a_record_that_is_stepped_through_tells_no_more_than_was_public(
    game: str, seats: int, seconds: int, stand: Any, someone: Any
) -> None:
    table = stand(Game(game, seats, 5), play=False)
    table.room.join(someone(None))
    table.turn(seconds)
    show = RecordShow(table.room.show.record(public=False).splitlines(), "en")
    host, hidden, steps = someone(None, Role.HOST), 0, 0
    while (state := show.state(2))["at"] != state["of"]:
        show.do(host, Step(1))
        view: Any = show.state(2)["view"]
        may_know = cards_in(show.record(public=True).decode())
        if game == "tfu":
            may_know |= {c["open"] for seat in view["seats"] for c in seat["columns"] if c["open"]}
        told = json.dumps([show.state(2), show.log.lines(2, "en"), show.panel(False)])
        assert cards_in(told) <= may_know, f"at {state['at']}"
        hidden = len(cards_in(show.record(public=False).decode()) - may_know)
        steps += 1
    assert steps > 10
    assert hidden > 0, "a record without a hidden card proves nothing"


@pytest.mark.parametrize("game", ["tifo", "tipouik", "tfu"])
def test_whoever_comes_late_comes_back_or_stays_after_the_end_learns_nothing_hidden(
    game: str, stand: Any, someone: Any
) -> None:
    table = stand(Game(game, 3 if game == "tipouik" else 2, 8), play=False)
    table.settings.speed = 4.0
    watcher = someone(None)
    public: set[str] = set()
    for _ in range(60):  # looks on for a while, is away, is sent all anew when he is back
        table.sent.clear()
        table.room.join(watcher)
        for _ in range(24):
            table.turn(0.05)
            public |= open_now(table)  # a round that ends takes its open cards along
        public |= public_so_far(table)
        assert cards_in("\n".join(text for _, text in table.sent)) <= public
        table.room.leave(watcher)
        if table.room.show.rig.hands.finished:
            break
    assert any(topic == "state:" for topic, _ in table.sent)
    assert public != set(table.room.show.setup.spec.pack(table.room.show.setup.seats)), "some cards stay hidden"

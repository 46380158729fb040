"""The room and its shows: humans among bots, faults, records, the live view of a table."""

import json
from typing import Any

import pytest

from engine.games import referee_for
from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.deck import emulated_deck
from firmware.demo import Variant, table_for
from firmware.recordfile import Lines
from firmware.replay import check
from firmware.rig import Physics, build_table
from firmware.web.errors import NotAllowedError
from firmware.web.hands import Pace
from firmware.web.live import LiveShow
from firmware.web.messages import DrawCard, Fault, NewGame, Push, PutCard, Run, Step, TakeCard
from firmware.web.playback import RecordShow
from firmware.web.rig import Game
from firmware.web.room import GRACE_S
from firmware.web.strings import own, strings
from firmware.web.viewers import Role


def test_time_stands_still_while_nobody_looks(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3), play=False)
    table.turn(2)
    assert table.sent == []
    assert table.room.show.rig.table.loop.now == 0.0
    table.room.join(someone(None))
    table.turn(2)
    assert table.room.show.rig.table.loop.now == pytest.approx(2.0)


def test_no_bot_plays_for_a_human_until_he_is_gone_for_a_while(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3), play=False)
    table.room.join(someone(None))
    table.room.join(someone(1))
    table.turn(4)
    assert table.state()["view"]["turn"] == 1
    assert table.state()["view"]["pile"] == 69
    table.room.leave(someone(1))
    table.turn(GRACE_S - 1)
    assert table.state()["view"]["pile"] == 69
    table.turn(5)
    assert table.state()["humans"] == []
    assert table.state()["view"]["pile"] < 69


def test_an_illegal_card_stays_until_its_player_takes_it_back(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3))
    me = someone(1)
    table.room.join(me)
    table.turn(0.5)
    table.room.do(me, DrawCard())
    table.until(lambda: len(table.hand(1)) == 9)
    attack = next(c for c in table.hand(1) if c.split("#")[0] in ("greve", "controle", "baston"))
    table.room.do(me, PutCard(attack, "seat1"))
    table.until(lambda: table.state(1)["zones"]["seat1"]["bad"] == 1)
    table.turn(10)
    assert table.state(1)["zones"]["seat1"]["bad"] == 1, "no bot and no bot's arbiter decides for a human"
    table.room.do(me, TakeCard(attack))
    table.until(lambda: table.state(1)["zones"]["seat1"]["bad"] == 0)
    assert attack in table.hand(1)
    table.room.do(me, PutCard(attack, "seat2"))
    table.until(lambda: table.state(1)["view"]["turn"] == 2)


def test_a_hand_moves_only_what_is_its_own(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 3, 3))
    me = someone(1)
    table.room.join(me)
    table.turn(0.3)
    theirs = table.room.show.rig.hands.world.hand(2)[0]
    mine = table.hand(1)[0]
    for wish, why in (
        (PutCard(theirs, "seat1"), "not-yours"),
        (TakeCard(mine), "not-yours"),
        (PutCard(mine, "seat9"), "no-zone"),
        (Push("seat2.ok"), "not-yours"),
        (Push("seat1.fly"), "no-button"),
        (Push("table.undo"), "not-yours"),
    ):
        with pytest.raises(NotAllowedError, match=why):
            table.room.do(me, wish)


def test_one_step_is_one_play(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3), play=False, pace=Pace.STEP)
    host = someone(None, Role.HOST)
    table.room.join(host)
    table.turn(3)
    assert table.room.show.log.count == 0
    table.room.do(host, Step(1))
    table.turn(3)
    public = table.room.show.record(public=True).decode()
    assert public.count('"out": "move"') == 1
    table.room.do(host, Step(1))
    table.turn(3)
    public = table.room.show.record(public=True).decode()
    assert public.count('"out": "move"') == 2


def test_the_page_shows_a_dead_reader_and_a_dark_screen_and_both_come_back(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3))
    host = someone(1, Role.HOST)
    table.room.join(host)
    table.turn(1)
    lit = table.room.show.screens()["all"]
    assert any(lit)
    for what, name in (("dead-reader", "seat2/1"), ("dead-screen", "all")):
        table.room.do(host, Fault(what, name, 1.0))
    table.turn(8)  # a screen that has nothing to show is asked every five seconds
    rows = {row["reader"]: row["state"] for row in table.room.show.panel(False)["readers"]}
    assert rows["seat2/1"] == "dead"
    assert rows["seat1/1"] == "well"
    assert not any(table.room.show.screens()["all"])
    assert len(table.state(1)["faults"]) == 2
    for what, name in (("dead-reader", "seat2/1"), ("dead-screen", "all")):
        table.room.do(host, Fault(what, name, 0.0))
    table.turn(6)
    rows = {row["reader"]: row["state"] for row in table.room.show.panel(False)["readers"]}
    assert rows["seat2/1"] == "well"
    assert any(table.room.show.screens()["all"])
    with pytest.raises(NotAllowedError, match="no-device"):
        table.room.do(host, Fault("dead-reader", "seat9/1", 1.0))


def test_a_new_game_is_the_hosts_and_must_exist(stand: Any, someone: Any) -> None:
    table = stand(Game("tifo", 2, 3))
    host = someone(1, Role.HOST)
    table.room.join(host)
    with pytest.raises(NotAllowedError, match="host-only"):
        table.room.do(someone(2), Run(1.0, Pace.CALM))
    with pytest.raises(NotAllowedError, match="no-such-table"):
        table.room.do(host, NewGame("tipouik", 2, "play", "ru", 5, True))
    table.turn(0.2)
    assert table.state(1)["game"] == "tifo"
    table.room.do(host, NewGame("tipouik", 3, "referee", "ru", 5, True))
    table.turn(0.2)
    assert (table.state(1)["game"], table.state(1)["mode"], table.state(1)["seed"]) == ("tipouik", "referee", 5)


def test_the_record_of_a_game_can_be_opened_and_judged_again(stand: Any, someone: Any) -> None:
    table = stand(Game("tipouik", 3, 4), play=False)
    table.room.join(someone(None))
    table.turn(8)
    record = table.room.show.record(public=False)
    show = RecordShow(record.splitlines(), "en")
    from engine.record import read_record

    assert check(read_record(record.splitlines())) == []
    host = someone(None, Role.HOST)
    show.do(host, Step(1_000_000))
    end: Any = show.state(None)
    assert end["at"] == end["of"] > 5
    assert end["view"] == table.state()["view"]
    show.do(host, Step(-1_000_000))
    begin: Any = show.state(None)
    assert begin["view"]["phase"] == "deal"
    with pytest.raises(NotAllowedError):
        show.do(host, DrawCard())


def test_the_live_view_follows_a_controller_and_moves_nothing(someone: Any) -> None:
    spec_game = Game("tifo", 2, 1)
    setup: Setup = spec_game.setup()
    made = table_for(setup.spec, 2, Variant.FULL)
    deck = emulated_deck(setup.spec.pack(2))
    table = build_table(referee_for(setup), made.layout, deck, Lines(), Physics())
    assert table.controller is not None
    show = LiveShow(table.controller, "en")
    table.loop.run_to(0.5)
    tag = table.tags["capo#1"]
    draw = table.tags["voile#1"]
    table.field.put(draw, "draw/1", 0.6)
    table.field.take(draw, 0.75)
    table.field.put(tag, "seat1/1", 1.0)
    table.loop.run_to(2.0)
    show.advance(0.1)
    state: Any = show.state(1)
    assert state["kind"] == "live"
    assert state["me"] is None
    assert [card["c"] for card in state["zones"]["seat1"]["cards"]] == ["capo#1"]
    assert "voile#1" not in json.dumps(state) + show.record(public=False).decode()
    assert show.log.lines(None, "en")
    with pytest.raises(NotAllowedError):
        show.do(someone(None, Role.HOST), DrawCard())
    assert setup.zones["seat1"] is ZoneKind.SPREAD


def test_the_page_has_the_same_words_in_every_language() -> None:
    words = {lang: own(lang) for lang in ("fr", "ru", "en")}
    assert set(words["fr"]) == set(words["ru"]) == set(words["en"])
    for key, text in words["fr"].items():
        holes = sorted(part.split("}")[0] for part in text.split("{")[1:])
        for lang in ("ru", "en"):
            assert sorted(part.split("}")[0] for part in words[lang][key].split("{")[1:]) == holes, (lang, key)
    assert strings("ru")["cards"]["capo"] == "КАПО"

"""A builder's table.toml at the virtual table."""

from pathlib import Path
from typing import Any

import pytest

from engine.games import SPECS
from firmware.config import ConfigError, read_table
from firmware.web.hands import Pace
from firmware.web.messages import Fault, NewGame
from firmware.web.own import describe, game_for, own_table
from firmware.web.rig import Game
from firmware.web.viewers import Role

TABLES = Path(__file__).parents[3] / "firmware" / "tables"
ALL = sorted(TABLES.glob("*.toml"))


def game(file: str, seed: int = 3) -> Game:
    config = read_table(TABLES / file)
    chosen, seats = game_for(config, None, None)
    return Game(chosen, seats, seed, config.mode, config.language.value, own=own_table(config))


@pytest.mark.parametrize("file", [path.name for path in ALL])
def test_bots_play_on_every_table_that_comes_with_the_project(file: str, stand: Any, someone: Any) -> None:
    config = read_table(TABLES / file)
    table = stand(game(file), play=False, pace=Pace.QUICK)
    table.room.join(someone(None))
    table.until(lambda: table.room.show.log.count >= 8)
    seen = table.state()
    assert set(seen["zones"]) <= {zone.name for zone in config.zones}
    assert seen["screens"] == sorted("all" if d.seat is None else f"seat{d.seat}" for d in config.displays)
    assert set(table.room.show.screens()) == set(seen["screens"])
    readers = {row["reader"] for row in table.room.show.panel(False)["readers"]}
    assert readers <= {reader.name for reader in config.readers}
    assert (table.room.broken, table.room.show.rig.hands.broken) == ("", "")


@pytest.mark.parametrize(
    ("file", "played"),
    [
        ("tifo-2.toml", ("tifo", 2)),
        ("tifo-4.toml", ("tifo", 4)),
        ("tipouik-4.toml", ("tipouik", 4)),
        ("tfu-small.toml", ("tfu", 2)),
        ("tfu-watched.toml", ("tfu", 2)),
        ("one-reader.toml", ("tifo", 4)),
    ],
)
def test_the_table_says_what_is_played_on_it(file: str, played: tuple[str, int]) -> None:
    assert game_for(read_table(TABLES / file), None, None) == played


def test_what_a_table_lacks_is_said_and_a_game_without_a_zone_is_no_game() -> None:
    config = read_table(TABLES / "one-reader.toml")
    assert any("nobody watches seat1, seat2" in line for line in describe(config, "tifo", 2))
    with pytest.raises(
        ConfigError, match=r"has no zone of tfu, expected a \[\[zone\]\] and a \[\[reader\]\] for centre1"
    ):
        game_for(config, "tfu", None)
    complete = describe(read_table(TABLES / "tifo-4.toml"), "tifo", 4)
    assert any("3.3 V" in line for line in complete)
    assert not any("nobody watches" in line for line in complete)


def test_a_new_game_keeps_the_table_if_it_can_be_played_there(stand: Any, someone: Any) -> None:
    table = stand(game("tifo-4.toml"))
    host = someone(1, Role.HOST)
    table.room.join(host)
    for name, seats, own in (("tifo", 2, True), ("tfu", 2, False), ("tipouik", 4, True), ("tifo", 5, False)):
        table.room.do(host, NewGame(name, seats, "play", "en", 5, True))
        table.turn(0.2)
        assert table.state(1)["own"] is own, (name, seats)
        zones = set(table.state(1)["zones"])
        assert set(SPECS[name].smallest(seats)) <= zones <= set(SPECS[name].all_zones(seats))


def test_buttons_that_the_table_lacks_are_told(stand: Any, someone: Any) -> None:
    table = stand(game("tifo-2.toml"))
    table.room.join(someone(1, Role.HOST))
    table.turn(0.2)
    has = {button.name for button in read_table(TABLES / "tifo-2.toml").buttons}
    told = set(table.state(1)["absent"])
    assert has | told == SPECS["tifo"].buttons(2)
    assert has.isdisjoint(told)
    assert "table.pile" in told, "else this proves nothing"


def test_its_screens_can_be_broken_like_any(stand: Any, someone: Any) -> None:
    table = stand(game("tifo-2.toml"))
    host = someone(1, Role.HOST)
    table.room.join(host)
    table.turn(1)
    table.room.do(host, Fault("dead-screen", "seat2", 1.0))
    table.turn(8)
    assert not any(table.room.show.screens()["seat2"])
    assert any(table.room.show.screens()["seat1"])

"""table.toml: what is refused, with which words; what the examples say of themselves."""

from pathlib import Path

import pytest

import firmware
from engine.games import SPECS
from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.config import ConfigError, parse_table, read_table
from firmware.config.budgets import budgets, describe
from firmware.config.model import Language, Loudness
from firmware.config.watched import games_of, zones_for

EXAMPLES = sorted((Path(firmware.__file__).parent / "tables").glob("*.toml"))

HEAD = """[table]
name = "test"

[[zone]]
name = "discard"

[[reader]]
name = "r1"
zone = "discard"
driver = "mfrc522"
bus = "spi0"
select = "CE0"
"""


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_table(text, "table.toml")
    return str(caught.value)


def test_a_small_table_is_read_with_the_usual_kind_and_dwell() -> None:
    table = parse_table(HEAD, "table.toml")
    assert table.zones[0].kind is ZoneKind.PILE
    assert table.zones[0].dwell_s == 0
    assert table.layout().buses() == ("spi0",)


def test_a_dwell_is_given_in_milliseconds() -> None:
    table = parse_table(HEAD.replace('name = "discard"', 'name = "discard"\nkind = "spread"\ndwell = 200'), "t")
    assert table.zones[0].dwell_s == 0.2


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (('select = "CE0"', 'select = "CE7"'), 12, "select = 'CE7', expected CE0, CE1 of spi0, or a GPIO"),
        (('driver = "mfrc522"', 'driver = "pn532"'), 10, 'driver = "pn532", expected one of "mfrc522"'),
        (('zone = "discard"', 'zone = "discrad"'), 9, "reader 'r1' is in zone 'discrad', which is none, exp"),
        (('name = "discard"', 'name = "discard"\nkind = "heap"'), 6, 'kind = "heap", expected one of "spread"'),
        (('name = "test"', 'name = "test"\nlanguage = "de"'), 3, 'language = "de", expected one of "fr"'),
        (('bus = "spi0"', 'buss = "spi0"'), 7, "[[reader]] number 1 has no key 'bus', expected one of"),
        (('bus = "spi0"', 'bus = "spi0"\ncolour = 1'), 12, "[[reader]] number 1 has an unknown key 'colour'"),
        (('select = "CE0"', "select = 8\nreset = 99"), 13, "reset = 99, expected a GPIO number from 0 to 27"),
        (('select = "CE0"', "select = 1"), 12, "GPIO1 belongs to HAT identification, expected a GPIO from 2 to 27"),
        (('name = "test"', "name = "), 2, "no TOML: invalid value"),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_what_was_expected(
    change: tuple[str, str], line: int, words: str
) -> None:
    message = refusal(HEAD.replace(*change))
    assert message.startswith(f"table.toml:{line}: ")
    assert words in message
    assert "\n" not in message


def test_two_readers_on_one_chip_select_are_refused() -> None:
    second = HEAD[HEAD.index("[[reader]]") :].replace("r1", "r2")
    message = refusal(HEAD + "\n" + second)
    assert message == (
        "table.toml:19: GPIO8 is used twice: CE0 of spi0 of reader 'r2', and CE0 of spi0 of reader 'r1' (line 12), "
        "expected each to have its own"
    )


def test_a_gpio_that_is_a_native_chip_select_of_another_reader_is_refused() -> None:
    second = HEAD[HEAD.index("[[reader]]") :].replace("r1", "r2").replace('"CE0"', "8")
    assert "GPIO8 is used twice: chip select of reader 'r2', and CE0 of spi0 of reader 'r1'" in refusal(
        HEAD + "\n" + second
    )


def test_chips_selected_by_gpio_need_one_native_select_left_open() -> None:
    more = "".join(
        HEAD[HEAD.index("[[reader]]") :].replace("r1", f"r{n}").replace('"CE0"', select)
        for n, select in ((2, '"CE1"'), (3, "5"))
    )
    assert "CE1 of spi0, which must stay unconnected" in refusal(HEAD + more)


def test_a_shared_reset_line_is_no_conflict() -> None:
    text = HEAD + "reset = 25\n"
    second = HEAD[HEAD.index("[[reader]]") :].replace("r1", "r2").replace('"CE0"', '"CE1"') + "reset = 25\n"
    assert len(parse_table(text + second, "t").readers) == 2


def test_a_shutdown_button_on_gpio3_with_an_i2c_screen_is_refused() -> None:
    screen = '\n[[display]]\nseat = "all"\ndriver = "ssd1306"\nbus = "i2c1"\naddress = 0x3C\n'
    button = '\n[[button]]\nseat = "table"\nrole = "undo"\npin = 3\n'
    message = refusal(HEAD + screen + button)
    assert message.startswith("table.toml:23: GPIO3 is used twice: button table.undo, and SCL of i2c1")
    assert "block the I2C bus" in message
    parse_table(HEAD + button, "t")  # without a screen the pin is free


def test_two_screens_at_one_address_are_refused() -> None:
    screen = '\n[[display]]\nseat = 1\ndriver = "ssd1306"\nbus = "i2c1"\naddress = 0x3C\n'
    assert "address 0x3C of i2c1 is used twice" in refusal(HEAD + screen + screen.replace("1\nd", "2\nd"))


def test_a_zone_without_a_reader_is_refused() -> None:
    assert refusal(HEAD + '\n[[zone]]\nname = "seat1"\n') == (
        "table.toml:15: zone 'seat1' has no reader, expected a [[reader]] with zone = \"seat1\""
    )


def test_a_seat_has_no_undo_button_and_the_table_no_call() -> None:
    button = '\n[[button]]\nseat = 1\nrole = "undo"\npin = 5\n'
    assert 'role = "undo" for a seat\'s button, expected one of "call", "ok", "next"' in refusal(HEAD + button)


def test_a_missing_file_is_one_line_with_its_mend(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read .* expected a table\.toml; name it with --table"):
        read_table(tmp_path / "none.toml")


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_every_example_is_a_table_that_can_be_wired(path: Path) -> None:
    table = read_table(path)
    assert describe(table)
    for game in games_of(table):
        Setup(SPECS[game.game], game.seats, zones=zones_for(table, SPECS[game.game], game.seats))


def test_the_examples_play_the_games_they_are_named_after() -> None:
    found = {path.stem: {(one.game, one.seats) for one in games_of(read_table(path))} for path in EXAMPLES}
    assert ("tifo", 2) in found["tifo-2"]
    assert ("tifo", 4) in found["tifo-4"]
    assert ("tipouik", 4) in found["tipouik-4"]
    assert ("tfu", 2) in found["tfu-small"]
    assert ("tfu", 2) in found["tfu-watched"]
    assert found["one-reader"] == set()


def test_what_a_table_cannot_watch_is_said_in_words() -> None:
    by_name = {path.stem: games_of(read_table(path))[0] for path in EXAMPLES if path.stem != "one-reader"}
    assert any("tfu/column" in what for what in by_name["tfu-small"].cannot)
    assert any("tfu/column" in what for what in by_name["tfu-watched"].can)
    assert any("tifo/draw-first" in what for what in by_name["tifo-2"].cannot)
    assert any("tifo/laid-stays" in what for what in by_name["tifo-4"].cannot)


def test_budgets_count_pins_current_and_the_lines_of_config_txt() -> None:
    one = budgets(parse_table(HEAD, "t"))
    assert one.pins_used == 4  # MISO, MOSI, SCLK, CE0
    assert not one.own_supply
    assert one.config_txt == ("dtparam=spi=on",)
    assert budgets(read_table(next(path for path in EXAMPLES if path.stem == "tifo-2"))).own_supply


def test_displays_buzzers_and_lamps_may_say_more() -> None:
    more = """
[[display]]
seat = 2
driver = "sh1106"
bus = "i2c1"
address = 0x3D
language = "ru"

[[buzzer]]
pin = 12
passive = true
volume = "soft"

[[lamp]]
seat = "all"
pin = 17

[[lamp]]
seat = 1
pin = 22
green = 23
blue = 24
"""
    table = parse_table(HEAD + more, "t")
    assert [(d.seat, d.language) for d in table.displays] == [(2, Language.RUSSIAN)]
    assert [b.volume for b in table.buzzers] == [Loudness.SOFT]
    assert [(lamp.seat, lamp.pins) for lamp in table.lamps] == [(None, (17,)), (1, (22, 23, 24))]


def test_the_colours_of_a_lamp_are_pins_like_others() -> None:
    lamp = "\n[[lamp]]\nseat = 1\npin = 22\ngreen = 17\nblue = 24\n\n[[buzzer]]\npin = 17\n"
    with pytest.raises(ConfigError, match="GPIO17"):
        parse_table(HEAD + lamp, "t")
    with pytest.raises(ConfigError, match="blue"):
        parse_table(HEAD + "\n[[lamp]]\nseat = 1\npin = 22\ngreen = 17\n", "t")

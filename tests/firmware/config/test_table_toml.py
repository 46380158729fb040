"""table.toml: what is refused, with which words; what the examples say of themselves."""

from dataclasses import replace
from pathlib import Path

import pytest

import firmware
from engine.games import SPECS
from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.config import ConfigError, parse_table, read_table
from firmware.config.budgets import budgets, describe
from firmware.config.claims import NATIVE_SELECTS, held_selects
from firmware.config.model import Language, Loudness
from firmware.config.watched import Fact, describe_all, games_of, strangers, zones_for
from firmware.languages import languages

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
        (('select = "CE0"', 'select = "CE7"'), 12, 'select = "CE7", expected CE0, CE1 of spi0, or a GPIO'),
        (('driver = "mfrc522"', 'driver = "pn532"'), 10, 'driver = "pn532", expected one of "mfrc522"'),
        (('zone = "discard"', 'zone = "discrad"'), 9, "reader 'r1' is in zone 'discrad', which is none, exp"),
        (('name = "discard"', 'name = "discard"\nkind = "heap"'), 6, 'kind = "heap", expected one of "spread"'),
        (('name = "test"', 'name = "test"\nlanguage = "de"'), 3, 'language = "de", expected one of "en", "fr", "ru"'),
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


@pytest.mark.parametrize(
    ("entry", "use"),
    [("[[buzzer]]\npin = 3\n", "a buzzer"), ("[[lamp]]\nseat = 1\npin = 3\n", "a lamp")],
)
def test_what_is_no_button_is_not_told_to_be_one(entry: str, use: str) -> None:
    screen = '\n[[display]]\nseat = "all"\ndriver = "ssd1306"\nbus = "i2c1"\naddress = 0x3C\n'
    message = refusal(f"{HEAD}{screen}\n{entry}")
    assert message.endswith(f"GPIO3 is used twice: {use}, and SCL of i2c1, expected each to have its own")


@pytest.mark.parametrize(
    ("bus", "far"),
    [
        ("spi1", 'driver = "mfrc522"\nbus = "spi1"\nselect = "CE0"\n'),
        ("/dev/ttyACM0", 'driver = "satellite"\nport = "/dev/ttyACM0"\nindex = 0\n'),
    ],
)
def test_readers_of_one_group_hang_on_one_bus(bus: str, far: str) -> None:
    second = f'\n[[reader]]\nname = "r2"\nzone = "discard"\n{far}group = "pair"\n'
    message = refusal(HEAD + 'group = "pair"\n' + second)
    assert message.startswith(
        f"table.toml:21: group 'pair' is on two buses: reader 'r2' on {bus}, 'r1' on spi0, "
        "expected readers whose fields touch on one bus"
    )
    near = second.replace(far, 'driver = "mfrc522"\nbus = "spi0"\nselect = "CE1"\n')
    assert len(parse_table(HEAD + 'group = "pair"\n' + near, "t").readers) == 2


def test_a_chip_select_that_the_kernel_holds_below_a_higher_one_is_no_free_pin() -> None:
    far = HEAD.replace("spi0", "spi1").replace("CE0", "CE1")
    button = '\n[[button]]\nseat = 1\nrole = "ok"\npin = {}\n'
    assert "GPIO18 is used twice: button seat1.ok, and CE0 of spi1, which the bus holds" in refusal(
        far + button.format(18)
    )
    free = parse_table(far + button.format(16), "t")  # CE2 is above it: the overlay can do without
    assert budgets(free).config_txt == ("dtoverlay=spi1-2cs",)


def test_the_lines_of_config_txt_let_the_kernel_hold_no_pin_that_something_else_uses() -> None:
    button = '\n[[button]]\nseat = 1\nrole = "ok"\npin = 7\n'
    assert budgets(parse_table(HEAD + button, "t")).config_txt == ("dtparam=spi=on", "dtoverlay=spi0-1cs")
    assert budgets(parse_table(HEAD, "t")).config_txt == ("dtparam=spi=on",)
    for path in EXAMPLES:
        table = read_table(path)
        held = {NATIVE_SELECTS[bus][name] for bus in NATIVE_SELECTS for name in held_selects(table, bus)}
        overlay = [line for line in budgets(table).config_txt if "spi1" in line]
        assert overlay == ([f"dtoverlay=spi1-{len(held & {16, 17, 18})}cs"] if held & {16, 17, 18} else [])


def test_chip_selects_that_are_gpios_are_held_high_from_the_start() -> None:
    by_gpio = HEAD.replace('"CE0"', "25")
    table = parse_table(by_gpio, "t")
    assert budgets(table).config_txt == ("dtparam=spi=on", "gpio=25=op,dh")
    assert describe(table)[-3:] == (
        "config.txt, each on a line of its own:",
        "  dtparam=spi=on",
        "  gpio=25=op,dh",
    )
    assert not any(line.startswith("gpio=") for line in budgets(parse_table(HEAD, "t")).config_txt)


def test_readers_and_a_display_share_a_bus_only_by_its_own_chip_selects() -> None:
    screen = '\n[[display]]\nseat = "all"\ndriver = "ssd1309"\nbus = "spi0"\nselect = {}\ndc = 23\n'
    assert len(parse_table(HEAD + screen.format('"CE1"'), "t").displays) == 1
    for text, pin in ((HEAD + screen.format(16), 16), (HEAD.replace('"CE0"', "25") + screen.format('"CE0"'), 25)):
        told = refusal(text)
        assert f"readers and a display share spi0, where GPIO{pin} is a chip select" in told
        assert told.startswith(
            f"table.toml:{text[: text.index('bus', text.index('[[display]]'))].count(chr(10)) + 1}: "
        )


@pytest.mark.parametrize("bus", ["i2c", "i2c0", "i2c01", "i2c\u0661", "i2c100"])
def test_a_name_that_would_be_another_one_for_an_i2c_bus_is_refused(bus: str) -> None:
    screen = f'\n[[display]]\nseat = "all"\ndriver = "ssd1306"\nbus = "{bus}"\naddress = 0x3C\n'
    assert f'bus = "{bus}", expected "i2c1"' in refusal(HEAD + screen)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\ufeff" + HEAD, 1, "a byte order mark, expected UTF-8 text without one"),
        ("a = " + "[" * 100_000, 1, "brackets nested too deep"),
        ("a = " + "[" * 3_000 + "]" * 3_000, 1, "brackets nested too deep"),
        ("[table]\nname = " + "9" * 5_000, 1, "a number with too many digits"),
        ("[table]\nname = 0x" + "f" * 5_000, 2, "name = a number of too many digits, expected a name in quotes"),
        (HEAD + 'gain = "38', 13, "no TOML: unterminated string"),
        (HEAD.replace('"discard"\ndriver', '"dis\\ncard"\ndriver'), 9, r"in zone 'dis\ncard', which is none"),
        ('"a\\nb" = 1', 1, r"unknown table 'a\nb'"),
        (HEAD.replace('"mfrc522"', f'"{"x" * 1_000_000}"'), 10, 'driver = "xxx'),
    ],
)  # fmt: skip
def test_a_file_that_means_no_good_is_one_line_of_bounded_length(text: str, line: int, words: str) -> None:
    message = refusal(text)
    assert message.startswith(f"table.toml:{line}: ")
    assert words in message
    assert message.isprintable()
    assert len(message) < 700


def test_a_byte_that_is_no_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(HEAD.encode() + b"# \xff\n")
    with pytest.raises(ConfigError, match=r"table\.toml:13: byte \d+ of the file is not UTF-8, expected UTF-8 text"):
        read_table(path)


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
    told = {path.stem: describe_all(replace(read_table(path), language=Language("en"))) for path in EXAMPLES}
    assert one_line(told["tfu-small"], "tfu/column").startswith("  cannot watch: ")
    assert one_line(told["tfu-watched"], "tfu/column").startswith("  watches: ")
    assert one_line(told["tifo-2"], "tifo/draw-first").startswith("  cannot watch: ")
    assert one_line(told["tifo-4"], "tifo/laid-stays").startswith("  cannot watch: cards taken away from seat1, ")
    assert one_line(told["tifo-2"], "table.pile") == (
        "  cannot watch: the command table.pile: there is neither a button nor a control card for it"
    )
    assert told["one-reader"] == ("With these zones no game can be played; readers can be watched all the same.",)


def one_line(lines: tuple[str, ...], word: str) -> str:
    (found,) = (line for line in lines if word in line)
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_what_a_table_watches_is_told_in_each_language(path: Path) -> None:
    table = read_table(path)
    told = {lang: describe_all(replace(table, language=Language(lang))) for lang in languages()}
    assert len({len(lines) for lines in told.values()}) == 1
    sentences = [line for lines in told.values() for line in lines]
    assert len(set(sentences)) == len(sentences)
    assert "{" not in "".join(sentences)


def test_a_zone_that_no_game_knows_is_told_for_it_may_be_a_slip() -> None:
    table = parse_table(HEAD.replace('"discard"', '"discrad"'), "t")
    assert describe_all(table)[0] == "discrad: no game knows this zone."
    assert not strangers(parse_table(HEAD, "t"))


def test_a_control_card_of_the_deck_counts_as_its_button() -> None:
    table = parse_table(HEAD.replace('"discard"', '"centre1"') + more_zone("centre2", "CE1"), "t")
    cards = ["table.undo", "table.accept"]
    (lacking,), (one,), (both,) = (games_of(table, have) for have in ([], cards[:1], cards))
    seats = ("seat1.call", "seat1.ok", "seat2.call", "seat2.ok")
    assert lacking.cannot[-1] == Fact("watch:table/commands", (*seats, "table.accept", "table.undo"))
    assert one.cannot[-1] == Fact("watch:table/commands", (*seats, "table.accept"))
    assert both.cannot[-1] == Fact("watch:table/commands", seats)


def more_zone(name: str, select: str) -> str:
    reader = HEAD[HEAD.index("[[reader]]") :].replace("discard", name).replace("CE0", select)
    return f'\n[[zone]]\nname = "{name}"\n\n{reader.replace("r1", f"r-{name}")}'


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
    assert [(d.seat, d.language) for d in table.displays] == [(2, Language("ru"))]
    assert [b.volume for b in table.buzzers] == [Loudness.SOFT]
    assert [(lamp.seat, lamp.pins) for lamp in table.lamps] == [(None, (17,)), (1, (22, 23, 24))]


def test_the_colours_of_a_lamp_are_pins_like_others() -> None:
    lamp = "\n[[lamp]]\nseat = 1\npin = 22\ngreen = 17\nblue = 24\n\n[[buzzer]]\npin = 17\n"
    with pytest.raises(ConfigError, match="GPIO17"):
        parse_table(HEAD + lamp, "t")
    with pytest.raises(ConfigError, match="blue"):
        parse_table(HEAD + "\n[[lamp]]\nseat = 1\npin = 22\ngreen = 17\n", "t")

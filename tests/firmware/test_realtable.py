"""`arbitre play` and `arbitre referee` from end to end: the real threads and poller processes, on emulated chips."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.cards import TIFO_DECK
from firmware.cli import main
from firmware.deck import emulated_deck, write_deck
from firmware.stage import Context, text_of
from firmware.stage.layout import pages
from firmware.stage.picture import frame
from firmware.stage.texts import device_text

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

STANDIN = Path(__file__).parent / "standin"
ROOT = Path(__file__).parents[2]
DECK = emulated_deck(TIFO_DECK)
TAG = {card: uid for uid, card in DECK.cards.items()}
UNDO, RESCAN = "04A0000000AA01", "04A0000000AA02"
CALL1, CALL2, RESCAN_PIN, LAMP1, BUZZER = 4, 17, 13, 27, 22
READERS: dict[str, tuple[str, str, str | int, int]] = {
    "seat1-1": ("seat1", "spi0", "CE0", 25),
    "seat1-2": ("seat1", "spi0", 5, 25),
    "seat1-3": ("seat1", "spi0", 6, 25),
    "discard": ("discard", "spi0", 12, 25),
    "seat2-1": ("seat2", "spi1", "CE0", 24),
}
CONTEXT = Context("tifo", 2, lang="en")


def table_toml(*, without: str = "") -> str:
    """A small TIFO table on two buses, with everything that can be wired; perhaps without one zone."""
    parts = ['[table]\nname = "bench"\nlanguage = "en"\nmode = "play"\n']
    parts += [f'[[zone]]\nname = "{z}"\n' for z in ("seat1", "seat2", "discard") if z != without]
    chosen: str | int
    for name, (zone, bus, select, reset) in READERS.items():
        if zone != without:
            chosen = f'"{select}"' if isinstance(select, str) else select
            parts.append(
                f'[[reader]]\nname = "{name}"\nzone = "{zone}"\ndriver = "mfrc522"\n'
                f'bus = "{bus}"\nselect = {chosen}\nreset = {reset}\n'
            )
    for seat, address in ((1, "0x3C"), (2, "0x3D")):
        parts.append(f'[[display]]\nseat = {seat}\ndriver = "ssd1306"\nbus = "i2c1"\naddress = {address}\n')
    for place, role, pin in (("1", "call", CALL1), ("2", "call", CALL2), ('"table"', "rescan", RESCAN_PIN)):
        parts.append(f'[[button]]\nseat = {place}\nrole = "{role}"\npin = {pin}\n')
    parts.append(f"[[buzzer]]\npin = {BUZZER}\npassive = true\n")
    parts.append(f"[[lamp]]\nseat = 1\npin = {LAMP1}\n")
    return "\n".join(parts)


def deck_toml(path: Path) -> None:
    """A whole deck, and two control cards."""
    write_deck(path, DECK.cards.items())
    with path.open("a", encoding="utf-8") as file:
        file.write(f'{UNDO} = "table.undo"\n{RESCAN} = "table.rescan"\n')


@pytest.fixture
def table(bench: "Bench") -> "Bench":
    """The bench with that table soldered and its files written."""
    bench.wire({n: {"bus": int(bus[3:]), "select": s, "reset": r} for n, (_, bus, s, r) in READERS.items()})
    bench.screen(0x3C)
    bench.screen(0x3D)
    (bench.folder / "table.toml").write_text(table_toml(), encoding="utf-8")
    deck_toml(bench.folder / "deck.toml")
    return bench


class Players:
    """People at the table, who wait for what the record says before they go on."""

    def __init__(self, bench: "Bench", record: str) -> None:
        self.bench = bench
        self.record = record

    def seen(self, **wanted: object) -> list[dict[str, Any]]:
        """The lines of the record that have all of these."""
        return [line for line in self.bench.lines(self.record) if wanted.items() <= line.items()]

    def until(self, **wanted: object) -> dict[str, Any]:
        """Wait for such a line."""
        self.bench.until(f"{wanted} in the record", lambda: self.seen(**wanted))
        return self.seen(**wanted)[-1]

    def lay(self, what: str, reader: str, /, **then: object) -> dict[str, Any]:
        """Lay a card, wait for what comes of it."""
        self.bench.put(TAG[what], reader)
        return self.until(**then)

    def on_screen(self, address: int, text: Any) -> None:
        """Wait until a screen shows a page of this."""
        wanted = [frame(page) for page in pages(text)]
        chip = self.bench.screens[address]
        self.bench.until(f"screen 0x{address:02X}: {text.line()}", lambda: chip.frame() in wanted)


def test_a_game_is_refereed_from_the_tags_to_the_record_and_the_screens(table: "Bench") -> None:
    players = Players(table, "evening.jsonl")
    grown: list[int] = []

    def script() -> None:
        table.said("ready")
        players.lay("capo#1", "seat1-1", out="move", move="lay", seat=1)
        players.until(out="turn", seat=2)
        grown.append(len(table.lines("evening.jsonl")))

        refused = players.lay("capo#2", "seat1-2", out="refused", rule="tifo/turn", seat=1)
        players.on_screen(0x3C, text_of(refused, CONTEXT, "en", 1))
        table.until("the lamp of seat 1 is red", lambda: table.pins.pin(LAMP1).state)
        table.said("Player 1 · CAPO · Not your turn")
        table.take(TAG["capo#2"])
        players.until(out="corrected", rule="tifo/turn")
        grown.append(len(table.lines("evening.jsonl")))

        players.lay("echarpe#2", "seat2-1", out="move", move="lay", seat=2)
        table.put(UNDO, "discard")
        players.until(out="undone", seat=2)
        table.take(UNDO)
        table.take(TAG["echarpe#2"])
        players.until(**{"in": "lifted", "card": "echarpe#2"})
        players.lay("mats#2", "seat2-1", out="move", card="mats#2")

        table.press(CALL2)
        players.until(out="refused", button="seat2.call", rule="tifo/turn")
        table.press(CALL1)
        players.until(**{"in": "pressed", "button": "seat1.call"})
        for card, reader in (("echarpe#3", "seat1-2"), ("voile#1", "seat1-3"), ("mats#1", "seat1-1")):
            players.lay(card, reader, **{"in": "placed", "card": card})
        players.lay("fumis#1", "seat1-2", out="over")
        grown.append(len(table.lines("evening.jsonl")))

    assert table.run(["play", "tifo", "--record", "evening.jsonl"], script) == 0
    assert grown == sorted(set(grown)), "the record did not grow while the game went on"
    lines = table.lines("evening.jsonl")
    assert len(lines) >= grown[-1]
    assert all("AA01" not in str(line) for line in lines), "a control card entered the game"
    assert [line["button"] for line in lines if line.get("in") == "pressed"] == [
        "table.undo", "seat2.call", "seat1.call"
    ]  # fmt: skip
    assert main(["replay", "evening.jsonl", "--check"]) == 0
    assert main(["replay", "evening.jsonl"]) == 0
    for pin in (CALL1, LAMP1, BUZZER, 25):
        assert table.pins.pin(pin).function == "input", f"GPIO{pin} was not given back"
    assert not any(chip.on for chip in table.screens.values())


def test_a_rescan_starts_the_screens_anew_and_a_dead_reader_is_told_and_told_to_be_back(table: "Bench") -> None:
    players = Players(table, "tifo.jsonl")

    def script() -> None:
        table.said("ready")
        players.lay("capo#1", "seat1-1", out="move", move="lay", seat=1)
        table.stuck("discard", 0x00)
        dead = device_text("en", "reader-dead", "discard")
        table.said(dead.line())
        players.on_screen(0x3C, dead)
        players.on_screen(0x3D, dead)
        table.stuck("discard", None)
        table.said(device_text("en", "reader-back", "discard").line())

        presses: tuple[Callable[[], None], ...] = (
            lambda: table.press(RESCAN_PIN),
            lambda: table.put(RESCAN, "discard"),
        )
        for press in presses:
            for chip in table.screens.values():
                chip.power_up()  # it lost its supply for a moment: dark, and nobody can know
            press()
            table.until("both screens are lit again", lambda: all(chip.on for chip in table.screens.values()))
        players.lay("voile#2", "seat2-1", out="move", move="lay", seat=2)

    assert table.run(["referee", "tifo"], script) == 0
    assert [line["card"] for line in table.lines("tifo.jsonl") if "in" in line] == ["capo#1", "voile#2"]
    assert main(["replay", "tifo.jsonl", "--check"]) == 0


def test_a_screen_that_is_not_there_is_told_with_its_mend_and_the_game_goes_on(table: "Bench") -> None:
    text = (table.folder / "table.toml").read_text(encoding="utf-8").replace("0x3D", "0x3F")
    (table.folder / "table.toml").write_text(text, encoding="utf-8")
    players = Players(table, "tifo.jsonl")

    def script() -> None:
        table.said(device_text("en", "display-dead", "seat2").line())
        table.said("display seat2 on i2c-1 address 0x3F did not start: ")
        table.said("check its wires and its address")
        players.lay("capo#1", "seat1-1", out="move", move="lay", seat=1)

    assert table.run(["play", "tifo"], script) == 0


def wait_for(process: "subprocess.Popen[str]", words: str) -> None:
    """Read on until the command has said something; what it says goes through a pipe, so it must be flushed."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if words in line:
            return
    pytest.fail(f"ended without: {words}\n{''.join(said)}{process.stderr.read() if process.stderr else ''}")


@pytest.fixture
def screenless(table: "Bench") -> "Bench":
    """Without screens: a process of its own has no emulated ones."""
    text = (table.folder / "table.toml").read_text(encoding="utf-8")
    parts = [part for part in text.split("\n\n") if not part.startswith("[[display]]")]
    (table.folder / "table.toml").write_text("\n\n".join(parts), encoding="utf-8")
    return table


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(screenless: "Bench") -> Iterator[Start]:
    """The command in a process of its own, in a process group of its own as under a shell or systemd.

    Where the tests themselves run in a shell's background SIGINT is ignored, and a child inherits that; one whose
    parent handles it begins with the default. Nothing is left behind by a test that failed.
    """
    env = {**os.environ, "PYTHONPATH": f"{STANDIN}{os.pathsep}{ROOT}", "GPIOZERO_MOCK_PIN_CLASS": "mockpwmpin"}
    started: list[subprocess.Popen[str]] = []

    def begin(*args: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *args],
            cwd=screenless.folder, env=env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(process)
        return process

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield begin
    signal.signal(signal.SIGINT, before)
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.mark.parametrize(
    ("send", "number"),
    [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)],
    ids=["Ctrl-C, which reaches every process", "kill, which reaches the first alone"],
)
def test_a_program_that_is_ended_ends_all_of_itself_without_a_word(
    screenless: "Bench", start: Start, send: Callable[[int, int], None], number: int
) -> None:
    process = start("play", "tifo")
    wait_for(process, "ready")
    screenless.put(TAG["capo#1"], "seat1-1")
    wait_for(process, "Player 1 lays CAPO")
    send(process.pid, number)
    _, errors = process.communicate(timeout=90)
    assert (process.returncode, errors) == (0, "")
    assert main(["replay", str(screenless.folder / "tifo.jsonl"), "--check"]) == 0


def test_a_terminal_that_goes_away_does_not_stop_the_game_and_an_old_record_is_never_overwritten(
    screenless: "Bench", start: Start
) -> None:
    old = '{"record": "old"}\n{"in": "tick", "t": 1.0}\n'
    (screenless.folder / "tifo.jsonl").write_text(old, encoding="utf-8")
    players = Players(screenless, "tifo-2.jsonl")
    process = start("play", "tifo")
    wait_for(process, "ready")
    assert process.stdout is not None
    process.stdout.close()
    os.killpg(process.pid, signal.SIGHUP)
    players.lay("capo#1", "seat1-1", out="move", seat=1)
    players.lay("capo#2", "seat2-1", out="move", seat=2)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=90) == 0
    assert (screenless.folder / "tifo.jsonl").read_text(encoding="utf-8") == old


def running() -> Iterator[tuple[int, int, str]]:
    """Each process: its number, its parent's and its command line; from /proc, or from ps where there is none."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            pid, parent, command = line.split(None, 2)
            yield int(pid), int(parent), command
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # ended meanwhile
            parent = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            yield int(folder.name), int(parent), (folder / "cmdline").read_bytes().decode("utf-8", "replace")


def test_a_poller_process_that_is_lost_ends_the_table_with_one_line(start: Start) -> None:
    process = start("play", "tifo")
    wait_for(process, "ready")
    pollers = [pid for pid, parent, command in running() if parent == process.pid and "spawn_main" in command]
    assert len(pollers) == 2, "one for each bus"
    os.kill(pollers[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=90)
    assert process.returncode == 1
    assert errors.splitlines()[0].startswith("arbitre: bus spi")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play", "tifo", "--table", "none.toml"], "none.toml:1: cannot be read"),
        (["play", "tifo", "--deck", "none.toml"], "none.toml:1: cannot be read"),
        (["play", "tifo", "--table", "lacking.toml"], "lacking.toml:1: tifo with 2 seats needs the zones discard"),
        (["play", "tfu"], "table.toml:1: tfu with 2 seats needs the zones centre1"),
        (["play", "tifo", "--seats", "3"], "table.toml:1: tifo with 3 seats needs the zones seat3"),
        (["play", "tifo", "--seats", "0"], "--seats 0"),
        (["play", "tifo", "--first", "3"], "first seat 3, expected 1 to 2"),
        (["play", "tifo", "--deck", "small.toml"], "small.toml:1: tifo needs capo#2"),
        (["play", "tifo", "--record", "old.jsonl"], "old.jsonl:1: is there already, with something in it"),
        (["play", "tifo", "--record", "no/such/folder.jsonl"], "no/such/folder.jsonl:1: cannot be written"),
        (["referee", "tifo", "--table", "far.toml"], "far.toml:1: button table.undo is at a satellite"),
    ],
)
def test_what_does_not_go_together_is_one_clear_line(
    table: "Bench", args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (table.folder / "lacking.toml").write_text(table_toml(without="discard"), encoding="utf-8")
    (table.folder / "small.toml").write_text(f'{TAG["capo#1"]} = "capo#1"\n', encoding="utf-8")
    (table.folder / "old.jsonl").write_text('{"record": "old"}\n{"in": "tick", "t": 1.0}\n', encoding="utf-8")
    far = '\n[[button]]\nseat = "table"\nrole = "undo"\nport = "/dev/ttyACM0"\nindex = 0\n'
    (table.folder / "far.toml").write_text(table_toml() + far, encoding="utf-8")
    try:
        status = main(args)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    errors = capsys.readouterr().err.splitlines()
    assert (status, len(errors)) == (2, 1), errors
    assert words in errors[0]
    assert not (table.folder / "tifo.jsonl").exists(), "a record was begun"


def test_a_bus_that_is_off_is_one_line_and_leaves_no_pin_taken(
    table: "Bench", capsys: pytest.CaptureFixture[str]
) -> None:
    table.wire({name: {"bus": 0, "select": s, "reset": r} for name, (_, _, s, r) in READERS.items() if r == 25})
    with table.buses.installed():
        assert main(["play", "tifo"]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert errors[0].startswith("arbitre: bus spi1: /dev/spidev1.0: ")
    for pin in (CALL1, LAMP1, BUZZER, 25):
        assert table.pins.pin(pin).function == "input", f"GPIO{pin} was not given back"

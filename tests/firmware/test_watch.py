"""`arbitre watch` from end to end: arrivals, departures, chips and resets told; traces held against the twin."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import firmware
from firmware.cli import main

if TYPE_CHECKING:
    from tests.firmware.conftest import Bench

TABLES = Path(firmware.__file__).parent / "tables"
TAG, OTHER = "04A81D12DE5F80", "04B2C3D4E5F607"
ONE = {"reader": {"bus": 0, "select": "CE0", "reset": 25}}


def test_one_reader_tells_who_comes_and_goes_and_what_chip_it_is(bench: "Bench") -> None:
    bench.wire(ONE)
    (bench.folder / "deck.toml").write_text(f'{TAG} = "capo#1"\n{OTHER} = "table.undo"\n', encoding="utf-8")

    def script() -> None:
        bench.said("watching")
        bench.put(TAG, "reader")
        bench.said(f"arrived  reader: {TAG} (capo#1)")
        bench.take(TAG)
        bench.said(f"departed reader: {TAG} (capo#1), ")
        bench.put(OTHER, "reader")
        bench.said(f"arrived  reader: {OTHER} (table.undo), unseen for ")

    assert bench.run(["watch", "--deck", "deck.toml"], script) == 0
    *_, chip, arrivals = bench.out.getvalue().splitlines()
    assert chip.startswith("reader: NXP MFRC522 2.0 (version 92), "), chip
    assert ", 0 resets, 0 re-initialisations, longest look " in chip
    assert re.fullmatch(r"arrivals: [12], unseen for [\d.]+ ms at most", arrivals)
    assert bench.pins.pin(25).function == "input", "the reset line was not given back"


def test_a_chip_that_forgets_or_dies_is_told_and_counted(bench: "Bench") -> None:
    bench.wire(ONE)

    def script() -> None:
        bench.put(TAG, "reader")
        bench.said(f"arrived  reader: {TAG}")
        bench.stuck("reader", 0xFF)
        bench.said("DEAD     reader: ")
        bench.stuck("reader", None)
        bench.said("back     reader")
        bench.brown_out("reader")
        bench.take(TAG)
        bench.said(f"departed reader: {TAG}")

    assert bench.run(["watch"], script) == 0
    lines = bench.out.getvalue().splitlines()
    assert " FF: no chip" in next(line for line in lines if "DEAD" in line)
    chip = next(line for line in lines if line.startswith("reader: "))
    resets, reinits = map(int, re.findall(r"(\d+) (?:resets|re-initialisations)", chip))
    assert resets >= 1
    assert reinits >= 2


def test_readers_that_share_a_reset_line_are_pulsed_once_and_watched_side_by_side(bench: "Bench") -> None:
    text = (TABLES / "tifo-2.toml").read_text(encoding="utf-8")
    found = re.findall(r'\[\[reader\]\]\nname = "(.+)"\n(?:.+\n)*?select = (.+)\nreset = (\d+)', text)
    assert len(found) == 9
    bench.wire({name: {"bus": 0, "select": json.loads(select), "reset": int(pin)} for name, select, pin in found})

    def script() -> None:
        bench.said("watching")
        bench.put(TAG, "seat2-4")
        bench.put(OTHER, "discard")
        bench.said(f"arrived  seat2-4: {TAG}")
        bench.said(f"arrived  discard: {OTHER}")

    assert bench.run(["watch", "--table", str(TABLES / "tifo-2.toml")], script) == 0
    chips = [line for line in bench.out.getvalue().splitlines() if "(version 92)" in line]
    assert len(chips) == 9
    levels = [state.state for state in bench.pins.pin(25).states[1:]]
    assert levels == [1, 0, 1, 0], "claimed high, one pulse, given back"


def test_a_trace_of_the_bus_is_answered_alike_by_the_emulated_chip_and_a_planted_difference_is_named(
    bench: "Bench", capsys: pytest.CaptureFixture[str]
) -> None:
    bench.wire(ONE)

    def script() -> None:
        bench.said("watching")
        bench.put(TAG, "reader")
        bench.said("arrived")
        bench.take(TAG)
        bench.said("departed")

    assert bench.run(["watch", "--trace", "chip.jsonl"], script) == 0
    lines = (bench.folder / "chip.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"trace": 1, "reader": "reader", "clock_hz": 4_000_000}
    assert [json.loads(line)["tags"] for line in lines if "tags" in line] == [[TAG], []]

    planted = list(lines)
    gain = next(n for n, line in enumerate(lines) if json.loads(line).get("tx") == "cc00")  # RFCfgReg is read
    planted[gain] = json.dumps({**json.loads(lines[gain]), "rx": "0048"})
    (bench.folder / "planted.jsonl").write_text("\n".join(planted) + "\n", encoding="utf-8")
    before = replayed("chip.jsonl", capsys)
    after = replayed("planted.jsonl", capsys)
    assert next(line for line in after if line not in before).endswith("RF_CONFIG real 48 twin 58")
    assert "RF_CONFIG: differs 1 times" in after
    assert f"line {gain + 1}, " in "\n".join(after)
    # A window's time is taken after it: a thread that is held up in between may see another timer than the twin.
    assert int(before[-1].split(" windows, ")[1].split()[0]) <= len(lines) // 50, before


def replayed(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `watch --replay` prints."""
    capsys.readouterr()
    status = main(["watch", "--replay", name])
    said = capsys.readouterr().out.splitlines()
    assert status == (0 if said[-1].endswith(", 0 differ from the emulated chip") else 1)
    return said


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["watch", "--table", "none.toml"], "none.toml:1: cannot be read"),
        (["watch", "--deck", "none.toml"], "none.toml:1: cannot be read"),
        (["watch", "--replay", "none.jsonl"], "none.jsonl:1: cannot be read"),
        (["watch", "--trace", "no/such/trace.jsonl"], "no/such/trace.jsonl:1: cannot be written"),
        (["watch", "--trace", "t.jsonl", "--table", str(TABLES / "tifo-2.toml")], "9 readers, one can be traced"),
        (["watch", "--table", str(TABLES / "tfu-watched.toml")], "satellite"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(
    bench: "Bench", args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(args) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert words in errors[0]


def test_a_bus_that_is_off_is_one_line_and_gives_everything_back(
    bench: "Bench", capsys: pytest.CaptureFixture[str]
) -> None:
    bench.wire({"elsewhere": {"bus": 1, "select": "CE0", "reset": None}})
    assert main(["watch"]) == 1
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("arbitre: /dev/spidev0.0: ")
    assert bench.pins.pin(25).function == "input"

"""The command line as a whole: wrong usage is one line, exit status 2; an output that goes away is no fault."""

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from firmware.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
RECORD = '{"arbitre": 1, "game": "tifo", "seats": 2}\n{"t": 1, "in": "placed", "zone": "seat1", "card": "capo#1"}\n'


def status_of(args: list[str]) -> int:
    try:
        return main(args)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "COMMAND"),
        (["whist"], "'whist'"),
        (["replay"], "FILE"),
        (["replay", "a", "--colour"], "--colour"),
        (["replay", "a", "--che"], "--che"),
        (["replay", "a", "b"], "b"),
        (["replay", "a", "--lang", "xx"], "'xx'"),
        (["demo"], "GAME"),
        (["demo", "whist"], "'whist'"),
        (["demo", "tifo", "--headless", "--seats", "7"], "2 to 6"),
        (["demo", "tifo", "--headless", "--seats", "0"], "2 to 6"),
        (["demo", "tipouik", "--headless", "--seats", "2"], "3 to 10"),
        (["demo", "tfu", "--headless", "--seats", "five"], "'five'"),
        (["demo", "tifo", "--headless", "--seed", "one"], "'one'"),
        (["demo", "tifo", "--headless", "--top", "-1"], "expected a whole number from 0"),
        (["demo", "tifo", "--headless", "--drop", "2"], "expected a number from 0 to 1"),
        (["demo", "tifo", "--headless", "--drop", "nan"], "expected a number from 0 to 1"),
        (["demo", "tifo", "--headless", "--echo", "-0.5"], "expected a number from 0 to 1"),
        (["demo", "tifo", "--headless", "--record", "no/such/game.jsonl"], "no/such/game.jsonl:1: cannot be written"),
        (["table", "--record", "no/such/game.jsonl", "--port", "0"], "no/such/game.jsonl:1: cannot be written"),
        (["simulate", "tifo", "--seats", "0"], "2 to 6"),
        (["simulate", "tifo", "--games", "0"], "expected a whole number from 1"),
        (["simulate", "tifo", "--games", "1.5"], "expected a whole number from 1"),
        (["simulate", "tifo", "--cheat", "2"], "expected a number from 0 to 1"),
        (["simulate", "tifo", "--cheat", "nan"], "expected a number from 0 to 1"),
        (["simulate", "tifo", "--option", "refill"], "refill"),
        (["simulate", "tipouik", "--option", "final_window_s=NaN"], "expected a number from 0"),
        (["bench", "speed"], "'speed'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_status_2(
    args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert words in line


def test_every_command_is_told_and_tells_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["--help"]) == 0
    told = capsys.readouterr().out
    for command, (_, summary) in COMMANDS.items():
        assert summary in told
        assert status_of([command, "--help"]) == 0
        assert f"usage: arbitre {command}" in capsys.readouterr().out


@pytest.mark.parametrize("args", [["replay", "game.jsonl"], ["replay", "game.jsonl", "--check"], ["--help"]])
def test_an_output_that_nobody_reads_is_no_fault(args: list[str], tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(RECORD, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "firmware", *args],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writing, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_is_how_the_virtual_table_ends(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", "table", "--port", "0"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    # Before it serves, an interrupt ends it in the middle: wait until it answers.
    link = process.stdout.readline().split()[-1]
    with urllib.request.urlopen(link.partition("#")[0]) as page:
        assert page.status == 200
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")

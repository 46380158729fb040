"""Every golden record says what the referee says, and together they show every rule id."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from engine import ids as common
from engine.record import Output
from engine.rulings import Say, Turn
from engine.setup import Mode
from engine.tfu.ids import SAY_FEWEST
from firmware.replay import check, load, steps

RECORDS = Path(__file__).parent / "records"
FILES = sorted(RECORDS.rglob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_golden_record_is_judged_as_written(path: Path) -> None:
    record = load(path)
    assert record.inputs
    assert [f"{d.line}: file {d.in_file}, said {d.said}" for d in check(record)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_golden_record_names_its_ruling(path: Path) -> None:
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert header["x-ruling"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_mode_referee_prompts_nobody(path: Path) -> None:
    record = load(path)
    if record.setup.mode is Mode.REFEREE:
        told = [r for step in steps(record) for r in step.rulings if isinstance(r, Turn | Say)]
        assert [r for r in told if not (isinstance(r, Say) and r.text == SAY_FEWEST)] == []  # S14: it has to ask


@pytest.mark.parametrize("game", ["tifo", "tipouik", "tfu"])
def test_every_rule_id_of_a_game_is_shown_by_a_golden_record(game: str) -> None:
    shown = {
        str(e.what.fields["rule"])
        for path in (RECORDS / game).glob("*.jsonl")
        for e in load(path).entries
        if isinstance(e.what, Output) and e.what.fields["out"] == "refused"
    }
    rules = set(import_module(f"engine.{game}.ids").RULES)
    assert rules - shown == set()


def test_every_common_rule_id_is_shown_by_a_golden_record() -> None:
    shown = {
        str(e.what.fields["rule"])
        for path in FILES
        for e in load(path).entries
        if isinstance(e.what, Output) and e.what.fields["out"] == "refused"
    }
    assert set(common.RULES) - shown == set()


def test_a_check_finds_a_changed_a_missing_and_an_added_output(tmp_path: Path) -> None:
    lines = (RECORDS / "tifo" / "over.jsonl").read_text(encoding="utf-8").splitlines()
    moves = [n for n, line in enumerate(lines) if '"out": "move"' in line]
    changed = [*lines]
    changed[moves[0]] = changed[moves[0]].replace('"seat": 1', '"seat": 2')
    missing = [line for n, line in enumerate(lines) if n != moves[1]]
    added = [*lines[: moves[2] + 1], lines[moves[2]], *lines[moves[2] + 1 :]]
    for wrong in (changed, missing, added):
        path = tmp_path / "wrong.jsonl"
        path.write_text("\n".join(wrong) + "\n", encoding="utf-8")
        assert check(load(path))

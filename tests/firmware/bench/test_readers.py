"""The reader figures: their keys, and the bars they are held to. All of them are virtual time and exact."""

import argparse
import json
import sys

import pytest

from firmware.bench import calls, cli, readers, sweep
from hardware.mfrc522.package import load

TASKS = ("empty_poll", "identify_4", "identify_7", "resting_tag_check")
KEYS = {"transfers", "bytes", "virtual_ms", "floor_ms"}


@pytest.fixture(scope="module")
def figures() -> dict[str, dict[str, dict[str, float]]]:
    return calls.measure()


def test_every_task_has_its_figures_at_each_call_cost(figures: dict[str, dict[str, dict[str, float]]]) -> None:
    assert list(figures) == ["25", "60", "120"]
    for row in figures.values():
        assert {task: set(row[task]) for task in TASKS} == dict.fromkeys(TASKS, KEYS)


def test_peers_have_figures_for_what_they_can_do(figures: dict[str, dict[str, dict[str, dict[str, float]]]]) -> None:
    for row in figures.values():
        assert {task: set(row["mfrc522"][task]) for task in row["mfrc522"]} == dict.fromkeys(TASKS[:2], KEYS)
        assert {task: set(row["pi_rc522"][task]) for task in row["pi_rc522"]} == dict.fromkeys(TASKS[:3], KEYS)
        assert row["mfrc522"]["empty_poll"]["transfers"] == 2013


def test_empty_poll_and_identification_keep_to_their_bars(
    figures: dict[str, dict[str, dict[str, float]]],
) -> None:
    # field report 8
    for row in figures.values():
        assert row["empty_poll"]["transfers"] <= 8
        assert row["identify_7"]["transfers"] <= 60
        assert row["identify_7"]["bytes"] <= 170
    at_25_us = figures["25"]["identify_7"]
    assert at_25_us["virtual_ms"] <= 2 * at_25_us["floor_ms"]


def test_nothing_is_faster_than_its_floor(figures: dict[str, dict[str, dict[str, dict[str, float]]]]) -> None:
    for row in figures.values():
        for tasks in ({task: row[task] for task in TASKS}, row["mfrc522"], row["pi_rc522"]):
            for figure in tasks.values():
                assert figure["virtual_ms"] > figure["floor_ms"]  # type: ignore[operator]


def test_floors_are_those_of_the_radio() -> None:
    # worked out by hand from ISO/IEC 14443-3 frame lengths: 0.22, 2.4, 4.4 and 2.8 ms
    floors = calls.floors_ms()["arbitre"]
    assert floors == pytest.approx(
        {"empty_poll": 0.22, "identify_4": 2.4, "identify_7": 4.4, "resting_tag_check": 2.8}, rel=0.04
    )


def test_figures_are_the_same_in_every_run(figures: dict[str, dict[str, dict[str, float]]]) -> None:
    assert calls.measure() == figures


def test_json_is_one_object_and_text_names_everyone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "READERS", (1, 2))
    monkeypatch.setattr(sweep, "SAMPLES", 8)
    assert readers.run(argparse.Namespace(json=True, wall=False)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert "25" in printed["call_us"]
    assert readers.run(argparse.Namespace(json=False, wall=False)) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in ("arbitre", "mfrc522", "pi_rc522", *TASKS))


def test_peer_that_is_not_installed_is_left_out_with_a_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pirc522", None)
    found = calls.measure()
    assert all("mfrc522" in row and "pi_rc522" not in row for row in found.values())
    assert all("pi_rc522" not in line for line in calls.lines(found))
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("arbitre bench: no figures of pi_rc522: ")
    assert "pip install --no-deps pi-rc522" in said


def test_package_that_we_build_on_is_one_clear_line_where_it_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(args: argparse.Namespace) -> dict[str, object]:
        return {"call_us": load("mfrc522")}

    monkeypatch.setitem(sys.modules, "mfrc522", None)
    monkeypatch.setattr(readers, "figures", measure)
    assert cli.run(argparse.Namespace(section="readers", json=True, wall=False)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (said,) = printed.err.splitlines()
    assert "pip install --no-deps mfrc522==0.0.7" in said


@pytest.mark.slow
def test_sixteen_readers_on_two_buses_see_a_card_within_25_ms() -> None:
    # virtual time: exact, and the same on every machine
    one = sweep.one(16, 2, grouped=False)
    assert one["sighting_p99_ms"] <= 25.0

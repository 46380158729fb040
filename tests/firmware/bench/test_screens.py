"""The bench of the screens: its bars, in virtual time, so the same on every machine."""

import argparse
import json

import pytest

from firmware.bench import screens
from firmware.bench.screens import BAR_MS, CASES, measure

BY_NAME = {case.name: case for case in CASES}


@pytest.fixture(autouse=True)
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "PICTURES", 60)


@pytest.mark.parametrize(
    "name", ["whole screen", "a verdict, by the stage", "whole screen, SH1106", "messages as they are"]
)
def test_a_whole_screen_is_complete_within_the_bar(name: str) -> None:
    found = measure(BY_NAME[name])
    assert found["pictures"] > 15
    assert found["p99_ms"] <= BAR_MS


def test_one_page_takes_a_fraction() -> None:
    assert measure(BY_NAME["one page changes"])["p99_ms"] < measure(BY_NAME["whole screen"])["p99_ms"] / 4


def test_the_figures_are_those_of_the_bus() -> None:
    # 1024 bytes of 9 bits are 23.04 ms at 400 kHz: nothing can be quicker, and little may be added.
    at_400 = measure(BY_NAME["whole screen"])["p50_ms"]
    assert 23.04 < at_400 < 25.0
    assert measure(BY_NAME["whole screen, 100 kHz"])["p50_ms"] > 92.16


def test_the_same_seed_gives_the_same_figures() -> None:
    assert measure(CASES[0], seed=3) == measure(CASES[0], seed=3)


def test_it_prints_one_object(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "CASES", CASES[:1])
    assert screens.run(argparse.Namespace(json=True)) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["within"] is True
    assert [row["case"] for row in found["cases"]] == ["whole screen"]
    assert screens.run(argparse.Namespace(json=False)) == 0
    assert "bar for a whole screen at 400 kHz, p99: 30 ms, kept" in capsys.readouterr().out


def test_a_bar_that_is_missed_is_an_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "CASES", CASES[:1])
    monkeypatch.setattr(screens, "BAR_MS", 20.0)
    assert screens.run(argparse.Namespace(json=True)) == 1

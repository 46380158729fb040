"""`--wall` measures real time; here only that it measures, never how fast this machine is."""

import argparse
import json

import pytest

from firmware.bench import readers, sweep, wall


def test_both_arrangements_are_measured_and_the_ratio_is_that_of_the_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "BLOCKS", 1)
    monkeypatch.setattr(wall, "BLOCK_S", 0.3)
    monkeypatch.setattr(sweep, "READERS", (1,))
    monkeypatch.setattr(sweep, "SAMPLES", 2)
    assert readers.run(argparse.Namespace(json=True, wall=True)) == 0
    found = json.loads(capsys.readouterr().out)["wall"]
    for name in ("thread", "process"):
        row = found[name]
        assert row["idle_p99_ms"] > 0
        assert row["busy_p99_ms"] > 0
    assert found["ratio"] == found["process"]["ratio"]
    assert isinstance(found["process"]["realtime"], bool)
    text = "\n".join(wall.lines(found))
    assert all(f"poller in a {name}" in text for name in ("thread", "process"))
    assert ("real-time priority was not granted" in text) is not found["process"]["realtime"]


def test_block_in_which_no_look_ended_counts_as_one_look_of_its_length() -> None:
    assert wall._p99_ms([]) == wall.BLOCK_S * 1e3
    assert wall._p99_ms([n / 1000 for n in range(1, 101)]) == 100.0

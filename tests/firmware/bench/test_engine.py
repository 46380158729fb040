"""The figures of engine, verdicts and start-up: what is in them, not how fast this machine is."""

import argparse
import json

import pytest

from firmware.bench import engine, startup, verdicts


def test_every_game_has_a_rate_and_says_what_its_time_goes_into(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "GAMES", 2)
    assert engine.run(argparse.Namespace(json=True)) == 0
    found = json.loads(capsys.readouterr().out)["engine"]
    assert set(found) == {"tifo", "tipouik", "tfu"}
    for rate in found.values():
        assert rate["observations"] > 100
        assert rate["per_second"] > 0
        shares = [share for _, share in rate["shares"]]
        assert all(0 <= share <= 1 for share in shares)
        assert 0 < sum(shares) <= 1 + 1e-9  # exact shares: only the last bit of a sum may be off


@pytest.mark.slow
def test_verdicts_come_within_the_dwell_and_a_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    # virtual time: exact. A pile or crossing has no dwell; a spread zone waits 150 ms.
    assert verdicts.run(argparse.Namespace(json=True)) == 0
    found = json.loads(capsys.readouterr().out)["verdicts"]
    assert found["tifo"]["spread"]["p50_ms"] >= 150
    for kinds in found.values():
        for kind, row in kinds.items():
            assert row["placings"] > 0
            assert row["p99_ms"] <= (260 if kind == "spread" else 110)


def test_start_up_is_told_beside_a_bare_interpreter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "RUNS", 1)
    monkeypatch.setattr(startup, "CASES", {name: startup.CASES[name] for name in ("python", "help")})
    assert startup.run(argparse.Namespace(json=True)) == 0
    found = json.loads(capsys.readouterr().out)["startup"]
    assert set(found["cases"]) == {"python", "help"}
    assert found["replay_modules"] < 200

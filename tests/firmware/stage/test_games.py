"""Whole games of bots, honest and otherwise, through the stage: no id without its words, no page that overflows."""

import json
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from engine.games import SPECS, referee_for
from engine.observations import Observation
from engine.record import header_line, input_line, output_line, public_output
from engine.record.writer import Line
from engine.setup import Mode, Setup
from engine.zones import usual_kind
from firmware.languages import languages
from firmware.simulator import world_for
from firmware.simulator.run import Report, run_game
from firmware.stage import Context, text_of
from firmware.stage.catalogue import catalogue
from firmware.stage.layout import pages
from firmware.stage.reel import main
from firmware.stage.scene import Scene, opens_correction

SEATS = {"tifo": 4, "tipouik": 4, "tfu": 2}
Step = tuple[float, list[tuple[Line, Line | None]]]


def table(game: str) -> Setup:
    spec, seats = SPECS[game], SEATS[game]
    zones = {zone: usual_kind(zone) for zone in spec.all_zones(seats)}
    return Setup(spec, seats, mode=Mode.PLAY, zones=zones)


@cache
def played(game: str, seed: int) -> tuple[list[Line], list[Step]]:
    """The inputs of a simulated game with cheats, and what the referee put out for each, at a human pace."""
    setup = table(game)
    log: list[Observation] = []
    run_game(setup, world_for(setup, Random(seed), 0.3), Report(), log)
    referee = referee_for(setup)
    steps: list[Step] = []
    for observation in log:
        rulings = referee.receive(observation)
        if rulings:
            steps.append((observation.t, [(output_line(r), public_output(r)) for r in rulings]))
    return [header_line(setup), *(input_line(o) for o in log)], steps


@pytest.mark.parametrize("game", sorted(SPECS))
def test_every_output_has_words_and_fits_in_every_language(game: str) -> None:
    outs = [out for seed in range(3) for _, said in played(game, seed)[1] for pair in said for out in pair if out]
    kinds = {json.dumps({k: v for k, v in out.items() if k != "t"}): out for out in outs}
    assert len(kinds) > 50
    for lang in languages():
        ctx = Context(game, SEATS[game], lang=lang)
        for out in kinds.values():
            words = text_of(out, ctx, lang)
            assert not re.match(r"(rule|move|event|say|over|turn):", words.text), out
            assert pages(words, badge=9)


@pytest.mark.parametrize("game", sorted(SPECS))
def test_everything_that_is_open_and_every_mend_has_a_word(game: str) -> None:
    for seed in range(3):
        for _, outs in played(game, seed)[1]:
            for full, _ in outs:
                may = full.get("may")
                ids = [f"may:{game}/{m}" for m in may] if isinstance(may, Sequence) else []
                mend = full.get("mend")
                known = catalogue("ru").words
                assert [i for i in ids if i not in known] == []
                assert mend is None or f"mend:{game}/{mend}" in known or f"mend:table/{mend}" in known, mend


@pytest.mark.parametrize("game", sorted(SPECS))
def test_no_correction_is_left_on_a_screen_that_the_referee_has_closed(game: str) -> None:
    for seed in range(3):
        referee = referee_for(table(game))
        scene = Scene(Context(game, SEATS[game], lang="en"))
        setup = table(game)
        log: list[Observation] = []
        run_game(setup, world_for(setup, Random(seed), 0.3), Report(), log)
        for observation in log:
            rulings = referee.receive(observation)
            seen = [(public, r) for r in rulings if (public := public_output(r)) is not None]
            scene.take(
                observation.t,
                [(out, out["out"] == "refused" and opens_correction(output_line(r))) for out, r in seen],
            )
            open_now = referee.public_view()["corrections"]
            assert isinstance(open_now, list)
            assert len(scene.pending) == len(open_now), observation


@pytest.mark.parametrize("game", sorted(SPECS))
def test_a_record_becomes_a_row_of_pictures(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    lines = played(game, 1)[0][:60]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main([str(record), str(tmp_path / "out"), "--lang", "ru", "--all"]) == 0
    files = sorted((tmp_path / "out").iterdir())
    assert f"{len(files)} pictures" in capsys.readouterr().out
    assert len(files) > 20
    times = [float(f.name.split("_")[1]) for f in files]
    assert all(a <= b for a, b in pairwise(times))


def test_a_record_that_is_none_is_refused_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("{}\n", "utf-8")
    assert main([str(record), str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.startswith(f"{record}:1: ")

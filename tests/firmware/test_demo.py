"""Whole games by bots, through chip, driver, poller, presence, controller and referee.

What the record says must be what the bots did: its moves are held against the same game played straight into the
referee, without any radio.
"""

from pathlib import Path
from random import Random

import pytest

from engine.games import referee_for
from engine.record import output_line
from engine.rulings import Move, Ruling
from firmware.cli import main
from firmware.demo import Demo, Variant, build_demo
from firmware.recordfile import Lines, RecordFile, encode
from firmware.rig import Physics
from firmware.simulator import world_for
from firmware.simulator.run import observe

GAMES = [("tifo", 2, 3), ("tipouik", 4, 1), ("tfu", 2, 1)]
SMALL = {
    (2, 80): {"call", "spit", "play", "turn-over", "out"},
    (4, 5): {"call", "spit", "play", "out"},
}
"""Rounds of Тьфу! on a small table, (seats, seed), and the kinds of moves made in them."""


def played(demo: Demo, journal: Lines) -> list[dict[str, object]]:
    """Moves of the demo's record, without times."""
    assert demo.run(), demo.hands.missed
    assert not [line for line in journal.lines if line.get("out") == "refused"]
    return [_timeless(line) for line in journal.lines if line.get("out") == "move"]


def straight(demo: Demo, game: str, seed: int) -> list[dict[str, object]]:
    """Moves of the same game without a table."""
    world, referee = world_for(demo.setup, Random(f"{game}/{seed}/0"), rounds=1), referee_for(demo.setup)
    moves: list[dict[str, object]] = []
    t = 0.0
    while (deed := world.next()) is not None:
        for action in deed.actions:
            t += 1.0
            rulings: list[Ruling] = []
            for observation in observe(action, t, demo.setup):
                t = observation.t
                rulings += referee.receive(observation)
            moves += [_timeless(output_line(ruling)) for ruling in rulings if isinstance(ruling, Move)]
            world.hear(rulings)
    return moves


def _timeless(line: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in line.items() if key != "t"}


@pytest.mark.parametrize(
    ("variant", "top", "crosstalk"),
    [(Variant.FULL, 1, 0.2), (Variant.FEED, 0, 0.0), (Variant.PASS, 2, 0.2)],
    ids=["k=1", "k=0 fed across a slot", "all pass"],
)
@pytest.mark.parametrize(("game", "seats", "seed"), GAMES, ids=[game for game, _, _ in GAMES])
def test_moves_are_those_of_the_game_on_every_kind_of_table_with_drop_outs_and_crosstalk(
    game: str, seats: int, seed: int, variant: Variant, top: int, crosstalk: float
) -> None:
    journal = Lines()
    demo = build_demo(game, seats, seed, journal, variant, Physics(top=top, drop=0.05), crosstalk)
    assert played(demo, journal) == straight(demo, game, seed)


@pytest.mark.parametrize(
    ("variant", "top", "crosstalk"),
    [(Variant.FULL, 1, 0.2), (Variant.FEED, 0, 0.0), (Variant.PASS, 2, 0.0)],
    ids=["k=1", "k=0 fed across a slot", "pass"],
)
@pytest.mark.parametrize(("seats", "seed"), SMALL)
def test_moves_are_those_of_the_game_where_only_the_centres_have_readers(
    seats: int, seed: int, variant: Variant, top: int, crosstalk: float
) -> None:
    journal = Lines()
    physics = Physics(top=top, drop=0.05)
    demo = build_demo("tfu", seats, seed, journal, variant, physics, crosstalk, small=True)
    assert set(demo.setup.zones) == {f"centre{n + 1}" for n in range(seats)}
    moves = played(demo, journal)
    assert moves == straight(demo, "tfu", seed)
    assert {move["move"] for move in moves} == SMALL[seats, seed]


@pytest.mark.parametrize("centres", [["--zones", "full", "--top", "1"], ["--zones", "pass"]], ids=["k=1", "pass"])
@pytest.mark.parametrize("table", [[], ["--small"]], ids=["watched", "small"])
def test_the_record_of_a_tfu_demo_replays_on_both_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: list[str], centres: list[str]
) -> None:
    path = tmp_path / "tfu.jsonl"
    assert main(["demo", "tfu", "--seed", "5", "--headless", "--record", str(path), *table, *centres]) == 0
    assert main(["replay", "--check", str(path)]) == 0
    assert "all outputs as in the file" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    texts = []
    for seed in (1, 1, 2):
        journal = Lines()
        build_demo("tipouik", 4, seed, journal).run()
        texts.append("\n".join(encode(line) for line in journal.lines))
    assert texts[0] == texts[1] != texts[2]


def test_a_demos_record_replays_and_is_flushed_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    seen: list[int] = []
    record = RecordFile(path).open()
    demo = build_demo("tifo", 2, 3, record, Variant.PASS)
    assert demo.table.controller is not None
    demo.table.controller.on_outputs.append(lambda now, shown: seen.append(len(path.read_text().splitlines())))
    demo.run()
    record.close()
    assert seen == sorted(set(seen))  # every ruling was on disk before it was shown
    assert main(["replay", "--check", str(path)]) == 0
    assert "all outputs as in the file" in capsys.readouterr().out


def test_the_command_narrates_a_game_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "tifo", "--seats", "2", "--seed", "3", "--headless", "--zones", "pass", "--lang", "en"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 20


def test_a_wrong_number_of_seats_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["demo", "tifo", "--seats", "9", "--headless"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "arbitre: --seats 9: tifo is for 2 to 6, expected one of these\n"


def test_piles_that_answer_for_nothing_are_refused_where_no_card_crosses_a_slot(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "tfu", "--small", "--top", "0", "--headless"]) == 2
    assert capsys.readouterr().err.startswith("--top 0: centre1/1 would never answer, expected --zones feed")

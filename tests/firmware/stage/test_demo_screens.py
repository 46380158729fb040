"""A whole demo, chip to picture, with displays that are well and with displays that are not (field report 13)."""

from pathlib import Path

import pytest

from engine.record.writer import Line
from firmware.cli import main
from firmware.controller import Shown
from firmware.demo import build_demo
from firmware.presence import ReaderBack, ReaderDown, Separate
from firmware.recordfile import Lines
from firmware.stage import Context
from firmware.stage.notices import tell
from firmware.stage.stage import Stage
from firmware.stage.virtual import screens_of
from hardware.looks import Cause


def played(broken: bool | None) -> tuple[list[Line], list[float], set[str]]:
    """The record of a demo, when its verdicts came, and which displays were dead; None: without displays."""
    lines = Lines()
    demo = build_demo("tipouik", 3, 2, lines)
    verdicts: list[float] = []

    def heard(now: float, shown: Shown) -> None:
        verdicts.append(now)

    controller = demo.table.controller
    assert controller is not None
    controller.on_outputs.append(heard)
    dead: set[str] = set()
    if broken is not None:
        built = screens_of(demo.table, Context("tipouik", 3))
        if broken:
            built.wires[1].silent.add(0x3C)  # the one for all does not answer
            built.wires[2].held = True  # seats 2 and 3: their bus is held low
    assert demo.run()
    if broken is not None:
        dead = {name for worker in built.workers.values() for name in worker.failures()}
        assert built.chips["seat1"].on
    return lines.lines, verdicts, dead


@pytest.mark.slow
def test_dead_and_holding_displays_change_no_verdict_and_no_time() -> None:
    without, healthy, broken = played(None), played(False), played(True)
    assert broken[2] == {"all", "seat2", "seat3"}
    assert healthy[2] == set()
    assert broken[:2] == healthy[:2] == without[:2]
    assert len(broken[1]) > 20


@pytest.mark.slow
def test_the_demo_writes_every_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "screens"
    assert main(["demo", "tipouik", "--headless", "--seats", "3", "--seed", "2", "--screens", str(folder)]) == 0
    names = [f.name for f in sorted(folder.iterdir())]
    assert {name.split("_")[2] for name in names} == {"all.png", "seat1.png", "seat2.png", "seat3.png"}
    assert len(names) > 50


def test_a_folder_that_cannot_be_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    assert main(["demo", "tipouik", "--headless", "--seats", "3", "--screens", str(tmp_path / "file")]) == 2
    assert "cannot hold pictures" in capsys.readouterr().err


class Watched(Stage):
    """Remembers what it was told of devices."""

    def __init__(self) -> None:
        super().__init__(Context("tifo", 2))
        self.told: list[tuple[str, str, bool]] = []

    def device(self, now: float, what: str, device: str, *, up: bool) -> None:
        self.told.append((what, device, up))


def test_what_the_senses_say_of_readers_reaches_the_stage() -> None:
    stage = Watched()
    tell(stage, 1.0, ReaderDown("discard", "r1", 1.0, Cause.DEAD))
    tell(stage, 2.0, ReaderBack("discard", "r1", 2.0))
    tell(stage, 3.0, Separate("discard", "r2", 3.0))
    assert stage.told == [("reader-dead", "r1", False), ("reader-back", "r1", True), ("separate", "r2", False)]

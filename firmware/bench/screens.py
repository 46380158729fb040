"""`arbitre bench screens`: from a verdict to the complete picture, on emulated displays, in virtual time.

Every byte at the bus clock, 60 us for a call, 90 us for a wake. Pictures come at random times, some before the one
before is complete: then that one is dropped, and the newer waits for the run that is under way. Drawing is not in
the virtual time; what it costs on this machine is measured and stands beside it (`draw_ms`, processor time).
"""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from firmware.loop import Loop
from hardware.display import Chip, DisplayBus, Panel, Where
from hardware.display.connect import i2c
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import I2cBuses, I2cTwin
from hardware.twin.timeline import TimeLine

if TYPE_CHECKING:
    from firmware.stage.layout import Page

Figures = dict[str, Any]
PICTURES: Final = 400
BAR_MS: Final = 30.0
"""From a verdict to a whole screen, one on its bus at 400 kHz: p99."""


class By(Enum):
    """Who sends the pictures."""

    BUS = "bus"  # the worker of the bus, handed finished pictures
    STAGE = "stage"  # the stage, handed outputs of the referee
    LUMA = "luma"  # luma's own display(), for comparison


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what changes, on how many screens of one bus, at which clock."""

    name: str
    pictures: Callable[[Random], Iterator[bytes]]
    screens: int = 1
    clock_hz: int = 400_000
    chip: Chip = Chip.SSD1306
    by: By = By.BUS


def whole(random: Random) -> Iterator[bytes]:
    """Pictures of which every byte differs from the one before."""
    frame = random.randbytes(1024)
    while True:
        frame = bytes(b ^ random.randint(1, 255) for b in frame)
        yield frame


def one_page(random: Random) -> Iterator[bytes]:
    """Pictures that differ in one page."""
    frame = random.randbytes(1024)
    while True:
        at = 128 * random.randrange(8)
        frame = frame[:at] + bytes(b ^ random.randint(1, 255) for b in frame[at : at + 128]) + frame[at + 128 :]
        yield frame


def messages(random: Random) -> Iterator[bytes]:
    """Screens of real messages, in any order."""
    from firmware.stage.picture import frame
    from firmware.stage.sheets import screens

    pages = [page for game in ("tifo", "tipouik", "tfu") for _, page in screens(game, "fr")]
    while True:
        yield frame(random.choice(pages))


CASES: Final = (
    Case("whole screen", whole),
    Case("a verdict, by the stage", messages, by=By.STAGE),
    Case("whole screen, SH1106", whole, chip=Chip.SH1106),
    Case("messages as they are", messages),
    Case("one page changes", one_page),
    Case("whole screen, four on the bus", whole, screens=4),
    Case("messages, four on the bus", messages, screens=4),
    Case("whole screen, 100 kHz", whole, clock_hz=100_000),
    Case("messages, 100 kHz", messages, clock_hz=100_000),
    Case("messages, four, 100 kHz", messages, screens=4, clock_hz=100_000),
    Case("luma display(), whole screen", whole, by=By.LUMA),
    Case("luma display(), one page changes", one_page, by=By.LUMA),
)


BARRED: Final = CASES[:2]
"""The cases that the bar is for."""


def measure(case: Case, seed: int = 1) -> Figures:
    """The latencies of one case. Four screens on one bus need an address switch: an SSD1306 has two addresses."""
    by = {By.BUS: _waits, By.LUMA: _luma_waits, By.STAGE: _stage_waits}
    waits = by[case.by](case, seed)
    ordered = sorted(waits)
    return {
        "case": case.name,
        "screens": case.screens,
        "clock_hz": case.clock_hz,
        "pictures": len(ordered),
        "p50_ms": round(1000 * ordered[len(ordered) // 2], 3),
        "p99_ms": round(1000 * ordered[int(0.99 * len(ordered))], 3),
        "max_ms": round(1000 * ordered[-1], 3),
    }


def _built(case: Case, loop: Loop, done: dict[str, tuple[bytes, float]]) -> tuple[DisplayBus, list[OledChip]]:
    """The worker of a bus with emulated displays; `done` gets the last complete picture of each, and when."""
    line = TimeLine()
    wire = I2cTwin(line, clock_hz=case.clock_hz)
    buses = I2cBuses({1: wire})
    chips = [OledChip(Kind(case.chip.value)) for _ in range(case.screens)]
    panels = []
    for n, chip in enumerate(chips):
        wire.attach(0x3C + n, chip)
        panels.append(Panel(Where(f"screen{n}", "i2c-1"), case.chip, buses.connecting(i2c(1, 0x3C + n))))
    worker = DisplayBus("i2c-1", panels, line, on_shown=lambda name, frame, now: done.update({name: (frame, now)}))
    wake = loop.add(worker, line)
    worker.on_work = lambda: wake(loop.now)
    return worker, chips


def _completed(case: Case, loop: Loop, done: dict[str, tuple[bytes, float]], frame: bytes) -> float:
    """When the last screen has a picture, however long it takes."""
    whole_s = case.screens * 1024 * 9 / case.clock_hz
    limit = loop.now + 20 * whole_s
    while len(shown := [now for whose, now in done.values() if whose == frame]) < case.screens:
        if loop.now > limit:
            raise RuntimeError(f"bench screens: {case.name}: a picture never came to its screen")
        loop.run_to(loop.now + 0.1 * whole_s)
    return max(shown)


def _waits(case: Case, seed: int) -> list[float]:
    """Seconds from each offer to the complete picture on all screens, for pictures that were not replaced."""
    random, loop, done = Random(seed), Loop(), dict[str, tuple[bytes, float]]()
    worker, chips = _built(case, loop, done)
    loop.run_to(2.0)
    pictures, at, waits = case.pictures(random), 2.0, []
    whole_s = case.screens * 1024 * 9 / case.clock_hz
    for _ in range(PICTURES):
        # Every second one comes while the one before is still on its way.
        at += random.uniform(0.2, 0.9) * whole_s if random.random() < 0.5 else random.uniform(2.0, 5.0) * whole_s
        loop.run_to(at)
        frame = next(pictures)
        new = any(chip.frame() != frame for chip in chips)
        done.clear()
        for name in worker.panels:
            worker.offer(name, lambda frame=frame: frame)  # type: ignore[misc]
        offered, limit = loop.now, loop.now + 0.15 * whole_s
        loop.run_to(limit)
        if new and random.random() < 0.5:  # let this one be completed, and see when
            waits.append(_completed(case, loop, done, frame) - offered)
            loop.run_to(max(loop.now, limit + 1.9 * whole_s))
        at = loop.now
    return waits


def _stage_waits(case: Case, seed: int) -> list[float]:
    """Seconds from each verdict, handed to the stage, to its complete picture, with the wakes of both machines."""
    from firmware.stage import Context
    from firmware.stage.samples import samples
    from firmware.stage.stage import Stage

    random, loop, done = Random(seed), Loop(), dict[str, tuple[bytes, float]]()
    worker, _ = _built(case, loop, done)
    screen = _Paper(worker)
    stage = Stage(Context("tifo", 6), [screen])
    stage.wake = loop.add(stage)
    outs = [s.out for s in samples("tifo") if s.out["out"] in ("refused", "corrected", "turn")]
    at, waits = 30.0, list[float]()
    for _ in range(PICTURES // 2):
        # A verdict may come while a page is turned, or in the middle of a refresh.
        at += random.uniform(3.0, 20.0)
        loop.run_to(at)
        done.clear()
        screen.offered = None
        stage.show(at, [(out := random.choice(outs), out)])
        loop.run_to(at + 0.001)
        if screen.offered is not None:  # else it is the page that was there before
            waits.append(_completed(case, loop, done, screen.offered) - at)
    return waits


class _Paper:
    """A screen for all, and the last picture that the stage left for it."""

    viewer = None

    def __init__(self, bus: DisplayBus) -> None:
        self._bus = bus
        self.offered: bytes | None = None

    def show(self, page: "Page") -> None:
        from firmware.stage.picture import frame

        picture = frame(page)
        self.offered = picture
        self._bus.offer("screen0", lambda: picture)

    def dim(self, level: int) -> None:
        self._bus.dim("screen0", level)


def _luma_waits(case: Case, seed: int) -> list[float]:
    """The same by luma's own driver, which sends the whole memory each time, and cannot be interrupted."""
    from luma.core.interface import serial
    from luma.oled.device import ssd1306

    from firmware.stage.picture import unpack

    random, line = Random(seed), TimeLine()
    wire = I2cTwin(line, clock_hz=case.clock_hz)
    chip = OledChip()
    wire.attach(0x3C, chip)
    with I2cBuses({1: wire}).installed():
        device = ssd1306(serial.i2c(port=1, address=0x3C))
    device.persist = True
    pictures, waits, whole_s = case.pictures(random), [], 1024 * 9 / case.clock_hz
    for _ in range(PICTURES // 4):
        frame, older = next(pictures), next(pictures)
        offered = line.now()
        if random.random() < 0.5:  # the one before is still on its way
            begun = offered - random.uniform(0.0, whole_s)
            before = line.now()
            device.display(unpack(older))
            busy = line.now() - before
            line_wait = max(0.0, begun + busy - offered)
        else:
            line_wait = 0.0
        before = line.now()
        device.display(unpack(frame))
        waits.append(line_wait + line.now() - before)
    return waits


def draw_ms() -> float:
    """Milliseconds of processor time to lay out and draw a page here: the mean over TIFO in French."""
    from firmware.stage.layout import pages
    from firmware.stage.picture import draw, pack
    from firmware.stage.samples import samples, text

    texts = [text(sample, "tifo", "fr") for sample in samples("tifo")]
    for words in texts[:5]:
        pages(words)  # the fonts are loaded once
    begin, count = process_time(), 0
    for words in texts:
        for page in pages(words):
            pack(draw(page))
            count += 1
    return 1000 * (process_time() - begin) / count


def figures(args: argparse.Namespace | None = None) -> Figures:
    """All cases, the bar, and the time to draw."""
    cases = [measure(case) for case in CASES]
    within = all(row["p99_ms"] <= BAR_MS for row, case in zip(cases, CASES, strict=True) if case in BARRED)
    return {"cases": cases, "bar_ms": BAR_MS, "within": within, "draw_ms": round(draw_ms(), 2)}


def run(args: argparse.Namespace) -> int:
    """Print the figures; 1 if a whole screen takes longer than the bar."""
    found = figures(args)
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        print("screens: verdict to complete picture, virtual time   p50      p99      max (ms)")
        for row in found["cases"]:
            print(f"  {row['case']:<48}{row['p50_ms']:8.2f} {row['p99_ms']:8.2f} {row['max_ms']:8.2f}")
        print(f"  bar for a whole screen at 400 kHz, p99: {BAR_MS:.0f} ms, {'kept' if found['within'] else 'MISSED'}")
        print(f"  laying out and drawing a message, this machine, processor time: {found['draw_ms']:.2f} ms")
    return 0 if found["within"] else 1

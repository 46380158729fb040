"""`arbitre bench screens`: from a verdict to the complete picture, on emulated displays, in virtual time.

Every byte at the bus clock, 60 us for a call, 90 us for a wake. Pictures come at random times, some before the one
before is complete: then that one is dropped, and the newer waits for the run that is under way. Drawing is not in
the virtual time; what it costs on this machine is measured and stands beside it (`draw_ms`, processor time).
"""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any, Final

from firmware.loop import Loop
from hardware.display import Chip, DisplayBus, Panel, Where
from hardware.display.connect import i2c
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import I2cBuses, I2cTwin
from hardware.twin.timeline import TimeLine

Figures = dict[str, Any]
PICTURES: Final = 400
BAR_MS: Final = 30.0
"""A whole screen, one on its bus at 400 kHz: p99."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what changes, on how many screens of one bus, at which clock."""

    name: str
    pictures: Callable[[Random], Iterator[bytes]]
    screens: int = 1
    clock_hz: int = 400_000
    chip: Chip = Chip.SSD1306
    luma: bool = False  # by luma's own display(), for comparison


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
    Case("whole screen, SH1106", whole, chip=Chip.SH1106),
    Case("messages as they are", messages),
    Case("one page changes", one_page),
    Case("whole screen, four on the bus", whole, screens=4),
    Case("messages, four on the bus", messages, screens=4),
    Case("whole screen, 100 kHz", whole, clock_hz=100_000),
    Case("messages, 100 kHz", messages, clock_hz=100_000),
    Case("messages, four, 100 kHz", messages, screens=4, clock_hz=100_000),
    Case("luma display(), whole screen", whole, luma=True),
    Case("luma display(), one page changes", one_page, luma=True),
)


def measure(case: Case, seed: int = 1) -> Figures:
    """The latencies of one case. Four screens on one bus need an address switch: an SSD1306 has two addresses."""
    waits = _luma_waits(case, seed) if case.luma else _waits(case, seed)
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


def _waits(case: Case, seed: int) -> list[float]:
    """Seconds from each offer to the complete picture on all screens, for pictures that were not replaced."""
    random, loop, line = Random(seed), Loop(), TimeLine()
    wire = I2cTwin(line, clock_hz=case.clock_hz)
    buses = I2cBuses({1: wire})
    panels = []
    for n in range(case.screens):
        wire.attach(0x3C + n, OledChip(Kind(case.chip.value)))
        panels.append(Panel(Where(f"screen{n}", "i2c-1"), case.chip, buses.connecting(i2c(1, 0x3C + n))))
    done: dict[str, tuple[bytes, float]] = {}
    worker = DisplayBus("i2c-1", panels, line, on_shown=lambda name, frame, now: done.update({name: (frame, now)}))
    wake = loop.add(worker, line)
    worker.on_work = lambda: wake(loop.now)
    loop.run_to(2.0)
    pictures, at, waits = case.pictures(random), 2.0, []
    whole_s = case.screens * 1024 * 9 / case.clock_hz
    for _ in range(PICTURES):
        # Every second one comes while the one before is still on its way.
        at += random.uniform(0.2, 0.9) * whole_s if random.random() < 0.5 else random.uniform(2.0, 5.0) * whole_s
        loop.run_to(at)
        frame = next(pictures)
        done.clear()
        for name in worker.panels:
            worker.offer(name, lambda frame=frame: frame)  # type: ignore[misc]
        offered, limit = loop.now, loop.now + 0.15 * whole_s
        loop.run_to(limit)
        following = loop.now + 1.9 * whole_s
        if random.random() < 0.5:  # let this one be completed, and see when
            loop.run_to(following)
            at = following
            shown = [now for shown, now in done.values() if shown == frame]
            if len(shown) == case.screens:
                waits.append(max(shown) - offered)
        else:
            at = loop.now
    return waits


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
    return {"cases": cases, "bar_ms": BAR_MS, "within": cases[0]["p99_ms"] <= BAR_MS, "draw_ms": round(draw_ms(), 2)}


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

"""`arbitre bench readers --wall`: do busy Python threads delay the reading of tags?

Real time, on whatever machine this runs on. The emulated chip answers, but each transfer really blocks and lets
go of Python's lock, as spidev's ioctl does. Measured is how long looks at empty readers take, p99, alone and
beside busy threads; once with the poller in a thread of this process, once in a process of its own. Blocks of
both kinds alternate, and the median of the blocks counts, so that a passing load on the machine does not.
"""

import contextlib
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from hardware.looks import Look
from hardware.mfrc522 import Reader
from hardware.poller import Poller
from hardware.pollerprocess import MonotonicClock, OnLook, PollerProcess
from hardware.steps import Clock
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.timeline import TimeLine

BLOCKS = 5
BLOCK_S = 1.0
BUSY_THREADS = 4
READERS = 2

Figures = dict[str, Any]


class BlockingLine(TimeLine):
    """A time line that is the wall clock: what would cost virtual time really blocks."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def now(self) -> float:
        """The wall clock, from the table's origin."""
        return self._clock.now()

    def advance(self, dt_s: float) -> None:
        """Block for that long, without Python's lock."""
        time.sleep(dt_s)


def build_poller(clock: Clock, on_look: OnLook) -> Poller:
    """Two readers on a bus whose transfers block for 60 us."""
    line = BlockingLine(clock)
    field = Field()
    bus = TwinBus(line, Costs(call_s=60e-6))
    readers = []
    for name in (f"reader{number}" for number in range(READERS)):
        readers.append(Reader(name, bus.add(Mfrc522Twin(field, name, line)), line))
    return Poller("wall", readers, line, on_look)


class ThreadPoller:
    """The same poller in a thread of this process."""

    def __init__(self, on_look: OnLook) -> None:
        self._clock = MonotonicClock()
        self._poller = build_poller(self._clock, on_look)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._drive, daemon=True)

    def open(self) -> None:
        """Start to look."""
        self._thread.start()

    def _drive(self) -> None:
        while not self._stop.is_set():
            wake = self._poller.step(self._clock.now())
            if wake is not None:
                time.sleep(max(0.0, wake - self._clock.now()))

    def close(self) -> None:
        """Stop looking."""
        self._stop.set()
        self._thread.join()


@contextlib.contextmanager
def busy_threads(count: int) -> Iterator[None]:
    """Python threads that compute and never wait."""
    stop = threading.Event()

    def compute() -> None:
        value = 1
        while not stop.is_set():
            for _ in range(1000):
                value = value * 1103515245 + 12345 & 0x7FFFFFFF

    threads = [threading.Thread(target=compute, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _p99_ms(durations: list[float]) -> float:
    """Of the looks that ended in one block; where none did, a look took as long as the block, at least."""
    ordered = sorted(durations) or [BLOCK_S]
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e3


def _alternate(make: Callable[[OnLook], Any]) -> Figures:
    durations: list[float] = []

    def on_look(look: Look) -> None:
        durations.append(look.ended - look.began)

    arrangement = make(on_look)
    arrangement.open()
    idle, busy = [], []
    try:
        time.sleep(BLOCK_S / 2)
        for _ in range(BLOCKS):
            durations.clear()
            time.sleep(BLOCK_S)
            idle.append(_p99_ms(durations))
            with busy_threads(BUSY_THREADS):
                durations.clear()
                time.sleep(BLOCK_S)
                taken = list(durations)
            busy.append(_p99_ms(taken))
            time.sleep(0.05)
    finally:
        arrangement.close()
    found: Figures = {
        "idle_p99_ms": round(statistics.median(idle), 3),
        "busy_p99_ms": round(statistics.median(busy), 3),
    }
    found["ratio"] = round(found["busy_p99_ms"] / found["idle_p99_ms"], 2)
    if isinstance(arrangement, PollerProcess):
        found["realtime"] = arrangement.realtime
    return found


def _end(why: str) -> None:
    raise RuntimeError(why)


def measure() -> Figures:
    """Both arrangements; `ratio` is that of the one the table uses, the process."""
    thread = _alternate(ThreadPoller)
    process = _alternate(lambda on_look: PollerProcess("wall", build_poller, on_look, on_end=_end, realtime=True))
    return {"busy_threads": BUSY_THREADS, "thread": thread, "process": process, "ratio": process["ratio"]}


def lines(found: Figures) -> list[str]:
    """A table for people."""
    text = [f"an empty look, p99, idle and beside {found['busy_threads']} busy Python threads:"]
    for name in ("thread", "process"):
        row = found[name]
        idle, busy = row["idle_p99_ms"], row["busy_p99_ms"]
        text.append(f"  poller in a {name:<8} {idle:>8.2f} ms {busy:>8.2f} ms   x {row['ratio']:.2f}")
    if not found["process"]["realtime"]:
        text.append("  (real-time priority was not granted: CAP_SYS_NICE or LimitRTPRIO in the service gives it)")
    return text

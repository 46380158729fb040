"""A poller with a process of its own: Python's lock in the main program cannot delay it.

Rules:
- The child builds bus and poller itself (`build` is a plain function that can be pickled), drives the machine by
  the monotonic clock, and sends Looks through a pipe. Both processes count time from the same origin.
- `on_look` is called in a thread of the parent, in the order of the bus. Times inside a Look are the child's.
- Should the child die, `on_end` is told why, once; nothing is restarted here.
- Ctrl-C goes to every process of the terminal; it is the parent's to answer, and the child never sees it.
- Real-time priority is asked for only where told to; `realtime` says whether the system granted it.
"""

import multiprocessing
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

from hardware.errors import HardwareError
from hardware.looks import Look
from hardware.mfrc522 import Health
from hardware.poller import Poller
from hardware.steps import Clock

OnLook = Callable[[Look], None]
Build = Callable[[Clock, OnLook], Poller]

HEALTH_EVERY_S = 1.0
BATCH_S = 2e-3
"""Looks without news are sent together after this time; news goes at once."""
BATCH_SIZE = 100
"""Some 20 KB pickled: a pipe that takes more at all takes that much."""
BACKLOG = 20_000
"""Looks kept for a parent that does not read, some minutes of them; then older ones without a contact are let go."""
REALTIME_PRIORITY = 10


class MonotonicClock:
    """Seconds since `origin` on the system's monotonic clock; the same in every process."""

    def __init__(self, origin: float | None = None) -> None:
        self.origin = time.monotonic() if origin is None else origin

    def now(self) -> float:
        """Seconds since the origin."""
        return time.monotonic() - self.origin


@dataclass(frozen=True, slots=True)
class _Ready:
    realtime: bool
    readers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ended:
    why: str


def _ask_realtime() -> bool:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(REALTIME_PRIORITY))
    except (PermissionError, AttributeError):  # not permitted; not Linux
        return False
    return True


def _takes_more(pipe: Connection) -> bool:
    """Whether a message can be sent without waiting: a parent that is slow to read must not stop the poller."""
    return bool(select.select([], [pipe.fileno()], [], 0)[1])


def _readable(pipe: Connection, wait_s: float) -> bool:
    """Whether an order has come within that time. `pipe.poll` waits in whole milliseconds, rounded up, and a frame is
    on the air for a fraction of one."""
    return bool(select.select([pipe.fileno()], [], [], wait_s)[0])


def thinned(looks: list[Look], most: int) -> list[Look]:
    """What is kept of looks for a parent that was stopped: all of the newer half, of the older one the contacts."""
    half = len(looks) - most // 2
    kept = [look for look in looks[:half] if look.contacts] + looks[half:]
    return kept[-most:]


def run_child(build: Build, origin: float, pipe: Connection, realtime: bool) -> None:
    """What the child does: step the poller, send Looks, take orders, until it is told to end."""
    clock = MonotonicClock(origin)
    batch: list[Look] = []
    poller: Poller | None = None
    try:
        poller = build(clock, batch.append)
        pipe.send(_Ready(_ask_realtime() if realtime else False, poller.readers))
        health_due = clock.now() + HEALTH_EVERY_S
        send_due = 0.0
        while True:
            wake = poller.step(clock.now())
            now = clock.now()
            if len(batch) > BACKLOG:
                batch[:] = thinned(batch, BACKLOG)
            news = now >= send_due or any(look.contacts or look.silent or look.trouble for look in batch)
            if batch and news and _takes_more(pipe):
                pipe.send(tuple(batch[:BATCH_SIZE]))
                del batch[:BATCH_SIZE]
                send_due = now + BATCH_S
            if now >= health_due:
                health_due = now + HEALTH_EVERY_S
                health = {name: poller.health(name) for name in poller.readers}
                if _takes_more(pipe):
                    pipe.send(health)
            while _readable(pipe, 0.0 if wake is None else max(0.0, wake - clock.now())):
                order = pipe.recv()
                if order is None:
                    return
                ask, reader, uid = order
                if ask:
                    poller.ask(reader, uid)
                else:
                    poller.forget(reader, uid)
                wake = clock.now()
    except (ConnectionError, EOFError):
        return  # the parent is gone
    except HardwareError as error:
        pipe.send(_Ended(str(error)))
    finally:
        if poller is not None:
            poller.close()


class PollerProcess:
    """The parent's end: the same `forget`, `ask` and `health` as a Poller."""

    def __init__(
        self,
        bus_name: str,
        build: Build,
        on_look: OnLook,
        *,
        on_end: Callable[[str], None],
        clock: MonotonicClock | None = None,
        realtime: bool = False,
    ) -> None:
        self.bus_name = bus_name
        self.clock = clock or MonotonicClock()
        self.realtime = False
        self.readers: tuple[str, ...] = ()
        self._on_look = on_look
        self._on_end = on_end
        self._build = build
        self._wants_realtime = realtime
        self._health: dict[str, Health] = {}
        self._closing = False
        self._send_lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Start the process and wait until its bus is open; raises HardwareError where it cannot be opened."""
        context = multiprocessing.get_context("spawn")
        mine, its = context.Pipe()
        process = context.Process(
            target=run_child,
            args=(self._build, self.clock.origin, its, self._wants_realtime),
            name=f"poller-{self.bus_name}",
            daemon=True,
        )
        # A signal blocked here is blocked in the child from its first moment. Starting the tracker unblocks it: do
        # that before.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
            self._process, self._pipe = process, mine
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        its.close()
        try:
            first = mine.recv()
        except EOFError:
            process.join()
            raise HardwareError(
                f"bus {self.bus_name}: its poller process ended with status {process.exitcode} before its bus opened;"
                " see its messages above"
            ) from None
        if isinstance(first, _Ended):
            process.join()
            raise HardwareError(f"bus {self.bus_name}: {first.why}")
        self.realtime, self.readers = first.realtime, first.readers
        self._thread = threading.Thread(target=self._receive, name=f"looks-{self.bus_name}", daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        assert self._pipe is not None
        why = "the process ended"
        while True:
            try:
                message = self._pipe.recv()
            except (EOFError, OSError):
                break
            if isinstance(message, tuple):
                for look in message:
                    self._on_look(look)
            elif isinstance(message, _Ended):
                why = message.why
            else:
                self._health = message
        if not self._closing:
            self._on_end(f"bus {self.bus_name}: {why}")

    def forget(self, reader: str, uid: str) -> None:
        """The tag is judged gone: should it answer again, it is a newcomer."""
        self._order((False, reader, uid))

    def ask(self, reader: str, uid: str) -> None:
        """Look for this very tag at this reader at once, out of turn."""
        self._order((True, reader, uid))

    def _order(self, order: tuple[bool, str, str] | None) -> None:
        if self._pipe is None:
            raise HardwareError(f"bus {self.bus_name} is not open; call open() first")
        if order is not None and order[1] not in self.readers:
            raise ValueError(f"bus {self.bus_name}: no reader {order[1]!r}; it has {list(self.readers)}")
        with self._send_lock:
            try:
                self._pipe.send(order)
            except OSError:
                if order is not None and not self._closing:
                    raise HardwareError(
                        f"bus {self.bus_name}: its poller process is gone; restart the table"
                    ) from None

    def health(self, reader: str) -> Health:
        """How a reader was doing a second ago at most."""
        return self._health.get(reader, Health(reader))

    def close(self) -> None:
        """End the process; a second call does nothing."""
        if self._process is None or self._closing:
            return
        self._closing = True
        self._order(None)
        self._process.join(timeout=2.0)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()
        if self._thread is not None:
            self._thread.join()
        if self._pipe is not None:
            self._pipe.close()

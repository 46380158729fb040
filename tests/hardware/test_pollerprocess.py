"""A poller in a process of its own. Nothing here judges wall time: only what arrives, and in which order."""

import multiprocessing
import queue
import select
from functools import partial

import pytest

from hardware.errors import HardwareError
from hardware.looks import Cause, Look
from hardware.mfrc522 import Reader, ReaderState
from hardware.poller import Poller
from hardware.pollerprocess import MonotonicClock, OnLook, PollerProcess, run_child, thinned
from hardware.steps import Clock
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.tags import Tag
from hardware.twin.timeline import TimeLine

UID = "04A81D12DE5F80"
PATIENCE_S = 90


class WallLine(TimeLine):
    """The emulated bus lives in real time, and its transfers cost none."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def now(self) -> float:
        return self._clock.now()

    def advance(self, dt_s: float) -> None:
        assert dt_s >= 0


def build(clock: Clock, on_look: OnLook, *, stuck: bool = False) -> Poller:
    line = WallLine(clock)
    field = Field()
    bus = TwinBus(line, Costs(call_s=0))
    readers = []
    for name in ("a", "b"):
        chip = Mfrc522Twin(field, name, line)
        chip.faults.stuck = 0x00 if stuck and name == "b" else None
        readers.append(Reader(name, bus.add(chip), line))
    field.put(Tag(UID), "a", at=0.0)
    return Poller("spi0", readers, line, on_look)


def refuse(clock: Clock, on_look: OnLook) -> Poller:
    raise HardwareError("/dev/spidev0.0: the SPI bus is off")


def crash(clock: Clock, on_look: OnLook) -> Poller:
    raise SystemExit(3)


class Parent:
    """Collects what the process says."""

    def __init__(self, build_poller: object = build) -> None:
        self.looks: queue.Queue[Look] = queue.Queue()
        self.ends: queue.Queue[str] = queue.Queue()
        self.clock = MonotonicClock()
        self.process = PollerProcess(
            "spi0",
            build_poller,  # type: ignore[arg-type]
            self.looks.put,
            on_end=self.ends.put,
            clock=self.clock,
        )

    def until(self, wanted: object) -> list[Look]:
        """Looks up to the first for which `wanted(look)` holds."""
        found = []
        while True:
            look = self.looks.get(timeout=PATIENCE_S)
            found.append(look)
            if wanted(look):  # type: ignore[operator]
                return found


def test_looks_arrive_in_order_with_times_of_the_common_clock_and_orders_are_obeyed() -> None:
    parent = Parent()
    before = parent.clock.now()
    parent.process.open()
    try:
        assert parent.process.readers == ("a", "b")
        looks = parent.until(lambda look: look.contacts)
        assert looks[-1].present == (UID,)
        assert before <= looks[-1].began <= looks[-1].ended <= parent.clock.now()
        ends = [look.ended for look in looks]
        assert ends == sorted(ends)
        parent.process.ask("b", UID)

        def told_silent(look: Look) -> bool:
            if look.reader == "b" and look.trouble is Cause.LATE:
                parent.process.ask("b", UID)  # a busy machine may be too late to judge, and then knows nothing
            return look.reader == "b" and UID in look.silent

        assert parent.until(told_silent)
        parent.process.forget("a", UID)
        assert parent.until(lambda look: look.contacts)[-1].reader == "a"
        with pytest.raises(ValueError, match="no reader 'z'"):
            parent.process.ask("z", UID)
    finally:
        parent.process.close()
        parent.process.close()
    assert parent.ends.empty()


def test_a_wake_within_a_millisecond_is_waited_for_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    really = select.select

    def note(read: list[int], write: list[int], other: list[int], wait_s: float) -> object:
        if read:
            waits.append(wait_s)
            if len(waits) == 3:
                orders.send(None)
        return really(read, write, other, wait_s)

    class Quick(Poller):
        steps = 0

        def step(self, now: float) -> float:
            self.steps += 1
            if self.steps > 3:
                raise HardwareError("it was never told to end")
            return now + 300e-6  # as long as REQA and the silence after it

    monkeypatch.setattr("select.select", note)
    orders, its = multiprocessing.Pipe()
    run_child(lambda clock, on_look: Quick("spi0", [], clock, on_look), 0.0, its, False)
    assert len(waits) == 3
    assert all(0 <= wait_s <= 300e-6 for wait_s in waits)


def test_looks_for_a_parent_that_does_not_read_stay_bounded_and_keep_contacts() -> None:
    looks = [Look("a", n, n + 0.5, contacts=((UID, n),) if n % 10 == 0 else ()) for n in range(101)]
    kept = thinned(looks, 100)
    assert kept == [looks[n] for n in (0, 10, 20, 30, 40, 50)] + looks[51:]
    assert thinned([looks[0]] * 101, 100) == [looks[0]] * 100


def test_health_of_a_dead_reader_reaches_the_parent() -> None:
    parent = Parent(partial(build, stuck=True))
    parent.process.open()
    try:
        parent.until(lambda look: parent.process.health("b").state is ReaderState.DEAD)
        assert parent.process.health("b").chip == "no chip"
        assert parent.process.health("a").state is ReaderState.WELL
    finally:
        parent.process.close()


def test_bus_that_cannot_be_opened_is_an_error_of_open() -> None:
    with pytest.raises(HardwareError, match=r"bus spi0: /dev/spidev0\.0: the SPI bus is off"):
        Parent(refuse).process.open()


def test_process_that_dies_at_the_start_is_told_with_its_status() -> None:
    with pytest.raises(HardwareError, match="ended with status 3"):
        Parent(crash).process.open()


def test_process_that_dies_later_is_told_once() -> None:
    parent = Parent()
    parent.process.open()
    parent.until(lambda look: look.contacts)
    child = parent.process._process
    assert child is not None
    child.kill()
    assert parent.ends.get(timeout=PATIENCE_S) == "bus spi0: the process ended"
    parent.process.close()
    assert parent.ends.empty()


def test_orders_before_open_say_so() -> None:
    with pytest.raises(HardwareError, match="call open"):
        Parent().process.ask("a", UID)

"""Threads for step machines on the Pi: the one place of the stage that waits by a wall clock.

Each machine has a thread of its own, so that a display bus that is held keeps nobody else waiting. A fault that a
machine does not handle itself ends its thread, is kept in `failed` and told to `on_fail`, for whoever watches over
the program.
"""

from collections.abc import Callable
from threading import Condition, Thread

from hardware.steps import Clock, Machine


class MachineThread:
    """Steps one machine when it is due, or when `wake` says so."""

    def __init__(
        self,
        name: str,
        machine: Machine,
        clock: Clock,
        on_fail: Callable[[str, Exception], None] | None = None,
    ) -> None:
        self.failed: BaseException | None = None
        self._on_fail = on_fail
        self._machine = machine
        self._clock = clock
        self._condition = Condition()
        self._woken = True  # the first step is at the start
        self._stopping = False
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Step as soon as possible. From any thread; never waits for the machine."""
        with self._condition:
            self._woken = True
            self._condition.notify()

    def stop(self, patience_s: float = 2.0) -> bool:
        """End after the step under way; False if that did not end within `patience_s` (a held bus)."""
        with self._condition:
            self._stopping = True
            self._condition.notify()
        if self._thread.ident is None:
            return True  # it never began
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        due: float | None = None
        while self._wait(due):
            try:
                due = self._machine.step(self._clock.now())
            except Exception as error:
                self.failed = error
                if self._on_fail is None:
                    raise
                self._on_fail(self._thread.name, error)
                return

    def _wait(self, due: float | None) -> bool:
        """Until `due` (None: until woken); False when it is time to end."""
        with self._condition:
            while not (self._woken or self._stopping):
                left = None if due is None else due - self._clock.now()
                if left is not None and left <= 0:
                    break
                self._condition.wait(left)
            self._woken = False
            return not self._stopping


def starter(
    clock: Clock, on_fail: Callable[[str, Exception], None] | None = None
) -> tuple[Callable[[str, Machine], MachineThread], list[MachineThread]]:
    """A function that gives each machine a thread, not yet started, and the list of all it gave."""
    threads: list[MachineThread] = []

    def give(name: str, machine: Machine) -> MachineThread:
        threads.append(MachineThread(name, machine, clock, on_fail))
        return threads[-1]

    return give, threads

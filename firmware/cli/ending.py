"""How a program that runs for long is ended from outside: Ctrl-C and `kill` alike give everything back."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def signals(*, hangup_ends: bool) -> Iterator[None]:
    """Within, SIGTERM is a KeyboardInterrupt; SIGHUP (the terminal closed, a line dropped) is one too, or nothing.

    Only for the main thread. Processes started within are deaf to a hang-up that is nothing.
    """
    ways = {signal.SIGTERM: _interrupt, signal.SIGHUP: _interrupt if hangup_ends else signal.SIG_IGN}
    before = {number: signal.signal(number, way) for number, way in ways.items()}
    try:
        yield
    finally:
        for number, way in before.items():
            signal.signal(number, way)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

"""Lines on the terminal of a program that runs for long: each is there at once, also through a pipe.

The terminal may go away (`| head`, a closed window): then nothing more is said and `on_gone` is told, once. What a
terminal cannot write is replaced.
"""

import io
import os
import sys
from collections.abc import Callable


class Saying:
    """Says lines, from any thread."""

    def __init__(self, on_gone: Callable[[], None] = lambda: None) -> None:
        self._on_gone = on_gone
        self._gone = False
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")

    def __call__(self, *lines: str) -> None:
        """Say these lines; none says nothing."""
        if self._gone or not lines:
            return
        try:
            print(*lines, sep="\n", flush=True)
        except OSError:
            self._gone = True
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - what is left in the old one is lost
            self._on_gone()

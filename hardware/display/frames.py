"""What has to be sent so that a display's memory holds a new picture. Pure functions over bytes.

A frame is 1024 bytes: 8 pages of 128 columns, lowest bit on top (SSD1306 datasheet, section 8.7). A run is a
stretch of one page; one run is one slice of work on a bus, at most 128 bytes.
"""

from dataclasses import dataclass
from typing import Final

COLUMNS: Final = 128
PAGES: Final = 8
FRAME_BYTES: Final = COLUMNS * PAGES
_NEARLY_WHOLE: Final = 118
"""From so many columns on, the whole page: a page that follows a whole page needs no new address (6 bytes)."""


@dataclass(frozen=True, slots=True)
class Run:
    """`data` for `page`, from `column` on."""

    page: int
    column: int
    data: bytes


def next_run(shown: bytes, wanted: bytes) -> Run | None:
    """The first page that differs, from its first to its last changed column; None when nothing does.

    `shown` is what the display holds. Raises `ValueError` for a frame of another length.
    """
    for frame in (shown, wanted):
        if len(frame) != FRAME_BYTES:
            raise ValueError(f"a frame has {FRAME_BYTES} bytes, not {len(frame)}")
    for page in range(PAGES):
        at = page * COLUMNS
        old, new = shown[at : at + COLUMNS], wanted[at : at + COLUMNS]
        if old == new:
            continue
        changed = [x for x in range(COLUMNS) if old[x] != new[x]]
        first, last = changed[0], changed[-1]
        if last - first + 1 >= _NEARLY_WHOLE:
            first, last = 0, COLUMNS - 1
        return Run(page, first, new[first : last + 1])
    return None


def apply(shown: bytes, run: Run) -> bytes:
    """The memory after a run."""
    at = run.page * COLUMNS + run.column
    return shown[:at] + run.data + shown[at + len(run.data) :]

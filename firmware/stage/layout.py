"""From a text to pages of 128x64: a headline as big as it can be, three lines below, nothing cut.

Rules: the headline is one line, or two where one would be smaller than `SMALLEST`; the sentence takes three
lines of a page (two below a headline of two lines), fewer lines make a bigger headline; what does not fit goes
to the next page; how to put it right begins a page of its own unless all fits on one.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from firmware.stage.catalogue import NBSP
from firmware.stage.errors import StageError
from firmware.stage.fonts import Face
from firmware.stage.texts import Text

WIDTH: Final = 128
HEIGHT: Final = 64
LINE: Final = 14
BODY: Final = Face(bold=False, size=13)
WHO: Final = Face(bold=True, size=13)
# Sizes at which the hinted stems have their full weight (18, 19, 24 to 26, 34 come out thin).
SIZES: Final = (40, 36, 30, 28, 23, 22, 21, 20, 17, 16)
SMALLEST: Final = SIZES[-1]
"""Pixels of the smallest headline: 16 on a 0.96" panel are 2.7 mm, read at arm's length."""

BOX: Final = {0: 61, 1: 44, 2: 30, 3: 19}  # pixels left for the headline above so many lines
_BADGE: Final = 15
_SEPARATOR: Final = f"{NBSP}·"  # between things on one line; none at the end of a line
_MARGIN: Final = 2
_SHORT: Final = 5


@dataclass(frozen=True, slots=True)
class Page:
    """One picture. `bold` marks the body lines that say who; `badge` is a number in the corner, 0 for none."""

    head: tuple[str, ...]
    size: int
    lines: tuple[str, ...]
    bold: int = 0
    number: int = 1
    total: int = 1
    badge: int = 0


def pages(text: Text, badge: int = 0) -> tuple[Page, ...]:
    """All pages of a text. Raises `StageError` for a word that fits on no line."""
    who = wrap(text.who, WHO)
    if len(who) > 1 and text.short:
        who = wrap(text.short, WHO)
    told = wrap(text.text, BODY)
    mend = wrap(f"→ {text.mend}", BODY) if text.mend else []
    room = WIDTH - _MARGIN - (_BADGE if badge else 0)
    lines = [*who, *told, *mend]
    if len(lines) <= 3:
        fitted = _fit(text.head, room, BOX[len(lines)])
        if fitted is not None:
            return (Page(fitted[0], fitted[1], tuple(lines), len(who), badge=badge),)
    fitted, per = _fit(text.head, room, BOX[3], lines=1), 3
    if fitted is None:
        fitted, per = _fit(text.head, room, BOX[2]), 2
    if fitted is None:
        raise StageError(f"headline {text.head!r} does not fit on a screen; use fewer or shorter words")
    chunks = _chunks([*who, *told], mend, per)
    return tuple(
        Page(fitted[0], fitted[1], tuple(chunk), len(who) if n == 1 else 0, n, len(chunks), badge)
        for n, chunk in enumerate(chunks, start=1)
    )


def wrap(text: str, face: Face, width: int = WIDTH - _MARGIN) -> list[str]:
    """Break at ordinary spaces into lines no wider than `width` pixels; no-break spaces hold, `\\n` breaks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if face.width(word) > width:
                raise StageError(f"{word!r} is wider than a screen ({face.width(word)} > {width} pixels)")
            if line and face.width(f"{line} {word}".removesuffix(_SEPARATOR)) > width:
                lines.append(line.removesuffix(_SEPARATOR))
                line = word
            else:
                line = f"{line} {word}".strip(" ")
        lines += [line] if line else []
        if len(lines) > 1:
            lines[-2:] = _evened(lines[-2], lines[-1], face, width)
    return lines


def _evened(line: str, last: str, face: Face, width: int) -> tuple[str, str]:
    """A last line of one short word ("1.", "OK.") takes the word before it along."""
    kept, _, moved = line.rpartition(" ")
    if " " in last or len(last) > _SHORT or not kept or face.width(f"{moved} {last}") > width:
        return line, last
    return kept, f"{moved} {last}"


def _fit(head: str, width: int, box: int, lines: int = 2) -> tuple[tuple[str, ...], int] | None:
    """The biggest size at which the headline fits into the box, on one line if that is no smaller."""
    if not head:
        return (), SMALLEST
    for size in SIZES:
        face = Face(bold=True, size=size)
        above, below = face.height(head)
        if face.width(head) <= width and above + below <= box:
            return (head,), size
        if lines == 2 and " " in head:
            split = _halves(head, face, width)
            if split is not None and sum(sum(face.height(part)) for part in split) + 2 <= box:
                return split, size
    return None


def _halves(head: str, face: Face, width: int) -> tuple[str, str] | None:
    words = head.split(" ")
    best: tuple[int, tuple[str, str]] | None = None
    for cut in range(1, len(words)):
        pair = " ".join(words[:cut]), " ".join(words[cut:])
        wide = max(face.width(part) for part in pair)
        if wide <= width and (best is None or wide < best[0]):
            best = wide, pair
    return best[1] if best is not None else None


def _chunks(told: list[str], mend: list[str], per: int) -> list[list[str]]:
    count = -(-len(told) // per)
    cuts = [len(told) * n // count for n in range(count + 1)] if count else [0]  # pages of like length
    chunks = [told[a:b] for a, b in pairwise(cuts)]
    if mend and chunks and len(chunks[-1]) + len(mend) <= per:
        chunks[-1] = [*chunks[-1], *mend]
        return chunks
    return chunks + [mend[i : i + per] for i in range(0, len(mend), per)]

"""Letters for 128x64: PT Sans Narrow, and the few signs it lacks.

PT Sans Narrow (ParaType, SIL Open Font License) was drawn for Cyrillic and Latin alike and its hinting holds
at 13 pixels without grey, where most outline fonts fall apart. It comes from the package
`fontpkg-pt-sans-narrow` (0.5 MB, pure data). Suits and the arrow are pictures of our own.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import fontpkg_pt_sans_narrow
from PIL import Image, ImageDraw, ImageFont

_FOLDER: Final = fontpkg_pt_sans_narrow.ROOT / "files"

_SIGNS: Final[dict[str, tuple[str, ...]]] = {
    "♥": (".##.##.", "#######", "#######", "#######", ".#####.", "..###..", "...#..."),
    "♦": ("...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."),
    "♣": ("..###..", "..###..", "##.#.##", "#######", "##.#.##", "...#...", "..###.."),
    "♠": ("...#...", "..###..", ".#####.", "#######", "#######", "...#...", "..###.."),
    "→": (".......", "....#..", ".....#.", "#######", ".....#.", "....#..", "......."),
}
_SIGN_SIDE: Final = 7
# The suits on a square of 100, as polygons and as circles (left, top, right, bottom).
_POLYGONS: Final[dict[str, tuple[int, ...]]] = {
    "♥": (7, 44, 93, 44, 50, 98),
    "♦": (50, 0, 90, 50, 50, 99, 10, 50),
    "♣": (50, 40, 66, 98, 34, 98),
    "♠": (50, 0, 93, 50, 50, 50, 66, 98, 34, 98, 50, 50, 7, 50),
}
_CIRCLES: Final[dict[str, tuple[tuple[int, int, int, int], ...]]] = {
    "♥": ((2, 6, 52, 56), (48, 6, 98, 56)),
    "♦": (),
    "♣": ((28, 0, 72, 44), (2, 36, 46, 80), (54, 36, 98, 80)),
    "♠": ((2, 36, 52, 82), (48, 36, 98, 82)),
}
_NARROW: Final = "\u202f"  # the font has no narrow no-break space; a gap is all it is


@dataclass(frozen=True, slots=True)
class Face:
    """One weight at one size (pixels). Widths and drawing know the signs that the font lacks."""

    bold: bool
    size: int

    def width(self, text: str) -> int:
        """Advance width in pixels."""
        total = 0.0
        for piece, sign in _pieces(text):
            total += self._step(piece) if sign else _font(self.bold, self.size).getlength(piece, mode="1")
        return int(total + 0.999)

    def height(self, text: str) -> tuple[int, int]:
        """Pixels above and below the base line."""
        above, below = 0, 0
        for piece, sign in _pieces(text):
            if sign:
                above = max(above, 0 if piece == _NARROW else self._sign_side())
                continue
            box = _font(self.bold, self.size).getbbox(piece, mode="1", anchor="ls")
            above, below = max(above, -int(box[1])), max(below, int(box[3]))
        return above, below

    def draw(self, image: Image.Image, x: int, base: int, text: str) -> None:
        """Draw white on black with the base line at `base`."""
        draw = ImageDraw.Draw(image)
        draw.fontmode = "1"
        at = float(x)
        for piece, sign in _pieces(text):
            if sign:
                if piece != _NARROW:
                    picture = _sign(piece, self._sign_side())
                    draw.bitmap((round(at) + self._sign_side() // 14, base - picture.height), picture, fill=1)
                at += self._step(piece)
            else:
                draw.text((round(at), base), piece, font=_font(self.bold, self.size), fill=1, anchor="ls")
                at += _font(self.bold, self.size).getlength(piece, mode="1")

    def _sign_side(self) -> int:
        side = round(self.size * 0.7)  # as high as a capital letter
        return side if side >= 2 * _SIGN_SIDE else _SIGN_SIDE

    def _step(self, sign: str) -> int:
        return max(2, self.size // 7) if sign == _NARROW else self._sign_side() * 8 // 7


@cache
def _font(bold: bool, size: int) -> ImageFont.FreeTypeFont:
    path = _FOLDER / f"PT_Sans-Narrow-Web-{'Bold' if bold else 'Regular'}.ttf"
    # The basic layout needs no Raqm library, so that all machines draw the same pixels.
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _sign(sign: str, side: int) -> Image.Image:
    """A sign of `side` pixels: small ones dot by dot, big ones drawn large and made small."""
    if side < 2 * _SIGN_SIDE or sign not in _POLYGONS:
        image = Image.new("1", (_SIGN_SIDE, _SIGN_SIDE))
        image.putdata([int(c == "#") for row in _SIGNS[sign] for c in row])
        return image
    big = Image.new("L", (100, 100))
    pen = ImageDraw.Draw(big)
    pen.polygon(_POLYGONS[sign], fill=255)
    for box in _CIRCLES[sign]:
        pen.ellipse(box, fill=255)
    return big.resize((side, side), Image.Resampling.BOX).point(lambda v: 255 if v > 127 else 0).convert("1")


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Split into runs the font can draw and single signs of ours."""
    pieces: list[tuple[str, bool]] = []
    for char in text:
        if char in _SIGNS or char == _NARROW:
            pieces.append((char, True))
        elif pieces and not pieces[-1][1]:
            pieces[-1] = (pieces[-1][0] + char, False)
        else:
            pieces.append((char, False))
    return pieces


@cache
def drawable() -> frozenset[str]:
    """Every Latin and Cyrillic character and sign that both weights can draw, found by trying."""
    found = {chr(c) for c in (*range(0x20, 0x250), *range(0x400, 0x460), *range(0x2010, 0x2123))}
    for font in (_font(False, 26), _font(True, 26)):
        missing = bytes(font.getmask("\uffff", mode="1"))  # what the font draws for what it has not
        found = {c for c in found if bytes(font.getmask(c, mode="1")) != missing}
    return frozenset(found) | set(_SIGNS) | {_NARROW}

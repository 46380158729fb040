"""Letters for 128x64: PT Sans Narrow, and the few signs it lacks.

PT Sans Narrow (ParaType, SIL Open Font License) was drawn for Cyrillic and Latin alike and its hinting holds
at 13 pixels without grey, where most outline fonts fall apart. It comes from the package
`fontpkg-pt-sans-narrow` (0.5 MB, pure data). Suits and the arrow are pictures of our own.

Each glyph is drawn once and kept; a text is glyphs side by side at whole pixels, without kerning, which at these
sizes would move next to nothing. So a screen costs a Pi Zero 2 little, and all machines draw the same pixels.
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
    "♣": (50, 44, 62, 80, 68, 98, 32, 98, 38, 80),
    "♠": (50, 0, 93, 50, 50, 50, 66, 98, 34, 98, 50, 50, 7, 50),
}
_CIRCLES: Final[dict[str, tuple[tuple[int, int, int, int], ...]]] = {
    "♥": ((2, 6, 52, 56), (48, 6, 98, 56)),
    "♦": (),
    "♣": ((28, 0, 72, 44), (2, 36, 46, 80), (54, 36, 98, 80), (36, 30, 64, 72)),  # the last fills the middle
    "♠": ((2, 36, 52, 82), (48, 36, 98, 82)),
}
_NARROW: Final = "\u202f"  # the font has no narrow no-break space; a gap is all it is


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character at one size: its advance, and its ink with the place of that from the origin on the base line."""

    advance: int
    ink: Image.Image | None
    left: int = 0
    top: int = 0


@dataclass(frozen=True, slots=True)
class Face:
    """One weight at one size (pixels)."""

    bold: bool
    size: int

    def width(self, text: str) -> int:
        """Advance width in pixels."""
        return sum(_glyph(self.bold, self.size, char).advance for char in text)

    def height(self, text: str) -> tuple[int, int]:
        """Pixels above and below the base line."""
        above, below = 0, 0
        for char in text:
            glyph = _glyph(self.bold, self.size, char)
            if glyph.ink is not None:
                above, below = max(above, -glyph.top), max(below, glyph.top + glyph.ink.height)
        return above, below

    def draw(self, image: Image.Image, x: int, base: int, text: str) -> None:
        """Draw white on black with the base line at `base`."""
        for char in text:
            glyph = _glyph(self.bold, self.size, char)
            if glyph.ink is not None:
                image.paste(1, (x + glyph.left, base + glyph.top), glyph.ink)
            x += glyph.advance


@cache
def _glyph(bold: bool, size: int, char: str) -> Glyph:
    if char == _NARROW:
        return Glyph(max(2, size // 7), None)
    if char in _SIGNS:
        side = round(size * 0.7)  # as high as a capital letter
        sign = _sign(char, side if side >= 2 * _SIGN_SIDE else _SIGN_SIDE)
        return Glyph(sign.width * 8 // 7, sign, sign.width // 14, -sign.height)
    font = _font(bold, size)
    canvas = Image.new("1", (4 * size, 3 * size))
    draw = ImageDraw.Draw(canvas)
    draw.fontmode = "1"
    draw.text((size, 2 * size), char, font=font, fill=1, anchor="ls")
    advance = round(font.getlength(char, mode="1"))
    box = canvas.getbbox()
    if box is None:
        return Glyph(advance, None)
    return Glyph(advance, canvas.crop(box), box[0] - size, box[1] - 2 * size)


@cache
def _font(bold: bool, size: int) -> ImageFont.FreeTypeFont:
    path = _FOLDER / f"PT_Sans-Narrow-Web-{'Bold' if bold else 'Regular'}.ttf"
    # The basic layout needs no Raqm library.
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


@cache
def drawable() -> frozenset[str]:
    """Every Latin and Cyrillic character and sign that both weights can draw, found by trying."""
    found = {chr(c) for c in (*range(0x20, 0x250), *range(0x400, 0x460), *range(0x2010, 0x2123))}
    for font in (_font(False, 26), _font(True, 26)):
        missing = bytes(font.getmask("\uffff", mode="1"))  # what the font draws for what it has not
        found = {c for c in found if bytes(font.getmask(c, mode="1")) != missing}
    return frozenset(found) | set(_SIGNS) | {_NARROW}

"""From a page to pixels, and to the bytes of a display's memory."""

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from firmware.stage.fonts import Face
from firmware.stage.layout import BODY, BOX, HEIGHT, LINE, WHO, WIDTH, Page

_REVERSED: Final = bytes(int(f"{n:08b}"[::-1], 2) for n in range(256))


@lru_cache(maxsize=64)
def frame(page: Page) -> bytes:
    """The page as 1024 bytes: 8 pages of 128 columns, lowest bit on top (SSD1306 datasheet, 8.7)."""
    return pack(draw(page))


def pack(image: Image.Image) -> bytes:
    """A 128x64 picture in the order of a display's memory."""
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_REVERSED)
    return b"".join(columns[p :: HEIGHT // 8] for p in range(HEIGHT // 8))


def unpack(data: bytes) -> Image.Image:
    """The picture in a display's memory (the reverse of `pack`)."""
    pages = HEIGHT // 8
    columns = bytes(data[p * WIDTH + x] for x in range(WIDTH) for p in range(pages))
    turned = Image.frombytes("1", (HEIGHT, WIDTH), columns.translate(_REVERSED))
    return turned.transpose(Image.Transpose.TRANSPOSE)


def draw(page: Page) -> Image.Image:
    """The page as a picture, white on black."""
    image = Image.new("1", (WIDTH, HEIGHT))
    _head(image, page)
    top = HEIGHT - 1 - LINE * len(page.lines)
    for n, line in enumerate(page.lines):
        (WHO if n < page.bold else BODY).draw(image, 1, top + LINE * n + 10, line)
    pen = ImageDraw.Draw(image)
    if page.total > 1:
        step = WIDTH // page.total
        for n in range(page.total):
            x = n * step
            if n + 1 == page.number:
                pen.line((x, HEIGHT - 1, x + step - 4, HEIGHT - 1), fill=1)
            else:
                pen.point((x + step // 2, HEIGHT - 1), fill=1)
    if page.badge:
        label = str(page.badge)
        pen.rectangle((WIDTH - 13, 0, WIDTH - 1, 13), fill=1)
        mark = Image.new("1", (13, 14))
        WHO.draw(mark, (14 - WHO.width(label)) // 2, 11, label)
        pen.bitmap((WIDTH - 13, 0), mark, fill=0)
    return image


def _head(image: Image.Image, page: Page) -> None:
    face = Face(bold=True, size=page.size)
    box = BOX[len(page.lines)]
    heights = [face.height(part) for part in page.head]
    total = sum(above + below for above, below in heights) + 2 * (len(heights) - 1)
    y = max(0, (box - total) // 2)
    room = WIDTH - (15 if page.badge else 0)
    for part, (above, below) in zip(page.head, heights, strict=True):
        y += above
        face.draw(image, max(0, (room - face.width(part)) // 2), y, part)
        y += below + 2

"""Contact sheets: every screen of every message, for eyes and as golden pictures.

python -m firmware.stage.sheets docs/screens           writes them
python -m firmware.stage.sheets docs/screens --check   says which differ; exit status 1 if any does
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

from firmware.languages import languages
from firmware.stage.layout import HEIGHT, WIDTH, Page, pages
from firmware.stage.picture import draw
from firmware.stage.samples import GAMES, extra_texts, samples, text

_ACROSS: Final = 6
_GAP: Final = 4
SCALE: Final = 2


def screens(game: str, lang: str) -> Iterator[tuple[str, Page]]:
    """Every page of every message, with its message id."""
    for id_, words in extra_texts(game, lang):
        yield from ((id_, page) for page in pages(words))
    for sample in samples(game):
        yield from ((sample.id, page) for page in pages(text(sample, game, lang)))


def sheet(game: str, lang: str) -> Image.Image:
    """All screens of a game in a language, on one picture of one bit."""
    shown = [page for _, page in screens(game, lang)]
    rows = -(-len(shown) // _ACROSS)
    image = Image.new("1", (_ACROSS * (WIDTH + _GAP) + _GAP, rows * (HEIGHT + _GAP) + _GAP), 1)
    for n, page in enumerate(shown):
        image.paste(draw(page), (_GAP + n % _ACROSS * (WIDTH + _GAP), _GAP + n // _ACROSS * (HEIGHT + _GAP)))
    return image.resize((image.width * SCALE, image.height * SCALE), Image.Resampling.NEAREST)


def path_of(folder: Path, game: str, lang: str) -> Path:
    """Where a sheet lies."""
    return folder / f"{lang}-{game}.png"


def differs(folder: Path, game: str, lang: str) -> bool:
    """Whether the sheet in the folder is not what would be drawn now."""
    try:
        with Image.open(path_of(folder, game, lang)) as golden:
            kept = golden.convert("1")
    except OSError:
        return True
    drawn = sheet(game, lang)
    return kept.size != drawn.size or ImageChops.logical_xor(kept, drawn).getbbox() is not None


def main(args: Sequence[str] | None = None) -> int:
    """Write or check all sheets."""
    parser = argparse.ArgumentParser(prog="python -m firmware.stage.sheets", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    given = parser.parse_args(args)
    every = [(game, lang) for game in GAMES for lang in languages()]
    if given.check:
        wrong = [str(path_of(given.folder, *one)) for one in every if differs(given.folder, *one)]
        for path in wrong:
            print(f"{path}: not what the screens show now; write the sheets anew and look at them")
        return 1 if wrong else 0
    given.folder.mkdir(parents=True, exist_ok=True)
    for game, lang in every:
        sheet(game, lang).save(path_of(given.folder, game, lang), optimize=True)
        print(path_of(given.folder, game, lang), sum(1 for _ in screens(game, lang)), "screens")
    return 0


if __name__ == "__main__":
    sys.exit(main())

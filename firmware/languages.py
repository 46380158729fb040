"""Which languages the table speaks: those there are catalogues for. Nothing else names one."""

from functools import cache
from pathlib import Path
from typing import Final

CATALOGUES: Final = Path(__file__).parent / "stage" / "catalogues"
PAGE_CATALOGUES: Final = Path(__file__).parent / "web" / "catalogues"


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages, in alphabetical order."""
    return tuple(sorted(p.name for p in CATALOGUES.iterdir() if (p / "table.toml").is_file()))


@cache
def page_languages() -> tuple[str, ...]:
    """Those of them that the page in the browser speaks too."""
    return tuple(code for code in languages() if (PAGE_CATALOGUES / f"{code}.toml").is_file())

"""The words of the page: its own catalogue, and from the stage's the names of cards and of what one may do."""

import tomllib
from functools import cache

from engine.cards import ALL_CARDS, TFU_RANKS
from engine.games import SPECS
from firmware.languages import PAGE_CATALOGUES, page_languages
from firmware.stage.catalogue import catalogue
from firmware.stage.words import card_name, seat_name
from firmware.web.errors import WebError


@cache
def own(lang: str) -> dict[str, str]:
    """The page's own catalogue of a language: `section.key` -> words. Raises `WebError` where it is ill-formed."""
    path = PAGE_CATALOGUES / f"{lang}.toml"
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise WebError(f"catalogues/{lang}.toml: {error}; there are {', '.join(page_languages())}") from error
    words: dict[str, str] = {}
    for section, table in tables.items():
        for key, text in table.items():
            if not isinstance(text, str):
                raise WebError(f"catalogues/{lang}.toml: {section}.{key} is no text")
            words[f"{section}.{key}"] = text
    return words


@cache
def strings(lang: str) -> dict[str, dict[str, str]]:
    """All words of the page in a language, as the page loads them."""
    cat = catalogue(lang)
    kinds = {card.partition("#")[0]: card for card in ALL_CARDS if "#" in card}
    cards = {kind: card_name(cat, card) for kind, card in sorted(kinds.items())}
    ranks = {rank: card_name(cat, f"{rank}h")[:-1] for rank in TFU_RANKS}
    may = {
        key.removeprefix("may:").replace("/", "."): words
        for key, words in cat.words.items()
        if key.startswith("may:") and key.removeprefix("may:").split("/")[0] in SPECS
    }
    seats = {str(n): seat_name(cat, n) for n in range(1, 11)}
    names = {code: catalogue(code).name for code in page_languages()}
    return {"page": own(lang), "cards": cards, "ranks": ranks, "may": may, "seats": seats, "languages": names}

"""The names of all cards of the three full decks.

A card is its name, a string as it stands in a table record: `capo#1`, `5#2`, `zero#1`, `10h`. Names are the
identity of a card; what a card *is* (kind, value, suit) is told by tables in each game's own `cards` module.
"""

from typing import Final

Card = str

TIFO_COUNTS: Final[dict[str, int]] = {
    "capo": 4,
    "echarpe": 4,
    "voile": 4,
    "mats": 4,
    "fumis": 4,
    "interdit": 1,
    "greve": 4,
    "controle": 4,
    "baston": 4,
    "fumis-interdits": 4,
    "locaux": 4,
    "avocat": 3,
    "mediation": 20,
    "identite": 8,
    "crs": 8,
    "mastre": 2,
    "ola": 4,
}
"""Copies of each kind in the TIFO deck: 86 cards (rulings T2, T3)."""

TIPOUIK_MAX: Final = 12
TIPOUIK_SPECIALS: Final[dict[str, int]] = {"zero": 4, "any": 3, "plus1": 4, "plus2": 4}
"""Most copies of each special that any pack of Tipouik uses."""

TFU_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
TFU_SUITS: Final = ("c", "d", "h", "s")


def copies(kind: str, count: int) -> tuple[Card, ...]:
    """The names of `count` copies of a kind: `copies("capo", 2)` is `("capo#1", "capo#2")`."""
    return tuple(f"{kind}#{n}" for n in range(1, count + 1))


TIFO_DECK: Final[tuple[Card, ...]] = tuple(c for kind, n in TIFO_COUNTS.items() for c in copies(kind, n))
TIPOUIK_DECK: Final[tuple[Card, ...]] = tuple(
    c for v in range(1, TIPOUIK_MAX + 1) for c in copies(str(v), v)
) + tuple(c for kind, n in TIPOUIK_SPECIALS.items() for c in copies(kind, n))
TFU_DECK: Final[tuple[Card, ...]] = tuple(r + s for r in TFU_RANKS for s in TFU_SUITS)

ALL_CARDS: Final[frozenset[Card]] = frozenset(TIFO_DECK) | frozenset(TIPOUIK_DECK) | frozenset(TFU_DECK)
"""Every card that may stand in a record; any other name is bad input."""

"""Which form of a word a number takes, one rule for each family of languages.

The rules are CLDR's cardinal rules for whole numbers, cut down to the families that catalogues here name in
`[meta] plural`. A new language names one of these or adds one.
"""

from collections.abc import Callable
from typing import Final


def _zero_one(n: int) -> int:
    """French: 0 carte, 1 carte, 2 cartes."""
    return 0 if n in (0, 1) else 1


def _one_other(n: int) -> int:
    """English: 0 cards, 1 card, 2 cards."""
    return 0 if n == 1 else 1


def _slavic(n: int) -> int:
    """Russian: 1 карта, 21 карта; 2 карты, 34 карты; 5 карт, 11 карт, 112 карт."""
    if n % 10 == 1 and n % 100 != 11:
        return 0
    if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14):
        return 1
    return 2


FAMILIES: Final[dict[str, tuple[int, Callable[[int], int]]]] = {
    "zero-one": (2, _zero_one),
    "one-other": (2, _one_other),
    "slavic": (3, _slavic),
}
"""Family -> (number of forms, index of the form for a number)."""

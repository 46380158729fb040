"""What a Tipouik card is: its kind, whether it fits an announced value, its points in a hand (P20-P24, P28)."""

from functools import cache
from typing import Final

from engine.cards import Card

ONE: Final[Card] = "1#1"
"""The card that opens a round."""

SPECIAL_POINTS: Final = 10
RED_DRAWS: Final[dict[str, int]] = {"plus1": 1, "plus2": 2}
"""What an exposed lone red lets the challenger draw (P22, P23)."""


@cache
def kind_of(card: Card) -> str:
    """The name without its number: `5`, `zero`, `any`, `plus1`, `plus2`."""
    return card.partition("#")[0]


def fits(card: Card, value: int) -> bool:
    """Whether a card may honestly be announced as `value`: the number itself or `any` (P20); never `zero` (P21)."""
    return kind_of(card) in (str(value), "any")


def red_draw(cards: tuple[Card, ...]) -> int:
    """How many cards a lone red lets its challenger draw; 0 where the cards are no lone red (P23, P24)."""
    return RED_DRAWS.get(kind_of(cards[0]), 0) if len(cards) == 1 else 0


@cache
def points_of(card: Card) -> int:
    """What a card left in a hand costs: a number its value, a special 10 (P28)."""
    kind = kind_of(card)
    return int(kind) if kind.isdigit() else SPECIAL_POINTS

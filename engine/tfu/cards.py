"""Ranks of a 52-card pack, and which lie next to each other (ruling S3)."""

from typing import Final

from engine.cards import TFU_DECK, TFU_RANKS, Card

RANK: Final[dict[Card, int]] = {card: TFU_RANKS.index(card[:-1]) for card in TFU_DECK}
"""From 0 (a two) to 12 (an ace); the circle closes between ace and two."""


def adjacent(a: Card, b: Card) -> bool:
    """Whether one card may lie on the other: `adjacent("10h", "Jc")`, `adjacent("Ad", "2d")`."""
    return (RANK[a] - RANK[b]) % 13 in (1, 12)

"""Names of cards, zones, seats and lists, in the words of one catalogue."""

from collections.abc import Sequence
from typing import Final

from firmware.stage.catalogue import Catalogue

SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def card_name(cat: Catalogue, card: str) -> str:
    """A card as players call it: `greve#2` is GRÈVE, `5#1` is 5, `Qh` is D♥ (fr), Д♥ (ru), Q♥ (en)."""
    kind, sign, _ = card.partition("#")
    if not sign:
        rank, suit = card[:-1], card[-1:]
        return cat.words.get(f"card:tfu/{rank}", rank) + SUITS.get(suit, suit)
    if kind.isdigit():
        return kind
    for game in ("tifo", "tipouik"):
        name = cat.words.get(f"card:{game}/{kind}")
        if name is not None:
            return name
    return kind


def seat_name(cat: Catalogue, seat: int, *, short: bool = False) -> str:
    """`Joueur 3`; short `J3`."""
    return cat.fill(cat.words["word:table/seat-short" if short else "word:table/seat"], {"seat": seat})


def device_name(cat: Catalogue, device: str) -> str:
    """A device by whom it belongs to: `seat2` and `seat2.call` are player 2's; others by their own name."""
    owner, _, role = device.partition(".")
    if owner.startswith("seat") and owner[4:].isdigit():
        return seat_name(cat, int(owner[4:])) + (f" ({role})" if role else "")
    return device


def listed(cat: Catalogue, items: Sequence[str]) -> str:
    """`1`, `1 et 2`, `1, 2 et 4`; an empty list is the catalogue's word for nobody."""
    if not items:
        return cat.words["word:table/none"]
    if len(items) == 1:
        return items[0]
    return ", ".join(items[:-1]) + cat.words["word:table/and"] + items[-1]


def score_list(cat: Catalogue, scores: Sequence[int]) -> str:
    """`Joueur 1 : 5 points`, a line for each player."""
    lines = []
    for seat, points in enumerate(scores, start=1):
        told = cat.fill(cat.words["word:table/points"], {"points": points})
        lines.append(cat.fill(cat.words["word:table/score-line"], {"seat": seat, "points": told}))
    return "\n".join(lines)

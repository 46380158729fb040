"""Names of cards, zones, seats and lists, in the words of one catalogue."""

import re
from collections.abc import Sequence
from typing import Final

from engine.zones import centre_of, column_of, seat_of
from firmware.stage.catalogue import Catalogue

SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_ZONE: Final = re.compile(r"(?:seat\d+(?:\.col\d+)?|centre\d+|discard|draw)(?![A-Za-z0-9.])")


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


def button_name(button: str) -> str:
    """What stands on a button: `seat2.call` is CALL."""
    return button.rpartition(".")[2].upper()


def device_name(cat: Catalogue, device: str) -> str:
    """A display or a button by whom it belongs to: `seat2`, `all`, `seat2.call`, `table.undo`."""
    if device == "all":
        return cat.words["word:table/for-all"]
    seat, label = seat_of(device), [button_name(device)] if "." in device else []
    return ", ".join([*([seat_name(cat, seat)] if seat is not None else []), *label]) or device


def place_name(cat: Catalogue, place: str, *, told: bool = False) -> str:
    """A zone as players call it: `Devant J2`, `Défausse`, `Pile 1`.

    `told`: a reader, named after its zone or by the builder; its own name is told too where it is another.
    """
    zone = _ZONE.match(place)
    if zone is None:
        return place
    name = _zone_name(cat, zone[0])
    return name if not told or zone[0] == place else f"{name} ({place})"


def _zone_name(cat: Catalogue, zone: str) -> str:
    if (column := column_of(zone)) is not None:
        return cat.fill(cat.words["place:table/column"], {"seat": column[0], "column": column[1]})
    if (pile := centre_of(zone)) is not None:
        return cat.fill(cat.words["place:table/centre"], {"pile": pile})
    if (seat := seat_of(zone)) is not None:
        return cat.fill(cat.words["place:table/seat"], {"seat": seat})
    return cat.words[f"place:table/{zone}"]


def listed(cat: Catalogue, items: Sequence[str], last: str = "and") -> str:
    """`1`, `1 et 2`, `1, 2 et 4`; an empty list is the catalogue's word for nobody. `last`: `and` or `or`."""
    if not items:
        return cat.words["word:table/none"]
    if len(items) == 1:
        return items[0]
    return ", ".join(items[:-1]) + cat.words[f"word:table/{last}"] + items[-1]


def score_list(cat: Catalogue, scores: Sequence[int]) -> str:
    """`Joueur 1 : 5 points`, a line for each player."""
    lines = []
    for seat, points in enumerate(scores, start=1):
        told = cat.fill(cat.words["word:table/points"], {"points": points})
        lines.append(cat.fill(cat.words["word:table/score-line"], {"seat": seat, "points": told}))
    return "\n".join(lines)

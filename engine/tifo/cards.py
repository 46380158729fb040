"""What each TIFO card is, and which parade answers which attack (T2, T3, T7, T8, T13, T14)."""

from enum import Enum
from functools import cache
from typing import Final

from engine.cards import Card


class Family(Enum):
    """What a card is for."""

    TIFO = "tifo"
    INTERDIT = "interdit"
    BLOCKING = "blocking"
    SEMI = "semi"
    PARADE = "parade"
    OLA = "ola"


FAMILY: Final[dict[str, Family]] = {
    "capo": Family.TIFO,
    "echarpe": Family.TIFO,
    "voile": Family.TIFO,
    "mats": Family.TIFO,
    "fumis": Family.TIFO,
    "interdit": Family.INTERDIT,
    "greve": Family.BLOCKING,
    "controle": Family.BLOCKING,
    "baston": Family.BLOCKING,
    "fumis-interdits": Family.SEMI,
    "locaux": Family.SEMI,
    "avocat": Family.PARADE,
    "mediation": Family.PARADE,
    "identite": Family.PARADE,
    "crs": Family.PARADE,
    "mastre": Family.PARADE,
    "ola": Family.OLA,
}

KINDS: Final = frozenset(kind for kind, family in FAMILY.items() if family is Family.TIFO)
"""The five kinds of a complete TIFO."""

ATTACKS: Final = frozenset({Family.INTERDIT, Family.BLOCKING, Family.SEMI})
"""The three classes of attack (T7, T8)."""

ANSWERS: Final[dict[str, frozenset[str]]] = {
    "avocat": frozenset({"interdit"}),
    "mediation": frozenset({"greve", "fumis-interdits", "locaux"}),
    "identite": frozenset({"controle"}),
    "crs": frozenset({"baston"}),
    "mastre": frozenset({"greve", "controle", "baston", "fumis-interdits", "locaux"}),
}
"""Parade -> the attacks it answers (T13, T14)."""

POINTS: Final[dict[str, int]] = {"capo": 2, "echarpe": 2, "mats": 3, "voile": 3, "fumis": 5}
"""What a laid card counts at the end of the last pile (T34)."""

FUMIS_UNPARRIED: Final = 2
"""What a laid FUMIS counts under FUMIS INTERDITS (T36)."""

HAND: Final = 8
"""Cards dealt to each player (T1)."""


@cache
def kind_of(card: Card) -> str:
    """`capo#1` is a `capo`."""
    return card.partition("#")[0]


@cache
def family_of(card: Card) -> Family | None:
    """What a card is for; None for a card of another deck."""
    return FAMILY.get(kind_of(card))


def is_attack(card: Card) -> bool:
    """Whether a card attacks."""
    return family_of(card) in ATTACKS


def last_pile(seats: int) -> int:
    """The number of the pile that ends the game: the second up to four players, then the third (T34)."""
    return 2 if seats <= 4 else 3

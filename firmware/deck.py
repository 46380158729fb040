"""The registry of a deck until there is a durable one: `deck.toml`, one line `UID = "card"` for each tag.

A UID is written in full, upper-case hex (8, 14 or 20 digits). A value `table.undo`, `table.accept`, `table.rescan`
or `table.pile` makes the tag a control card: it is that button, and never enters the game as a play.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.cards import ALL_CARDS, Card
from firmware.config.entries import show
from firmware.config.errors import ConfigError
from firmware.config.tomlfile import parse_toml, read_text

CONTROLS = ("table.accept", "table.undo", "table.rescan", "table.pile")
VERSION = 1
_UID_DIGITS = (8, 14, 20)  # cascade levels 1-3, ISO/IEC 14443-3


@dataclass(frozen=True, slots=True)
class Deck:
    """Which tag is which card. `controls` are tags that stand for a button of the table."""

    cards: dict[str, Card]
    controls: dict[str, str]

    def card(self, uid: str) -> Card | None:
        """The card of a tag, None for a tag that no deck knows."""
        return self.cards.get(uid)

    def control(self, uid: str) -> str | None:
        """The button a control card stands for, None for any other tag."""
        return self.controls.get(uid)

    def knows(self, uid: str) -> bool:
        """Whether the tag is a card or a control card."""
        return uid in self.cards or uid in self.controls


def read_deck(path: Path) -> Deck:
    """The deck of that file. Raises `ConfigError` naming file, line, key and mend."""
    name = str(path)
    text = read_text(path, "a deck.toml; name it with --deck")
    raw = parse_toml(text, name)
    lines = {line.split("=")[0].strip().strip("\"'"): n for n, line in enumerate(text.splitlines(), 1)}
    version = raw.pop("version", VERSION)
    if isinstance(version, bool) or version != VERSION:
        what = f"version {show(version)}"
        raise ConfigError(name, lines.get("version", 1), what, f"version = {VERSION}, or no such line")
    table = raw.pop("cards", {})
    if not isinstance(table, dict):
        mend = "[cards], then a line UID = card for each tag"
        raise ConfigError(name, lines.get("cards", 1), "'cards' is no table", mend)
    for uid in table.keys() & raw.keys():
        raise ConfigError(name, lines.get(uid, 1), f"UID {uid} stands twice", "one line for each tag; take one out")
    entries = {**table, **raw}
    cards: dict[str, Card] = {}
    controls: dict[str, str] = {}
    owner: dict[str, str] = {}
    for uid, card in entries.items():
        line = lines.get(uid, 1)
        _check_uid(name, line, uid)
        if isinstance(card, str) and card in CONTROLS:
            controls[uid] = card
        elif isinstance(card, str) and card in ALL_CARDS:
            if card in owner:
                what = f"card {card!r} has two tags, {owner[card]} and {uid}"
                raise ConfigError(name, line, what, "one tag for each card; take one line out")
            owner[card] = uid
            cards[uid] = card
        else:
            known = "a card such as capo#1, 5#2 or 10h, or " + ", ".join(CONTROLS)
            raise ConfigError(name, line, f"{uid} = {show(card)}", known)
    return Deck(cards, controls)


def _check_uid(name: str, line: int, uid: str) -> None:
    bare = uid.replace(":", "").replace(" ", "").replace("-", "").upper()
    if set(bare) - set("0123456789ABCDEF") or len(bare) not in _UID_DIGITS:
        raise ConfigError(name, line, f"key {uid!r} is no UID", "8, 14 or 20 upper-case hex digits")
    if bare != uid:
        raise ConfigError(name, line, f"UID {uid!r}", f"upper-case hex without separators: {bare}")
    if len(uid) == 8 and uid.startswith("08"):
        mend = "a tag with a UID of its own (08... is drawn anew at each look)"
        raise ConfigError(name, line, f"UID {uid} is a random one", mend)


def write_deck(path: Path, cards: Iterable[tuple[str, Card]]) -> None:
    """Write a deck file that `read_deck` reads."""
    lines = [f"version = {VERSION}", *(f'{uid} = "{card}"' for uid, card in cards)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def emulated_uid(number: int) -> str:
    """A seven-byte UID as NXP's (04 ...), another one for each number.

    Its fourth byte is never 88: there it would be taken for a cascade tag (ISO/IEC 14443-3 section 6.5.4).
    """
    uid = f"04{number * 0x9E3779B1 % (1 << 48):012X}"
    return uid if uid[6:8] != "88" else f"{uid[:6]}87{uid[8:]}"


def emulated_deck(cards: Iterable[Card]) -> Deck:
    """A deck of emulated tags, numbered in the order of the cards."""
    return Deck({emulated_uid(n): card for n, card in enumerate(cards, 1)}, {})

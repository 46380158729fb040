"""What a browser may say, read with no mercy: exact keys, exact types, short strings.

Anything else raises `MessageError`; the connection it came from is closed, and nobody else notices.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.cards import ALL_CARDS
from engine.games import SPECS
from firmware.languages import page_languages
from firmware.web.errors import MessageError
from firmware.web.hands import Pace

MAX_BYTES: Final = 2048
SPEEDS: Final = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
MOST_OPTIONS: Final = 6
MOST_NUMBER: Final = 1000
FAULTS: Final = ("drop", "noise", "dead-reader", "dead-screen")


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message. `seat` with `key`, or neither."""

    key: str
    seat: int | None
    lang: str


@dataclass(frozen=True, slots=True)
class PutCard:
    """A card of mine is dragged to a zone. `card` may be `spare`: the next of my face-down spare pile."""

    card: str
    zone: str


@dataclass(frozen=True, slots=True)
class TakeCard:
    """A card is taken up into my hand."""

    card: str


@dataclass(frozen=True, slots=True)
class DrawCard:
    """The top of the draw pile comes to my hand, over the reader if there is one."""


@dataclass(frozen=True, slots=True)
class GiveCard:
    """A card goes face down to another player (Tipouik)."""

    card: str
    to: int


@dataclass(frozen=True, slots=True)
class ShowHand:
    """My whole hand is laid before me, to be counted (Tipouik)."""


@dataclass(frozen=True, slots=True)
class Push:
    """A button is pressed: mine, the table's, or (OLA) that of the player I point at."""

    button: str


@dataclass(frozen=True, slots=True)
class Run:
    """Speed of time, pace of the bots."""

    speed: float
    pace: Pace


@dataclass(frozen=True, slots=True)
class Step:
    """One play of the bots; in a record `n` inputs on, or back."""

    n: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """Another game. `seed` None: any. `play`: the host takes his seat, else bots play all. `options`: its rules'."""

    game: str
    seats: int
    mode: str
    lang: str
    seed: int | None
    play: bool
    options: Mapping[str, bool | int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something is broken, or whole again (`level` 0). `name`: a reader or a screen, empty for all."""

    what: str
    name: str
    level: float


@dataclass(frozen=True, slots=True)
class Panel:
    """The side panel is open or closed; `all`: the arbiter's view, hidden cards included."""

    open: bool
    all: bool


Wish = PutCard | TakeCard | DrawCard | GiveCard | ShowHand | Push | Run | Step | NewGame | Fault | Panel


class _Fields:
    """The object of one message; every key must be asked for, none may be left."""

    def __init__(self, raw: str | bytes) -> None:
        if len(raw) > MAX_BYTES:
            raise MessageError(f"a message of {len(raw)} bytes, expected at most {MAX_BYTES}")
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            raise MessageError("a message that is no JSON, expected one object") from None
        if not isinstance(value, dict):
            raise MessageError("a message that is no object, expected one object")
        self._left: dict[str, object] = value

    def text(self, key: str, most: int, *, among: tuple[str, ...] = ()) -> str:
        value = self._left.pop(key, None)
        if not isinstance(value, str) or len(value) > most or (among and value not in among):
            raise MessageError(f"key {key!r}, expected {' or '.join(among) or f'a text of at most {most}'}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        value = self._left.pop(key, None)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise MessageError(f"key {key!r}, expected a whole number from {low} to {high}")
        return value

    def whole_or_none(self, key: str, low: int, high: int) -> int | None:
        if self._left.get(key, 0) is None:
            del self._left[key]
            return None
        return self.whole(key, low, high)

    def number(self, key: str, low: float, high: float) -> float:
        value = self._left.pop(key, None)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise MessageError(f"key {key!r}, expected a number from {low:g} to {high:g}")
        return float(value)

    def truth(self, key: str) -> bool:
        value = self._left.pop(key, None)
        if not isinstance(value, bool):
            raise MessageError(f"key {key!r}, expected true or false")
        return value

    def options(self, key: str) -> dict[str, bool | int | float]:
        """Names to numbers and truths; whether a game has such options, the game says."""
        value = self._left.pop(key, None)
        if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
            raise MessageError(f"key {key!r}, expected an object of at most {MOST_OPTIONS} options")
        for name, option in value.items():
            if not isinstance(option, int | float) or not 0 <= option <= MOST_NUMBER:
                raise MessageError(f"option {name[:20]!r}, expected true, false or a number from 0 to {MOST_NUMBER}")
        return value

    def end(self) -> None:
        if self._left:
            raise MessageError(f"key {min(self._left)[:20]!r}, expected no such key")


def read_hello(raw: str | bytes) -> Hello:
    """The first message of a connection. Raises `MessageError`."""
    fields = _Fields(raw)
    fields.text("do", 5, among=("hello",))
    hello = Hello(
        fields.text("key", 64), fields.whole_or_none("seat", 1, 10), fields.text("lang", 2, among=page_languages())
    )
    fields.end()
    return hello


def read_wish(raw: str | bytes) -> Wish:
    """Any later message. Raises `MessageError`."""
    fields = _Fields(raw)
    wish = _wish(fields.text("do", 8), fields)
    fields.end()
    return wish


def _wish(what: str, fields: _Fields) -> Wish:
    match what:
        case "put":
            return PutCard(_card(fields, "spare"), fields.text("zone", 16))
        case "take":
            return TakeCard(_card(fields))
        case "draw":
            return DrawCard()
        case "give":
            return GiveCard(_card(fields), fields.whole("to", 1, 10))
        case "show":
            return ShowHand()
        case "push":
            return Push(fields.text("button", 16))
        case "run":
            speed = fields.number("speed", 0.0, SPEEDS[-1])
            if speed not in SPEEDS:
                raise MessageError(f"key 'speed', expected one of {', '.join(f'{s:g}' for s in SPEEDS)}")
            return Run(speed, Pace(fields.text("pace", 5, among=tuple(p.value for p in Pace))))
        case "step":
            return Step(fields.whole("n", -1_000_000, 1_000_000))
        case "new":
            return NewGame(
                fields.text("game", 8, among=tuple(SPECS)),
                fields.whole("seats", 2, 10),
                fields.text("mode", 7, among=("play", "referee")),
                fields.text("lang", 2, among=page_languages()),
                fields.whole_or_none("seed", 0, 10**9),
                fields.truth("play"),
                fields.options("options"),
            )
        case "fault":
            what = fields.text("what", 11, among=FAULTS)
            return Fault(what, fields.text("name", 32), fields.number("level", 0.0, 1.0))
        case "panel":
            return Panel(fields.truth("open"), fields.truth("all"))
        case _:
            raise MessageError("key 'do', expected something this table does")


def _card(fields: _Fields, *more: str) -> str:
    card = fields.text("card", 20)
    if card not in ALL_CARDS and card not in more:
        raise MessageError("key 'card', expected the name of a card")
    return card

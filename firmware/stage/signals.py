"""Which sound and which light goes with an output: four signals that cannot be mistaken for each other.

They are made from the public form of outputs alone, so neither can tell of a hidden card (field report 29).
One call of the stage gives one signal, the weightiest; so every refusal is heard, once (field report 23).
"""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from firmware.stage.texts import Out
from hardware.lamps import Colour
from hardware.sounds import Note, Tune


class Signal(Enum):
    """In order of weight."""

    ACCEPTED = 1
    ANNOUNCEMENT = 2
    UNKNOWN = 3
    REFUSED = 4


TUNES: Final = {
    Signal.ACCEPTED: Tune((Note(1760, 0.03),), 1),
    Signal.ANNOUNCEMENT: Tune((Note(784, 0.10), Note(1047, 0.10), Note(1319, 0.18)), 2),
    Signal.UNKNOWN: Tune((Note(880, 0.09), Note(0, 0.06), Note(880, 0.09)), 3),
    Signal.REFUSED: Tune((Note(330, 0.18), Note(0, 0.04), Note(220, 0.36)), 4),
}
COLOURS: Final = {
    Signal.ACCEPTED: (Colour.GREEN, 0.3),
    Signal.ANNOUNCEMENT: (Colour.BLUE, 1.5),
    Signal.UNKNOWN: (Colour.AMBER, 1.5),
    Signal.REFUSED: (Colour.RED, 2.0),
}

ANNOUNCED: Final = {
    "tifo": frozenset({"ola", "tifo", "eliminated", "pile"}),
    "tipouik": frozenset({"open", "pose", "pass", "challenge", "verdict", "take", "give", "draw", "title"}),
    "tfu": frozenset({"call", "turn-over", "out"}),
}
"""Moves that the rules want announced: shown and sounded in mode `referee` too."""


def signal_of(out: Out, game: str, mode: str = "play") -> Signal | None:
    """The signal of one public output, None for what is not worth one: a turn; in mode `referee` a legal play
    that the rules do not want announced."""
    match out.get("out"):
        case "refused":
            return Signal.UNKNOWN if out.get("rule") == "table/unknown-card" else Signal.REFUSED
        case "move" if mode == "referee" and out.get("move") not in ANNOUNCED[game]:
            return None
        case "move":
            return Signal.ANNOUNCEMENT if loud(out, game) else Signal.ACCEPTED
        case "corrected" | "stood" | "undone":
            return Signal.ACCEPTED
        case "over" | "match" | "say" | "reveal":
            return Signal.ANNOUNCEMENT
        case _:
            return None


def loud(out: Out, game: str) -> bool:
    """Whether a move has the tune of an announcement; a pass and a plain pose only click."""
    return out.get("move") in ANNOUNCED[game] - {"pass", "pose", "take", "give", "draw"}


def weightiest(outs: Iterable[Out], game: str, mode: str = "play") -> Signal | None:
    """The one signal for all that came at once."""
    signals = [s for out in outs if (s := signal_of(out, game, mode)) is not None]
    return max(signals, key=lambda s: s.value, default=None)

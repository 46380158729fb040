"""Which keys of each output are the format's own. Others are additions that a reader may ignore."""

from collections.abc import Mapping
from typing import Final

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "move": ("seat", "move"),
    "refused": ("rule", "seat", "zone", "card", "button", "uid", "tie"),
    "corrected": ("rule",),
    "stood": ("rule",),
    "undone": ("seat", "move"),
    "turn": ("seat",),
    "reveal": ("seat", "cards"),
    "score": ("scores",),
    "over": ("winners", "by"),
    "match": ("winners", "scores"),
    "say": ("to", "text", "args"),
}

MOVE_ARGS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "tifo": {
        "draw": (),
        "lay": ("card",),
        "attack": ("card", "target"),
        "parry": ("card", "attack"),
        "discard": ("card",),
        "ola": ("card",),
        "rob": ("target",),
        "swap": ("card",),
        "tifo": ("cards",),
        "eliminated": (),
        "pile": ("number",),
    },
    "tipouik": {
        "open": (),
        "pose": ("count", "value"),
        "pass": (),
        "challenge": ("target",),
        "verdict": ("result",),
        "take": ("count",),
        "give": ("to",),
        "draw": ("from", "count"),
        "title": ("king", "abru"),
    },
    "tfu": {
        "call": (),
        "spit": ("pile", "card"),
        "play": ("pile", "card", "column"),
        "turn-over": ("pile",),
        "out": (),
    },
}

OPTIONAL: Final = frozenset({"turn", "say"})
"""Kinds that depend on the mode and the language of messages: compared only where a file has them at all."""


def same(game: str, wanted: Mapping[str, object], said: Mapping[str, object]) -> bool:
    """Whether an output in a file agrees with the referee's.

    Every key of the file must be the referee's (`x-...` aside), and every key of the format must agree, an
    absent one counting as null. Keys that the referee adds are no difference.
    """
    kind = str(said.get("out"))
    own = ("t", "out", *KEYS.get(kind, ()))
    if kind == "move":
        own += MOVE_ARGS[game].get(str(said.get("move")), ())
    keys = {k for k in wanted if not k.startswith("x-")} | set(own)
    return all(_alike(wanted.get(k), said.get(k)) for k in keys)


def _alike(a: object, b: object) -> bool:
    """Equality of JSON: 1 and 1.0 are one number; true is none, though Python takes it for 1."""
    match a, b:
        case list() | tuple(), list() | tuple():
            return len(a) == len(b) and all(map(_alike, a, b))
        case dict(), dict():
            return a.keys() == b.keys() and all(_alike(a[k], b[k]) for k in a)
        case _:
            return isinstance(a, bool) == isinstance(b, bool) and a == b

"""One output for every message there is, as long as it can get: for contact sheets and for tests."""

from dataclasses import dataclass
from typing import Final

from engine.zones import ZoneKind
from firmware.stage.catalogue import catalogue
from firmware.stage.texts import Context, Out, Text, device_text, start_text, text_of, title_text

GAMES: Final = ("table", "tifo", "tipouik", "tfu")
"""The contact sheets: what the games share, then each game."""

SEATS: Final = {"table": 6, "tifo": 6, "tipouik": 10, "tfu": 4}

REFUSALS: Final[dict[str, tuple[str, ...]]] = {
    "table/unknown-card": ("remove-tag",),
    "table/foreign-card": ("take-back",),
    "table/card-elsewhere": ("take-back",),
    "table/two-places": ("one-place",),
    "table/correct-first": ("mend-first",),
    "tifo/over": ("game-over",),
    "tifo/turn": ("wait-turn",),
    "tifo/draw-first": ("draw-first",),
    "tifo/draw-twice": ("return-draw",),
    "tifo/ola-open": ("use-ola",),
    "tifo/shout": ("missing-kinds-only", "lift-all"),
    "tifo/interdit": ("avocat-ola-or-concede",),
    "tifo/blocked": ("parry-or-discard",),
    "tifo/locaux": ("parry-locaux",),
    "tifo/fumis": ("parry-fumis",),
    "tifo/lay-once": ("other-kind",),
    "tifo/attack-self": ("other-target",),
    "tifo/attack-out": ("other-target",),
    "tifo/attack-class": ("other-target",),
    "tifo/attack-two": ("other-target",),
    "tifo/parade-match": ("other-card",),
    "tifo/ola-place": ("to-discard",),
    "tifo/ola-empty": ("rob-or-let-go",),
    "tifo/ola-target": ("rob-or-let-go",),
    "tifo/ola-ola": ("rob-or-let-go",),
    "tifo/laid-stays": ("put-back",),
    "tipouik/over": ("round-over",),
    "tipouik/take-back": ("settle-first",),
    "tipouik/turn": ("wait-turn",),
    "tipouik/start": ("open-with-one", "king-gives-first"),
    "tipouik/nothing": ("lay-first", "wait-for-pose"),
    "tipouik/value": ("say-same-or-next",),
    "tipouik/after-challenge": ("say-next",),
    "tipouik/count": ("say-count",),
    "tipouik/challenge-opening": ("opening-stands",),
    "tipouik/challenge-self": ("others-challenge",),
    "tipouik/challenge-closed": ("wait-next-pose",),
    "tipouik/hand-count": ("show-hand",),
    "tfu/over": ("next-round", "new-match"),
    "tfu/frozen": ("clear-pile",),
    "tfu/layout": ("lay-out",),
    "tfu/spare": ("call-first", "owed-first", "open-pile", "spare-order"),
    "tfu/column": ("open-top", "own-column"),
    "tfu/step": ("one-step",),
    "tfu/can-play": ("play-on",),
    "tfu/not-out": ("play-out",),
}
"""Each rule with every way its refusals are put right."""

_PRESSES: Final = frozenset(
    {
        *("tifo/ola-empty", "tifo/ola-target", "tifo/ola-ola", "tfu/layout", "tfu/can-play", "tfu/not-out"),
        *("tipouik/nothing", "tipouik/value", "tipouik/after-challenge", "tipouik/count", "tipouik/hand-count"),
        *("tipouik/challenge-opening", "tipouik/challenge-self", "tipouik/challenge-closed"),
    }
)
"""Rules that only a press or a spoken word can break."""

_ZONES: Final = {
    "tifo/draw-twice": "draw",
    **{f"tifo/attack-{why}": "seat6" for why in ("out", "class", "two")},
    **{f"tifo/{rule}": "seat3" for rule in ("lay-once", "attack-self", "parade-match", "ola-place")},
    **{f"tifo/{rule}": "seat3" for rule in ("locaux", "fumis", "shout")},
    "tifo/laid-stays": "seat6",
    "tfu/column": "seat3.col4",
    "table": "discard",
    "tifo": "discard",
    "tipouik": "seat3",
    "tfu": "centre2",
}
_MORE: Final[Out] = {"values": [11, 12], "laid": 11, "hand": 11, "shown": 10, "can": [1, 2, 4]}
"""What refusals carry besides."""

_CARDS: Final = {"table": "fumis-interdits#2", "tifo": "fumis-interdits#2", "tfu": "10h"}
_TIFO: Final = ["capo#1", "echarpe#2", "voile#3", "mats#4", "fumis#1"]


@dataclass(frozen=True, slots=True)
class Sample:
    """An output, for whom, and the message id it stands for."""

    id: str
    out: Out
    viewer: int | None = None


def samples(game: str) -> list[Sample]:
    """Every message of a game (or of `table`), once for each variant that a screen can show."""
    made: list[Sample] = []
    for rule, mends in REFUSALS.items():
        if rule.startswith(f"{game}/"):
            for mend in mends:
                made += [Sample(f"rule:{rule}", _refused(game, rule, mend))] if rule not in _PRESSES else []
                if rule in _PRESSES or f"mend:{game}/{mend}-press" in catalogue("en").words:
                    made.append(Sample(f"rule:{rule}", _pressed(rule, mend)))
    if game == "table":
        made += [
            Sample("event:table/corrected", {"out": "corrected", "rule": "tifo/turn"}),
            Sample("event:table/stood", {"out": "stood", "rule": "tifo/turn"}),
            Sample("event:table/undone", {"out": "undone", "seat": 3, "move": "lay"}),
            Sample("event:table/undone", {"out": "undone", "seat": None, "move": "play"}),
            Sample("event:table/reveal", {"out": "reveal", "seat": 3, "cards": ["any#1", "8#3", "plus2#1"]}),
        ]
        return made
    made += [Sample(f"move:{game}/{_name(move)}", {"out": "move", **move}) for move in _MOVES[game]]
    made += [
        Sample(f"turn:{game}/{game}", {"out": "turn", "seat": 4, "may": list(may)}, viewer)
        for may in _MAY[game]
        for viewer in (None, 4)
    ]
    made += [Sample(f"say:{text}", {"out": "say", **say, "text": text}, v) for text, say, v in _SAYS[game]]
    made += [Sample(f"over:{game}/{by}", {"out": "over", "winners": w, "by": by}) for by, w in _OVERS[game]]
    scores = [0, 1, 12, 105][: SEATS[game]] if game != "tipouik" else [0, 1, 2, 5, 21, 34, 48, 55, 62, 101]
    if game != "tfu":
        made.append(Sample(f"event:{game}/score", {"out": "score", "scores": scores}))
    if game != "tifo":
        made.append(Sample(f"event:{game}/match", {"out": "match", "winners": [2]}))
    return made


def text(sample: Sample, game: str, lang: str) -> Text:
    """The words of a sample."""
    kinds = tuple((f"seat{n}", ZoneKind.PASS) for n in range(1, 11)) if game == "tipouik" else ()
    context = Context("tifo" if game == "table" else game, SEATS[game], lang=lang, kinds=kinds)
    return text_of(sample.out, context, lang, sample.viewer)


def extra_texts(game: str, lang: str) -> list[tuple[str, Text]]:
    """Messages that no output brings: titles of the games, devices."""
    if game != "table":
        context = Context(game, SEATS[game])
        texts = [(f"game:table/{game}", title_text(context, lang))]
        return [*texts, (f"start:{game}/{game}", start_text(context, lang, None))] if game == "tfu" else texts
    devices = {"reader": "discard-2", "display": "seat6", "button": "seat6.call", "separate": "discard-2"}
    events = ("reader-dead", "reader-back", "separate", "display-dead", "display-back", "button-stuck", "button-free")
    return [(f"device:table/{e}", device_text(lang, e, devices[e.split("-")[0]])) for e in events]


def _refused(game: str, rule: str, mend: str) -> Out:
    zone = _ZONES.get(rule, _ZONES[game])
    out: dict[str, object] = {**_MORE, "out": "refused", "rule": rule, "seat": 3, "zone": zone, "mend": mend}
    if rule == "tifo/laid-stays":
        out["seat"] = None
    if rule == "table/unknown-card":
        return {**out, "seat": None, "uid": "04A1B2C3D4E5F6"}
    if rule == "tfu/step":
        out["tie"] = True
    return {**out, "card": _CARDS[game]} if game in _CARDS else out


def _pressed(rule: str, mend: str) -> Out:
    told = {} if rule == "tipouik/count" else {"button": "seat3.next"}
    return {**_MORE, "out": "refused", "rule": rule, "seat": 3, "zone": None, "mend": mend, **told}


def _name(move: Out) -> str:
    return f"verdict-{move['result']}" if move["move"] == "verdict" else str(move["move"])


_MOVES: Final[dict[str, list[dict[str, object]]]] = {
    "tifo": [
        {"seat": 4, "move": "draw", "card": "fumis-interdits#1"},
        {"seat": 4, "move": "draw"},
        {"seat": 4, "move": "lay", "card": "voile#1"},
        {"seat": 4, "move": "attack", "card": "interdit#1", "target": 5},
        {"seat": 4, "move": "parry", "card": "mediation#20", "attack": "fumis-interdits#1"},
        {"seat": 4, "move": "discard", "card": "fumis-interdits#4"},
        {"seat": 4, "move": "discard"},
        {"seat": 4, "move": "ola", "card": "ola#1"},
        {"seat": 4, "move": "rob", "target": 6},
        {"seat": 4, "move": "swap", "card": "fumis-interdits#2"},
        {"seat": 4, "move": "swap"},
        {"seat": 4, "move": "tifo", "cards": _TIFO},
        {"seat": 4, "move": "eliminated"},
        {"seat": 4, "move": "pile", "number": 3},
    ],
    "tipouik": [
        {"seat": 10, "move": "open"},
        {"seat": 10, "move": "pose", "count": 1, "value": 12},
        {"seat": 10, "move": "pose", "count": 11, "value": 12},
        {"seat": 10, "move": "pass"},
        {"seat": 10, "move": "challenge", "target": 9},
        {"seat": 10, "move": "verdict", "result": "bluff"},
        {"seat": 10, "move": "verdict", "result": "honest"},
        {"seat": 10, "move": "verdict", "result": "red"},
        {"seat": 10, "move": "take", "count": 12},
        {"seat": 10, "move": "give", "to": 9},
        {"seat": 10, "move": "draw", "from": 9, "count": 2},
        {"seat": 10, "move": "title", "king": 10, "abru": 9},
    ],
    "tfu": [
        {"seat": 2, "move": "call"},
        {"seat": 2, "move": "spit", "pile": 1, "card": "10h"},
        {"seat": 2, "move": "play", "pile": 1, "card": "Qs", "column": 4},
        {"seat": None, "move": "play", "pile": 2, "card": "10d", "column": None},
        {"seat": 2, "move": "turn-over", "pile": 1},
        {"seat": 2, "move": "out"},
    ],
}
_MAY: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "tifo": (
        ("draw",),
        ("rob", "swap", "let-go"),
        ("parry", "ola", "concede"),
        ("lay", "attack", "parry", "discard", "ola", "call"),
    ),
    "tipouik": (("same", "next", "pass"), ("next", "pass"), ("take-back",), ("give",), ("take",), ("draw",)),
    "tfu": (),
}
_Say = tuple[str, dict[str, object], int | None]
_SAYS: Final[dict[str, list[_Say]]] = {
    "tifo": [
        ("tifo/final-turn", {"to": "all"}, None),
        ("tifo/robbed-draw", {"to": 5}, 5),
        ("tifo/robbed-short", {"to": 5}, 5),
        ("tifo/play-again", {"to": 4}, 4),
    ],
    "tipouik": [
        ("tipouik/who-has-one", {"to": "all"}, None),
        ("tipouik/king-gives", {"to": 10, "args": {"to": 9}}, 10),
        ("tipouik/take-cards", {"to": 10, "args": {"count": 12}}, 10),
        ("tipouik/give-card", {"to": 10, "args": {"to": 9}}, 10),
        ("tipouik/draw-cards", {"to": 10, "args": {"count": 2, "from": 9}}, 10),
        ("tipouik/next-value", {"to": 10, "args": {"value": 12}}, 10),
        ("tipouik/final-window", {"to": "all", "args": {"seat": 10, "seconds": 5.0}}, None),
        ("tipouik/show-hands", {"to": "all"}, None),
    ],
    "tfu": [
        ("tfu/spit", {"to": "all"}, None),
        ("tfu/go", {"to": "all"}, None),
        ("tfu/closed", {"to": "all", "args": {"pile": 2}}, None),
        ("tfu/spare-out", {"to": "all", "args": {"seat": 2}}, None),
        ("tfu/fewest", {"to": "all"}, None),
        ("tfu/again", {"to": "all", "args": {"round": 3}}, None),
        ("tfu/deal", {"to": 2, "args": {"round": 12, "cards": 26, "spare": 16}}, 2),
    ],
}
_OVERS: Final[dict[str, list[tuple[str, list[int]]]]] = {
    "tifo": [("tifo", [4]), ("points", [1, 2, 5, 6]), ("last-standing", [4])],
    "tipouik": [("empty-hand", [10]), ("all-passed", [])],
    "tfu": [("columns-empty", [2]), ("no-cards", [2]), ("blocked", [2]), ("blocked", [])],
}

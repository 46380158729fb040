"""Writes headers, inputs and outputs of a table record as plain dicts, keys in the order of the format."""

from typing import assert_never

from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.rulings import (
    Corrected,
    Match,
    Move,
    Over,
    Refused,
    Reveal,
    Ruling,
    Say,
    Score,
    Stood,
    Turn,
    Undone,
)
from engine.setup import Setup
from engine.zones import usual_kind

Line = dict[str, object]


def header_line(setup: Setup) -> Line:
    """The header of a record of this table."""
    usual = all(kind is usual_kind(zone) for zone, kind in setup.zones.items())
    zones: object = list(setup.zones) if usual else {z: k.value for z, k in setup.zones.items()}
    first: Line = {"first": setup.first} if setup.spec.has_first else {}
    return {
        "arbitre": 1,
        "game": setup.spec.id,
        "seats": setup.seats,
        **first,
        "mode": setup.mode.value,
        "options": dict(setup.options),
        "zones": zones,
    }


def input_line(o: Observation) -> Line:
    """One observation as it stands in a record."""
    match o:
        case Placed():
            line: Line = {"t": o.t, "in": "placed", "zone": o.zone, "card": o.card}
            if o.contact is not None:
                line["contact"] = o.contact
            if o.after is not None:
                line["after"] = o.after
            return line
        case Lifted():
            return {"t": o.t, "in": "lifted", "zone": o.zone, "card": o.card}
        case Pressed():
            return {"t": o.t, "in": "pressed", "button": o.button}
        case Tick():
            return {"t": o.t, "in": "tick"}
        case Announce():
            spoken: Line = {"t": o.t, "in": "announce", "seat": o.seat, "value": o.value}
            return spoken if o.count is None else {**spoken, "count": o.count}
        case Unknown():
            return {"t": o.t, "in": "unknown", "zone": o.zone, "uid": o.uid}
        case _:
            assert_never(o)


def output_line(r: Ruling) -> Line:
    """One ruling as the arbiter's record holds it, secrets included."""
    return _line(r, frozenset())


def public_output(r: Ruling) -> Line | None:
    """One ruling as everybody may see it; None if it is for one seat only."""
    if isinstance(r, Say) and r.to != "all":
        return None
    secret: frozenset[str] = getattr(r, "secret", frozenset())
    return _line(r, secret)


def _line(r: Ruling, secret: frozenset[str]) -> Line:
    head: Line = {"t": r.t, "out": _NAMES[type(r)]}
    return {k: v for k, v in {**head, **_body(r)}.items() if k not in secret}


_NAMES: dict[type, str] = {
    Move: "move",
    Refused: "refused",
    Corrected: "corrected",
    Stood: "stood",
    Undone: "undone",
    Turn: "turn",
    Reveal: "reveal",
    Score: "score",
    Over: "over",
    Match: "match",
    Say: "say",
}


def _body(r: Ruling) -> Line:
    match r:
        case Move() | Undone():
            return {"seat": r.seat, "move": r.move, **_args(r.args)}
        case Refused():
            return _refused(r)
        case Corrected() | Stood():
            return {"rule": r.rule, "seat": r.seat, "zone": r.zone, "card": r.card}
        case Turn():
            return {"seat": r.seat, "may": list(r.may)}
        case Reveal():
            return {"seat": r.seat, "cards": list(r.cards)}
        case Score():
            return {"scores": list(r.scores)}
        case Over():
            return {"winners": list(r.winners), "by": r.by}
        case Match():
            scores: Line = {} if r.scores is None else {"scores": list(r.scores)}
            return {"winners": list(r.winners), **scores}
        case Say():
            return {"to": r.to, "text": r.text, "args": _args(r.args)}
        case _:
            assert_never(r)


def _refused(r: Refused) -> Line:
    line: Line = {"rule": r.rule, "seat": r.seat, "zone": r.zone}
    for key in ("card", "button", "uid"):
        value = getattr(r, key)
        if value is not None:
            line[key] = value
    line["mend"] = r.mend
    if r.tie:
        line["tie"] = True
    return {**line, **_args(r.args)}


def _args(args: tuple[tuple[str, object], ...]) -> Line:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in args}

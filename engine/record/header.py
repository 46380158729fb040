"""Line 1 of a table record: which game, which table. Read into a `Setup` and written from one."""

from collections.abc import Mapping
from typing import cast

from engine.errors import RecordError, SetupError
from engine.games import SPECS
from engine.record.json_line import show
from engine.setup import GameSpec, Mode, Setup
from engine.zones import ZoneKind, usual_kind

VERSION = 1
_KEYS = ("arbitre", "game", "seats", "first", "mode", "options", "zones")


def read_header(raw: Mapping[str, object]) -> Setup:
    """The table that a header describes. Raises `RecordError` (line 1)."""
    for key in raw:
        if key not in _KEYS and not key.startswith("x-"):
            raise _fault(f"key {show(key)} in the header", f"one of {', '.join(_KEYS)} or x-...")
    version = raw.get("arbitre")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        what = "no key 'arbitre'" if "arbitre" not in raw else f"format version {show(version)}"
        raise _fault(what, f'"arbitre": {VERSION}')
    game = raw.get("game")
    if not isinstance(game, str) or game not in SPECS:
        raise _fault(f"game {show(game)}", f"one of {', '.join(SPECS)}")
    spec = SPECS[game]
    seats = _whole(raw, "seats", None, f"{spec.min_seats} to {spec.max_seats} for {game}")
    if not spec.min_seats <= seats <= spec.max_seats:
        raise _fault(f"{seats} seats", f"{spec.min_seats} to {spec.max_seats} for {game}")
    if "first" in raw and not spec.has_first:
        raise _fault(f"'first' in a game of {game}", "it only in tifo")
    first = _whole(raw, "first", 1, f"a seat from 1 to {seats}")
    mode = raw.get("mode", "play")
    if mode not in ("play", "referee"):
        raise _fault(f"mode {show(mode)}", "play or referee")
    try:
        return Setup(spec, seats, first, Mode(mode), _options(raw, spec), _zones(raw))
    except SetupError as e:
        what, _, expected = str(e).partition(", expected ")
        raise _fault(what, expected) from None


def _options(raw: Mapping[str, object], spec: GameSpec) -> Mapping[str, bool | int | float]:
    options = raw.get("options", {})
    if not isinstance(options, dict):
        raise _fault(f"options {show(options)}", "an object of option names and values")
    for name, value in options.items():
        if name not in spec.options:
            known = ", ".join(sorted(spec.options))
            raise _fault(f"option {show(name)} in {spec.id}", f"one of: {known}")
        if not spec.options[name].takes(value):
            raise _fault(f"option {name} {show(value)}", spec.options[name].value)
    return cast("Mapping[str, bool | int | float]", options)


def _zones(raw: Mapping[str, object]) -> Mapping[str, ZoneKind]:
    zones = raw.get("zones")
    if zones is None and "zones" not in raw:
        return {}
    if isinstance(zones, list) and zones and all(isinstance(z, str) for z in zones):
        if len(set(zones)) != len(zones):
            raise _fault("a zone named twice", "each zone once")
        return {z: usual_kind(z) for z in zones}
    if isinstance(zones, dict) and zones:
        for zone, kind in zones.items():
            if kind not in ("spread", "pile", "pass"):
                raise _fault(f"kind {show(kind)} of zone {show(zone)}", "spread, pile or pass")
        return {z: ZoneKind(k) for z, k in zones.items()}
    raise _fault(f"zones {show(zones)}", "a list of names, or an object name -> kind")


def _whole(raw: Mapping[str, object], key: str, default: int | None, expected: str) -> int:
    value = raw.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _fault(f"{key} {show(value)}" if key in raw else f"no key '{key}'", expected)
    return value


def _fault(what: str, expected: str) -> RecordError:
    return RecordError(1, what, expected)

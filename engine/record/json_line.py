"""One line of JSON, read with no mercy: no duplicate keys, no NaN, no endless nesting, no endless line."""

import json
from collections.abc import Mapping
from typing import NoReturn, cast

from engine.errors import RecordError

MAX_LINE = 65_536
"""Bytes; a real record's longest line (a header with all zones) is some fifty times shorter."""


def check_length(raw: bytes, number: int) -> None:
    """Raises `RecordError` for a line that nobody should have to read."""
    if len(raw) > MAX_LINE:
        raise RecordError(number, f"a line of {len(raw)} bytes", f"at most {MAX_LINE}")


def decode_line(raw: bytes, number: int) -> Mapping[str, object]:
    """The object on a line that `check_length` let pass. Raises `RecordError` naming line, fault and expectation."""
    if number == 1 and raw.startswith(b"\xef\xbb\xbf"):
        raise RecordError(number, "a byte order mark", "plain UTF-8 that begins with {")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as e:
        raise RecordError(number, f"byte {e.start + 1} is not UTF-8", "UTF-8 text") from None
    try:
        value = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
    except json.JSONDecodeError as e:
        raise RecordError(number, f"no JSON at column {e.colno} ({e.msg})", "one whole JSON object") from None
    except RecursionError:
        raise RecordError(number, "brackets nested too deep", "one flat JSON object") from None
    except _FaultError as e:
        raise RecordError(number, str(e), e.expected) from None
    except ValueError:
        raise RecordError(number, "a number with too many digits", "a number a table can measure") from None
    if not isinstance(value, dict):
        raise RecordError(number, f"{_kind(value)} instead of an object", "one JSON object a line")
    return cast(Mapping[str, object], value)


class _FaultError(Exception):
    def __init__(self, what: str, expected: str) -> None:
        super().__init__(what)
        self.expected = expected


def _no_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    out: dict[str, object] = {}
    for key, value in pairs:
        if key in out:
            raise _FaultError(f"key {show(key)} stands twice", "each key once")
        out[key] = value
    return out


def _no_constant(name: str) -> NoReturn:
    raise _FaultError(f"{name} is no number of JSON", "a finite number")


def _kind(value: object) -> str:
    names = {list: "a list", str: "a string", bool: "a truth value", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def show(value: object, most: int = 60) -> str:
    """A value of the file as it may stand in a one-line message: ASCII, cut short."""
    text = json.dumps(value) if not isinstance(value, str) else json.dumps(value[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."

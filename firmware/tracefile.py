"""Reads a trace (its format: `firmware/trace.py`), each fault told as `FILE:LINE: what is wrong, expected ...`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from engine.errors import RecordError
from engine.record.json_line import check_length, decode_line, show
from firmware.errors import FirmwareError

VERSION = 1
_UID_BYTES = (4, 7)  # what an emulated tag can have


class TraceError(FirmwareError):
    """A trace that cannot be read: `FILE:LINE: what is wrong, expected ...`."""


@dataclass(frozen=True, slots=True)
class Window:
    """One chip-select window: what went out, and what came back meanwhile. `t`: seconds, at its end."""

    line: int
    t: float
    tx: bytes
    rx: bytes


@dataclass(frozen=True, slots=True)
class Tags:
    """From `t` on the reader has these tags, and no others. A hand moved between `since` and `until`."""

    line: int
    t: float
    uids: tuple[str, ...]
    since: float
    until: float


def read_trace(lines: Iterable[bytes], name: str) -> tuple[Window | Tags, ...]:
    """What a trace holds after its header. `name` is for messages. Raises `TraceError`."""
    try:
        return tuple(_entries(lines))
    except RecordError as e:
        raise TraceError(f"{name}:{e.line}: {e}") from None


def _entries(lines: Iterable[bytes]) -> Iterator[Window | Tags]:
    begun, last = False, 0.0
    for number, raw in enumerate(lines, 1):
        check_length(raw, number)
        if not raw.strip():
            continue
        fields = decode_line(raw, number)
        if not begun:
            begun = True
            _check_header(fields)
            continue
        if "tags" in fields:
            t = _seconds(fields, number)
            since, until = (_seconds(fields, number, key) if key in fields else t for key in ("since", "until"))
            yield Tags(number, t, _uids(fields["tags"], number), since, until)
            continue
        window = _window(fields, number)
        if window.t < last:
            raise RecordError(number, f"time goes back from {show(last)} to {show(window.t)}", f"t from {show(last)}")
        last = window.t
        yield window
    if not begun:
        raise RecordError(1, "no header", f'{{"trace": {VERSION}, ...}}')


def _check_header(fields: Mapping[str, object]) -> None:
    version = fields.get("trace")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        what = f"version {show(version)}" if "trace" in fields else "no header"
        raise RecordError(1, what, f'{{"trace": {VERSION}, ...}}')


def _window(fields: Mapping[str, object], number: int) -> Window:
    if not {"t", "tx", "rx"} <= fields.keys():
        raise RecordError(number, "no window and no tags", "t, tx and rx (hex), or t and tags")
    t, tx, rx = _seconds(fields, number), _hex(fields, "tx", number), _hex(fields, "rx", number)
    if not tx or len(tx) != len(rx):
        raise RecordError(number, f"{len(tx)} bytes out, {len(rx)} in", "as many of both, at least one")
    return Window(number, t, tx, rx)


def _seconds(fields: Mapping[str, object], number: int, key: str = "t") -> float:
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12 or not isfinite(value):
        raise RecordError(
            number, f"{key} {show(value)}" if key in fields else f"no key {key!r}", "seconds, a number from 0"
        )
    return float(value)


def _hex(fields: Mapping[str, object], key: str, number: int) -> bytes:
    value = fields[key]
    try:
        return bytes.fromhex(value if isinstance(value, str) else "?")
    except ValueError:
        raise RecordError(number, f"{key} {show(value)}", "bytes, two hex digits each") from None


def _uids(value: object, number: int) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise RecordError(number, f"tags {show(value)}", "a list of UIDs")
    for uid in value:
        good = isinstance(uid, str) and not set(uid) - set("0123456789ABCDEF")
        if not good or len(uid) not in [2 * size for size in _UID_BYTES]:
            raise RecordError(number, f"tag {show(uid)}", "a UID, 8 or 14 upper-case hex digits")
    return tuple(dict.fromkeys(value))

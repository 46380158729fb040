"""Reads a table record, checking every line against the game and the table its header names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from engine.cards import ALL_CARDS
from engine.errors import RecordError
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.record.header import read_header
from engine.record.json_line import check_length, decode_line, show
from engine.setup import Setup


@dataclass(frozen=True, slots=True)
class Output:
    """An output line as it stands in the file."""

    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header; `line` counts from 1."""

    line: int
    what: Observation | Output


@dataclass(frozen=True, slots=True)
class Record:
    """A whole table record."""

    setup: Setup
    entries: tuple[Entry, ...]

    @property
    def inputs(self) -> tuple[Observation, ...]:
        """The observations alone, in order."""
        return tuple(e.what for e in self.entries if not isinstance(e.what, Output))


_KEYS = {
    "placed": ("zone", "card"),
    "lifted": ("zone", "card"),
    "pressed": ("button",),
    "tick": (),
    "announce": ("seat", "value"),
    "unknown": ("zone", "uid"),
}
_MAY = {"placed": ("contact", "after"), "announce": ("count",)}


def read_record(lines: Iterable[bytes]) -> Record:
    """A record from its lines (bytes, with or without line ends). Raises `RecordError`."""
    setup: Setup | None = None
    entries: list[Entry] = []
    last = 0.0
    for number, raw in enumerate(lines, 1):
        check_length(raw, number)
        if not raw.strip():
            if setup is None:
                raise RecordError(number, "an empty line", "the header")
            continue
        fields = decode_line(raw, number)
        if setup is None:
            setup = read_header(fields)
            continue
        what = _entry(fields, number, setup)
        if not isinstance(what, Output):
            if what.t < last:
                told = f"time goes back from {show(last)} to {show(what.t)}"
                raise RecordError(number, told, f"t from {show(last)}")
            last = what.t
        entries.append(Entry(number, what))
    if setup is None:
        raise RecordError(1, "an empty file", "the header of a table record")
    return Record(setup, tuple(entries))


def _entry(fields: Mapping[str, object], number: int, setup: Setup) -> Observation | Output:
    line = _Line(fields, number, setup)
    t = line.seconds("t")
    if "out" in fields:
        if "in" in fields or not isinstance(fields["out"], str):
            raise RecordError(number, "a line that is neither input nor output", "either 'in' or 'out', a name")
        return Output(fields)
    kind = fields.get("in")
    if not isinstance(kind, str) or kind not in _KEYS:
        what = f"input {show(kind)}" if "in" in fields else "no key 'in' or 'out'"
        raise RecordError(number, what, f"one of {', '.join(_KEYS)}")
    if kind not in setup.spec.inputs:
        known = ", ".join(sorted(setup.spec.inputs))
        raise RecordError(number, f"input '{kind}' in {setup.spec.id}", f"one of {known}")
    line.only(("t", "in", *_KEYS[kind], *_MAY.get(kind, ())))
    return _observation(kind, t, line)


def _observation(kind: str, t: float, line: "_Line") -> Observation:
    match kind:
        case "placed":
            contact, after = line.maybe_seconds("contact"), line.maybe_seconds("after")
            if contact is not None and contact > t:
                raise RecordError(line.number, f"contact {show(contact)} after t {show(t)}", "contact up to t")
            if after is not None and after > (t if contact is None else contact):
                raise RecordError(line.number, f"after {show(after)} later than the contact", "after up to contact")
            return Placed(t, line.zone(), line.card(), contact, after)
        case "lifted":
            return Lifted(t, line.zone(), line.card())
        case "pressed":
            return Pressed(t, line.button())
        case "tick":
            return Tick(t)
        case "announce":
            count = line.whole("count", 0) if "count" in line.fields else None
            return Announce(t, line.seat(), line.whole("value", 0), count)
        case _:
            return Unknown(t, line.zone(), line.uid())


@dataclass(frozen=True, slots=True)
class _Line:
    fields: Mapping[str, object]
    number: int
    setup: Setup

    def only(self, keys: tuple[str, ...]) -> None:
        for key in self.fields:
            if key not in keys and not key.startswith("x-"):
                raise RecordError(self.number, f"key {show(key)}", f"one of {', '.join(keys)} or x-...")

    def seconds(self, key: str) -> float:
        value = self.fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            what = f"{key} {show(value)}" if key in self.fields else f"no key '{key}'"
            raise RecordError(self.number, what, "seconds, a number from 0")
        try:
            number = float(value)
        except OverflowError:
            number = float("inf")
        if not isfinite(number) or number < 0:
            raise RecordError(self.number, f"{key} {show(number)}", "seconds, a finite number from 0")
        return number

    def maybe_seconds(self, key: str) -> float | None:
        return self.seconds(key) if key in self.fields else None

    def zone(self) -> str:
        zone = self.fields.get("zone")
        if not isinstance(zone, str) or zone not in self.setup.zones:
            raise self._fault("zone", f"one of the zones: {', '.join(self.setup.zones)}")
        return zone

    def card(self) -> str:
        card = self.fields.get("card")
        if not isinstance(card, str) or card not in ALL_CARDS:
            raise self._fault("card", "a card such as capo#1, 5#2 or 10h")
        return card

    def button(self) -> str:
        button = self.fields.get("button")
        buttons = self.setup.spec.buttons(self.setup.seats)
        if not isinstance(button, str) or button not in buttons:
            spec = self.setup.spec
            roles = f"{'/'.join(spec.seat_buttons)} or table.{'/'.join(spec.table_buttons)}"
            raise self._fault("button", f"seat1..seat{self.setup.seats}.{roles}")
        return button

    def seat(self) -> int:
        seat = self.whole("seat", 1)
        if seat > self.setup.seats:
            raise self._fault("seat", f"1 to {self.setup.seats}")
        return seat

    def uid(self) -> str:
        uid = self.fields.get("uid")
        if not isinstance(uid, str) or not uid or len(uid) > 20 or set(uid) - set("0123456789ABCDEF"):
            raise self._fault("uid", "upper-case hex digits, 20 at most")
        return uid

    def whole(self, key: str, least: int) -> int:
        value = self.fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self._fault(key, f"a whole number from {least}")
        return value

    def _fault(self, key: str, expected: str) -> RecordError:
        what = f"{key} {show(self.fields[key])}" if key in self.fields else f"no key '{key}'"
        return RecordError(self.number, what, expected)

"""Traces of a real bus: every chip-select window with its time, so that a real chip can be held against the twin.

JSON Lines. Line 1: `{"trace": 1, "reader": ..., "clock_hz": ...}`. Then `{"t": seconds, "tx": hex, "rx": hex}` for
each window, and `{"t": ..., "tags": [uid, ...]}` where the reader's tags have changed. Replaying puts tags on a
twin's antenna as the trace says, sends the same windows at the same times and compares what comes back.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO

from firmware.errors import FirmwareError
from hardware.looks import Look
from hardware.mfrc522 import registers
from hardware.spi import Spi
from hardware.steps import Clock
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

VERSION = 1
BEFORE_S = 0.0062
"""A tag lay there this long before its first answer was read: 5 ms of field to wake up, and the frames."""


class TracedSpi:
    """Wires that write down what passes (`hardware.spi.Spi`)."""

    def __init__(self, spi: Spi, clock: Clock, file: IO[str], reader: str, clock_hz: int) -> None:
        self._spi, self._clock, self._file = spi, clock, file
        self._tags: tuple[str, ...] = ()
        self._write({"trace": VERSION, "reader": reader, "clock_hz": clock_hz})

    def transfer(self, data: bytes) -> bytes:
        """One window, noted with the time at its end."""
        answer = self._spi.transfer(data)
        self._write({"t": round(self._clock.now(), 6), "tx": data.hex(), "rx": answer.hex()})
        return answer

    def note(self, look: Look) -> None:
        """Note which tags a look found, where that has changed."""
        gone = set(look.silent)
        tags = tuple(dict.fromkeys([uid for uid in self._tags if uid not in gone] + list(look.present)))
        if tags != self._tags:
            self._tags = tags
            first = min((at for _, at in look.contacts), default=look.began)
            self._write({"t": round(first, 6), "tags": list(tags)})

    def close(self) -> None:
        """Give the wires back; the file is the caller's."""
        self._spi.close()

    def _write(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")


@dataclass(frozen=True, slots=True)
class Difference:
    """One window to which twin and real chip answered differently. `line` is its line in the file."""

    line: int
    t: float
    tx: bytes
    real: bytes
    twin: bytes

    def describe(self) -> str:
        """In words: which registers differ, and how."""
        read = [byte for byte in self.tx[:-1] if byte & 0x80]
        if not read:
            return f"line {self.line}: written {self.tx.hex()}, real {self.real.hex()}, twin {self.twin.hex()}"
        parts = [
            f"{_name(address)} real {real:02X} twin {twin:02X}"
            for address, real, twin in zip(read, self.real[1:], self.twin[1:], strict=False)
            if real != twin
        ]
        return f"line {self.line}, {self.t:.6f} s: {', '.join(parts)}"


@dataclass(slots=True)
class Comparison:
    """What a replay found."""

    windows: int = 0
    differences: list[Difference] = field(default_factory=list)

    def registers(self) -> Counter[str]:
        """How often each register differed."""
        found: Counter[str] = Counter()
        for each in self.differences:
            for address, real, twin in zip(each.tx[:-1], each.real[1:], each.twin[1:], strict=False):
                if address & 0x80 and real != twin:
                    found[_name(address)] += 1
        return found


_NAMES = {
    getattr(registers, name): name
    for name in dir(registers)
    if name.startswith(("COM", "DIV", "FIFO", "CONTROL", "BIT", "COLL", "T_", "TX_ASK", "RF", "VERSION"))
    or name in ("ERROR", "MODE", "TX_CONTROL")
    if isinstance(getattr(registers, name), int)
}


def _name(address: int) -> str:
    number = (address >> 1) & 0x3F
    return _NAMES.get(number, f"register {number:02X}")


class TraceError(FirmwareError):
    """A trace that cannot be read: `FILE:LINE: what is wrong, expected ...`."""


def replay(lines: Iterable[str], name: str) -> Comparison:
    """Send a trace's windows to a twin. Raises `TraceError`."""
    entries = [_entry(line, number, name) for number, line in enumerate(lines, 1) if line.strip()]
    if not entries or "trace" not in entries[0][1]:
        raise TraceError(f'{name}:1: no header, expected {{"trace": {VERSION}, ...}}')
    air, clock = Field(), TimeLine()
    air.add_reader("reader")
    _lay(air, entries, name)
    chip = Mfrc522Twin(air, "reader", clock, version=_version(entries))
    port = TwinBus(clock, Costs(call_s=0.0, clock_hz=1e12, edge_s=0.0))
    wires = port.add(chip)
    found = Comparison()
    for number, entry in entries[1:]:
        if "tx" not in entry:
            continue
        t, tx, rx = _window(entry, number, name)
        clock.advance_to(t)
        twin = wires.transfer(tx)
        found.windows += 1
        if tx[0] & 0x80 and twin[1:] != rx[1:]:  # what comes back while the address goes out means nothing
            found.differences.append(Difference(number, t, tx, rx, twin))
    return found


def _entry(line: str, number: int, name: str) -> tuple[int, dict[str, object]]:
    try:
        value = json.loads(line)
    except ValueError:
        raise TraceError(f"{name}:{number}: no JSON, expected one object a line") from None
    if not isinstance(value, dict):
        raise TraceError(f"{name}:{number}: no object, expected one object a line")
    return number, value


def _window(entry: dict[str, object], number: int, name: str) -> tuple[float, bytes, bytes]:
    try:
        t, tx, rx = float(str(entry["t"])), bytes.fromhex(str(entry["tx"])), bytes.fromhex(str(entry["rx"]))
    except (KeyError, ValueError):
        raise TraceError(f"{name}:{number}: no window, expected t, tx and rx (hex)") from None
    if not tx or len(tx) != len(rx):
        sizes = f"{len(tx)} bytes out, {len(rx)} in"
        raise TraceError(f"{name}:{number}: {sizes}, expected as many of both, at least one")
    return t, tx, rx


def _lay(air: Field, entries: list[tuple[int, dict[str, object]]], name: str) -> None:
    """Put the tags of a trace on the antenna, each a little before it was heard."""
    tags: dict[str, Tag] = {}
    there: set[str] = set()
    for number, entry in entries:
        if "tags" not in entry:
            continue
        now = entry["tags"]
        if not isinstance(now, list):
            raise TraceError(f"{name}:{number}: tags is no list, expected UIDs")
        at = float(str(entry.get("t", 0.0)))
        for uid in there - set(map(str, now)):
            air.take(tags[uid], at)
        for uid in [str(one) for one in now if one not in there]:
            if uid not in tags:
                tags[uid] = Tag(uid, TagKind.CLASSIC_1K if len(uid) == 8 else TagKind.NTAG213)
            air.put(tags[uid], "reader", max(0.0, at - BEFORE_S))
        there = set(map(str, now))


def _version(entries: list[tuple[int, dict[str, object]]]) -> int:
    """The version byte the real chip gave, so that the twin is the same chip."""
    wanted = registers.read_address(registers.VERSION)
    for _, entry in entries:
        tx, rx = bytes.fromhex(str(entry.get("tx", ""))), bytes.fromhex(str(entry.get("rx", "")))
        if len(tx) == 2 and tx[0] == wanted and rx[1] not in (0x00, 0xFF):
            return rx[1]
    return 0x92

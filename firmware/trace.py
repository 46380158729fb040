"""Traces of a real bus: every chip-select window with its time, so that a real chip can be held against the twin.

JSON Lines. Line 1: `{"trace": 1, "reader": ..., "clock_hz": ...}`. Then `{"t": seconds, "tx": hex, "rx": hex}` for
each window, and `{"t": ..., "tags": [uid, ...], "since": ..., "until": ...}` where the reader's tags have changed.
Replaying puts tags on a twin's antenna as the trace says, sends the same windows at the same times and compares what
comes back. When a hand moved between `since` and `until` no trace can tell: who answered then is not compared.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO

from firmware.tracefile import VERSION, Tags, TraceError, Window, read_trace
from hardware.looks import Look
from hardware.mfrc522 import registers
from hardware.spi import Spi
from hardware.steps import Clock
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

__all__ = ["Comparison", "Difference", "TraceError", "TracedSpi", "replay"]

BEFORE_S = 0.0062
"""A tag lay there this long before its first answer was read: 5 ms of field to wake up, and the frames."""


class TracedSpi:
    """Wires that write down what passes (`hardware.spi.Spi`)."""

    def __init__(self, spi: Spi, clock: Clock, file: IO[str], reader: str, clock_hz: int) -> None:
        self._spi, self._clock, self._file = spi, clock, file
        self._tags: dict[str, float] = {}  # UID -> end of the last look in which it answered
        self._clean = 0.0  # beginning of the last look that found nothing new
        self._write({"trace": VERSION, "reader": reader, "clock_hz": clock_hz})

    def transfer(self, data: bytes) -> bytes:
        """One window, noted with the time at its end."""
        answer = self._spi.transfer(data)
        self._write({"t": round(self._clock.now(), 6), "tx": data.hex(), "rx": answer.hex()})
        return answer

    def note(self, look: Look) -> None:
        """Note which tags a look found, where that has changed."""
        gone = [self._tags.pop(uid) for uid in look.silent if uid in self._tags]
        came = [uid for uid in look.present if uid not in self._tags]
        self._tags.update(dict.fromkeys(look.present, look.ended))
        if gone or came:
            first = min((at for _, at in look.contacts), default=look.began)
            since = min([*gone, *([self._clean] if came else [])])
            times = {"t": first, "since": since, "until": look.ended}
            self._write({**{key: round(at, 6) for key, at in times.items()}, "tags": list(self._tags)})
        if look.trouble is None and not came:
            self._clean = look.began

    def close(self) -> None:
        """Give the wires back; the file is the caller's."""
        self._spi.close()

    def _write(self, line: dict[str, object]) -> None:
        try:
            self._file.write(json.dumps(line) + "\n")
        except OSError as e:
            name = getattr(self._file, "name", "trace")
            raise TraceError(f"{name}:1: cannot be written ({e.strerror}), expected room on the disk") from e


@dataclass(frozen=True, slots=True)
class Difference:
    """One window to which twin and real chip answered differently. `line` is its line in the file."""

    line: int
    t: float
    tx: bytes
    real: bytes
    twin: bytes

    def addresses(self) -> list[int]:
        """The address bytes of the registers that differ."""
        read = zip(self.tx[:-1], self.real[1:], self.twin[1:], strict=False)
        return [address for address, real, twin in read if address & 0x80 and real != twin]

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
    unsure: int = 0
    """Windows that differ only in who answers, while a card was coming or going."""
    differences: list[Difference] = field(default_factory=list)

    def registers(self) -> Counter[str]:
        """How often each register differed."""
        found: Counter[str] = Counter()
        for each in self.differences:
            found.update(_name(address) for address in each.addresses())
        return found


_RECEPTION = {
    registers.COM_IRQ,
    registers.ERROR,
    registers.FIFO_DATA,
    registers.FIFO_LEVEL,
    registers.CONTROL,
    registers.COLL,
}
"""What depends on whether a tag answered."""

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


def replay(lines: Iterable[bytes], name: str) -> Comparison:
    """Send a trace's windows to a twin. Raises `TraceError`."""
    entries = read_trace(lines, name)
    windows = [entry for entry in entries if isinstance(entry, Window)]
    air, clock = Field(), TimeLine()
    air.add_reader("reader")
    hands = [entry for entry in entries if isinstance(entry, Tags)]
    _lay(air, hands)
    chip = Mfrc522Twin(air, "reader", clock, version=_version(windows))
    port = TwinBus(clock, Costs(call_s=0.0, clock_hz=1e12, edge_s=0.0))
    wires = port.add(chip)
    found = Comparison()
    for window in windows:
        clock.advance_to(window.t)
        twin = wires.transfer(window.tx)
        found.windows += 1
        # What comes back while the address goes out means nothing.
        if window.tx[0] & 0x80 and twin[1:] != window.rx[1:]:
            difference = Difference(window.line, window.t, window.tx, window.rx, twin)
            received = all((address >> 1) & 0x3F in _RECEPTION for address in difference.addresses())
            if received and any(hand.since <= window.t <= hand.until for hand in hands):
                found.unsure += 1
            else:
                found.differences.append(difference)
    return found


def _lay(air: Field, entries: Iterable[Tags]) -> None:
    """Put the tags of a trace on the antenna, each a little before it was heard."""
    tags: dict[str, Tag] = {}
    there: tuple[str, ...] = ()
    for entry in entries:
        for uid in there:
            if uid not in entry.uids:
                air.take(tags[uid], entry.t)
        for uid in entry.uids:
            if uid in there:
                continue
            if uid not in tags:
                tags[uid] = Tag(uid, TagKind.CLASSIC_1K if len(uid) == 8 else TagKind.NTAG213)
            air.put(tags[uid], "reader", max(0.0, entry.t - BEFORE_S))
        there = entry.uids


def _version(windows: Iterable[Window]) -> int:
    """The version byte the real chip gave, so that the twin is the same chip."""
    wanted = registers.read_address(registers.VERSION)
    for window in windows:
        if len(window.tx) == 2 and window.tx[0] == wanted and window.rx[1] not in (0x00, 0xFF):
            return window.rx[1]
    return 0x92

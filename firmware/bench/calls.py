"""Transfers, bytes and virtual time of the four things a reader does, on the emulated chip at 4 MHz.

The floor is the radio's share at 106 kbit/s alone: frames, answers and the pauses ISO/IEC 14443-3 asks for, as if
host and wire cost nothing.
"""

import logging
import sys
from collections.abc import Callable, Generator
from typing import Any

from hardware.errors import HardwareError
from hardware.iso14443 import ANSWER, REQA, SILENCE, cascade, check, find, select_frame, wake
from hardware.mfrc522 import Reader
from hardware.mfrc522.package import SpiHandle, load
from hardware.twin.air import REPLY_AFTER_0_S, REPLY_AFTER_1_S, answering_s, sending_s
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus, TwinPort
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

CALL_COSTS_US = (25, 60, 120)
UID_4 = "B0BB8904"
UID_7 = "04A81D12DE5F80"
DEADLINE_S = 1.0
PEERS = ("mfrc522", "pi_rc522")

Figure = dict[str, float]
Figures = dict[str, Any]


class Bench:
    """One emulated chip with at most one tag, and a meter."""

    def __init__(self, call_us: float, uid: str | None) -> None:
        self.line = TimeLine()
        field = Field()
        self.bus = TwinBus(self.line, Costs(call_s=call_us * 1e-6))
        self.spi: TwinPort = self.bus.add(Mfrc522Twin(field, "bench", self.line))
        if uid is not None:
            field.put(Tag(uid, TagKind.CLASSIC_1K if len(uid) == 8 else TagKind.NTAG213), "bench", at=0.0)
        self.line.advance(0.1)

    def measure(self, task: Callable[[], None]) -> Figure:
        """What `task` costs."""
        transfers, sent, began = self.bus.transfers, self.bus.bytes, self.line.now()
        task()
        return {
            "transfers": self.bus.transfers - transfers,
            "bytes": self.bus.bytes - sent,
            "virtual_ms": round((self.line.now() - began) * 1e3, 3),
        }

    def drive(self, work: Generator[float, None, Any]) -> Any:
        """Run a driver's work to its end; its waits are sleeps, which overshoot."""
        try:
            while True:
                self.line.sleep_until(next(work))
        except StopIteration as end:
            return end.value


def _expect(got: object, wanted: object) -> None:
    if got != wanted:
        raise RuntimeError(f"bench: expected {wanted!r} from the emulated chip, got {got!r}")


# ours


def _ours(call_us: float, uid: str | None) -> tuple[Bench, Reader]:
    bench = Bench(call_us, uid)
    reader = Reader("bench", bench.spi, bench.line)
    bench.drive(reader.bring_up())
    bench.line.advance(0.1)
    # the first exchange after bringing up flushes the FIFO; figures are those of the running table
    bench.drive(reader.run(wake(REQA), DEADLINE_S + bench.line.now()))
    bench.drive(reader.run(wake(REQA), DEADLINE_S + bench.line.now()))
    return bench, reader


def _empty_poll(call_us: float) -> Figure:
    bench, reader = _ours(call_us, None)
    return bench.measure(lambda: _expect(bench.drive(reader.run(wake(REQA), 9.0)), SILENCE))


def _identify(call_us: float, uid: str) -> Figure:
    bench, reader = _ours(call_us, uid)
    return bench.measure(lambda: _expect(bench.drive(reader.run(find(REQA, 0), 9.0))[1], bytes.fromhex(uid)))


def _resting(call_us: float) -> Figure:
    bench, reader = _ours(call_us, UID_7)
    return bench.measure(lambda: _expect(bench.drive(reader.run(check(bytes.fromhex(UID_7)), 9.0)), ANSWER))


# peers


def make_mfrc522(spi: TwinPort) -> Any:
    """The package's own reader object over our wires, its own initialisation done."""
    package = load("mfrc522")
    chip = object.__new__(package.MFRC522)
    chip.spi = SpiHandle(spi)
    chip.logger = logging.getLogger("mfrc522Logger")
    chip.MFRC522_Init()
    reader = object.__new__(package.SimpleMFRC522)
    reader.READER = chip
    return reader


def make_pi_rc522(spi: TwinPort) -> Any:
    """pi-rc522's reader object over our wires, its own initialisation done."""
    package = load("pirc522")
    reader = object.__new__(package.RFID)
    reader.spi = SpiHandle(spi)
    reader.pin_ce = 0
    reader.init()
    return reader


def _peer(
    make: Callable[[TwinPort], Any], call_us: float, uid: str | None, expected: Callable[[Any], bool]
) -> Figure:
    bench = Bench(call_us, uid)
    reader = make(bench.spi)
    bench.line.advance(0.1)
    read = getattr(reader, "read_id_no_block", None) or reader.read_id

    def task() -> None:
        got = read()
        if not expected(got):
            raise RuntimeError(f"bench: a peer read {got!r} from the emulated chip")

    return bench.measure(task)


def _peers(call_us: float) -> Figures:
    """Those that are installed: our driver needs mfrc522 itself, pi-rc522 is here for comparison only."""
    four = list(bytes.fromhex(UID_4))
    found: Figures = {
        "mfrc522": {
            "empty_poll": _peer(make_mfrc522, call_us, None, lambda got: got is None),
            # its number is the four bytes and the BCC
            "identify_4": _peer(make_mfrc522, call_us, UID_4, lambda got: got >> 8 == int(UID_4, 16)),
        }
    }
    if _missing() is None:
        found["pi_rc522"] = {
            "empty_poll": _peer(make_pi_rc522, call_us, None, lambda got: got is None),
            "identify_4": _peer(make_pi_rc522, call_us, UID_4, lambda got: got == four),
            "identify_7": _peer(make_pi_rc522, call_us, UID_7, lambda got: got == list(bytes.fromhex(UID_7))),
        }
    return found


def _missing() -> HardwareError | None:
    """Why pi-rc522 cannot be measured; None: it can."""
    try:
        load("pirc522")
    except HardwareError as error:
        return error
    return None


# floors


def _frame_s(frame: bytes, answer_bits: int, last_bits: int = 8) -> float:
    count = (len(frame) - 1) * 8 + last_bits
    bits = int.from_bytes(frame, "little")
    reply = REPLY_AFTER_1_S if bits >> (count - 1) & 1 else REPLY_AFTER_0_S
    return sending_s(bits, count) + reply + answering_s(answer_bits)


def _floor_s(frames: list[float]) -> float:
    return sum(frames) + (len(frames) - 1) * REPLY_AFTER_0_S


def floors_ms() -> dict[str, dict[str, float]]:
    """The radio's share of each task, in milliseconds, for who does it: the peers leave the last SELECT out."""
    reqa = _frame_s(b"\x26", 16, last_bits=7)

    def search(uid: str) -> list[float]:
        found = [reqa]
        for code, part in cascade(bytes.fromhex(uid)):
            found += [_frame_s(bytes([code, 0x20]), 40), _frame_s(select_frame(code, part), 24)]
        return found

    # nobody answers: over when the fifth bit of an answer would have been there
    empty = sending_s(0x26, 7) + REPLY_AFTER_0_S + 6 * 128 / 13.56e6
    four, seven = search(UID_4), search(UID_7)
    known = [reqa] + [_frame_s(select_frame(code, part), 24) for code, part in cascade(bytes.fromhex(UID_7))]
    peer = {"empty_poll": empty, "identify_4": _floor_s(four[:-1]), "identify_7": _floor_s(seven[:-1])}
    seconds = {
        "arbitre": {
            "empty_poll": empty,
            "identify_4": _floor_s(four),
            "identify_7": _floor_s(seven),
            "resting_tag_check": _floor_s(known),
        },
        "mfrc522": peer,
        "pi_rc522": peer,
    }
    return {who: {task: round(value * 1e3, 2) for task, value in tasks.items()} for who, tasks in seconds.items()}


# all of it


def measure() -> Figures:
    """Call cost in microseconds -> the four tasks, and the peers' under their names."""
    floors = floors_ms()
    found: Figures = {}
    if (why := _missing()) is not None:
        print(f"arbitre bench: no figures of pi_rc522: {why}", file=sys.stderr)
    for call_us in CALL_COSTS_US:
        row: Figures = {
            "empty_poll": _empty_poll(call_us),
            "identify_4": _identify(call_us, UID_4),
            "identify_7": _identify(call_us, UID_7),
            "resting_tag_check": _resting(call_us),
            **_peers(call_us),
        }
        for who, tasks in (("arbitre", row), *((peer, row[peer]) for peer in PEERS if peer in row)):
            for task, floor in floors[who].items():
                if task in tasks:
                    tasks[task]["floor_ms"] = floor
        found[str(call_us)] = row
    return found


def lines(found: Figures) -> list[str]:
    """A table for people."""
    text = [f"{'call':>6}  {'who':<9} {'task':<18} {'transfers':>9} {'bytes':>6} {'virtual':>10} {'floor':>9}"]
    for call_us, row in found.items():
        ours = {task: figure for task, figure in row.items() if task not in PEERS}
        for who, tasks in (("arbitre", ours), *((peer, row[peer]) for peer in PEERS if peer in row)):
            for task, figure in tasks.items():
                text.append(
                    f"{call_us:>3} us  {who:<9} {task:<18} {figure['transfers']:>9} {figure['bytes']:>6}"
                    f" {figure['virtual_ms']:>7.2f} ms {figure['floor_ms']:>6.2f} ms"
                )
    return text

"""The driver of one chip: what it says on the wire, and what it concludes."""

from collections.abc import Callable, Generator
from typing import TypeVar

import pytest

from hardware.iso14443 import ANSWER, REQA, SILENCE, check, find, halt, wake
from hardware.looks import Cause
from hardware.mfrc522 import ChipTrouble, Reader, ReaderState
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

T = TypeVar("T")
UID_7 = "04A81D12DE5F80"


class Desk:
    """One chip, one driver, no poller."""

    def __init__(self, *, call_us: float = 25, clock_hz: float = 4e6, version: int = 0x92, gain_db: int = 38) -> None:
        self.line = TimeLine()
        self.field = Field()
        self.bus = TwinBus(self.line, Costs(call_s=call_us * 1e-6, clock_hz=clock_hz))
        self.chip = Mfrc522Twin(self.field, "desk", self.line, version=version)
        self.port = self.bus.add(self.chip)
        self.reader = Reader("desk", self.port, self.line, gain_db=gain_db)

    def drive(self, work: Generator[float, None, T], each: Callable[[], None] = lambda: None) -> T:
        try:
            while True:
                self.line.sleep_until(next(work))
                each()
        except StopIteration as end:
            result: T = end.value
            return result

    def up(self) -> "Desk":
        self.drive(self.reader.bring_up())
        self.line.advance(0.01)
        return self

    def put(self, uid: str = UID_7, kind: TagKind = TagKind.NTAG213) -> None:
        self.field.put(Tag(uid, kind), "desk", at=self.line.now())
        self.line.advance(0.01)

    def costs(
        self, protocol: Generator[tuple[bytes, int, int, int], tuple[int, bytes, int, int], T]
    ) -> tuple[T, int, float]:
        transfers, began = self.bus.transfers, self.line.now()
        result = self.drive(self.reader.run(protocol, began + 1.0))
        assert result is not None
        return result, self.bus.transfers - transfers, self.line.now() - began


def warm(desk: Desk) -> Desk:
    """The first exchanges flush the FIFO; figures are those of the running table."""
    for _ in range(2):
        desk.drive(desk.reader.run(wake(REQA), desk.line.now() + 1))
    return desk


def test_empty_poll_takes_at_most_8_transfers() -> None:
    kind, transfers, _ = warm(Desk().up()).costs(wake(REQA))
    assert kind == SILENCE
    assert transfers <= 8


def test_seven_byte_identification_is_within_60_transfers_and_twice_the_radio_floor() -> None:
    desk = Desk().up()
    desk.put()
    warm(desk)
    (kind, uid, _, _), transfers, seconds = desk.costs(find(REQA, 0))
    assert (kind, uid.hex().upper()) == (ANSWER, UID_7)
    assert transfers <= 60
    assert seconds <= 2 * 4.4e-3


def test_empty_poll_says_these_bytes_on_the_wire() -> None:
    desk = warm(Desk().up())
    desk.port.log = []
    desk.drive(desk.reader.run(wake(REQA), desk.line.now() + 1))
    assert [(sent.hex(), got.hex()) for sent, got in desk.port.log] == [
        ("0200", "0000"),  # Command: Idle
        ("1a07", "0000"),  # BitFraming: seven bits, StartSend taken back
        ("087f", "0000"),  # ComIrq: all cleared
        ("1226", "0000"),  # FIFO: REQA
        ("020c", "0000"),  # Command: Transceive
        ("1a87", "0000"),  # BitFraming: StartSend
        # ComIrq, Error, FIFOLevel, Control, Coll, Mode, TxControl, then FIFO twice
        ("888c94989ca2a8929200", "0045000010203d830000"),
    ]


def test_identification_says_the_frames_of_the_trace_in_fifo_bursts() -> None:
    desk = Desk().up()
    desk.put()
    desk.port.log = []
    desk.costs(find(REQA, 0))
    bursts = [sent[1:].hex() for sent, _ in desk.port.log if sent[0] == 0x12]
    assert bursts == ["26", "9320", "93708804a81d39bb3b", "9520", "957012de5f80135112"]


def test_bringing_up_writes_settings_and_reads_them_back() -> None:
    desk = Desk(gain_db=48)
    desk.up()
    expected = {0x2A: 0x80, 0x2B: 0xA9, 0x2C: 0, 0x2D: 7, 0x15: 0x40, 0x11: 0x3D, 0x26: 0x78, 0x14: 0x83}
    assert {register: desk.chip.register(register) for register in expected} == expected
    assert desk.reader.health.version == 0x92
    assert desk.reader.health.deaf_registers == ()


def test_gain_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"gain 40 dB does not exist; give one of \[18, 23, 33, 38, 43, 48\]"):
        Desk(gain_db=40)


@pytest.mark.parametrize("stuck", [0x00, 0xFF])
def test_chip_that_answers_00_or_ff_only_fails_to_start_with_a_clear_message_and_an_end(stuck: int) -> None:
    # field report 10
    desk = Desk()
    desk.chip.faults.stuck = stuck
    with pytest.raises(ChipTrouble, match=r"no chip answers|never leaves its reset") as raised:
        desk.up()
    assert raised.value.cause is Cause.DEAD
    assert desk.line.now() < 0.2


@pytest.mark.parametrize("version", [0x88, 0xB2, 0x89, 0x12, 0x80, 0x82])
def test_clone_is_named_and_used(version: int) -> None:
    # field report 11
    desk = Desk(version=version).up()
    desk.put()
    assert desk.reader.health.is_clone
    assert desk.reader.health.chip.startswith("clone")
    assert desk.costs(check(bytes.fromhex(UID_7)))[0] == ANSWER


def test_unknown_version_is_told_with_its_byte() -> None:
    desk = Desk(version=0x5A).up()
    assert desk.reader.health.chip == "unknown chip (version 5A)"


def test_clone_that_ignores_a_harmless_write_is_used_and_the_register_named() -> None:
    desk = Desk(version=0x12)
    desk.chip.faults.deaf_registers = frozenset({0x26})
    desk.up()
    desk.put()
    assert desk.reader.health.deaf_registers == (0x26,)
    assert "26" in desk.reader.health.finding
    assert desk.costs(check(bytes.fromhex(UID_7)))[0] == ANSWER


def test_clone_that_cannot_speak_to_tags_is_refused() -> None:
    desk = Desk(version=0x12)
    desk.chip.faults.deaf_registers = frozenset({0x15})
    with pytest.raises(ChipTrouble, match="cannot speak to any tag"):
        desk.up()


@pytest.mark.parametrize(
    ("break_it", "cause", "text"),
    [
        (lambda chip: chip.brown_out(), Cause.RESET, "reset values"),
        (lambda chip: setattr(chip.faults, "stuck", 0x00), Cause.DEAD, "no power"),
        (lambda chip: setattr(chip.faults, "stuck", 0xFF), Cause.DEAD, "no chip"),
        (lambda chip: setattr(chip.faults, "dead_timer", True), Cause.DEAD, "no timer"),
    ],
)
def test_chip_that_fails_between_looks_is_told_apart_in_its_next_exchange(
    break_it: Callable[[Mfrc522Twin], None], cause: Cause, text: str
) -> None:
    # field report 9
    desk = warm(Desk().up())
    break_it(desk.chip)
    began = desk.line.now()

    def three_polls() -> None:
        for _ in range(3):  # noise may stop a timer once or twice
            desk.costs(wake(REQA))

    with pytest.raises(ChipTrouble, match=text) as raised:
        three_polls()
    assert raised.value.cause is cause
    assert desk.line.now() - began < 0.03


def test_late_host_still_takes_the_answer_from_the_registers() -> None:
    # a late host is not an absent card
    desk = Desk().up()
    desk.put()
    work = desk.reader.run(wake(REQA), desk.line.now() + 10)
    assert desk.drive(work, each=lambda: desk.line.advance(2.0)) == ANSWER


def test_host_that_looks_too_early_takes_no_byte_out_of_an_answer_that_arrives() -> None:
    desk = Desk(call_us=0, clock_hz=10e6).up()
    desk.line.overshoot_s = 0.0
    desk.put()
    desk.port.log = []
    (kind, uid, _, _), _, _ = desk.costs(find(REQA, 0))
    assert (kind, uid.hex().upper()) == (ANSWER, UID_7)
    # the ATQA is still on its way when silence could have been told, so the FIFO is left alone
    statuses = [(sent.count(0x92), got[1] >> 5 & 1) for sent, got in desk.port.log if sent[0] == 0x88]
    assert statuses[0] == (0, 0)
    assert all(received for reads, received in statuses if reads)


def test_late_host_takes_silence_only_from_the_timer() -> None:
    desk = Desk().up()
    work = desk.reader.run(wake(REQA), desk.line.now() + 10)
    assert desk.drive(work, each=lambda: desk.line.advance(2.0)) == SILENCE


def test_no_frame_is_begun_after_the_deadline() -> None:
    desk = Desk().up()
    desk.put()
    frames = desk.chip.frames
    result = desk.drive(desk.reader.run(find(REQA, 0), desk.line.now() + 1e-3))
    assert result is None
    assert desk.chip.frames - frames <= 2


def test_halted_tag_rests_and_reqa_does_not_list_it() -> None:
    desk = Desk().up()
    desk.put()
    desk.costs(find(REQA, 0))
    desk.costs(halt())
    assert desk.costs(wake(REQA))[0] == SILENCE
    assert desk.costs(wake(REQA))[0] == SILENCE
    assert desk.costs(check(bytes.fromhex(UID_7)))[0] == ANSWER


def test_no_timer_of_a_halt_runs_out_in_the_next_exchange() -> None:
    desk = Desk().up()
    desk.put()
    desk.costs(find(REQA, 0))
    desk.costs(halt())
    running = desk.port.transfer(bytes([0x8E, 0]))[1] & 0x08  # TRunning of Status1Reg
    assert running == 0
    assert desk.costs(check(bytes.fromhex(UID_7)))[0] == ANSWER


def test_tag_left_active_by_a_check_rests_after_the_next_reqa() -> None:
    desk = Desk().up()
    desk.put()
    desk.costs(find(REQA, 0))
    desk.costs(halt())
    for _ in range(5):
        assert desk.costs(check(bytes.fromhex(UID_7)))[0] == ANSWER
        assert desk.costs(wake(REQA))[0] == SILENCE


def test_mifare_classic_is_identified() -> None:
    desk = Desk().up()
    desk.put("B0BB8904", TagKind.CLASSIC_1K)
    (kind, uid, sak, _), transfers, _ = desk.costs(find(REQA, 0))
    assert (kind, uid.hex().upper(), sak) == (ANSWER, "B0BB8904", 0x08)
    assert transfers <= 24


def test_reset_line_is_pulsed_before_the_soft_reset() -> None:
    desk = Desk()

    class Line:
        def __init__(self) -> None:
            self.levels: list[bool] = []

        def set(self, low: bool) -> None:
            self.levels.append(low)
            desk.chip.reset_line(low)

        def close(self) -> None:
            self.levels.append(False)

    line = Line()
    desk.reader = Reader("desk", desk.port, desk.line, reset_line=line)
    desk.up()
    assert line.levels == [True, False]
    assert desk.costs(wake(REQA))[0] == SILENCE


def test_health_begins_unknown() -> None:
    health = Desk().reader.health
    assert (health.state, health.chip, health.is_clone) == (ReaderState.UNKNOWN, "not read yet", False)

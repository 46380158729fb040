"""One MFRC522: bring it up, exchange frames, notice when it is not the chip it was.

Rules:
- Work is a generator that yields the time of its next wake (seconds of the table's clock) and never waits.
- An exchange is seven transfers when nothing goes wrong: six writes and one read of all that matters. That read
  includes ModeReg and TxControlReg, so a dead or reset chip is noticed at once and at no cost.
- The FIFO is read only when the answer must be complete: bytes that are read while it arrives are gone.
- Silence is what the chip's own timer says. When the host's deadline has passed the registers are read once
  more before anything is concluded: a late host is not an absent card.
- `ChipTrouble` stays inside this package and the poller; what leaves is a Look with its cause.
"""

from collections.abc import Generator
from typing import TypeVar

from hardware.iso14443 import ANSWER, BROKEN, COLLISION, SILENCE
from hardware.looks import Cause
from hardware.mfrc522 import registers as reg
from hardware.mfrc522.health import Health
from hardware.mfrc522.package import make_access
from hardware.spi import ResetLine, Spi
from hardware.steps import Clock

T = TypeVar("T")
Work = Generator[float, None, T]
Ask = tuple[bytes, int, int, int]
Answer = tuple[int, bytes, int, int]
Protocol = Generator[Ask, Answer, T]

EXCHANGE_DEADLINE_S = 5e-3
"""The longest exchange here (SELECT and its answer) is over after 1.2 ms."""
START_S = 20e-6
"""Allowed from StartSend to the first modulation; the data sheet gives no figure."""
MAX_STALLS = 3
RESET_LOW_S = 1e-3
START_UP_S = 1e-3
"""Far more than the 38 us of data sheet section 8.8.2; slow crystals on cheap boards need it."""
START_UP_TRIES = 30
SETTLE_S = 5e-3
"""ISO/IEC 14443-3, section 5: a tag is ready after at most 5 ms of field."""
GAINS_DB = {18: 0x0, 23: 0x1, 33: 0x4, 38: 0x5, 43: 0x6, 48: 0x7}
"""RFCfgReg bits 6-4 (data sheet section 9.3.3.6)."""

_BIT_S = 128 / 13.56e6
_REPLY_S = 1236 / 13.56e6
_STATUS = (reg.COM_IRQ, reg.ERROR, reg.FIFO_LEVEL, reg.CONTROL, reg.COLL, reg.MODE, reg.TX_CONTROL)
_STATUS_READ = bytes(reg.read_address(register) for register in _STATUS)
_FIFO_READ = reg.read_address(reg.FIFO_DATA)
_READS = [_STATUS_READ + bytes([_FIFO_READ]) * length + b"\0" for length in range(65)]
_FIFO_READS = [bytes([_FIFO_READ]) * length + b"\0" for length in range(65)]
_FIFO_WRITE = bytes([reg.write_address(reg.FIFO_DATA)])


class ChipTrouble(Exception):  # noqa: N818 - a finding about the chip, not an error of the program
    """The chip is not usable as it is: `cause` is DEAD or RESET; the text says what was seen."""

    def __init__(self, cause: Cause, seen: str) -> None:
        super().__init__(seen)
        self.cause = cause


class Reader:
    """One chip and its antenna. Nothing is sent before `bring_up` is run."""

    def __init__(
        self,
        name: str,
        spi: Spi,
        clock: Clock,
        *,
        reset_line: ResetLine | None = None,
        gain_db: int = 38,
        group: str | None = None,
    ) -> None:
        if gain_db not in GAINS_DB:
            raise ValueError(f"reader {name}: gain {gain_db} dB does not exist; give one of {sorted(GAINS_DB)}")
        self.name = name
        self.group = group
        self.health = Health(name)
        self.antenna_on = False
        self.first_answer_at = 0.0
        """When, in the protocol that ran last, something other than silence was read for the first time."""
        self._spi = spi
        self._clock = clock
        self._access = make_access(spi)
        self._reset_line = reset_line
        self._gain = GAINS_DB[gain_db] << 4 | reg.RF_CONFIG_RESERVED
        self._clean_fifo = False
        self._stalls = 0
        self._mode = reg.MODE_VALUE
        self._tx_on = reg.TX_CONTROL_ON
        self._tx_off = reg.TX_CONTROL_OFF

    # bringing up

    def bring_up(self) -> Work[None]:
        """Reset the chip, write its settings and read them back; raises ChipTrouble where no chip answers."""
        write, read = self._access.Write_MFRC522, self._access.Read_MFRC522
        health = self.health
        self.antenna_on = False
        self._clean_fifo = False
        if self._reset_line is not None:
            self._reset_line.set(low=True)
            yield self._clock.now() + RESET_LOW_S
            self._reset_line.set(low=False)
            yield self._clock.now() + START_UP_S
        write(reg.COMMAND, reg.SOFT_RESET)
        for _ in range(START_UP_TRIES):
            yield self._clock.now() + START_UP_S
            command = read(reg.COMMAND)
            if not command & reg.POWER_DOWN or command == 0xFF:  # FF: no chip, which VersionReg will say
                break
        else:
            raise ChipTrouble(Cause.DEAD, f"CommandReg stays at {command:02X}: the chip never leaves its reset")
        health.version = read(reg.VERSION)
        if health.version in (0x00, 0xFF):
            raise ChipTrouble(Cause.DEAD, f"VersionReg reads {health.version:02X}: no chip answers")
        settings = (
            (reg.T_MODE, reg.TIMER_AUTO),
            (reg.T_PRESCALER, reg.TIMER_PRESCALER),
            (reg.T_RELOAD_H, 0),
            (reg.T_RELOAD_L, reg.TIMER_RELOAD),
            (reg.TX_ASK, 0x40),  # 100 % ASK, or tags are deaf
            (reg.MODE, reg.MODE_VALUE),
            (reg.RF_CONFIG, self._gain),
            (reg.COLL, 0x00),  # ValuesAfterColl off: what follows a collision is no data
        )
        for register, value in settings:
            write(register, value)
        deaf = []
        for register, value in settings:
            kept = read(register)
            if (kept ^ value) & reg.MEANINGFUL.get(register, 0xFF):
                deaf.append(register)
            if register == reg.MODE:
                self._mode = kept
        health.deaf_registers = tuple(deaf)
        if reg.TX_ASK in deaf:
            raise ChipTrouble(Cause.DEAD, "TxASKReg does not keep 40: this clone cannot speak to any tag")
        health.finding = (
            "writes to register " + ", ".join(f"{register:02X}" for register in deaf) + " are ignored" if deaf else ""
        )
        if self.group is None:
            self.antenna(on=True)
            yield self._clock.now() + SETTLE_S

    def antenna(self, *, on: bool) -> None:
        """Switch the field; a tag needs 5 ms of it, and forgets everything without it."""
        self._access.Write_MFRC522(reg.TX_CONTROL, self._tx_on if on else self._tx_off)
        self.antenna_on = on

    # frames

    def exchange(self, ask: Ask) -> Work[Answer]:
        """Send one frame and return what came of it (see `hardware.iso14443`)."""
        frame, tx_last, align, length = ask
        write = self._access.Write_MFRC522
        clock = self._clock
        framing = align << 4 | tx_last
        write(reg.COMMAND, reg.IDLE)
        write(reg.BIT_FRAMING, framing)  # also takes StartSend back
        write(reg.COM_IRQ, 0x7F)
        if not self._clean_fifo:
            write(reg.FIFO_LEVEL, 0x80)
        self._spi.transfer(_FIFO_WRITE + frame)
        write(reg.COMMAND, reg.TRANSCEIVE)
        write(reg.BIT_FRAMING, reg.START_SEND | framing)
        self._clean_fifo = False
        started = clock.now()
        sent = started + START_S + (2 + 9 * len(frame)) * _BIT_S
        quiet = sent + reg.SILENCE_S
        complete = sent + _REPLY_S + (2 + 9 * length) * _BIT_S
        if length in (0, 2):
            # REQA and WUPA: mostly nobody answers, and the timer ends before an answer would. HLTA: nobody does, and
            # a timer left running would end in the midst of the next exchange, taken for the silence of whom it asks.
            yield quiet
        else:
            yield complete
        deadline = started + EXCHANGE_DEADLINE_S
        tries = 0
        early = False
        while True:
            now = clock.now()
            late = now >= deadline
            # the FIFO is read along only when the answer must be complete: a byte read too early is lost to it
            along = length if now >= complete and not early else 0
            status = self._spi.transfer(_READS[along])
            irq, error, level, control, coll, mode, tx_control = status[1:8]
            if mode != self._mode or tx_control & reg.ANTENNA != (reg.ANTENNA if self.antenna_on else 0):
                raise self._trouble(status)
            if irq & reg.IRQ_RX:
                self._stalls = 0
                if early:
                    return BROKEN, b"", 0, 0
                data = status[8:] if along else self._spi.transfer(_FIFO_READS[length])[1:]
                return self._received(data, length, error, level, control, coll)
            if irq & reg.IRQ_TIMER:
                self._stalls = 0
                self._clean_fifo = level == 0
                return SILENCE, b"", 0, 0
            early = early or along > 0
            if late and tries:
                return self._stalled()
            tries += 1
            if late:
                continue  # the host is late, which says nothing: the registers are read once more
            now = clock.now()
            if now < complete:
                yield complete
            elif tries == 1 and now < quiet:
                yield quiet
            else:
                yield now + 5 * reg.TICK_S

    def _stalled(self) -> Answer:
        """Neither an answer nor the timer: noise can stop the timer, but not again and again."""
        self._stalls += 1
        if self._stalls >= MAX_STALLS:
            self._stalls = 0
            raise ChipTrouble(
                Cause.DEAD, f"{MAX_STALLS} times no answer and no timer within {EXCHANGE_DEADLINE_S * 1e3:g} ms"
            )
        return BROKEN, b"", 0, 0

    def _received(self, data: bytes, length: int, error: int, level: int, control: int, coll: int) -> Answer:
        self._clean_fifo = level <= length
        if error & reg.ERROR_COLLISION and level:
            place = 0 if coll & 0x20 else coll & 0x1F or 32
            return COLLISION, data[: min(level, length)], control & 0x07, place
        if error & reg.ERROR_ANY or level > length or level == 0:
            return BROKEN, b"", 0, 0
        return ANSWER, data[:level], control & 0x07, 0

    def _trouble(self, status: bytes) -> ChipTrouble:
        seen = status[1:8]
        if not any(seen):
            return ChipTrouble(Cause.DEAD, "all registers read 00: no power, or MISO is held low")
        if all(byte == 0xFF for byte in seen):
            return ChipTrouble(Cause.DEAD, "all registers read FF: no chip on this chip select, or MISO is open")
        if seen[5] == reg.MODE_RESET:
            self.health.resets += 1
            return ChipTrouble(Cause.RESET, "the registers are back at their reset values: the supply sagged")
        return ChipTrouble(Cause.DEAD, f"registers do not hold (ModeReg {seen[5]:02X}, TxControlReg {seen[6]:02X})")

    def run(self, protocol: "Protocol[T]", deadline: float) -> "Work[T | None]":
        """Drive a protocol generator to its end; None if the deadline came first."""
        heard = False
        try:
            ask = next(protocol)
            while True:
                if self._clock.now() >= deadline:
                    protocol.close()
                    return None
                answer = yield from self.exchange(ask)
                if not heard and answer[0] != SILENCE:
                    heard = True
                    self.first_answer_at = self._clock.now()
                ask = protocol.send(answer)
        except StopIteration as end:
            value: T = end.value
            return value

    def close(self) -> None:
        """Antenna off where the chip still listens; give the wires back."""
        try:
            self.antenna(on=False)
        finally:
            self._spi.close()
            if self._reset_line is not None:
                self._reset_line.close()

"""An emulated MFRC522 behind the SPI transfer call.

Rules:
- Registers as in the MFRC522 data sheet (rev. 3.9), section 9; SPI framing as in section 8.1.2: bit 7 of the
  first byte says read, bits 6-1 are the address; answers lag one byte.
- The chip has no time of its own: what it started is settled up to the bus's `now` whenever it is accessed.
- A Transceive sends what is in the FIFO when StartSend is written, and then waits for an answer without end;
  only the timer or another command ends it. IdleIRq is not set by it.
"""

from collections.abc import Callable
from random import Random

from hardware.iso14443 import crc_a
from hardware.steps import Clock
from hardware.twin.air import Reception, receive, sending_s
from hardware.twin.faults import Faults
from hardware.twin.field import Field

CARRIER_HZ = 13.56e6
NEVER = float("inf")

COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = 0x01, 0x04, 0x05, 0x06, 0x07, 0x08
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x11, 0x12, 0x13, 0x14, 0x15
CRC_HIGH, CRC_LOW, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L = 0x21, 0x22, 0x2A, 0x2B, 0x2C, 0x2D
VERSION = 0x37

IRQ_TX, IRQ_RX, IRQ_IDLE, IRQ_HIGH, IRQ_LOW, IRQ_ERROR, IRQ_TIMER = 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
IDLE, CALC_CRC, TRANSCEIVE, AUTHENTICATE, SOFT_RESET = 0x0, 0x3, 0xC, 0xE, 0xF
NO_CHANGE = 0x7

# Data sheet section 9.2, "reset value" of each register that is not 00
RESET_VALUES = {
    COMMAND: 0x20, 0x02: 0x80, COM_IRQ: IRQ_IDLE | IRQ_LOW, STATUS1: 0x21, WATER_LEVEL: 0x08, CONTROL: 0x10,
    COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB,
    CRC_HIGH: 0xFF, CRC_LOW: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x36: 0x40,
}  # fmt: skip
READ_ONLY = frozenset({ERROR, STATUS1, CRC_HIGH, CRC_LOW, 0x2E, 0x2F, VERSION})
START_UP_S = 100e-6
"""From a reset until PowerDown reads 0 (data sheet section 8.8.2: oscillator start-up and 1024 clock cycles)."""
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)


def crc16(data: bytes, crc: int) -> int:
    """The chip's CRC unit (polynomial 1021 reflected), from any preset."""
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


class Mfrc522Twin:
    """One chip with its antenna. `exchange` is what one chip-select window does."""

    def __init__(
        self,
        field: Field,
        reader: str,
        clock: Clock,
        *,
        seed: int = 0,
        version: int = 0x92,
        absolute_collisions: bool = False,
        faults: Faults | None = None,
    ) -> None:
        self.reader = reader
        self.field = field
        self.version = version
        self.absolute_collisions = absolute_collisions
        self.faults = faults or Faults()
        self.resets = 0
        """How often the registers went back to their reset values, whoever asked for it."""
        self.frames = 0
        """How many frames left the antenna."""
        self._clock = clock
        self._random = Random(seed)
        self._scheduled: list[tuple[float, Callable[[], None]]] = []
        self._in_reset = False
        self._regs = [0] * 64
        self._fifo = bytearray()
        self._reception: Reception | None = None
        self._incoming = b""
        self._arrived = 0
        self._next_byte_at = NEVER
        field.add_reader(reader)
        self._restore()
        self.resets = 0

    # from outside

    def schedule(self, at: float, change: Callable[[], None]) -> None:
        """Let something happen to the chip at a time, e.g. `chip.schedule(5.0, chip.brown_out)`."""
        self._scheduled.append((at, change))
        self._scheduled.sort(key=lambda item: item[0])

    def brown_out(self) -> None:
        """The supply sagged: registers at their reset values, antenna off."""
        self._restore()

    def reset_line(self, low: bool) -> None:
        """The NRSTPD pin; the chip is dead while it is low and starts anew when it rises."""
        self._settle(self._clock.now())
        if self._in_reset and not low:
            self._restore()
        elif low:
            self.field.switch(self.reader, False, self._clock.now())
        self._in_reset = low

    def register(self, address: int) -> int:
        """A register as it is, for tests; reading it has no effect and takes no time."""
        return self._regs[address]

    # SPI

    def exchange(self, data: bytes) -> bytes:
        """One chip-select window: the bytes that come back while `data` goes in."""
        now = self._clock.now()
        self._settle(now)
        faults = self.faults
        if self._in_reset or faults.stuck is not None:
            return bytes([0 if faults.stuck is None else faults.stuck]) * len(data)
        first = data[0]
        if first & 0x80:
            read = self._read
            answer = bytes([0, *[read(byte >> 1 & 0x3F) for byte in data[:-1]]])
        else:
            address = first >> 1 & 0x3F
            for byte in data[1:]:
                self._write(address, byte, now)
            answer = bytes(len(data))
        return self._random.randbytes(len(data)) if faults.fuzz else answer

    def _read(self, address: int) -> int:
        if address == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        value = self._regs[address]
        if address == FIFO_LEVEL:
            return len(self._fifo)
        if address == COM_IRQ:
            return value | (IRQ_LOW if len(self._fifo) <= self._regs[WATER_LEVEL] else 0)
        if address == STATUS1:
            low = len(self._fifo) <= self._regs[WATER_LEVEL]
            return value & 0xF4 | (0x01 if low else 0) | (0x08 if self._timer_at != NEVER else 0)
        if address == COMMAND and self._clock.now() < self._ready_at:
            return value | 0x10
        return value

    def _write(self, address: int, value: int, now: float) -> None:
        deaf = self.faults.deaf_registers
        if address in READ_ONLY or (deaf and address in deaf):
            return
        regs = self._regs
        if address == FIFO_DATA:
            if len(self._fifo) >= 64:
                regs[ERROR] |= 0x10
            else:
                self._fifo.append(value)
                if regs[COMMAND] & 0x0F == CALC_CRC:
                    self._run_crc()
        elif address == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
                regs[ERROR] &= ~0x10
        elif address in (COM_IRQ, DIV_IRQ):
            marked = value & 0x7F
            regs[address] = regs[address] | marked if value & 0x80 else regs[address] & ~marked
        elif address == BIT_FRAMING:
            regs[BIT_FRAMING] = value & 0x77
            if value & 0x80 and regs[COMMAND] & 0x0F == TRANSCEIVE:
                self._send(now)
        elif address == COLL:
            regs[COLL] = regs[COLL] & 0x7F | value & 0x80
        elif address == CONTROL:
            if value & 0x80:
                self._timer_at = NEVER
            if value & 0x40:
                self._timer_at = now + self._timer_s()
        elif address == COMMAND:
            self._command(value, now)
        elif address == TX_CONTROL:
            regs[TX_CONTROL] = value
            self.field.switch(self.reader, value & 0x03 != 0, now)
        else:
            regs[address] = value

    # commands

    def _command(self, value: int, now: float) -> None:
        code = value & 0x0F
        if code == NO_CHANGE:
            self._regs[COMMAND] = self._regs[COMMAND] & 0x0F | value & 0x30
            return
        if code == SOFT_RESET:
            self._restore()
            return
        self._regs[COMMAND] = value & 0x3F
        self._reception = None
        if code == CALC_CRC:
            preset = _PRESETS[self._regs[MODE] & 0x03]
            self._regs[CRC_HIGH], self._regs[CRC_LOW] = preset >> 8, preset & 0xFF
            self._run_crc()
        elif code == AUTHENTICATE:
            # Identification is all these tags do: nobody answers, the timer runs from the end of the frame.
            self._fifo.clear()
            self._timer_at = now + sending_s(0, 16) + self._timer_s()
        elif code not in (IDLE, TRANSCEIVE, 0x1, 0x2, 0x4, 0x8):
            self._regs[COM_IRQ] |= IRQ_IDLE
            self._regs[COMMAND] = value & 0x30

    def _run_crc(self) -> None:
        regs = self._regs
        crc = crc16(bytes(self._fifo), regs[CRC_HIGH] << 8 | regs[CRC_LOW])
        self._fifo.clear()
        regs[CRC_HIGH], regs[CRC_LOW] = crc >> 8, crc & 0xFF
        regs[DIV_IRQ] |= 0x04

    def _timer_s(self) -> float:
        """Data sheet section 8.5: (2 * prescaler + 1) * (reload + 1) / 13.56 MHz."""
        regs = self._regs
        if self.faults.dead_timer:
            return NEVER
        prescaler = (regs[T_MODE] & 0x0F) << 8 | regs[T_PRESCALER]
        reload = regs[T_RELOAD_H] << 8 | regs[T_RELOAD_L]
        return (2 * prescaler + 1) * (reload + 1) / CARRIER_HZ

    def _send(self, now: float) -> None:
        regs = self._regs
        frame = bytes(self._fifo)
        self._fifo.clear()
        self._reception = None
        regs[ERROR] = 0
        regs[COLL] = regs[COLL] & 0x80 | 0x20
        if not frame:
            return
        if regs[TX_MODE] & 0x80:
            frame += crc_a(frame)
        last = regs[BIT_FRAMING] & 0x07
        count = (len(frame) - 1) * 8 + last if last else len(frame) * 8
        bits = int.from_bytes(frame, "little") & ((1 << count) - 1)
        sent_at = now + sending_s(bits, count)
        self.frames += 1
        self._sent_at = sent_at
        answers = []
        if regs[TX_ASK] & 0x40 and regs[TX_CONTROL] & 0x03:
            drop = self.faults.drop
            for tag in self.field.listeners(self.reader, now):
                answer = tag.hear(bits, count)
                if answer is not None and (not drop or self._random.random() >= drop):
                    answers.append(answer)
        self._expect(receive(answers, bits, count, sent_at, self.faults, self._random))
        if regs[T_MODE] & 0x80:
            self._timer_at = sent_at + self._timer_s()
            # section 8.5: TAuto stops the timer at the fifth bit that is received
            if self._reception and self._reception.fifth_bit_at <= self._timer_at:
                self._timer_at = NEVER

    # time

    def _settle(self, now: float) -> None:
        """Let everything that was to happen until `now` have happened."""
        while self._scheduled and self._scheduled[0][0] <= now:
            self._scheduled.pop(0)[1]()
        regs = self._regs
        if self._sent_at <= now:  # it ends before the timer or an answer does
            self._sent_at = NEVER
            regs[COM_IRQ] |= IRQ_TX
        if self._timer_at <= now:
            self._timer_at = NEVER
            regs[COM_IRQ] |= IRQ_TIMER
        if self._reception is not None and self._next_byte_at <= now:
            self._receive(self._reception, now)

    def _expect(self, reception: Reception | None) -> None:
        """Get ready for an answer: what its bytes will be, and when the first of them is there."""
        self._reception = reception
        if reception is None:
            return
        regs = self._regs
        align = regs[BIT_FRAMING] >> 4 & 0x07
        bits, count, place = reception.bits, reception.count, reception.collision
        if place and not regs[COLL] & 0x80:
            bits &= (1 << (place - 1)) - 1  # ValuesAfterColl = 0: what follows a collision reads as 0
        self._incoming = (bits << align).to_bytes((count + align + 7) // 8, "little")
        self._arrived = 0
        self._next_byte_at = reception.byte_at(0, align)

    def _receive(self, reception: Reception, now: float) -> None:
        """Move the bytes that have arrived into the FIFO; at the end, what is known of the whole."""
        regs = self._regs
        align = regs[BIT_FRAMING] >> 4 & 0x07
        incoming = self._incoming
        checks_crc = regs[RX_MODE] & 0x80 and not reception.collision
        kept = len(incoming) - 2 if checks_crc else len(incoming)
        while self._arrived < len(incoming) and reception.byte_at(self._arrived, align) <= now:
            if self._arrived < kept and len(self._fifo) < 64:
                self._fifo.append(incoming[self._arrived])
            self._arrived += 1
        if reception.ends_at > now:
            self._next_byte_at = min(reception.ends_at, reception.byte_at(self._arrived, align))
            return
        self._reception = None
        last = (reception.count + align) % 8
        error = reception.error
        if checks_crc and (last or crc_a(incoming[:-2]) != incoming[-2:]):
            error |= 0x04
        if reception.collision:
            error |= 0x08
            counted = reception.collision + (reception.known if self.absolute_collisions else align)
            regs[COLL] = regs[COLL] & 0x80 | (0x20 if counted > 32 else counted & 0x1F)
        regs[CONTROL] = regs[CONTROL] & 0xF8 | last
        regs[ERROR] = error
        regs[COM_IRQ] |= IRQ_RX | (IRQ_ERROR if error else 0)

    def _restore(self) -> None:
        """Reset values in all registers (section 9.2), antenna off, nothing under way."""
        for address in range(64):
            self._regs[address] = RESET_VALUES.get(address, 0)
        self._regs[VERSION] = self.version
        self._fifo.clear()
        self._sent_at = self._timer_at = NEVER
        self._reception = None
        self._ready_at = self._clock.now() + START_UP_S
        self.resets += 1
        self.field.switch(self.reader, False, self._clock.now())

"""The radio side of the emulated MFRC522: frames out, answers in, and the timer that judges silence.

Rules:
- Nothing has a time of its own: what was started is settled up to `now` whenever the chip is accessed.
- A tag hears a frame when it is begun; its answer arrives byte by byte.
- An answer is awaited after a Transceive only, without end; the timer or another command ends it.
"""

from random import Random

from hardware.iso14443 import crc_a
from hardware.twin import registers as reg
from hardware.twin.air import CARRIER_HZ, Reception, receive, sending_s
from hardware.twin.faults import Faults
from hardware.twin.field import Field
from hardware.twin.registers import (
    BIT_FRAMING,
    COLL,
    COM_IRQ,
    COMMAND,
    RX_MODE,
    T_MODE,
    TX_CONTROL,
    TX_MODE,
    Registers,
)
from hardware.twin.timer import NEVER, Timer


class Modem:
    """Transmitter, receiver and timer of one chip."""

    def __init__(
        self, registers: Registers, field: Field, reader: str, faults: Faults, random: Random, *, absolute: bool
    ) -> None:
        self.frames = 0
        """How many frames left the antenna."""
        self.timer = Timer()
        self._registers = registers
        self._field = field
        self._reader = reader
        self._faults = faults
        self._random = random
        self._absolute = absolute
        self._sent_at = NEVER
        self._awaits_data = False
        self._reception: Reception | None = None
        self._incoming = b""
        self._arrived = 0
        self._next_byte_at = NEVER

    @property
    def listens(self) -> bool:
        """Whether the last bit was sent and the last one of an answer is still awaited."""
        return self._awaits_data and self._sent_at == NEVER

    def state(self, now: float) -> int:
        """Status2Reg bits 2-0 (section 9.3.1.9): idle, wait for StartSend, transmitting, wait for data, receiving."""
        if self._sent_at != NEVER:
            return 3
        if self._awaits_data:
            return 6 if self._reception is not None and self._reception.begins_at <= now else 5
        return 1 if self._registers.values[COMMAND] & 0x0F == reg.TRANSCEIVE else 0

    def power(self, now: float) -> None:
        """Switch the antenna as TxControlReg and PowerDown have it (section 8.6.2: no oscillator, no carrier)."""
        values = self._registers.values
        on = values[TX_CONTROL] & 0x03 != 0 and not values[COMMAND] & reg.POWER_DOWN
        self._field.switch(self._reader, on, now)

    def cancel(self) -> None:
        """Another command: what would still arrive is not received, and does not stop the timer."""
        self._reception = None
        self._awaits_data = False
        self.timer.keep_on()

    def reset(self) -> None:
        """Nothing under way."""
        self.cancel()
        self._sent_at = NEVER
        self.timer = Timer()

    def start_timer(self, at: float, stops_at: float = NEVER) -> None:
        """Data sheet section 8.5: (2 * prescaler + 1) * (reload + 1) / 13.56 MHz."""
        if self._faults.dead_timer:
            return
        values = self._registers.values
        prescaler = (values[T_MODE] & 0x0F) << 8 | values[reg.T_PRESCALER]
        tick_s = (2 * prescaler + (2 if values[reg.DEMOD] & 0x10 else 1)) / CARRIER_HZ  # TPrescalEven
        reload = values[reg.T_RELOAD_H] << 8 | values[reg.T_RELOAD_L]
        self.timer.start(at, tick_s, reload, restarts=values[T_MODE] & 0x10 != 0, stops_at=stops_at)

    # frames

    def send(self, now: float) -> None:
        """Send what is in the FIFO."""
        registers, values = self._registers, self._registers.values
        frame = bytes(registers.fifo)
        registers.fifo.clear()
        self.cancel()
        values[COM_IRQ] |= reg.IRQ_LOW
        values[reg.ERROR] &= ~0x0F
        values[COLL] = values[COLL] & 0x80 | 0x20
        if frame:
            if values[TX_MODE] & 0x80:
                frame += crc_a(frame)
            self.radiate(frame, values[BIT_FRAMING] & 0x07, now)

    def radiate(self, frame: bytes, last: int, now: float) -> None:
        """Send a frame, `last` bits of its last byte (0: all)."""
        values = self._registers.values
        if values[COMMAND] & reg.POWER_DOWN:
            return
        count = (len(frame) - 1) * 8 + last if last else len(frame) * 8
        bits = int.from_bytes(frame, "little") & ((1 << count) - 1)
        self._sent_at = sent_at = now + sending_s(bits, count)
        self.frames += 1
        answers = []
        # without 100 % ASK, a field and 106 kbit/s tags are deaf
        if values[reg.TX_ASK] & 0x40 and values[TX_CONTROL] & 0x03 and not values[TX_MODE] & 0x70:
            drop = self._faults.drop
            for tag in self._field.listeners(self._reader, now):
                answer = tag.hear(bits, count)
                if answer is not None and (not drop or self._random.random() >= drop):
                    answers.append(answer)
        command = values[COMMAND]
        self._awaits_data = command & 0x0F in (reg.TRANSCEIVE, reg.AUTHENTICATE)
        if command & 0x0F == reg.TRANSCEIVE and not command & reg.RECEIVER_OFF and not values[RX_MODE] & 0x70:
            self._expect(receive(answers, bits, count, sent_at, self._faults, self._random))

    # time

    def settle(self, now: float) -> None:
        """Let everything that was to happen until `now` have happened."""
        if self._sent_at <= now:  # the frame ends before its timer or an answer does
            self._sent()
        if self.timer.due_at <= now and self.timer.run(now):
            self._registers.values[COM_IRQ] |= reg.IRQ_TIMER
        if self._reception is not None and self._next_byte_at <= now:
            self._receive(self._reception, now)

    def _sent(self) -> None:
        registers, values = self._registers, self._registers.values
        at, self._sent_at = self._sent_at, NEVER
        if self.timer.due_at <= at and self.timer.run(at):  # still the timer of an earlier frame
            values[COM_IRQ] |= reg.IRQ_TIMER
        values[COM_IRQ] |= reg.IRQ_TX
        if values[COMMAND] & 0x0F == reg.TRANSMIT:
            registers.end_command()
        if values[T_MODE] & 0x80:
            # section 9.3.3.10, TAuto: the fifth bit stops the timer, unless RxMultiple is set
            stopped = self._reception is not None and not values[RX_MODE] & 0x04
            self.start_timer(at, self._reception.fifth_bit_at if self._reception and stopped else NEVER)

    def _expect(self, reception: Reception | None) -> None:
        """Get ready for an answer: what its bytes will be, and when the first of them is there."""
        self._reception = reception
        if reception is None:
            return
        values = self._registers.values
        align = values[BIT_FRAMING] >> 4 & 0x07
        bits, count, place = reception.bits, reception.count, reception.collision
        if place and not values[COLL] & 0x80:
            bits &= (1 << (place - 1)) - 1  # ValuesAfterColl = 0: what follows a collision reads as 0
        self._incoming = (bits << align).to_bytes((count + align + 7) // 8, "little")
        self._arrived = 0
        self._next_byte_at = reception.byte_at(0, align)

    def _receive(self, reception: Reception, now: float) -> None:
        """Move the bytes that have arrived into the FIFO; at the end, what is known of the whole."""
        registers, values = self._registers, self._registers.values
        align = values[BIT_FRAMING] >> 4 & 0x07
        incoming = self._incoming
        checks_crc = values[RX_MODE] & 0x80 and not reception.collision
        kept = len(incoming) - 2 if checks_crc else len(incoming)
        while self._arrived < len(incoming) and reception.byte_at(self._arrived, align) <= now:
            if self._arrived < kept:
                if len(registers.fifo) < reg.FIFO_SIZE:
                    registers.fifo.append(incoming[self._arrived])
                else:
                    registers.fail(reg.ERROR_OVERFLOW)
            self._arrived += 1
        registers.alert()
        if reception.ends_at > now:
            self._next_byte_at = min(reception.ends_at, reception.byte_at(self._arrived, align))
            return
        self._reception = None
        self._awaits_data = False
        last = (reception.count + align) % 8
        error = reception.error
        if checks_crc and (last or crc_a(incoming[:-2]) != incoming[-2:]):
            error |= reg.ERROR_CRC
        if reception.collision:
            error |= reg.ERROR_COLLISION
            counted = reception.collision + (reception.known if self._absolute else align)
            values[COLL] = values[COLL] & 0x80 | (0x20 if counted > 32 else counted & 0x1F)
        values[reg.CONTROL] = values[reg.CONTROL] & 0xF8 | last
        values[COM_IRQ] |= reg.IRQ_RX
        if error:
            registers.fail(error)

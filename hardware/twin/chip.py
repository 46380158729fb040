"""An emulated MFRC522 behind the SPI transfer call.

Rules:
- Registers as in the MFRC522 data sheet (rev. 3.9), section 9; SPI framing as in section 8.1.2: bit 7 of the
  first byte says read, bits 6-1 are the address; answers lag one byte.
- The chip has no time of its own: what it started is settled up to the bus's `now` whenever it is accessed.
- A Transceive sends what is in the FIFO when StartSend is written, and then waits for an answer without end;
  IdleIRq is not set by it. Mem, Generate RandomID and Transmit end of their own accord, and set it.
"""

from collections.abc import Callable
from random import Random

from hardware.iso14443 import crc_a
from hardware.steps import Clock
from hardware.twin import registers as reg
from hardware.twin.faults import Faults
from hardware.twin.field import Field
from hardware.twin.modem import Modem
from hardware.twin.registers import (
    BIT_FRAMING,
    COLL,
    COM_IRQ,
    COMMAND,
    CONTROL,
    CRC_HIGH,
    CRC_LOW,
    DIV_IRQ,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    READ_ONLY,
    STATUS1,
    STATUS2,
    TX_CONTROL,
    WATER_LEVEL,
    Registers,
)

START_UP_S = 100e-6
"""From a reset until PowerDown reads 0 (data sheet section 8.8.2: oscillator start-up and 1024 clock cycles)."""
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)
_ARGUMENTS = {reg.MEM: reg.BUFFER_SIZE, reg.AUTHENTICATE: 12}
"""How many bytes a command waits for (section 10.2)."""


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
        self.faults = faults or Faults()
        self.resets = 0
        """How often the registers went back to their reset values, whoever asked for it."""
        self._clock = clock
        self._random = Random(seed)
        self._scheduled: list[tuple[float, Callable[[], None]]] = []
        self._in_reset = False
        self._registers = Registers()
        self._modem = Modem(self._registers, field, reader, self.faults, self._random, absolute=absolute_collisions)
        self._values = self._registers.values
        self._fifo = self._registers.fifo
        self._buffer = bytes(reg.BUFFER_SIZE)
        field.add_reader(reader)
        self._restore()
        self.resets = 0

    @property
    def frames(self) -> int:
        """How many frames left the antenna."""
        return self._modem.frames

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
        return self._values[address]

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
            answer = bytes([0, *[read(byte >> 1 & 0x3F, now) for byte in data[:-1]]])
        else:
            address = first >> 1 & 0x3F
            for byte in data[1:]:
                self._write(address, byte, now)
            answer = bytes(len(data))
        return self._random.randbytes(len(data)) if faults.fuzz else answer

    def _read(self, address: int, now: float) -> int:
        values, fifo = self._values, self._fifo
        if address == FIFO_DATA:
            if not fifo:
                return 0
            byte = fifo.pop(0)
            if len(fifo) <= values[WATER_LEVEL]:
                values[COM_IRQ] |= reg.IRQ_LOW
            return byte
        if address == FIFO_LEVEL:
            return len(fifo)
        if address == COMMAND and now < self._ready_at:
            return values[COMMAND] | reg.POWER_DOWN
        if address == STATUS1:
            return self._registers.status1(timer_runs=self._modem.timer.running(now))
        if address == STATUS2:
            return values[STATUS2] | self._modem.state(now)
        if address == reg.T_COUNTER_H:
            return self._modem.timer.value(now) >> 8
        if address == reg.T_COUNTER_L:
            return self._modem.timer.value(now) & 0xFF
        return values[address]

    def _write(self, address: int, value: int, now: float) -> None:
        deaf = self.faults.deaf_registers
        if address in READ_ONLY or (deaf and address in deaf):
            return
        values = self._values
        if address == FIFO_DATA:
            self._push(value, now)
        elif address == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
                values[ERROR] &= ~reg.ERROR_OVERFLOW
                values[COM_IRQ] |= reg.IRQ_LOW
        elif address in (COM_IRQ, DIV_IRQ):
            marked = value & 0x7F
            values[address] = values[address] | marked if value & 0x80 else values[address] & ~marked
            self._registers.alert()
        elif address == BIT_FRAMING:
            values[BIT_FRAMING] = value & 0x77
            if value & 0x80 and values[COMMAND] & 0x0F == reg.TRANSCEIVE:
                self._modem.send(now)
        elif address == COLL:
            values[COLL] = values[COLL] & 0x7F | value & 0x80
        elif address == CONTROL:
            if value & 0x80:
                self._modem.timer.stop(now)
            if value & 0x40:
                self._modem.start_timer(now)
        elif address == STATUS2:
            # MFCrypto1On is set by a successful authentication only; the host can clear it
            values[STATUS2] = value & 0xC0 | values[STATUS2] & value & 0x08
        elif address == COMMAND:
            self._command(value, now)
        elif address == TX_CONTROL:
            values[TX_CONTROL] = value
            self._modem.power(now)
        else:
            values[address] = value
            if address == WATER_LEVEL:
                self._registers.alert()

    def _push(self, value: int, now: float) -> None:
        """The host writes a byte into the FIFO."""
        registers, fifo, command = self._registers, self._fifo, self._values[COMMAND] & 0x0F
        if self._modem.listens:
            registers.fail(reg.ERROR_WRITE)
        if len(fifo) >= reg.FIFO_SIZE:
            registers.fail(reg.ERROR_OVERFLOW)
            return
        fifo.append(value)
        if reg.FIFO_SIZE - len(fifo) <= self._values[WATER_LEVEL]:
            self._values[COM_IRQ] |= reg.IRQ_HIGH
        if command == reg.CALC_CRC:
            self._run_crc()
        elif command in _ARGUMENTS and len(fifo) == _ARGUMENTS[command]:
            self._start(command, now)

    # commands

    def _command(self, value: int, now: float) -> None:
        values, code = self._values, value & 0x0F
        if code == reg.SOFT_RESET:
            self._restore()
            return
        slept = values[COMMAND] & reg.POWER_DOWN
        if code == reg.NO_CHANGE:
            values[COMMAND] = values[COMMAND] & 0x0F | value & 0x30
        else:
            values[COMMAND] = value & 0x3F
            self._modem.cancel()
        if slept != value & reg.POWER_DOWN:
            if slept:
                self._ready_at = now + START_UP_S
            self._modem.power(now)
        if code not in (reg.IDLE, reg.NO_CHANGE):
            values[ERROR] &= reg.ERROR_TEMPERATURE  # section 9.3.1.7: executing a command clears all other errors
            self._start(code, now)

    def _start(self, code: int, now: float) -> None:
        """Do what a command does once its arguments are there (section 10.3)."""
        registers, values, fifo = self._registers, self._values, self._fifo
        if len(fifo) < _ARGUMENTS.get(code, 0) and not (code == reg.MEM and not fifo):
            return
        if code == reg.CALC_CRC and values[reg.AUTO_TEST] & 0x0F == 0x09:
            fifo[:] = bytes.fromhex(reg.SELF_TEST.get(self.version, "00" * reg.FIFO_SIZE))
            values[DIV_IRQ] |= 0x04
            registers.alert()
        elif code == reg.CALC_CRC:
            preset = _PRESETS[values[reg.MODE] & 0x03]
            values[CRC_HIGH], values[CRC_LOW] = preset >> 8, preset & 0xFF
            self._run_crc()
        elif code == reg.MEM:
            if fifo:
                self._buffer = bytes(fifo[: reg.BUFFER_SIZE])
                del fifo[: reg.BUFFER_SIZE]
            else:
                fifo += self._buffer
            registers.end_command()
        elif code == reg.RANDOM_ID:
            self._buffer = self._random.randbytes(10) + self._buffer[10:]
            registers.end_command()
        elif code == reg.AUTHENTICATE:
            # Identification is all these tags do: nobody goes on after the first frame, and the timer tells.
            frame = bytes(fifo[:2])
            fifo.clear()
            self._modem.radiate(frame + crc_a(frame), 0, now)
            registers.alert()
        elif code == reg.TRANSMIT:
            self._modem.send(now)
        elif code not in (reg.TRANSCEIVE, reg.RECEIVE):
            registers.end_command()

    def _run_crc(self) -> None:
        values = self._values
        crc = crc16(bytes(self._fifo), values[CRC_HIGH] << 8 | values[CRC_LOW])
        self._fifo.clear()
        values[CRC_HIGH], values[CRC_LOW] = crc >> 8, crc & 0xFF
        values[DIV_IRQ] |= 0x04
        values[COM_IRQ] |= reg.IRQ_LOW

    # time

    def _settle(self, now: float) -> None:
        """Let everything that was to happen until `now` have happened."""
        while self._scheduled and self._scheduled[0][0] <= now:
            self._scheduled.pop(0)[1]()
        self._modem.settle(now)

    def _restore(self) -> None:
        """Reset values in all registers (section 9.2), antenna off, nothing under way; the internal buffer stays."""
        self._registers.restore(self.version)
        self._modem.reset()
        self._ready_at = self._clock.now() + START_UP_S
        self.resets += 1
        self.field.switch(self.reader, False, self._clock.now())

"""The emulated MFRC522's registers and FIFO (data sheet rev. 3.9, section 9).

Rule: alert interrupts are stored while their condition holds, and stay until they are cleared.
"""

COMMAND, COM_IEN, DIV_IEN, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, DEMOD = 0x11, 0x12, 0x13, 0x14, 0x15, 0x19
CRC_HIGH, CRC_LOW, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L = 0x21, 0x22, 0x2A, 0x2B, 0x2C, 0x2D
T_COUNTER_H, T_COUNTER_L, AUTO_TEST, VERSION = 0x2E, 0x2F, 0x36, 0x37

IRQ_TX, IRQ_RX, IRQ_IDLE, IRQ_HIGH, IRQ_LOW, IRQ_ERROR, IRQ_TIMER = 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
ERROR_WRITE, ERROR_TEMPERATURE, ERROR_OVERFLOW, ERROR_COLLISION, ERROR_CRC = 0x80, 0x40, 0x10, 0x08, 0x04

IDLE, MEM, RANDOM_ID, CALC_CRC, TRANSMIT, NO_CHANGE = 0x0, 0x1, 0x2, 0x3, 0x4, 0x7
RECEIVE, TRANSCEIVE, AUTHENTICATE, SOFT_RESET = 0x8, 0xC, 0xE, 0xF
POWER_DOWN, RECEIVER_OFF = 0x10, 0x20

RESET_VALUES = {
    COMMAND: 0x20, COM_IEN: 0x80, COM_IRQ: IRQ_IDLE | IRQ_LOW, STATUS1: 0x21, WATER_LEVEL: 0x08, CONTROL: 0x10,
    COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, DEMOD: 0x4D, 0x1C: 0x62, 0x1F: 0xEB,
    CRC_HIGH: 0xFF, CRC_LOW: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x33: 0x80,
    AUTO_TEST: 0x40,
}  # fmt: skip
"""Section 9.2, "reset value" of each register that is not 00."""
READ_ONLY = frozenset({ERROR, STATUS1, CRC_HIGH, CRC_LOW, T_COUNTER_H, T_COUNTER_L, VERSION})

FIFO_SIZE = 64
BUFFER_SIZE = 25
"""The internal buffer behind the command Mem (section 10.3.1.2)."""

SELF_TEST = {
    0x91: "00C637D532B7575CC2D87C4DD970C77310E6D2AA5EA13E5A14AF3061C970DB2E"
    "642272B5BD65F4EC22BCD37235CDAA411FA7F35314DE7E02D90FB55E251D2979",
    0x92: "00EB66BA57BF2395D0E30D3D27895CDE9D3BA700215B8982513AEB020CA50049"
    "7C844DB3CCD21B815D4876D5716121A986968338CF9D5B6DDC15BA3E7D953B2F",
}
"""Version -> what the FIFO holds after the self test (section 16.1.1). Clones give something else: here zeros."""


class Registers:
    """What the SPI side and the radio side of the chip share."""

    def __init__(self) -> None:
        self.values = [0] * 64
        self.fifo = bytearray()

    def restore(self, version: int) -> None:
        """Reset values, an empty FIFO."""
        self.values[:] = [RESET_VALUES.get(address, 0) for address in range(64)]
        self.values[VERSION] = version
        self.fifo.clear()

    def alert(self) -> None:
        """Store what the FIFO's level alerts to now (sections 9.3.1.5, 9.3.1.8)."""
        values, level = self.values, len(self.fifo)
        if level <= values[WATER_LEVEL]:
            values[COM_IRQ] |= IRQ_LOW
        if FIFO_SIZE - level <= values[WATER_LEVEL]:
            values[COM_IRQ] |= IRQ_HIGH

    def fail(self, error: int) -> None:
        """Note an error, and its interrupt."""
        self.values[ERROR] |= error
        self.values[COM_IRQ] |= IRQ_ERROR

    def end_command(self) -> None:
        """A command ends of its own accord, or there is none of that code: Idle."""
        self.values[COMMAND] &= POWER_DOWN | RECEIVER_OFF
        self.values[COM_IRQ] |= IRQ_IDLE
        self.alert()

    def status1(self, *, timer_runs: bool) -> int:
        """CRCOk, CRCReady, IRq, TRunning, HiAlert, LoAlert (section 9.3.1.8)."""
        values, level = self.values, len(self.fifo)
        asked = values[COM_IRQ] & values[COM_IEN] & 0x7F or values[DIV_IRQ] & values[DIV_IEN] & 0x14
        return (
            (0 if values[CRC_HIGH] or values[CRC_LOW] else 0x40)
            | 0x20
            | (0x10 if asked else 0)
            | (0x08 if timer_runs else 0)
            | (0x02 if FIFO_SIZE - level <= values[WATER_LEVEL] else 0)
            | (0x01 if level <= values[WATER_LEVEL] else 0)
        )

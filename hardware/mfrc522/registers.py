"""Registers and values of the MFRC522 that the driver uses; addresses are the PyPI package's register map."""

from typing import Any

from hardware.mfrc522.package import load

_map: Any = load("mfrc522").MFRC522

COMMAND: int = _map.CommandReg
COM_IRQ: int = _map.CommIrqReg
ERROR: int = _map.ErrorReg
FIFO_DATA: int = _map.FIFODataReg
FIFO_LEVEL: int = _map.FIFOLevelReg
CONTROL: int = _map.ControlReg
BIT_FRAMING: int = _map.BitFramingReg
COLL: int = _map.CollReg
MODE: int = _map.ModeReg
TX_CONTROL: int = _map.TxControlReg
TX_ASK: int = _map.TxAutoReg  # the package's older name of TxASKReg
RF_CONFIG: int = _map.RFCfgReg
T_MODE: int = _map.TModeReg
T_PRESCALER: int = _map.TPrescalerReg
T_RELOAD_H: int = _map.TReloadRegH
T_RELOAD_L: int = _map.TReloadRegL
VERSION: int = _map.VersionReg

IDLE: int = _map.PCD_IDLE
TRANSCEIVE: int = _map.PCD_TRANSCEIVE
SOFT_RESET: int = _map.PCD_RESETPHASE

IRQ_RX = 0x20
IRQ_TIMER = 0x01
ERROR_COLLISION = 0x08
ERROR_ANY = 0x17  # BufferOvfl, CRCErr, ParityErr, ProtocolErr: the answer is spoilt
POWER_DOWN = 0x10
START_SEND = 0x80
ANTENNA = 0x03

MODE_VALUE = 0x3D
"""CRC preset 6363 as in ISO/IEC 14443-3; the reset value is 3F, so this register also tells a reset chip."""
MODE_RESET = 0x3F
RF_CONFIG_RESERVED = 0x08
"""Bits 3-0 of RFCfgReg are reserved and read 8 after a reset (data sheet section 9.3.3.6); they stay as they are."""
MEANINGFUL = {COLL: 0x80, RF_CONFIG: 0x70}
"""The bits that must read back as written, where those are not all of them."""
TX_CONTROL_OFF = 0x80
TX_CONTROL_ON = 0x83

TIMER_AUTO = 0x80
TIMER_PRESCALER = 0xA9
"""(2 * 169 + 1) / 13.56 MHz = 25 us for each tick (data sheet section 8.5)."""
TICK_S = (2 * TIMER_PRESCALER + 1) / 13.56e6
TIMER_RELOAD = 7
"""Eight ticks, 200 us: an answer to REQA, ANTICOLLISION and SELECT has its fifth bit after at most 148 us."""
SILENCE_S = (TIMER_RELOAD + 1) * TICK_S

VERSIONS = {
    0x91: "NXP MFRC522 1.0",
    0x92: "NXP MFRC522 2.0",
    0x88: "clone (FM17522)",
    0xB2: "clone (FM17522E)",
    0x89: "clone (FM17522 1)",
    0x12: "clone (counterfeit)",
    0x80: "clone",
    0x82: "clone",
}
"""VersionReg of chips met in the field; 00 and FF mean that no chip answers."""


def read_address(register: int) -> int:
    """The byte that reads a register (data sheet section 8.1.2)."""
    return register << 1 & 0x7E | 0x80


def write_address(register: int) -> int:
    """The byte that writes a register."""
    return register << 1 & 0x7E

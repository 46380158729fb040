"""Emulated OLED controllers: they take the bytes luma sends and hold the picture.

Commands, their lengths and the order of the memory follow the datasheets: SSD1306 rev 1.1 sections 8.7, 9 and
10; SSD1309 the same but for the charge pump; SH1106 (132 columns, page addressing only: 20h is no command of
two bytes there). What a chip does not know it counts.
"""

from enum import Enum
from typing import Final

COLUMNS: Final = 128
PAGES: Final = 8

# Arguments that follow a command byte; all others stand alone.
_SSD_ARGUMENTS: Final = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1,
    0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_SH_ARGUMENTS: Final = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class Kind(Enum):
    """Which controller."""

    SSD1306 = "ssd1306"
    SSD1309 = "ssd1309"
    SH1106 = "sh1106"


class OledChip:
    """One controller with its memory. `command` and `data` take what its bus brought."""

    def __init__(self, kind: Kind = Kind.SSD1306) -> None:
        self.kind = kind
        self.commands = 0
        self.data_bytes = 0
        self.unknown = 0
        self.resets = 0
        self.power_up()

    def power_up(self) -> None:
        """As after power on: display off, memory full of chance (here a pattern), reset values."""
        self.width = 132 if self.kind is Kind.SH1106 else COLUMNS
        self.memory = bytearray((0xA5 ^ i * 37) & 0xFF for i in range(self.width * PAGES))
        self.on = False
        self.contrast = 0x7F if self.kind is not Kind.SH1106 else 0x80
        self.inverted = False
        self.all_on = False
        self.start_line = 0
        self.mirrored = False  # A1h: column 127 is SEG0, as on modules seen upright
        self.flipped = False  # C8h
        self.pump = self.kind is not Kind.SSD1306  # 8Dh 14h switches it on; the others need none
        self.mode = 2
        self.page, self.column = 0, 0
        self.first_column, self.last_column, self.first_page, self.last_page = 0, self.width - 1, 0, PAGES - 1
        self._pending: list[int] = []
        self.resets += 1

    def command(self, data: bytes) -> None:
        """Command bytes; one may wait for its arguments until the next call."""
        arguments = _SH_ARGUMENTS if self.kind is Kind.SH1106 else _SSD_ARGUMENTS
        for byte in data:
            self._pending.append(byte)
            if len(self._pending) > arguments.get(self._pending[0], 0):
                self._act(self._pending[0], self._pending[1:])
                self._pending = []
                self.commands += 1

    def data(self, data: bytes) -> None:
        """Picture bytes at the pointer, which moves as the addressing mode says."""
        for byte in data:
            self.data_bytes += 1
            if self.column < self.width:
                self.memory[self.page * self.width + self.column] = byte
            self._move()

    def frame(self) -> bytes:
        """What is to be seen, as a frame of 1024 bytes upright: black while the display is off."""
        if not (self.on and self.pump):
            return bytes(COLUMNS * PAGES)
        left = 2 if self.kind is Kind.SH1106 else 0
        rows = [bytes(self.memory[p * self.width + left : p * self.width + left + COLUMNS]) for p in range(PAGES)]
        if not self.mirrored:
            rows = [row[::-1] for row in rows]
        if not self.flipped:
            rows = [bytes(int(f"{b:08b}"[::-1], 2) for b in row) for row in reversed(rows)]
        out = b"".join(rows)
        if self.all_on:
            return b"\xff" * len(out)
        return bytes(b ^ 0xFF for b in out) if self.inverted else out

    def _move(self) -> None:
        match self.mode:
            case 0:  # horizontal: along the window's row, then its next page
                self.column += 1
                if self.column > self.last_column:
                    self.column = self.first_column
                    self.page = self.first_page if self.page >= self.last_page else self.page + 1
            case 1:  # vertical
                self.page += 1
                if self.page > self.last_page:
                    self.page = self.first_page
                    self.column = self.first_column if self.column >= self.last_column else self.column + 1
            case _:  # page: along the page and back to its begin; an SH1106 stays at its end
                self.column += 1
                if self.column >= self.width:
                    self.column = self.width if self.kind is Kind.SH1106 else 0

    def _act(self, command: int, args: list[int]) -> None:
        match command, args:
            case 0x20, [mode]:
                self.mode = mode & 3
            case 0x21, [first, last]:
                self.first_column = self.column = first & 0x7F
                self.last_column = last & 0x7F
            case 0x22, [first, last]:
                self.first_page = self.page = first & 7
                self.last_page = last & 7
            case 0x81, [level]:
                self.contrast = level
            case 0x8D, [setting] if self.kind is Kind.SSD1306:
                self.pump = bool(setting & 0x04)
            case ((0xA0 | 0xA1), []):
                self.mirrored = command == 0xA1
            case ((0xC0 | 0xC8), []):
                self.flipped = command == 0xC8
            case ((0xA4 | 0xA5), []):
                self.all_on = command == 0xA5
            case ((0xA6 | 0xA7), []):
                self.inverted = command == 0xA7
            case ((0xAE | 0xAF), []):
                self.on = command == 0xAF
            case 0xE3, []:
                pass
            case _:
                self._act_by_range(command)

    def _act_by_range(self, command: int) -> None:
        if command <= 0x0F:
            self.column = self.column & 0xF0 | command
        elif command <= 0x1F:
            self.column = (self.column & 0x0F | (command & 0x0F) << 4) % 256
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command not in (0x2E, 0x2F, 0xA3, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, 0xAD, 0x8D):
            self.unknown += 1  # timing and analogue settings change no picture; anything else is not understood

"""Emulated tags: ISO/IEC 14443-3 type A states, NTAG21x memory, MIFARE Classic up to identification.

Rules of the states (ISO/IEC 14443-3, section 6.4): IDLE answers REQA and WUPA, HALT answers WUPA only. READY
follows anticollision and SELECT through the cascade levels to ACTIVE. Whatever does not fit sends a tag in
READY or ACTIVE silently back to where it was woken: IDLE, or HALT. Loss of the field sends every state to IDLE.

Frames are (bits, count): an integer whose bit 0 is the first bit on the air, and how many bits there are.
"""

from enum import Enum

from hardware.iso14443 import cascade, crc_a

Bits = tuple[int, int]

READS_S = 5e-3
"""Field a tag may need before it answers (NTAG213/215/216 data sheet, start-up; worst case)."""


class TagKind(Enum):
    """The chips a card may carry: (ATQA, SAK at the end, last page, capability byte, version size byte)."""

    NTAG213 = (0x0044, 0x00, 0x2C, 0x12, 0x0F)
    NTAG215 = (0x0044, 0x00, 0x86, 0x3E, 0x11)
    NTAG216 = (0x0044, 0x00, 0xE6, 0x6D, 0x13)
    CLASSIC_1K = (0x0004, 0x08, -1, 0, 0)
    TRIPLE = (0x0084, 0x00, -1, 0, -1)  # a tag with a 10-byte UID; nothing beyond identification


class TagState(Enum):
    """Where a tag is in the state diagram; READY and ACTIVE also remember whether HALT comes next."""

    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


_UID_LENGTH = {TagKind.CLASSIC_1K: (4, 7), TagKind.TRIPLE: (10,)}


def _with_crc(data: bytes) -> Bits:
    whole = data + crc_a(data)
    return int.from_bytes(whole, "little"), 8 * len(whole)


def _nibble(value: int) -> Bits:
    return value, 4


class Tag:
    """One tag. Example: `Tag("04A81D12DE5F80")` is an NTAG213."""

    def __init__(
        self,
        uid_hex: str,
        kind: TagKind = TagKind.NTAG213,
        *,
        password: bytes = b"\xff\xff\xff\xff",
        pack: bytes = b"\x00\x00",
        settle_s: float = READS_S,
    ) -> None:
        self.uid = bytes.fromhex(uid_hex)
        self.uid_hex = self.uid.hex().upper()
        lengths = _UID_LENGTH.get(kind, (7,))
        if len(self.uid) not in lengths:
            raise ValueError(f"tag {uid_hex}: {kind.name} has a UID of {lengths} bytes; give as many")
        self.kind = kind
        self.password = password
        self.pack = pack
        self.settle_s = settle_s
        atqa, self._sak, self._last_page, capability, self._size = kind.value
        if len(self.uid) == 7 and kind is TagKind.CLASSIC_1K:
            atqa = 0x0044
        self._atqa: Bits = (atqa, 16)
        self._levels: list[tuple[int, int]] = []  # (SEL code, five bytes as 40 bits)
        self._saks: list[Bits] = []
        steps = cascade(self.uid)
        for number, (code, part) in enumerate(steps):
            bcc = part[0] ^ part[1] ^ part[2] ^ part[3]
            self._levels.append((code, int.from_bytes(part + bytes([bcc]), "little")))
            more = number + 1 < len(steps)
            self._saks.append(_with_crc(bytes([0x04 if more else self._sak])))
        self.pages = self._fresh_pages(capability)
        self.state = TagState.IDLE
        self._level = 0
        self._from_halt = False
        self._pending_write = -1
        self.heard_at = -1.0
        """When the tag last had the field of a reader that spoke; `hardware.twin.field` keeps it."""
        self.powered_at = 0.0

    def _fresh_pages(self, capability: int) -> list[bytes]:
        if self._last_page < 0:
            return []
        uid = self.uid
        bcc0 = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        bcc1 = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
        pages = [bytes(4) for _ in range(self._last_page + 1)]
        pages[0] = uid[:3] + bytes([bcc0])
        pages[1] = uid[3:]
        pages[2] = bytes([bcc1, 0x48, 0, 0])
        pages[3] = bytes([0xE1, 0x10, capability, 0x00])
        return pages

    def lose_field(self) -> None:
        """All states fall back to IDLE."""
        self.state = TagState.IDLE
        self._from_halt = False
        self._pending_write = -1

    def _fall_back(self) -> None:
        self.state = TagState.HALT if self._from_halt else TagState.IDLE
        self._pending_write = -1

    def hear(self, bits: int, count: int) -> Bits | None:
        """Take one frame of a reader; return the answer's bits, or None for silence."""
        state = self.state
        if count == 7:
            if (state is TagState.IDLE and bits in (0x26, 0x52)) or (state is TagState.HALT and bits == 0x52):
                self._from_halt = state is TagState.HALT
                self.state = TagState.READY
                self._level = 0
                return self._atqa
            if state is TagState.READY or state is TagState.ACTIVE:
                self._fall_back()
            return None
        if state is TagState.READY:
            return self._hear_ready(bits, count)
        if state is TagState.ACTIVE:
            return self._hear_active(bits, count)
        return None

    def _hear_ready(self, bits: int, count: int) -> Bits | None:
        code, own = self._levels[self._level]
        nvb = (bits >> 8) & 0xFF
        if count >= 16 and bits & 0xFF == code:
            if nvb == 0x70:
                frame = _with_crc(bytes([code, 0x70]) + own.to_bytes(5, "little"))
                if (bits, count) == frame:
                    sak = self._saks[self._level]
                    self._level += 1
                    if self._level == len(self._levels):
                        self.state = TagState.ACTIVE
                    return sak
            else:
                known = ((nvb >> 4) - 2) * 8 + (nvb & 7)
                if 0 <= known < 40 and count == 16 + known:
                    mask = (1 << known) - 1
                    if (bits >> 16) & mask == own & mask:
                        return own >> known, 40 - known
        self._fall_back()
        return None

    def _hear_active(self, bits: int, count: int) -> Bits | None:
        if count % 8 or count < 24:
            self._fall_back()
            return None
        frame = bits.to_bytes(count // 8, "little")
        body = frame[:-2]
        if crc_a(body) != frame[-2:]:
            self._fall_back()
            return _nibble(0x1) if self.pages else None
        if body == b"\x50\x00":
            self.state = TagState.HALT
            return None
        answer = self._command(body) if self.pages else None
        if answer is None or (answer[1] == 4 and answer[0] != 0xA):
            self._fall_back()
        return answer

    def _write_page(self, page: int, data: bytes) -> None:
        """Lock bytes and the capability page are one-time: bits are set, never cleared (sections 8.5.2, 8.5.5)."""
        old = self.pages[page]
        if page == 2:
            data = old[:2] + bytes(a | b for a, b in zip(old[2:], data[2:], strict=True))
        elif page == 3:
            data = bytes(a | b for a, b in zip(old, data, strict=True))
        self.pages[page] = data

    def _command(self, body: bytes) -> Bits | None:
        """NTAG213/215/216 data sheet, section 10. MIFARE authentication is not known to them: silence."""
        count = len(self.pages)
        match list(body):
            case [0x30, page]:
                if page >= count:
                    return _nibble(0x0)
                return _with_crc(b"".join(self.pages[(page + i) % count] for i in range(4)))
            case [0x3A, first, last]:
                if first > last or last >= count:
                    return _nibble(0x0)
                return _with_crc(b"".join(self.pages[first : last + 1]))
            case [0xA2, page, *data] if len(data) == 4:
                if page < 2 or page >= count:
                    return _nibble(0x0)
                self._write_page(page, bytes(data))
                return _nibble(0xA)
            case [0x60]:
                return _with_crc(bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self._size, 0x03]))
            case [0x1B, *data] if len(data) == 4:
                return _with_crc(self.pack) if bytes(data) == self.password else _nibble(0x4)
            case _:
                return None

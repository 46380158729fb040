"""ISO/IEC 14443-3 type A, seen from the reader, as plain generators: no I/O, no clock, no import.

This file also runs under MicroPython on a satellite, so it keeps to bytes, ints and tuples.

A generator yields an *ask* and is sent an *answer*:

    ask    = (frame, tx_last_bits, rx_align, length)
             frame        bytes to send, CRC included
             tx_last_bits bits of the last byte that are sent (0: all eight)
             rx_align     place in the first byte where the first received bit belongs
             length       bytes that an answer has; 0: no answer is awaited
    answer = (kind, data, last_bits, collision)
             kind         ANSWER, SILENCE, COLLISION or BROKEN
             last_bits    valid bits of the last byte (0: all eight)
             collision    place of the first collision as the chip counts it, 1 to 32; 0: none

Silence is a fact, told by the chip's own timer. BROKEN says nothing about any tag.

Where does a chip count a collision from? Data sheets leave it open and chips and their drivers disagree: from
the first bit of the level (ABSOLUTE), or from the first bit of the received frame with rx_align included
(RELATIVE). The two differ once eight bits are known, and can be told apart by the value from sixteen bits on.
In between the generators try one reading, and the other one when no tag follows; a UID comes out only after
its own SELECT was answered, so that a wrong guess costs a round and never a wrong UID.
"""

MYPY = False  # a type checker takes this for true; nothing is imported when the file runs
if MYPY:
    from collections.abc import Generator

    Ask = tuple[bytes, int, int, int]
    Answer = tuple[int, bytes, int, int]

ANSWER = 0
SILENCE = 1
COLLISION = 2
BROKEN = 3

RELATIVE = 0
ABSOLUTE = 1

REQA = 0x26
WUPA = 0x52
CASCADE_TAG = 0x88
LEVELS = (0x93, 0x95, 0x97)


def _crc_table() -> "tuple[int, ...]":
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_CRC = _crc_table()


def crc_a(data: bytes) -> bytes:
    """CRC_A of ISO/IEC 14443-3 annex B, low byte first. `crc_a(b"\\x50\\x00")` is `57 CD`."""
    crc = 0x6363
    for byte in data:
        crc = (crc >> 8) ^ _CRC[(crc ^ byte) & 0xFF]
    return bytes([crc & 0xFF, crc >> 8])


def cascade(uid: bytes) -> "tuple[tuple[int, bytes], ...]":
    """The levels of a UID of 4, 7 or 10 bytes: (SEL code, four bytes) for each."""
    tag = bytes([CASCADE_TAG])
    if len(uid) == 4:
        return ((0x93, uid),)
    if len(uid) == 7:
        return ((0x93, tag + uid[:3]), (0x95, uid[3:]))
    if len(uid) == 10:
        return ((0x93, tag + uid[:3]), (0x95, tag + uid[3:6]), (0x97, uid[6:]))
    raise ValueError("a UID has 4, 7 or 10 bytes, not " + str(len(uid)))


def select_frame(code: int, part: bytes) -> bytes:
    """SELECT of one level, with BCC and CRC."""
    frame = bytes([code, 0x70]) + part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]])
    return frame + crc_a(frame)


def collision_places(known: int, counted: int) -> "tuple[int, int]":
    """Where a collision can be, as (under RELATIVE, under ABSOLUTE): 1 to 32 in the level, 0 where impossible."""
    whole = known - known % 8
    relative = counted + whole
    if relative <= known or relative > 32:
        relative = 0
    return relative, counted if counted > known else 0


def wake(command: int) -> "Generator[Ask, Answer, int]":
    """REQA or WUPA: SILENCE if nobody is there, else ANSWER (also for many at once) or BROKEN."""
    kind, data, last_bits, _ = yield bytes([command]), 7, 0, 2
    if kind == COLLISION:
        return ANSWER
    if kind == ANSWER and (len(data) != 2 or last_bits):
        return BROKEN
    return kind


def select(code: int, part: bytes) -> "Generator[Ask, Answer, tuple[int, int]]":
    """SELECT one level: (kind, SAK)."""
    kind, data, last_bits, _ = yield select_frame(code, part), 0, 0, 3
    if kind != ANSWER:
        return BROKEN if kind == COLLISION else kind, 0
    if len(data) != 3 or last_bits or crc_a(data[:1]) != data[1:]:
        return BROKEN, 0
    return ANSWER, data[0]


def halt() -> "Generator[Ask, Answer, int]":
    """HLTA: the tag that is ACTIVE rests until a WUPA. It is never answered: SILENCE."""
    frame = bytes([0x50, 0x00])
    yield frame + crc_a(frame), 0, 0, 0
    return SILENCE


def anticollision(code: int, reading: int) -> "Generator[Ask, Answer, tuple[int, bytes, bool]]":
    """Find the four bytes of one tag on one level, bit by bit: (kind, part, whether the reading was needed)."""
    known = 0
    value = 0
    guessed = False
    while True:
        whole = known // 8
        extra = known % 8
        body = [code, 0x20 + (whole << 4) + extra]
        for place in range(0, known, 8):
            body.append((value >> place) & 0xFF)
        kind, data, last_bits, counted = yield bytes(body), extra, extra, 5 - whole
        if kind in (SILENCE, BROKEN):
            return kind, b"", guessed
        got = 0
        for place, byte in enumerate(data):
            got |= byte << (8 * place)
        got = (got >> extra) << known | value
        if kind == ANSWER:
            if len(data) != 5 - whole or last_bits:
                return BROKEN, b"", guessed
            part = bytes([got >> place & 0xFF for place in (0, 8, 16, 24)])
            if part[0] ^ part[1] ^ part[2] ^ part[3] != got >> 32 & 0xFF:
                return BROKEN, b"", guessed
            return ANSWER, part, guessed
        relative, absolute = collision_places(known, counted)
        place = relative or absolute
        if relative and absolute and relative != absolute:
            guessed = True
            if reading == ABSOLUTE:
                place = absolute
        if not counted or not place:
            return BROKEN, b"", guessed
        value = got & ((1 << (place - 1)) - 1) | 1 << (place - 1)
        known = place


def find(command: int, reading: int) -> "Generator[Ask, Answer, tuple[int, bytes, int, bool]]":
    """Identify one of the tags that answer `command`: (kind, uid, SAK, whether the reading was needed).

    SILENCE: nobody answered the command. COLLISION: somebody did, and then no tag followed. BROKEN: noise.
    The tag found is ACTIVE; `halt` lets it rest so that the next REQA finds another one.
    """
    kind = yield from wake(command)
    if kind == SILENCE:
        return SILENCE, b"", 0, False
    first = kind
    uid = b""
    guessed = False
    for code in LEVELS:
        kind, part, needed = yield from anticollision(code, reading)
        guessed = guessed or needed
        if kind == ANSWER:
            kind, sak = yield from select(code, part)
        if kind != ANSWER:
            noisy = kind == BROKEN or first == BROKEN
            return BROKEN if noisy else COLLISION, b"", 0, guessed
        if not sak & 0x04:
            # a complete UID never has the cascade tag in front of its last level (section 6.5.4)
            if part[0] == CASCADE_TAG:
                return BROKEN, b"", 0, guessed
            return ANSWER, uid + part, sak, guessed
        if part[0] != CASCADE_TAG:
            return BROKEN, b"", 0, guessed
        uid += part[1:]
    return BROKEN, b"", 0, guessed


def check(uid: bytes) -> "Generator[Ask, Answer, int]":
    """Ask for one known tag: WUPA, then SELECT of that very UID. ANSWER proves it, SILENCE says it is not heard.

    A WUPA proves only that some tag is there; so even a broken answer to it is followed by the SELECT.
    """
    kind = yield from wake(WUPA)
    if kind == SILENCE:
        return SILENCE
    steps = cascade(uid)
    for number, (code, part) in enumerate(steps):
        kind, sak = yield from select(code, part)
        if kind != ANSWER:
            return kind
        if (sak & 0x04 != 0) != (number + 1 < len(steps)):
            return BROKEN
    return ANSWER

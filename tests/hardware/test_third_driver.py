"""A third driver, written here from the data sheet alone, runs on the emulated chip as it would on a real one.

It works as drivers for microcontrollers do: CRC by the coprocessor, time-outs by TAuto, busy waiting on ComIrqReg,
FIFO in bursts, anticollision by RxAlign and CollPos. It reads CollPos in one of the two ways; where the chip counts
in the other one it may miss tags of three and more, but it must never find one that is not there.
"""

from random import Random

import pytest

from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import Costs, TwinBus, TwinPort
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

KINDS = {4: TagKind.CLASSIC_1K, 7: TagKind.NTAG213, 10: TagKind.TRIPLE}
COMMAND, COM_IRQ, DIV_IRQ, ERROR = 0x01, 0x04, 0x05, 0x06
FIFO, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL, TX_CONTROL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E, 0x14
IDLE, CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x00, 0x03, 0x0C, 0x0F
OK, NOBODY, COLLISION, BROKEN = "ok", "nobody", "collision", "broken"


class ThirdDriver:
    """Busy waiting, one chip, no state but the chip's."""

    def __init__(self, port: TwinPort, line: TimeLine, *, absolute: bool) -> None:
        self._port = port
        self._line = line
        self._absolute = absolute

    def write(self, register: int, *values: int) -> None:
        self._port.transfer(bytes([register << 1, *values]))

    def read(self, register: int, count: int = 1) -> bytes:
        return self._port.transfer(bytes([0x80 | register << 1] * count + [0]))[1:]

    def change(self, register: int, *, clear: int = 0, put: int = 0) -> None:
        self.write(register, self.read(register)[0] & ~clear | put)

    def begin(self) -> None:
        self.write(COMMAND, SOFT_RESET)
        while self.read(COMMAND)[0] & 0x10:
            self._line.advance(1e-3)
        # 25 us ticks, 25 ms, TAuto; 100 % ASK; CRC preset 6363
        for register, value in ((0x2A, 0x80), (0x2B, 0xA9), (0x2C, 0x03), (0x2D, 0xE8), (0x15, 0x40), (0x11, 0x3D)):
            self.write(register, value)
        self.change(TX_CONTROL, put=0x03)
        self.change(COLL, clear=0x80)
        self._line.advance(5e-3)

    def crc(self, data: bytes) -> bytes:
        self.write(COMMAND, IDLE)
        self.write(DIV_IRQ, 0x04)
        self.write(FIFO_LEVEL, 0x80)
        self.write(FIFO, *data)
        self.write(COMMAND, CALC_CRC)
        while not self.read(DIV_IRQ)[0] & 0x04:
            pass
        self.write(COMMAND, IDLE)
        return self.read(0x22) + self.read(0x21)

    def exchange(self, frame: bytes, last: int = 0, align: int = 0) -> tuple[str, bytes]:
        self.write(COMMAND, IDLE)
        self.write(COM_IRQ, 0x7F)
        self.write(FIFO_LEVEL, 0x80)
        self.write(FIFO, *frame)
        self.write(BIT_FRAMING, align << 4 | last)
        self.write(COMMAND, TRANSCEIVE)
        self.change(BIT_FRAMING, put=0x80)
        while not (irq := self.read(COM_IRQ)[0]) & 0x31:
            pass
        if irq & 0x01:
            return NOBODY, b""
        error = self.read(ERROR)[0]
        if error & 0x13:
            return BROKEN, b""
        level = self.read(FIFO_LEVEL)[0]
        return COLLISION if error & 0x08 else OK, self.read(FIFO, level) if level else b""

    def level(self, code: int) -> tuple[bytes, int] | None:
        """Four bytes and the SAK of one tag on one cascade level."""
        known, value = 0, 0
        while known < 32:
            whole, extra = divmod(known, 8)
            frame = bytes([code, (2 + whole) << 4 | extra]) + value.to_bytes(4, "little")[: (known + 7) // 8]
            kind, data = self.exchange(frame, last=extra, align=extra)
            if kind not in (OK, COLLISION):
                return None
            heard = int.from_bytes(data, "little") >> extra << known | value
            if kind == OK:
                known, value = 32, heard & 0xFFFFFFFF
                continue
            coll = self.read(COLL)[0]
            place = (coll & 0x1F or 32) + (0 if self._absolute else known - extra)
            if coll & 0x20 or not known < place <= 32:
                return None
            known, value = place, heard & ((1 << place - 1) - 1) | 1 << place - 1
        part = value.to_bytes(4, "little")
        frame = bytes([code, 0x70]) + part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]])
        kind, data = self.exchange(frame + self.crc(frame))
        if kind != OK or len(data) != 3 or self.crc(data[:1]) != data[1:]:
            return None
        return part, data[0]

    def select(self) -> bytes | None:
        uid = b""
        for code in (0x93, 0x95, 0x97):
            found = self.level(code)
            if found is None:
                return None
            part, sak = found
            if not sak & 0x04:
                return uid + part
            uid += part[1:]
        return None

    def inventory(self) -> set[bytes]:
        """All tags of the field, each sent to HALT when it is found."""
        found: set[bytes] = set()
        misses = 0
        while misses < 3:
            uid = None if self.exchange(b"\x26", last=7)[0] == NOBODY else self.select()
            if uid is None:
                misses += 1
                continue
            misses = 0
            found.add(uid)
            assert self.exchange(b"\x50\x00" + self.crc(b"\x50\x00"))[0] == NOBODY
        return found


def run(uids: set[bytes], *, chip: bool, driver: bool) -> set[bytes]:
    line = TimeLine()
    field = Field(top=len(uids))
    port = TwinBus(line, Costs(call_s=25e-6)).add(Mfrc522Twin(field, "r", line, absolute_collisions=chip))
    for uid in sorted(uids):
        field.put(Tag(uid.hex(), KINDS[len(uid)]), "r", at=0.0)
    third = ThirdDriver(port, line, absolute=driver)
    third.begin()
    return third.inventory()


def random_uids(random: Random, count: int) -> set[bytes]:
    found: set[bytes] = set()
    while len(found) < count:
        uid = bytearray(random.randbytes(random.choice((4, 7, 7, 10))))
        for place in (0, 3, 6):
            uid[place : place + 1] = uid[place : place + 1].replace(b"\x88", b"\x08")
        found.add(bytes(uid))
    return found


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
def test_it_finds_up_to_four_tags_where_the_chip_counts_as_it_does(absolute: bool) -> None:
    random = Random(1)
    for _ in range(25):
        uids = random_uids(random, random.randint(1, 4))
        assert run(uids, chip=absolute, driver=absolute) == uids


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
def test_it_finds_two_but_never_a_tag_that_is_not_there_where_the_chip_counts_otherwise(absolute: bool) -> None:
    random = Random(2)
    missed = 0
    for _ in range(15):
        two = random_uids(random, 2)
        assert run(two, chip=absolute, driver=not absolute) == two
        six = random_uids(random, 6)
        found = run(six, chip=absolute, driver=not absolute)
        assert found <= six
        missed += found < six
    assert missed

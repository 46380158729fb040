"""Other people's drivers run unchanged on the emulated chip, with their faults (nfc.md, field reports 1, 8)."""

import logging
from typing import Any

from hardware.mfrc522.package import SpiHandle, load
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import TwinBus
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine


class Desk:
    """One emulated chip, wired for one of the packages."""

    def __init__(self) -> None:
        self.line = TimeLine()
        self.field = Field()
        self.bus = TwinBus(self.line)
        self.spi = self.bus.add(Mfrc522Twin(self.field, "desk", self.line))

    def put(self, uid: str, kind: TagKind = TagKind.NTAG213) -> None:
        self.field.put(Tag(uid, kind), "desk", at=self.line.now())
        self.line.advance(0.01)

    def simple_mfrc522(self) -> Any:
        package = load("mfrc522")
        chip = object.__new__(package.MFRC522)
        chip.spi = SpiHandle(self.spi)
        chip.logger = logging.getLogger("mfrc522Logger")
        chip.MFRC522_Init()
        reader = object.__new__(package.SimpleMFRC522)
        reader.READER = chip
        return reader

    def pi_rc522(self) -> Any:
        reader = object.__new__(load("pirc522").RFID)
        reader.spi = SpiHandle(self.spi)
        reader.pin_ce = 0
        reader.init()
        return reader


def test_mfrc522_reads_a_four_byte_tag() -> None:
    desk = Desk()
    reader = desk.simple_mfrc522()
    desk.put("B0BB8904", TagKind.CLASSIC_1K)
    assert reader.read_id() == 0xB0BB890486


def test_mfrc522_needs_2013_transfers_for_an_empty_poll() -> None:
    desk = Desk()
    reader = desk.simple_mfrc522()
    before = desk.bus.transfers
    assert reader.read_id_no_block() is None
    assert desk.bus.transfers - before == 2013


def test_mfrc522_takes_two_ntags_for_one() -> None:
    numbers = set()
    for uid in ("04A81D12DE5F80", "04A81D55666777"):
        desk = Desk()
        reader = desk.simple_mfrc522()
        desk.put(uid)
        numbers.add(reader.read_id())
    assert numbers == {0x8804A81D39}


def test_mfrc522_misses_a_resting_tag_on_every_second_poll() -> None:
    desk = Desk()
    reader = desk.simple_mfrc522()
    desk.put("B0BB8904", TagKind.CLASSIC_1K)
    seen = [reader.read_id_no_block() is not None for _ in range(6)]
    assert seen == [True, False] * 3


def test_pi_rc522_reads_four_and_seven_byte_tags() -> None:
    for uid, kind in (("B0BB8904", TagKind.CLASSIC_1K), ("04A81D12DE5F80", TagKind.NTAG213)):
        desk = Desk()
        reader = desk.pi_rc522()
        desk.put(uid, kind)
        assert reader.read_id() == list(bytes.fromhex(uid))


def test_pi_rc522_needs_as_many_transfers_for_an_empty_poll() -> None:
    desk = Desk()
    reader = desk.pi_rc522()
    before = desk.bus.transfers
    assert reader.read_id() is None
    assert desk.bus.transfers - before == 2013


def test_mfrc522_crc_unit_agrees_with_the_frames_of_a_trace() -> None:
    desk = Desk()
    chip = desk.simple_mfrc522().READER
    assert chip.CalulateCRC([0x93, 0x70, 0xB0, 0xBB, 0x89, 0x04, 0x86]) == [0x3D, 0x30]

"""Frames on the air at 106 kbit/s: how long they last, what a chip receives when several tags speak at once.

Times from ISO/IEC 14443-3, section 6.2: one bit is 128 carrier cycles (9.44 us); a tag answers 1172 cycles after
a frame whose last bit is 0 and 1236 after one whose last bit is 1. A whole byte carries a parity bit.
"""

from dataclasses import dataclass
from random import Random

from hardware.twin.faults import Faults

CARRIER_HZ = 13.56e6
BIT_S = 128 / CARRIER_HZ
REPLY_AFTER_0_S = 1172 / CARRIER_HZ
REPLY_AFTER_1_S = 1236 / CARRIER_HZ

PARITY_ERROR, PROTOCOL_ERROR = 0x02, 0x01

Bits = tuple[int, int]


@dataclass(slots=True)
class Reception:
    """What arrives at the chip; bit 0 of `bits` first, `collision` from 1 within the frame (0: none)."""

    bits: int
    count: int
    collision: int
    known: int
    """Bits of the level that the reader itself sent (anticollision frames), for chips that count them in."""
    error: int
    begins_at: float
    ends_at: float

    @property
    def fifth_bit_at(self) -> float:
        """When the chip has the start and five bits."""
        return self.begins_at + 6 * BIT_S

    def byte_at(self, index: int, align: int) -> float:
        """When byte `index` of the FIFO is there, if the first bit belongs at place `align` of the first byte."""
        bits = (index + 1) * 8 - align
        return min(self.ends_at, self.begins_at + (1 + bits + index + 1) * BIT_S)


def sending_s(bits: int, count: int) -> float:
    """How long a reader's frame lasts (start and end of communication included): 78 us for a REQA."""
    return (1.25 + count + count // 8) * BIT_S


def answering_s(count: int) -> float:
    """How long a tag's frame lasts: 175 us for an ATQA."""
    return (0.5 + count + count // 8) * BIT_S


def receive(
    answers: list[Bits], bits: int, count: int, sent_at: float, faults: Faults, random: Random
) -> Reception | None:
    """What the chip receives after the frame (`bits`, `count`) ended at `sent_at`; None: silence."""
    error = 0
    broken = faults.noise and random.random() < faults.noise
    hidden = faults.hidden_noise and random.random() < faults.hidden_noise
    if not answers:
        if not broken and not hidden:
            return None
        got = random.randrange(1, 60)
        merged = random.getrandbits(got)
        differ = 0
    elif len(answers) == 1:
        merged, got = answers[0]
        differ = 0
    else:
        merged, got = answers[0]
        differ = 0
        for other, other_count in answers[1:]:
            shared = (1 << min(got, other_count)) - 1
            differ |= (merged ^ other) & shared
            merged |= other
            got = max(got, other_count)
    if (broken or hidden) and answers:
        for _ in range(random.choice((1, 1, 2, 3))):
            merged ^= 1 << random.randrange(got)
    if broken:
        error = random.choice((PARITY_ERROR, PROTOCOL_ERROR, PARITY_ERROR | PROTOCOL_ERROR))
    collision = (differ & -differ).bit_length() if differ else 0
    is_anticollision = count >= 16 and bits & 0xFF in (0x93, 0x95, 0x97) and bits >> 8 & 0xFF != 0x70
    begins = sent_at + (REPLY_AFTER_1_S if bits >> (count - 1) & 1 else REPLY_AFTER_0_S)
    return Reception(
        bits=merged,
        count=got,
        collision=collision,
        known=count - 16 if is_anticollision else 0,
        error=error,
        begins_at=begins,
        ends_at=begins + answering_s(got),
    )

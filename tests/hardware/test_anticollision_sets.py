"""Random sets of tags in one field: every one is found, whichever way the chip counts its collisions.

10,000 sets under both readings take half a minute; ARBITRE_NIGHTLY=1 makes it ten times as many, and up to six tags.
"""

import os
from random import Random

import pytest

from hardware.looks import Cause
from hardware.twin.field import Field
from hardware.twin.spibus import Costs
from hardware.twin.stand import Stand
from hardware.twin.tags import Tag, TagKind

NIGHTLY = os.environ.get("ARBITRE_NIGHTLY") == "1"
SETS = 100_000 if NIGHTLY else 10_000
MOST = 6 if NIGHTLY else 3
SHARDS = 4
KINDS = {4: TagKind.CLASSIC_1K, 7: TagKind.NTAG213, 10: TagKind.TRIPLE}


def random_uid(random: Random) -> bytes:
    """A UID that a tag can have: no cascade tag where a level of it begins (ISO/IEC 14443-3, section 6.5.4)."""
    while True:
        uid = random.randbytes(random.choice((4, 7, 7, 7, 10)))
        if is_possible(uid):
            return uid


def is_possible(uid: bytes) -> bool:
    return uid[0] != 0x88 and not (len(uid) > 4 and uid[3] == 0x88) and not (len(uid) == 10 and uid[6] == 0x88)


def random_set(random: Random, most: int) -> set[bytes]:
    """1 to `most` UIDs; half of the sets of several have two that differ in a single bit."""
    count = random.randint(1, most)
    found = {random_uid(random)}
    while len(found) < count:
        if random.random() < 0.5:
            near = bytearray(random.choice(sorted(found)))
            bit = random.randrange(8 * len(near))
            near[bit // 8] ^= 1 << bit % 8
            if is_possible(bytes(near)):
                found.add(bytes(near))
        else:
            found.add(random_uid(random))
    return found


def inventory(uids: set[bytes], *, absolute: bool) -> tuple[set[str], set[Cause | None], int]:
    """What a fresh reader reports of a pile that lies there from the beginning: UIDs, troubles, and looks needed."""
    field = Field(top=len(uids))
    stand = Stand(
        ["r"], field=field, costs=Costs(call_s=25e-6), absolute_collisions=absolute, deadline_s=0.25, pace_s=0.1
    )
    for uid in sorted(uids):
        field.put(Tag(uid.hex(), KINDS[len(uid)], settle_s=0.0), "r", at=0.0)
    until = 0.0
    while not stand.looks:
        until += 0.01
        stand.run(until=until)
    return stand.present("r"), {look.trouble for look in stand.looks}, len(stand.looks)


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
@pytest.mark.parametrize("shard", range(SHARDS))
def test_all_tags_of_random_sets_are_found_in_one_look(shard: int, absolute: bool) -> None:
    random = Random(shard)
    for number in range(SETS // SHARDS):
        uids = random_set(random, MOST)
        found = inventory(uids, absolute=absolute)
        expected = {uid.hex().upper() for uid in uids}
        assert found == (expected, {None}, 1), f"set {number} of shard {shard}"


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
@pytest.mark.parametrize("uid", ["B0BB8904", "04A81D12DE5F80", "04A81D12DE5F80112233"])
def test_two_tags_that_differ_in_one_bit_are_both_found_whichever_bit_it_is(uid: str, absolute: bool) -> None:
    first = bytes.fromhex(uid)
    for bit in range(8 * len(first)):
        near = bytearray(first)
        near[bit // 8] ^= 1 << bit % 8
        if is_possible(bytes(near)):
            found, _, _ = inventory({first, bytes(near)}, absolute=absolute)
            assert found == {uid, near.hex().upper()}, f"bit {bit}"


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
def test_three_tags_that_collide_where_the_readings_are_ambiguous_are_found(absolute: bool) -> None:
    # a collision at bit 9 leaves nine bits known; the next one can then be read as bit 12 or as bit 20
    uids = {bytes.fromhex(uid) for uid in ("B0BB8904", "B0BA8904", "B0BB8104", "B0B38904", "B0B28904")}
    found, _, _ = inventory(uids, absolute=absolute)
    assert found == {uid.hex().upper() for uid in uids}

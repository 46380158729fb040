"""Readers that share air, and chips that fail: groups, resets, dead chips, a late host."""

from itertools import pairwise

import pytest

from hardware.errors import HardwareError
from hardware.looks import Cause, Look
from hardware.mfrc522 import ReaderState
from hardware.poller import Poller
from hardware.twin.stand import Stand
from hardware.twin.tags import Tag, TagKind

UID = "04A81D12DE5F80"
OTHER = "04A81D55666777"


def contacts(looks: list[Look]) -> list[str]:
    return [uid for look in looks for uid, _ in look.contacts]


# groups


def test_group_never_has_two_antennas_on_and_finds_its_tags() -> None:
    stand = Stand(["a", "b", "c"], groups={"a": "pair", "b": "pair"})
    for first in ("a", "b"):
        for second in ("a", "b"):
            if first != second:
                stand.field.couple(first, second, 1.0)
    stand.field.put(Tag(UID), "a", at=0.5)
    stand.field.put(Tag(OTHER), "c", at=0.5)
    stand.run(until=3.0)
    on: set[str] = set()
    for _, reader, goes_on in stand.field.switches:
        (on.add if goes_on else on.discard)(reader)
        assert not {"a", "b"} <= on
    assert UID in stand.present("a")
    assert stand.present("c") == {OTHER}


def test_group_keeps_a_resting_card_known_without_silence() -> None:
    stand = Stand(["a", "b"], groups={"a": "pair", "b": "pair"})
    stand.field.put(Tag(UID), "a", at=0.5)
    stand.field.put(Tag(OTHER), "b", at=0.5)
    stand.run(until=5.0)
    assert sorted(contacts(stand.looks)) == [UID, OTHER]
    assert all(not look.silent and look.trouble is None for look in stand.looks)


def test_group_forgets_for_good_since_its_tags_fall_to_idle() -> None:
    # a phone has another UID in each field, so that a table would remember thousands in an evening
    stand = Stand(["a", "b"], groups={"a": "pair", "b": "pair"})
    tags = [Tag(f"08{n:06X}", TagKind.CLASSIC_1K) for n in range(8)]
    for n, tag in enumerate(tags):
        stand.field.put(tag, "a", at=0.1 + n * 0.2)
        stand.field.take(tag, at=0.25 + n * 0.2)
        stand.run(until=0.3 + n * 0.2)
        stand.poller.forget("a", tag.uid_hex)
    stand.field.put(tags[0], "a", at=2.0)
    stand.run(until=2.2)
    assert stand.present("a", since=2.0) == {tags[0].uid_hex}
    assert stand.poller.known("a") == (tags[0].uid_hex,)
    assert stand.poller._by_name["a"].ghosts == {}


def test_group_of_one_keeps_its_antenna_on() -> None:
    stand = Stand(["a"], groups={"a": "alone"})
    stand.run(until=2.0)
    assert [on for _, _, on in stand.field.switches] == [True]


def test_dead_member_of_a_group_does_not_stop_the_other() -> None:
    stand = Stand(["a", "b"], groups={"a": "pair", "b": "pair"})
    stand.run(until=0.5)
    stand.chips["a"].faults.stuck = 0x00
    stand.field.put(Tag(UID), "b", at=1.0)
    stand.run(until=4.0)
    assert stand.poller.health("a").state is ReaderState.DEAD
    assert contacts(stand.looks_of("b")) == [UID]


# chips that fail


def test_chip_that_was_reset_is_initialised_again_and_counted() -> None:
    # field report 9
    stand = Stand(["a", "b"])
    stand.field.put(Tag(UID), "a", at=0.1)
    chip = stand.chips["a"]
    chip.schedule(1.0, chip.brown_out)
    stand.run(until=2.0)
    health = stand.poller.health("a")
    assert (health.resets, health.reinits, health.state) == (1, 1, ReaderState.WELL)
    assert [look.trouble for look in stand.looks_of("a") if look.trouble] == [Cause.RESET]
    assert UID in stand.present("a", since=1.1)
    assert contacts(stand.looks) == [UID]
    assert stand.poller.health("b").reinits == 0


@pytest.mark.parametrize("stuck", [0x00, 0xFF])
def test_dead_chip_is_named_within_two_seconds_and_tried_again_a_bounded_number_of_times(stuck: int) -> None:
    # field reports 9 and 10
    stand = Stand(["a", "b"])
    stand.run(until=1.0)
    stand.chips["a"].faults.stuck = stuck
    stand.run(until=3.0)
    health = stand.poller.health("a")
    assert health.state is ReaderState.DEAD
    assert health.dead_since is not None
    assert health.dead_since < 3.0
    assert health.finding
    tried = health.reinits
    stand.run(until=13.0)
    assert health.reinits - tried <= 10
    assert {look.trouble for look in stand.looks_of("a", since=1.1)} == {Cause.DEAD}


def test_chip_that_never_answers_is_named_from_the_start() -> None:
    stand = Stand(["a", "b"])
    stand.chips["a"].faults.stuck = 0x00
    stand.field.put(Tag(UID), "b", at=0.5)
    stand.run(until=2.0)
    health = stand.poller.health("a")
    assert (health.state, health.chip) == (ReaderState.DEAD, "no chip")
    assert contacts(stand.looks) == [UID]


def test_chip_that_comes_back_is_used_again() -> None:
    stand = Stand(["a"])
    stand.field.put(Tag(UID), "a", at=0.1)
    chip = stand.chips["a"]
    stand.run(until=1.0)
    chip.faults.stuck = 0x00
    stand.run(until=5.0)
    chip.faults.stuck = None
    chip.brown_out()
    stand.run(until=7.0)
    health = stand.poller.health("a")
    assert (health.state, health.dead_since) == (ReaderState.WELL, None)
    assert UID in stand.present("a", since=5.0)


def test_chip_that_pulls_miso_down_for_all_is_seen_on_all_and_all_recover() -> None:
    stand = Stand(["a", "b"])
    stand.field.put(Tag(UID), "b", at=0.1)
    stand.run(until=1.0)
    stand.bus.held_low = True
    stand.run(until=3.0)
    assert {stand.poller.health(reader).state for reader in ("a", "b")} == {ReaderState.DEAD}
    stand.bus.held_low = False
    stand.run(until=5.0)
    assert {stand.poller.health(reader).state for reader in ("a", "b")} == {ReaderState.WELL}
    assert contacts(stand.looks) == [UID]


def test_bus_that_raises_is_trouble_with_its_words_and_not_an_exception() -> None:
    stand = Stand(["a"])
    stand.run(until=0.5)

    def broken(data: bytes) -> bytes:
        raise HardwareError("/dev/spidev0.0: busy; stop the other program")

    reader = stand.readers["a"]
    reader._spi = type("Broken", (), {"transfer": staticmethod(broken)})()
    stand.run(until=1.0)
    assert stand.looks[-1].trouble is Cause.DEAD
    assert stand.poller.health("a").finding == "/dev/spidev0.0: busy; stop the other program"


def test_late_host_says_late_and_nothing_about_any_tag() -> None:
    stand = Stand(["a"])
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=1.0)
    for _ in range(40):
        stand.run(until=stand.line.now() + 0.003)
        stand.line.advance(0.2)  # the whole program stood still
    late = [look for look in stand.looks_of("a", since=1.0) if look.trouble is not None]
    assert late
    assert {look.trouble for look in late} <= {Cause.LATE, Cause.COLLISION}
    assert all(not look.silent for look in stand.looks)
    assert contacts(stand.looks) == [UID]


# the machine


def test_readers_of_one_bus_wait_for_their_air_together() -> None:
    alone = Stand(["a"], pace_s=0.0)
    alone.run(until=2.0)
    eight = Stand([f"r{number}" for number in range(8)], pace_s=0.0)
    eight.run(until=2.0)
    # looks of eight readers in a second, against eight times one after the other
    assert len(eight.looks) > 1.5 * len(alone.looks)


def test_pace_is_kept() -> None:
    stand = Stand(["a"], pace_s=0.05)
    stand.run(until=2.0)
    begins = [look.began for look in stand.looks]
    assert all(later - sooner >= 0.05 - 1e-9 for sooner, later in pairwise(begins))


def test_same_seed_gives_the_same_looks() -> None:
    def history() -> list[Look]:
        stand = Stand(["a", "b"], seed=11)
        for chip in stand.chips.values():
            chip.faults.drop = 0.1
            chip.faults.noise = 0.05
        stand.field.couple("b", "a", 0.2)
        stand.field.put(Tag(UID), "a", at=0.3)
        stand.run(until=3.0)
        return stand.looks

    assert history() == history()


def test_wrong_reader_and_double_names_are_refused() -> None:
    stand = Stand(["a"])
    with pytest.raises(ValueError, match="no reader 'z'"):
        stand.poller.ask("z", UID)
    with pytest.raises(ValueError, match="two readers have the same name"):
        Poller("spi0", [stand.readers["a"], stand.readers["a"]], stand.line, stand.looks.append)

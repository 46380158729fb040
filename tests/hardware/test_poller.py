"""Readers on emulated buses, through the real driver and poller, into Looks."""

from itertools import pairwise

import pytest

from hardware.looks import Cause, Look
from hardware.twin.field import Field
from hardware.twin.stand import Stand
from hardware.twin.tags import Tag, TagKind

UID = "04A81D12DE5F80"
OTHER = "04A81D55666777"


def contacts(looks: list[Look]) -> list[str]:
    return [uid for look in looks for uid, _ in look.contacts]


# tags


def test_newcomer_is_reported_once_with_the_time_of_its_first_answer() -> None:
    stand = Stand(["a", "b"])
    stand.field.put(Tag(UID), "a", at=1.0)
    stand.run(until=3.0)
    found = [look for look in stand.looks if look.contacts]
    assert [(look.reader, look.present) for look in found] == [("a", (UID,))]
    uid, at = found[0].contacts[0]
    assert uid == UID
    assert 1.005 <= at <= found[0].ended
    assert found[0].ended < 1.025


def test_resting_card_never_flaps() -> None:
    # field report 1: ten minutes of a resting card; every time it is asked for it is there
    stand = Stand(["a"], pace_s=0.06)
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=600.0)
    assert contacts(stand.looks) == [UID]
    assert all(not look.silent and look.trouble is None for look in stand.looks)
    asked = [look.ended for look in stand.looks if UID in look.present]
    assert max(later - sooner for sooner, later in pairwise(asked)) < 0.13


def test_removed_tag_is_silent_quickly_and_then_asked_now_and_then() -> None:
    stand = Stand(["a"])
    tag = Tag(UID)
    stand.field.put(tag, "a", at=0.1)
    stand.field.take(tag, at=1.0)
    stand.run(until=6.0)
    silences = [look.ended for look in stand.looks if UID in look.silent]
    assert silences[0] < 1.08
    assert len([at for at in silences if at < 1.4]) >= 8
    assert len([at for at in silences if at > 2.0]) <= 8
    assert not stand.present("a", since=1.0)


def test_cards_swapped_between_two_looks_are_told_apart() -> None:
    # field report 4
    stand = Stand(["a"])
    first, second = Tag(UID), Tag(OTHER)
    stand.field.put(first, "a", at=0.1)
    stand.field.take(first, at=1.0)
    stand.field.put(second, "a", at=1.0)
    stand.run(until=2.0)
    later = stand.looks_of("a", since=1.02)
    assert stand.present("a", since=1.02) == {OTHER}
    assert any(UID in look.silent for look in later)


def test_card_put_back_after_forgetting_is_a_newcomer_again() -> None:
    stand = Stand(["a"])
    tag = Tag(UID)
    stand.field.put(tag, "a", at=0.1)
    stand.field.take(tag, at=1.0)
    stand.run(until=2.0)
    stand.poller.forget("a", UID)
    stand.run(until=3.0)
    stand.field.put(tag, "a", at=3.0)
    stand.run(until=4.0)
    assert contacts(stand.looks) == [UID, UID]


def test_card_forgotten_by_mistake_is_found_again_though_it_rests_in_halt() -> None:
    # field report 2: a halted card that nobody asks for is invisible
    for others in ([], [OTHER]):
        stand = Stand(["a"])
        for uid in [UID, *others]:
            stand.field.put(Tag(uid), "a", at=0.1)
        stand.run(until=1.0)
        stand.poller.forget("a", UID)
        stand.run(until=1.5)
        assert contacts(stand.looks_of("a", since=1.0)) == [UID]
        assert set(stand.poller.known("a")) == {UID, *others}


def test_ask_looks_for_a_tag_at_once_whether_it_is_known_or_not() -> None:
    stand = Stand(["a", "b"], pace_s=0.5)
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=2.0)
    stand.poller.ask("a", UID)
    stand.poller.ask("b", UID)
    stand.run(until=2.03)
    answers = [look for look in stand.looks if look.began >= 2.0 and UID in look.present + look.silent]
    assert [(look.reader, look.present, look.silent) for look in sorted(answers, key=lambda look: look.reader)] == [
        ("a", (UID,), ()),
        ("b", (), (UID,)),
    ]
    assert stand.poller.known("b") == ()


def test_a_tag_without_power_for_a_moment_is_found_again_and_is_no_newcomer() -> None:
    stand = Stand(["a"])
    tag = Tag(UID)
    stand.field.put(tag, "a", at=0.1)
    stand.field.take(tag, at=1.0)
    stand.field.put(tag, "a", at=1.02)
    stand.run(until=2.0)
    assert contacts(stand.looks) == [UID]
    assert UID in stand.present("a", since=1.1)


def test_newcomer_beside_three_resting_tags_is_found_while_they_stay_known() -> None:
    field = Field(top=6)
    stand = Stand(["a"], field=field)
    uids = [f"04A81D12DE5F{number:02X}" for number in range(4)]
    for number, uid in enumerate(uids):
        field.put(Tag(uid), "a", at=0.1 + number)
    stand.run(until=6.0)
    assert contacts(stand.looks) == uids
    assert all(not look.silent and look.trouble is None for look in stand.looks)


def test_more_tags_than_one_look_has_time_for_are_found_by_the_next() -> None:
    field = Field(top=6)
    stand = Stand(["a"], field=field, deadline_s=0.02)
    uids = {f"04{number:02X}1D12DE5F80" for number in range(1, 7)}
    for uid in sorted(uids):
        field.put(Tag(uid), "a", at=0.1)
    stand.run(until=0.3)
    assert set(contacts(stand.looks)) == uids
    assert Cause.COLLISION in {look.trouble for look in stand.looks}
    assert stand.looks[-1].trouble is None


def test_mifare_classic_and_ntag_lie_side_by_side() -> None:
    stand = Stand(["a"])
    stand.field.put(Tag("B0BB8904", TagKind.CLASSIC_1K), "a", at=0.1)
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=0.5)
    assert set(contacts(stand.looks)) == {"B0BB8904", UID}


# noise


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_drop_outs_never_make_a_resting_card_silent_for_long_nor_a_newcomer(rate: float) -> None:
    # field report 3; how many silences are a departure is presence's affair
    stand = Stand(["a"], pace_s=0.02, seed=3)
    stand.chips["a"].faults.drop = rate
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=120.0)
    assert contacts(stand.looks) == [UID]
    run, longest = 0, 0
    for look in stand.looks:
        run = 0 if UID in look.present else run + (UID in look.silent)
        longest = max(longest, run)
    assert longest <= (2 if rate == 0.05 else 6)


def test_noise_is_trouble_and_not_silence() -> None:
    # field report 2
    stand = Stand(["a"], seed=5)
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.run(until=1.0)
    stand.chips["a"].faults.noise = 1.0
    stand.run(until=3.0)
    noisy = stand.looks_of("a", since=1.01)
    assert {look.trouble for look in noisy} == {Cause.NOISE}
    assert all(look.silent == () and look.present == () for look in noisy)
    stand.chips["a"].faults.noise = 0.0
    stand.run(until=3.2)
    assert stand.present("a", since=3.0) == {UID}
    assert contacts(stand.looks) == [UID]


@pytest.mark.parametrize("kind", ["noise", "hidden_noise"])
def test_noise_never_makes_a_uid_that_is_not_there(kind: str) -> None:
    # field report 5: garbled UIDs
    stand = Stand(["a", "b"], seed=7, pace_s=0.02)
    for chip in stand.chips.values():
        setattr(chip.faults, kind, 0.3)
    stand.field.put(Tag(UID), "a", at=0.1)
    stand.field.put(Tag(OTHER), "a", at=0.1)
    stand.run(until=30.0)
    assert stand.present("a") == {UID, OTHER}
    assert stand.present("b") == set()


def test_neighbours_tag_is_reported_where_it_is_heard() -> None:
    # field report 5: the conflict is for presence to judge; the radio says what answers
    field = Field()
    stand = Stand(["a", "b"], field=field)
    field.couple("b", "a", 1.0)
    field.put(Tag(UID), "a", at=0.1)
    stand.run(until=1.0)
    assert stand.present("a") == stand.present("b") == {UID}


def test_tags_that_cannot_be_separated_do_not_hide_that_a_known_one_left() -> None:
    # field report 7: a stack hangs nobody
    class Mumbler(Tag):
        """Answers a REQA and then nothing that makes sense."""

        def hear(self, bits: int, count: int) -> tuple[int, int] | None:
            return (0x0044, 16) if count == 7 else None

    stand = Stand(["a", "b"])
    known = Tag(UID)
    stand.field.put(known, "a", at=0.1)
    stand.field.put(Mumbler(OTHER), "a", at=1.0)
    stand.field.take(known, at=2.0)
    stand.run(until=3.0)
    later = stand.looks_of("a", since=2.01)
    assert {look.trouble for look in later} == {Cause.COLLISION}
    assert any(UID in look.silent for look in later)
    assert all(look.ended - look.began < 0.07 for look in stand.looks)
    assert len(stand.looks_of("b", since=1.0)) > 100

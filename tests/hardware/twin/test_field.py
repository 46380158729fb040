"""Tags over antennas: piles, power, neighbours, and one moment for each bus."""

from hardware.twin.field import Field
from hardware.twin.tags import Tag, TagState


def tags(count: int) -> list[Tag]:
    return [Tag(f"04A81D12DE5F{number:02X}") for number in range(count)]


def heard(field: Field, reader: str, t: float) -> list[str]:
    return [tag.uid_hex[-2:] for tag in field.listeners(reader, t)]


def table(*readers: str, top: int = 2) -> Field:
    field = Field(top=top)
    for reader in readers:
        field.add_reader(reader)
        field.switch(reader, True, 0.0)
    return field


def test_only_the_newest_k_tags_of_a_pile_answer() -> None:
    for top, expected in ((0, []), (1, ["02"]), (2, ["01", "02"]), (3, ["00", "01", "02"])):
        field = table("a", top=top)
        for number, tag in enumerate(tags(3)):
            field.put(tag, "a", at=float(number))
        assert heard(field, "a", 5.0) == expected


def test_a_covered_tag_answers_again_after_its_cover_is_lifted_and_starts_idle() -> None:
    field = table("a", top=1)
    low, high = tags(2)
    field.put(low, "a", at=0.0)
    assert heard(field, "a", 1.0) == ["00"]
    low.state = TagState.HALT
    field.put(high, "a", at=2.0)
    assert heard(field, "a", 3.0) == ["01"]
    field.take(high, at=4.0)
    assert heard(field, "a", 4.001) == []  # it needs up to 5 ms of field
    assert heard(field, "a", 5.0) == ["00"]
    assert low.state is TagState.IDLE


def test_hands_are_scheduled_ahead_and_every_reader_sees_its_own_moment() -> None:
    field = table("a", "b")
    tag = tags(1)[0]
    field.put(tag, "a", at=1.0)
    field.put(tag, "b", at=2.0)  # lifts it from a at the same time
    assert field.where(tag, 1.5) == "a"
    assert heard(field, "b", 2.5) == ["00"]
    # the bus of a is behind and still sees the tag where it was then
    assert field.pile("a", 1.5) == (tag,)
    assert heard(field, "a", 2.5) == []
    field.take(tag, at=3.0)
    assert field.where(tag, 3.0) is None


def test_a_hand_may_be_scheduled_out_of_order() -> None:
    field = table("a", "b")
    first, second = tags(2)
    field.put(second, "a", at=2.0)
    field.put(first, "a", at=1.0)
    assert [tag.uid_hex[-2:] for tag in field.pile("a", 3.0)] == ["00", "01"]


def test_an_antenna_off_sends_tags_to_idle_and_on_takes_time() -> None:
    field = table("a")
    tag = tags(1)[0]
    field.put(tag, "a", at=0.0)
    assert heard(field, "a", 1.0) == ["00"]
    tag.state = TagState.HALT
    field.switch("a", False, 1.0)
    assert heard(field, "a", 1.1) == []
    field.switch("a", True, 1.2)
    assert heard(field, "a", 1.204) == []
    assert heard(field, "a", 1.2051) == ["00"]
    assert tag.state is TagState.IDLE


def test_a_neighbour_hears_by_coupling_in_one_direction() -> None:
    field = table("a", "b")
    field.put(tags(1)[0], "a", at=0.0)
    field.couple("b", "a", 1.0)
    field.couple("a", "b", 0.0)
    assert heard(field, "b", 1.0) == ["00"]
    field.couple("b", "a", 0.0)
    assert heard(field, "b", 1.0) == []


def test_coupling_is_a_chance_for_each_frame() -> None:
    field = table("a", "b")
    field.put(tags(1)[0], "a", at=0.0)
    field.couple("b", "a", 0.3)
    count = sum(len(heard(field, "b", 1.0 + number / 1000)) for number in range(1000))
    assert 230 < count < 370


def test_a_tag_in_two_fields_lives_while_one_holds() -> None:
    field = table("a", "b")
    tag = tags(1)[0]
    field.couple("b", "a", 1.0)
    field.couple("a", "b", 1.0)
    field.put(tag, "a", at=0.0)
    assert heard(field, "a", 1.0) == ["00"]
    tag.state = TagState.HALT
    field.switch("a", False, 1.5)
    assert heard(field, "b", 2.0) == ["00"]
    assert tag.state is TagState.HALT


def test_history_remembers_the_hands() -> None:
    field = table("a", "b")
    tag = tags(1)[0]
    field.put(tag, "a", at=1.0)
    field.put(tag, "b", at=2.0)
    uid = tag.uid_hex
    assert field.history == [(1.0, "put", uid, "a"), (2.0, "take", uid, "a"), (2.0, "put", uid, "b")]

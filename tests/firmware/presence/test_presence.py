"""What presence makes of a flickering radio: field reports 1-3, 5, 7, 9, 17-19, 30."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.zones import ZoneKind
from firmware.layout import Antenna, Layout, Zone
from firmware.order import Event
from firmware.presence import Lifted, Placed, ReaderBack, ReaderDown, Separate

A, B, C = "04A1A2A3A4A5A6", "04B1B2B3B4B5B6", "04C1C2C3C4C5C6"
Maker = Callable[..., Any]


def table(*kinds: ZoneKind, group: str | None = None, buses: int = 1) -> Layout:
    """One reader `rN` in zone `zN` for each kind."""
    return Layout(
        tuple(Zone.usual(f"z{n}", kind) for n, kind in enumerate(kinds)),
        tuple(Antenna(f"r{n}", f"z{n}", f"bus{n % buses}", group) for n in range(len(kinds))),
    )


def told(events: list[Event]) -> list[tuple[str, str, str]]:
    return [
        (type(event).__name__.lower(), event.zone, event.uid)
        for event in events
        if isinstance(event, Placed | Lifted)
    ]


SPREAD, PILE, PASS = ZoneKind.SPREAD, ZoneKind.PILE, ZoneKind.PASS


def test_a_card_that_rests_is_placed_once_with_its_contact_and_the_last_empty_look(radio: Maker) -> None:
    toy = radio(table(SPREAD))
    toy.put(1.0, A, "r0")
    (event,) = toy.run(3.0)
    assert isinstance(event, Placed)
    assert event.after is not None
    assert event.after < 1.0 <= event.contact <= 1.006
    assert 0.15 <= toy.out[0][0] - event.contact <= 0.17


@pytest.mark.parametrize(("drop", "noise"), [(0.05, 0.05), (0.2, 0.2)])
def test_a_resting_card_is_neither_lifted_nor_placed_again(radio: Maker, drop: float, noise: float) -> None:
    toy = radio(table(SPREAD, PILE, PASS), drop=drop, noise=noise)
    for n, uid in enumerate((A, B, C)):
        toy.put(0.5, uid, f"r{n}")
    assert sorted(told(toy.run(300.0))) == [("placed", "z0", A), ("placed", "z1", B), ("placed", "z2", C)]


def test_a_removed_card_is_gone_and_its_return_is_a_new_play(radio: Maker) -> None:
    toy = radio(table(SPREAD), drop=0.05)
    toy.put(0.5, A, "r0")
    toy.put(1.5, A, None)
    toy.put(2.5, A, "r0")
    assert told(toy.run(4.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z0", A)]
    assert toy.out[1][0] - 1.5 < 0.3


def test_a_card_dragged_across_a_spread_zone_is_no_play(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD))
    toy.put(1.0, A, "r0")
    toy.put(1.1, A, "r1")
    assert told(toy.run(3.0)) == [("placed", "z1", A)]


def test_a_card_taken_for_a_blink_has_not_left(radio: Maker) -> None:
    toy = radio(table(SPREAD))
    toy.put(0.5, A, "r0")
    toy.put(1.0, A, None)
    toy.put(1.06, A, "r0")
    assert told(toy.run(3.0)) == [("placed", "z0", A)]


def test_swapped_cards_are_told_apart(radio: Maker) -> None:
    toy = radio(table(SPREAD))
    toy.put(0.5, A, "r0")
    toy.put(1.5, A, None)
    toy.put(1.5, B, "r0")
    assert sorted(told(toy.run(3.0))) == [("lifted", "z0", A), ("placed", "z0", A), ("placed", "z0", B)]


def test_a_card_that_moves_leaves_before_it_arrives(radio: Maker) -> None:
    toy = radio(table(SPREAD, PILE, buses=2), drop=0.05)
    toy.put(0.5, A, "r0")
    toy.put(1.5, A, "r1")
    assert told(toy.run(3.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z1", A)]
    assert toy.out[2][0] - 1.5 < 0.1  # not the time a departure alone would take


def test_a_covered_card_is_not_gone_and_its_reappearance_is_no_play(radio: Maker) -> None:
    toy = radio(table(PILE), top={"r0": 1}, drop=0.05)
    toy.put(0.5, A, "r0")
    toy.put(1.5, B, "r0")
    toy.put(3.0, B, None)
    assert told(toy.run(5.0)) == [("placed", "z0", A), ("placed", "z0", B), ("lifted", "z0", B)]


def test_a_pile_taken_away_as_a_whole_is_lifted_card_by_card_from_the_top(radio: Maker) -> None:
    toy = radio(table(PILE), top={"r0": 1})
    for n, uid in enumerate((A, B, C)):
        toy.put(0.5 + n, uid, "r0")
        toy.put(4.0, uid, None)
    lifts = [entry for entry in told(toy.run(6.0)) if entry[0] == "lifted"]
    assert lifts == [("lifted", "z0", C), ("lifted", "z0", B), ("lifted", "z0", A)]


def test_a_pass_zone_has_crossings_and_no_lifts(radio: Maker) -> None:
    toy = radio(table(PASS))
    for at in (0.5, 1.5):
        toy.put(at, A, "r0")
        toy.put(at + 0.05, A, None)
    assert told(toy.run(3.0)) == [("placed", "z0", A), ("placed", "z0", A)]


def test_a_card_left_on_a_pass_zone_is_one_crossing(radio: Maker) -> None:
    toy = radio(table(PASS), drop=0.2)
    toy.put(0.5, A, "r0")
    assert told(toy.run(60.0)) == [("placed", "z0", A)]


def test_a_crossing_on_the_way_lifts_the_card_from_its_old_place_first(radio: Maker) -> None:
    toy = radio(table(SPREAD, PASS))
    toy.put(0.5, A, "r0")
    toy.put(1.5, A, "r1")
    toy.put(1.53, A, None)
    assert told(toy.run(3.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z1", A)]


def test_a_weak_echo_of_the_neighbours_card_is_no_play_and_no_conflict(radio: Maker) -> None:
    toy = radio(table(SPREAD, PILE, PASS), echo={("r1", "r0"): 0.3, ("r2", "r0"): 0.1}, drop=0.05)
    toy.put(0.5, A, "r0")
    assert told(toy.run(120.0)) == [("placed", "z0", A)]
    assert toy.presence.echoes > 0


def test_a_strong_echo_within_a_group_is_neither_a_play_nor_a_conflict(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD, group="g"), echo={("r1", "r0"): 1.0}, drop=0.05)
    toy.put(0.5, A, "r0")
    toy.put(3.0, A, None)
    assert told(toy.run(5.0)) == [("placed", "z0", A), ("lifted", "z0", A)]


def test_one_tag_answering_in_turn_at_two_lone_readers_is_placed_twice_without_a_lift(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD), echo={("r1", "r0"): 1.0})
    toy.put(0.5, A, "r0")
    assert told(toy.run(3.0)) == [("placed", "z0", A), ("placed", "z1", A)]
    assert [placed.conflict for _, placed in toy.out] == [False, True]


def test_noise_and_a_dead_reader_say_nothing_of_the_cards(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD), dead={"r0": (2.0, 6.0)})
    toy.put(0.5, A, "r0")
    assert told(toy.run(8.0)) == [("placed", "z0", A)]
    assert [type(notice) for notice in toy.notices] == [ReaderDown, ReaderBack]


def test_a_card_taken_while_its_reader_was_dead_is_missed_when_it_returns(radio: Maker) -> None:
    toy = radio(table(SPREAD), dead={"r0": (2.0, 6.0)})
    toy.put(0.5, A, "r0")
    toy.put(4.0, A, None)
    assert told(toy.run(8.0)) == [("placed", "z0", A), ("lifted", "z0", A)]
    assert toy.out[1][0] > 6.0


def test_a_card_that_moves_away_from_a_dead_reader_is_believed_where_it_answers(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD), dead={"r0": (2.0, 60.0)})
    toy.put(0.5, A, "r0")
    toy.put(4.0, A, "r1")
    assert told(toy.run(8.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z1", A)]


def test_tags_that_cannot_be_told_apart_ask_once_to_separate_the_cards(radio: Maker) -> None:
    toy = radio(table(PILE), stuck={"r0": (2.0, 6.0)})
    toy.put(0.5, A, "r0")
    assert told(toy.run(8.0)) == [("placed", "z0", A)]
    assert [type(notice) for notice in toy.notices] == [Separate]


def test_a_random_uid_counts_as_one_tag_however_often_it_changes(radio: Maker) -> None:
    toy = radio(table(SPREAD))
    for n in range(40):
        toy.put(0.5 + n / 10, f"08{n:06X}", "r0")
        toy.put(0.6 + n / 10, f"08{n:06X}", None)
    assert len([entry for entry in told(toy.run(4.4)) if entry[0] == "placed"]) == 1
    assert len(toy.known["r0"]) == 1  # the reader is not kept asking for those that will never answer again


def test_a_card_sliding_between_two_antennas_of_one_zone_stays_where_it_is(radio: Maker) -> None:
    layout = Layout((Zone.usual("z", SPREAD),), (Antenna("r0", "z", "bus"), Antenna("r1", "z", "bus")))
    toy = radio(layout)
    toy.put(0.5, A, "r0")
    toy.put(1.5, A, "r1")
    toy.put(3.0, A, None)
    assert told(toy.run(5.0)) == [("placed", "z", A), ("lifted", "z", A)]


def test_a_reader_that_dies_before_a_cards_dwell_is_over_holds_nobody_up(radio: Maker) -> None:
    toy = radio(table(SPREAD, PILE), dead={"r0": (1.05, 6.0)})
    toy.put(1.0, A, "r0")
    toy.put(2.0, B, "r1")
    assert sorted(told(toy.run(8.0))) == [("placed", "z0", A), ("placed", "z1", B)]
    assert toy.out[0][1].uid == B
    assert toy.out[0][0] < 2.05


def test_a_card_that_leaves_a_dead_reader_across_a_pass_zone_is_told_at_each_place(radio: Maker) -> None:
    toy = radio(table(SPREAD, PASS, SPREAD), dead={"r0": (2.0, 60.0)})
    toy.put(0.5, A, "r0")
    toy.put(4.0, A, "r1")
    toy.put(4.11, A, "r2")
    assert told(toy.run(8.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z1", A), ("placed", "z2", A)]


def test_one_tag_at_two_readers_of_which_the_second_dies_stays_where_it_answers(radio: Maker) -> None:
    toy = radio(table(SPREAD, SPREAD, PILE), echo={("r1", "r0"): 1.0}, dead={"r1": (0.55, 8.0)})
    toy.put(0.5, A, "r0")
    toy.put(2.0, B, "r2")
    assert told(toy.run(7.0)) == [("placed", "z0", A), ("placed", "z2", B)]
    assert toy.out[1][0] < 2.05


def test_a_card_heard_by_two_antennas_of_its_zone_is_placed_once_and_lifted_when_both_have_lost_it(
    radio: Maker,
) -> None:
    layout = Layout((Zone.usual("z", SPREAD),), (Antenna("r0", "z", "bus"), Antenna("r1", "z", "bus")))
    for seed in range(5):
        toy = radio(layout, echo={("r1", "r0"): 0.3}, seed=seed)
        toy.put(0.5, A, "r0")
        toy.put(3.0, A, None)
        events = toy.run(5.0)
        assert told(events) == [("placed", "z", A), ("lifted", "z", A)]
        assert events[1].key > 2.98  # not when the antenna that only hears it fell silent


@pytest.mark.parametrize("seed", range(8))
def test_where_fields_touch_a_card_is_where_it_answers_best_whoever_heard_it_first(radio: Maker, seed: int) -> None:
    echo = {("r1", "r0"): 0.5, ("r0", "r1"): 0.5}
    toy = radio(table(SPREAD, PASS, group="g"), echo=echo, seed=seed)
    toy.put(0.5, A, "r0")
    toy.put(2.0, B, "r1")
    toy.put(2.3, B, None)
    toy.put(4.0, A, None)
    toy.put(5.0, B, "r0")
    assert told(toy.run(7.0)) == [
        ("placed", "z0", A),
        ("placed", "z1", B),
        ("lifted", "z0", A),
        ("placed", "z0", B),
    ]


def test_a_uid_that_no_deck_knows_must_prove_itself(radio: Maker) -> None:
    toy = radio(table(PILE), familiar=[A, B].__contains__)
    toy.put(1.0, A, "r0")
    toy.put(2.0, C, "r0")  # parts of two UIDs, once: a third that is none
    toy.put(2.003, C, None)
    assert told(toy.run(3.0)) == [("placed", "z0", A)]
    toy = radio(table(PILE), familiar=[A, B].__contains__)
    toy.put(1.0, C, "r0")
    assert told(toy.run(3.0)) == [("placed", "z0", C)]
    assert toy.out[0][0] < 1.06


@pytest.mark.parametrize("seed", range(8))
def test_where_fields_touch_a_card_that_crosses_a_slot_is_told_there_and_not_at_its_neighbour(
    radio: Maker, seed: int
) -> None:
    layout = Layout(
        tuple(Zone.usual(f"z{n}", kind) for n, kind in enumerate((SPREAD, PASS, PASS))),
        (Antenna("r0", "z0", "bus0"), Antenna("r1", "z1", "bus1", "g"), Antenna("r2", "z2", "bus1", "g")),
    )
    toy = radio(layout, echo={("r1", "r2"): 0.4, ("r2", "r1"): 0.4}, seed=seed)
    toy.put(0.5, A, "r0")
    toy.put(2.0, A, "r1")
    toy.put(2.08, A, None)
    assert told(toy.run(4.0)) == [("placed", "z0", A), ("lifted", "z0", A), ("placed", "z1", A)]

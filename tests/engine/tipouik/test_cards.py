"""The eight packs, points of a hand, and the verdict on every sort of pose."""

import pytest

from engine.setup import Mode
from engine.tipouik.cards import points_of, red_draw
from engine.tipouik.challenge import Verdict, verdict_on
from engine.tipouik.spec import PACKS, pack
from engine.tipouik.state import House, Pose

SIZES = {3: (33, 11), 4: (44, 11), 5: (55, 11), 6: (66, 11), 7: (70, 10), 8: (80, 10), 9: (90, 10), 10: (90, 9)}


@pytest.mark.parametrize("seats", SIZES)
def test_the_pack_deals_out_evenly(seats: int) -> None:
    cards = pack(seats)
    assert (len(cards), len(cards) // seats) == SIZES[seats]
    assert len(set(cards)) == len(cards)
    top = PACKS[seats][0]
    numbers = [c for c in cards if c[0].isdigit()]
    assert len(numbers) == top * (top + 1) // 2


@pytest.mark.parametrize(
    ("cards", "value", "verdict"),
    [
        (("5#1",), 5, Verdict.HONEST),
        (("5#1", "5#2", "any#1"), 5, Verdict.HONEST),  # P20
        (("any#1",), 1, Verdict.HONEST),  # P3
        (("5#1", "6#1"), 5, Verdict.BLUFF),
        (("zero#1",), 2, Verdict.BLUFF),  # P21
        (("plus1#1",), 7, Verdict.RED),  # P22 P23
        (("plus2#1",), 7, Verdict.RED),
        (("plus1#1", "5#1"), 5, Verdict.BLUFF),  # P24
        (("plus1#1", "plus2#1"), 5, Verdict.BLUFF),
        (("1#1",), 10, Verdict.BLUFF),
        (("10#1",), 1, Verdict.BLUFF),
    ],
)
def test_a_verdict_is_told_by_the_cards_alone(cards: tuple[str, ...], value: int, verdict: Verdict) -> None:
    assert verdict_on(Pose(1, cards, value)) is verdict


def test_a_special_costs_ten_points_and_a_number_its_value() -> None:
    assert [points_of(c) for c in ("1#1", "7#3", "12#1", "zero#1", "any#1", "plus1#1", "plus2#1")] == [
        *(1, 7, 12),
        *(10, 10, 10, 10),
    ]


def test_only_a_lone_red_lets_draw() -> None:
    assert [red_draw(c) for c in (("plus1#1",), ("plus2#1",), ("plus2#1", "5#1"), ("zero#1",))] == [1, 2, 0, 0]


@pytest.mark.parametrize("seats", SIZES)
def test_two_follows_the_packs_maximum(seats: int) -> None:
    top = PACKS[seats][0]
    house = House(seats, top, SIZES[seats][1], 5.0, 1, False, Mode.PLAY)
    values = [1]
    for _ in range(top):
        values.append(house.next_value(values[-1]))
    assert values == [*range(1, top + 1), 2]

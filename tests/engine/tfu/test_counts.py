"""How many cards lie where: at the start, and in the rounds after (S1, S13-S17)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import TFU_DECK, TFU_RANKS
from engine.tfu.cards import adjacent
from engine.tfu.rules import begin, fewest, next_deal, play, spit
from engine.tfu.state import Deal, start


def test_each_card_has_eight_neighbours() -> None:
    """S3: two ranks of four cards, the circle closed between ace and two."""
    for card in TFU_DECK:
        near = {c[:-1] for c in TFU_DECK if adjacent(card, c)}
        i = TFU_RANKS.index(card[:-1])
        assert near == {TFU_RANKS[i - 1], TFU_RANKS[(i + 1) % 13]}


@pytest.mark.parametrize(
    ("cards", "columns"),
    [
        (26, (4, 3, 2, 1)),
        (10, (4, 3, 2, 1)),
        (9, (4, 3, 2, 0)),
        (8, (4, 3, 1, 0)),
        (6, (4, 2, 0, 0)),
        (4, (4, 0, 0, 0)),
        (1, (1, 0, 0, 0)),
    ],
)
def test_columns_are_filled_four_three_two_one(cards: int, columns: tuple[int, ...]) -> None:
    """S15, S16."""
    deal = Deal(2, (cards, 52 - cards))
    assert deal.columns(1) == columns
    assert deal.spare(1) == max(0, cards - 10)


@pytest.mark.parametrize(("seats", "spare"), [(2, 16), (3, 7), (4, 3)])
def test_round_one_is_dealt_equally(seats: int, spare: int) -> None:
    """S1: 26, 17 (one card aside) or 13 cards each."""
    s = start(seats)
    assert s.spare == (spare,) * seats
    assert sum(s.deal.counts) == {2: 52, 3: 51, 4: 52}[seats]


def test_two_players_the_loser_takes_both_centres() -> None:
    s = begin(start(2))
    for pile, card in ((1, "2c"), (2, "5h")):
        s = spit(s, pile, card)
    for card in ("3c", "4c", "5c"):
        s = play(s, 1, card)
    assert next_deal(s, 1, {1: 7, 2: 10}) == Deal(2, (22, 30))


def test_losers_share_the_centre_and_the_rest_goes_to_the_fullest_columns() -> None:
    """S17."""
    s = begin(start(4))
    for pile, card in enumerate(("2c", "5c", "8c", "Jc"), 1):
        s = spit(s, pile, card)
    for card in ("3c", "4c", "5d", "6d"):
        s = play(s, 1, card)
    # Eight cards in the centre, three losers: two each, two left over for the fullest.
    assert next_deal(s, 2, {1: 8, 2: 0, 3: 9, 4: 9}).counts == (2 + 8 + 2, 2, 2 + 9 + 2 + 2, 2 + 9 + 2)


@given(st.integers(2, 4), st.data())
def test_no_round_loses_a_card(seats: int, data: st.DataObject) -> None:
    s = begin(start(seats))
    for n in s.seats:
        s = spit(s, n, TFU_DECK[n])
    plays = data.draw(st.integers(0, 9 * seats))
    for card in TFU_DECK[10 : 10 + min(plays, 40)]:
        s = play(s, data.draw(st.sampled_from(list(s.seats))), card)
    held = [10] * seats
    for _ in range(s.plays):
        n = data.draw(st.sampled_from([i for i in range(seats) if held[i]]))
        held[n] -= 1
    winner = data.draw(st.sampled_from(list(s.seats)))
    after = next_deal(s, winner, {n: held[n - 1] for n in s.seats})
    assert sum(after.counts) == sum(s.deal.counts)
    assert after.counts[winner - 1] == s.spare[winner - 1] + held[winner - 1]


def test_equal_columns_have_no_fewest() -> None:
    """S14."""
    assert fewest({1: 3, 2: 3, 3: 5}) is None
    assert fewest({1: 3, 2: 2, 3: 5}) == 2

"""Cards are conserved even where what was observed cannot be: more cards known in a hand than it can hold."""

import pytest

from engine.cards import TIFO_DECK
from engine.observations import Lifted, Placed, Pressed
from engine.record import public_output
from engine.rulings import Move
from engine.setup import Setup
from engine.tifo.referee import TifoReferee
from engine.tifo.spec import SPEC
from engine.zones import usual_kind


def play(referee: TifoReferee, *acts: tuple[str, str]) -> list[str]:
    """Each act is a zone and a card, or `press` and a button; the moves they brought."""
    moves: list[str] = []
    for zone, what in acts:
        o = Pressed(0.0, what) if zone == "press" else Placed(0.0, zone, what)
        moves += [r.move for r in referee.receive(o) if isinstance(r, Move)]
    return moves


def test_a_player_known_to_hold_more_cards_than_he_can_is_out_with_as_many_as_he_holds() -> None:
    zones = {z: usual_kind(z) for z in SPEC.all_zones(2)}
    referee = TifoReferee(Setup(SPEC, 2, zones=zones))
    drawn = [c for c in TIFO_DECK if c.startswith(("identite", "crs"))]
    unseen = [f"mediation#{n}" for n in range(1, 20)]
    for n in range(9):  # seat 1 keeps what it draws, seat 2 plays it
        mine, theirs = drawn[n], f"{('capo', 'voile', 'mats')[n // 4]}#{n % 4 + 1}"
        play(referee, ("draw", mine), ("discard", unseen[n]), ("draw", theirs))
        play(referee, ("seat1", "interdit#1") if n == 8 else ("discard", theirs))
    assert referee.state.hands[0] == 8
    assert len(referee.state.known.surely(1)) == 9

    assert play(referee, ("press", "seat1.ok")) == ["eliminated"]

    assert referee.state.hands[0] == 0
    assert referee.state.count() == len(TIFO_DECK)


def test_a_card_nobody_saw_is_swapped_out_of_a_discard_of_unknown_order() -> None:
    """T30: it was one of those the eliminated player held; the next pile is made of the others."""
    referee = TifoReferee(Setup(SPEC, 3, zones={z: usual_kind(z) for z in SPEC.smallest(3)}))
    play(referee, ("discard", "crs#1"), ("discard", "crs#2"), ("discard", "crs#3"), ("seat2", "interdit#1"))
    assert play(referee, ("press", "seat2.ok"), ("discard", "ola#1")) == ["eliminated", "ola"]
    unread = referee.state.unread
    assert unread == 9, "he had drawn"

    swapped = [r.move for r in referee.receive(Lifted(0.0, "discard", "capo#4")) if isinstance(r, Move)]

    assert swapped == ["swap"]
    assert referee.state.unread == unread - 1
    assert referee.state.count() == len(TIFO_DECK)
    assert play(referee, ("seat3", "capo#4")) == ["lay"], "it is known in his hand"


def test_who_robs_holds_one_more_and_who_is_robbed_draws_one() -> None:
    referee = TifoReferee(Setup(SPEC, 3, zones={z: usual_kind(z) for z in SPEC.smallest(3)}))
    pile = referee.state.pile
    assert play(referee, ("discard", "ola#1"), ("press", "seat2.ok")) == ["ola", "rob"]
    assert (referee.state.hands, referee.state.pile) == ((9, 8, 8), pile - 1)
    assert play(referee, ("discard", "crs#1")) == ["discard"]
    assert (referee.state.hands, referee.state.pile) == ((8, 9, 8), pile - 2)
    assert referee.state.count() == len(TIFO_DECK)


@pytest.mark.parametrize(
    ("options", "zone", "card", "shown"),
    [
        ({}, "discard", "crs#1", True),
        ({"hidden_discard": True}, "discard", "crs#1", False),
        ({"hidden_discard": True}, "seat1", "greve#1", True),
    ],
)
def test_only_what_lies_face_down_is_no_public_card(
    options: dict[str, bool], zone: str, card: str, shown: bool
) -> None:
    """T39: what is refused, corrected or undone on a hidden discard carries no card; before a seat all lies open."""
    zones = {z: usual_kind(z) for z in SPEC.smallest(2)}
    referee = TifoReferee(Setup(SPEC, 2, options=options, zones=zones))
    if zone == "discard":
        play(referee, ("discard", "ola#1"))  # what is put there next is refused
    inputs = (Placed(0.0, zone, card), Lifted(0.0, zone, card))
    told = [public_output(r) for o in inputs for r in referee.receive(o)]
    about = [line for line in told if line is not None]
    assert [line["out"] for line in about] == ["refused", "corrected"]
    assert all((line.get("card") == card) is shown for line in about)

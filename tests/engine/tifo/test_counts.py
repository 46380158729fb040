"""Cards are conserved even where what was observed cannot be: more cards known in a hand than it can hold."""

from engine.cards import TIFO_DECK
from engine.observations import Placed, Pressed
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

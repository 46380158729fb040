"""What a refused TIFO play becomes when the arbiter lets it stand."""

from engine.cards import Card
from engine.tifo.rules import Attack, Lay, OlaBefore, Parry, Play, answered, read_play
from engine.tifo.state import State


def play_that_stands(s: State, card: Card, zone_seat: int | None, aside: Card | None) -> Play | None:
    """The play as if legal: a TIFO card belongs to the zone's owner, an attack to the player in turn.

    None where the state cannot express it: an attack before oneself or an eliminated player, a parade that
    answers nothing, an OLA before a player, anything before a player who is out.
    """
    play = read_play(s, card, zone_seat, aside)
    match play:
        case Attack():
            expressible = play.target != play.seat and play.target not in s.out
        case Parry():
            expressible = answered(s, play) is not None
        case Lay():
            expressible = play.seat not in s.out
        case OlaBefore():
            expressible = False
        case _:
            expressible = True
    return play if expressible else None

"""The games there are: what each allows at its table, and who referees it."""

from typing import Final

from engine.referee import Referee
from engine.setup import GameSpec, Setup
from engine.tfu.spec import SPEC as TFU
from engine.tifo.spec import SPEC as TIFO
from engine.tipouik.spec import SPEC as TIPOUIK

SPECS: Final[dict[str, GameSpec]] = {spec.id: spec for spec in (TIFO, TIPOUIK, TFU)}


def referee_for(setup: Setup) -> "Referee[object]":
    """A referee at the start of a game (or match) at this table. Imports the game only now."""
    referee: object
    match setup.spec.id:
        case "tifo":
            from engine.tifo.referee import TifoReferee

            referee = TifoReferee(setup)
        case "tipouik":
            from engine.tipouik.referee import TipouikReferee

            referee = TipouikReferee(setup)
        case _:
            from engine.tfu.referee import TfuReferee

            referee = TfuReferee(setup)
    assert isinstance(referee, Referee)
    return referee

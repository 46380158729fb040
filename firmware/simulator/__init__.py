"""Bots that know all cards, play whole games and show what a table would see of them."""

from random import Random

from engine.setup import Setup
from firmware.simulator.deeds import HostedWorld


def world_for(setup: Setup, rng: Random, cheat: float = 0.0, rounds: int | None = None) -> HostedWorld:
    """A freshly dealt game at this table. Imports the game's bots only now.

    `rounds` ends a match of Тьфу! early (Tipouik's number is an option of the table, TIFO has one).
    """
    match setup.spec.id:
        case "tifo":
            from firmware.simulator.tifo import TifoWorld

            return TifoWorld(setup, rng, cheat)
        case "tipouik":
            from firmware.simulator.tipouik import TipouikWorld

            return TipouikWorld(setup, rng, cheat)
        case _:
            from firmware.simulator.tfu import TfuWorld

            return TfuWorld(setup, rng, cheat, rounds=rounds)

"""Bots for TIFO: a world that knows all cards, players of different tempers, and every way to cheat."""

from firmware.simulator.tifo.world import TifoWorld

__all__ = ["TifoWorld"]

"""Bots that play Tipouik: honest, bluffing, suspicious and timid ones, and what they may do wrong."""

from firmware.simulator.tipouik.world import TipouikWorld

__all__ = ["TipouikWorld"]

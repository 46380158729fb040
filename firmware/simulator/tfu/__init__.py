"""Bots for Тьфу!: a world that knows all cards, hands of different speed, and every way to cheat."""

from firmware.simulator.tfu.world import TfuWorld

__all__ = ["TfuWorld"]

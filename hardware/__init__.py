"""Chips, wires and tags, and their emulated twins. Knows nothing of games."""

"""Tipouik: its cards, state, rules and referee."""

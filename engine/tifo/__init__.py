"""TIFO: its cards, state, rules and referee."""

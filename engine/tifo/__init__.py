"""TIFO: its cards, state, rules and referee. Rulings T1-T39."""

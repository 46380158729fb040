"""Тьфу!: its cards, state, rules and referee."""

"""Emulated chips, tags, screens and pins, below the real drivers."""

"""`arbitre bench`: see `firmware.bench.cli`."""

from firmware.bench.cli import add_parser

__all__ = ["add_parser"]

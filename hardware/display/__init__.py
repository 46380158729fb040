"""OLED screens of 128x64: panels behind luma.oled, and one worker for each bus of them."""

from hardware.display.bus import DisplayBus, Health
from hardware.display.errors import DisplayError
from hardware.display.frames import Run, apply, next_run
from hardware.display.panel import Chip, Panel, Where

__all__ = ["Chip", "DisplayBus", "DisplayError", "Health", "Panel", "Run", "Where", "apply", "next_run"]

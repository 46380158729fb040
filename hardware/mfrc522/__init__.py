"""The MFRC522: the PyPI package as bus and register map, and our own driver on top of it."""

from hardware.mfrc522.driver import ChipTrouble, Reader
from hardware.mfrc522.health import Health, ReaderState

__all__ = ["ChipTrouble", "Health", "Reader", "ReaderState"]

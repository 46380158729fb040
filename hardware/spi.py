"""The seam to SPI: one chip-select window at a time. The real bus is in `hardware.linuxspi`, the emulated one in
`hardware.twin.spibus`."""

from typing import Protocol


class Spi(Protocol):
    """The wires to one chip."""

    def transfer(self, data: bytes) -> bytes:
        """Send `data` in one chip-select window and return as many bytes as came back."""
        ...

    def close(self) -> None:
        """Give the bus and the pins back."""
        ...


class ResetLine(Protocol):
    """The NRSTPD pin of one or several chips."""

    def set(self, low: bool) -> None:
        """Hold the chips in reset (low), or let them run."""
        ...

    def close(self) -> None:
        """Give the pin back."""
        ...

"""What can go wrong with a screen."""

from hardware.errors import HardwareError


class DisplayError(HardwareError):
    """A display or its bus did not take what was sent. Says which display, bus and address, and the mend."""

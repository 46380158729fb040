"""The one base of all errors of this package."""


class HardwareError(Exception):
    """A device failed. The message says what, where (device, bus, address) and how to mend it."""

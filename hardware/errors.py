"""The one base of all errors of this package."""


class HardwareError(Exception):
    """A device failed. The message says what, where (device, bus, address) and how to mend it."""


def in_words(error: Exception) -> str:
    """What an error of a library says; its name where it says nothing."""
    return str(error) or type(error).__name__

"""The one base of all errors of this package."""


class FirmwareError(Exception):
    """Something the program was given, or found, cannot be used. The message says what, where, and the mend."""

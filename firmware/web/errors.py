"""What may go wrong between a browser and the table."""

from firmware.errors import FirmwareError


class WebError(FirmwareError):
    """Base of this package's errors. Says what, where, and what was expected."""


class MessageError(WebError):
    """A browser sent what the page never sends: its connection is closed."""


class NotAllowedError(WebError):
    """A well-formed wish that this viewer, or this moment, does not allow: refused, nothing else happens."""

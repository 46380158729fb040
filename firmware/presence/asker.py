"""What presence asks of whoever drives the readers."""

from typing import Protocol


class Asker(Protocol):
    """The pollers, as presence sees them."""

    def ask(self, reader: str, uid: str) -> None:
        """Look for this tag at this reader as soon as possible, out of turn."""
        ...

    def forget(self, reader: str, uid: str) -> None:
        """This tag is no longer at this reader: do not look for it any more."""
        ...

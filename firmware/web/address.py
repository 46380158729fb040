"""Where the server is found: the sockets it listens on, the names it answers to, the links it gives.

A name that somebody else's name server points at this machine (DNS rebinding) must not reach the table: a browser
says in `Host` by which name it came. Loopback answers to loopback names; a server that the house may reach also to
any address written in digits (those cannot be rebound) and to this machine's own name.
"""

import ipaddress
import socket
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from firmware.web.errors import WebError

LOOPBACK: Final = "127.0.0.1"
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of nobody (RFC 5737): asked only which of our own addresses would be used; nothing is sent."""


def is_address(name: str) -> bool:
    """Whether a host is written in digits, not as a name."""
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def host_of(header: str) -> str:
    """The name in a `Host` header, or in the part of an `Origin` after `//`: without port and brackets."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


class HouseNames(Container[str]):
    """Every name that is surely ours: addresses in digits, this machine's name, with and without `.local`."""

    def __init__(self, *more: str) -> None:
        own = socket.gethostname().lower()
        self._named = {"localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local", *more}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._named or is_address(name))


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    listen: str
    port: int

    @property
    def is_open(self) -> bool:
        """Whether other machines reach it."""
        if self.listen == "localhost":
            return False
        return not (is_address(self.listen) and ipaddress.ip_address(self.listen).is_loopback)

    @property
    def names(self) -> Container[str]:
        """The hosts it answers to."""
        return HouseNames(self.listen.lower()) if self.is_open else (LOOPBACK, "localhost", "::1")

    @property
    def here(self) -> str:
        """For a browser on this machine."""
        everywhere = is_address(self.listen) and ipaddress.ip_address(self.listen).is_unspecified
        return self._url(LOOPBACK if everywhere else self.listen)

    @property
    def house(self) -> str:
        """For other machines in the house; empty if they cannot reach it."""
        if not self.is_open:
            return ""
        if is_address(self.listen) and ipaddress.ip_address(self.listen).is_unspecified:
            return self._url(_own_address() or socket.gethostname())
        return self._url(self.listen)

    def _url(self, host: str) -> str:
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError (taken, not ours), `WebError` for no port."""
    if not 0 <= port <= 65535:
        raise WebError(f"arbitre: --port {port}, expected 0 to 65535")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(ELSEWHERE)
        except OSError:
            return ""
        return str(asking.getsockname()[0])

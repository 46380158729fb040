"""Who looks on: a host (the arbiter, who may also play seat 1), a seat, or a spectator.

A link carries a key in its fragment, which browsers send to nobody; the page gives it in its first message.
No key: a spectator. Keys last as long as the server, so that a new game needs no new links.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from enum import Enum


class Role(Enum):
    """What a link allows."""

    HOST = "host"
    SEAT = "seat"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody before a browser. `seat`: whose cards he may see and move, None for nobody's."""

    role: Role
    seat: int | None = None
    lang: str = "fr"

    @property
    def is_host(self) -> bool:
        """Whether he may run the table."""
        return self.role is Role.HOST


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one server."""

    host: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    seats: tuple[str, ...] = field(default_factory=lambda: tuple(secrets.token_urlsafe(12) for _ in range(10)))

    def viewer(self, key: str, seat: int | None, seats: int, lang: str) -> Viewer | None:
        """Who comes with this key (empty: a spectator). None: the key fits nothing at this table."""
        given = key.encode("utf-8", "replace")
        if not key:
            return Viewer(Role.SPECTATOR, None, lang)
        if hmac.compare_digest(given, self.host.encode()):
            return Viewer(Role.HOST, seat if seat is not None and 1 <= seat <= seats else None, lang)
        if seat is not None and 1 <= seat <= min(seats, len(self.seats)):
            wanted = self.seats[seat - 1]
            if hmac.compare_digest(given, wanted.encode()):
                return Viewer(Role.SEAT, seat, lang)
        return None

    def link(self, base: str, seat: int | None, *, host: bool = False, lang: str = "") -> str:
        """The address to open for a seat; as host too, or, without either, to look on."""
        parts = [f"seat={seat}"] if seat is not None else []
        if host:
            parts.append(f"key={self.host}")
        elif seat is not None:
            parts.append(f"key={self.seats[seat - 1]}")
        if lang:
            parts.append(f"lang={lang}")
        return f"{base}/#{'&'.join(parts)}" if parts else f"{base}/"

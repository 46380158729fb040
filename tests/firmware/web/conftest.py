"""A room driven turn by turn, without a wall clock, and everything it would have sent."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from firmware.web.hands import Pace
from firmware.web.rig import Game
from firmware.web.room import Room, Settings
from firmware.web.viewers import Role, Viewer

TURN_S = 0.05


class Stand:
    """A room and its outgoing topics: (topic, text), in order."""

    def __init__(self, game: Game, *, play: bool = True, pace: Pace = Pace.QUICK) -> None:
        self.sent: list[tuple[str, str]] = []
        self.now = 0.0
        self.settings = Settings(game, pace, 1.0, play)
        self.room = Room(self.settings, self._post, clock=lambda: self.now)

    def _post(self, topics: dict[str, str]) -> None:
        self.sent += topics.items()

    def turn(self, seconds: float) -> None:
        """Let time pass as the room's thread would."""
        for _ in range(round(seconds / TURN_S)):
            self.now += TURN_S
            self.room.turn(TURN_S)

    def until(self, done: Callable[[], bool], limit_s: float = 60.0) -> None:
        """Let time pass until something is so."""
        end = self.now + limit_s
        while not done():
            assert self.now < end, "it never came to be"
            self.turn(TURN_S)

    def state(self, seat: int | None = None) -> dict[str, Any]:
        """The latest state that was sent to a seat, or to everybody."""
        topic = f"state:{seat or ''}"
        return dict(json.loads(next(text for name, text in reversed(self.sent) if name == topic)))

    def hand(self, seat: int) -> list[str]:
        """The cards that a seat sees in its hand."""
        return list(self.state(seat)["hands"][str(seat)]["cards"])


def viewer(seat: int | None, role: Role | None = None) -> Viewer:
    """Somebody at a seat, or a spectator."""
    return Viewer(role or (Role.SPECTATOR if seat is None else Role.SEAT), seat, "en")


@pytest.fixture
def stand() -> Callable[..., Stand]:
    """Makes stands."""
    return Stand


@pytest.fixture
def someone() -> Callable[..., Viewer]:
    """Makes viewers."""
    return viewer

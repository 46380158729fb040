"""From looks of readers to facts about cards."""

from firmware.presence.asker import Asker
from firmware.presence.events import Fact, Lifted, Notice, Placed, ReaderBack, ReaderDown, Separate
from firmware.presence.limits import Limits
from firmware.presence.presence import Presence
from firmware.presence.tracks import identity

__all__ = [
    "Asker",
    "Fact",
    "Lifted",
    "Limits",
    "Notice",
    "Placed",
    "Presence",
    "ReaderBack",
    "ReaderDown",
    "Separate",
    "identity",
]

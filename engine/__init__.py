"""The rules of three card games and the referee that holds players to them. Standard library only.

The one door is `Referee.receive`; the windows are `view(seat)` and `public_view()`.
"""

from engine.errors import EngineError, ObservationError, RecordError, SetupError
from engine.games import SPECS, referee_for
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.referee import Referee
from engine.rulings import Ruling
from engine.setup import GameSpec, Mode, Setup
from engine.zones import ZoneKind

__all__ = [
    "SPECS",
    "Announce",
    "EngineError",
    "GameSpec",
    "Lifted",
    "Mode",
    "Observation",
    "ObservationError",
    "Placed",
    "Pressed",
    "RecordError",
    "Referee",
    "Ruling",
    "Setup",
    "SetupError",
    "Tick",
    "Unknown",
    "ZoneKind",
    "referee_for",
]

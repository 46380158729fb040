"""How a table is set for one game: seats, mode, options, zones. Checked where it is made.

`GameSpec` is what a game allows; `Setup` is one table of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.cards import Card
from engine.errors import SetupError
from engine.zones import ZoneKind, usual_kind

LARGEST = 1e308
"""Beyond it a sum of two times might be no number of a float any more."""


class Mode(Enum):
    """Who leads: the table (`play`), or the players until something is illegal (`referee`)."""

    PLAY = "play"
    REFEREE = "referee"


class OptionKind(Enum):
    """What values an option takes."""

    SWITCH = "true or false"
    COUNT = "a whole number from 1"
    SECONDS = "a number from 0"

    def takes(self, value: object) -> bool:
        """Whether `value` is one of them (a bool is no number here)."""
        match self:
            case OptionKind.SWITCH:
                return isinstance(value, bool)
            case OptionKind.COUNT:
                return isinstance(value, int) and not isinstance(value, bool) and value >= 1
            case OptionKind.SECONDS:
                return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LARGEST


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a game allows at its table."""

    id: str
    min_seats: int
    max_seats: int
    default_seats: int
    options: Mapping[str, OptionKind]
    seat_buttons: tuple[str, ...]
    table_buttons: tuple[str, ...]
    inputs: frozenset[str]
    all_zones: Callable[[int], tuple[str, ...]]
    smallest: Callable[[int], tuple[str, ...]]
    pack: Callable[[int], tuple[Card, ...]]
    has_first: bool = False

    def buttons(self, seats: int) -> frozenset[str]:
        """Every button that a table of so many seats may have."""
        mine = frozenset(f"seat{n}.{role}" for n in range(1, seats + 1) for role in self.seat_buttons)
        return mine | frozenset(f"table.{role}" for role in self.table_buttons)


def seat_zones(seats: int) -> tuple[str, ...]:
    """`seat1` ... `seatN`."""
    return tuple(f"seat{n}" for n in range(1, seats + 1))


@dataclass(frozen=True)
class Setup:
    """One table of one game. Raises `SetupError` with what is wrong and what was expected.

    `zones` maps names to kinds; empty means the smallest table of the game.
    """

    spec: GameSpec
    seats: int
    first: int = 1
    mode: Mode = Mode.PLAY
    options: Mapping[str, bool | int | float] = field(default_factory=dict)
    zones: Mapping[str, ZoneKind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        spec = self.spec
        if not spec.min_seats <= self.seats <= spec.max_seats:
            raise SetupError(f"{self.seats} seats, expected {spec.min_seats} to {spec.max_seats} for {spec.id}")
        if not 1 <= self.first <= self.seats:
            raise SetupError(f"first seat {self.first}, expected 1 to {self.seats}")
        for name, value in self.options.items():
            if name not in spec.options:
                known = ", ".join(sorted(spec.options))
                raise SetupError(f"option {name!r} is none of {spec.id}, expected one of: {known}")
            if not spec.options[name].takes(value):
                raise SetupError(f"option {name!r} is {value!r}, expected {spec.options[name].value}")
        if not self.zones:
            object.__setattr__(self, "zones", {z: usual_kind(z) for z in spec.smallest(self.seats)})
        allowed = spec.all_zones(self.seats)
        for zone in self.zones:
            if zone not in allowed:
                raise SetupError(f"zone {zone!r} on a table of {spec.id} for {self.seats}, expected {_few(allowed)}")
        columns = [z for z in allowed if ".col" in z]
        have = [z for z in columns if z in self.zones]
        if have and have != columns:
            missing = next(z for z in columns if z not in self.zones)
            raise SetupError(f"zone {missing!r} is missing, expected all columns of all seats or none")

    def option(self, name: str, default: bool | int | float = False) -> bool | int | float:
        """The value of an option, `default` where the table left it out."""
        return self.options.get(name, default)

    def kind(self, zone: str) -> ZoneKind:
        """The kind of a zone of this table; KeyError for any other."""
        return self.zones[zone]

    def sees_lifts(self, zone: str) -> bool:
        """Whether this zone reports every lift."""
        return zone in self.zones and self.zones[zone].sees_lifts


def _few(names: tuple[str, ...]) -> str:
    return ", ".join([*names[:2], "...", *names[-2:]]) if len(names) > 6 else ", ".join(names)

"""What the referee says. Each ruling carries the time it holds from and names what of it is secret.

`secret` lists keys that a public output leaves out; `say` goes to everybody or to one seat.
"""

from dataclasses import dataclass

Value = str | int | float | bool | None | tuple["Value", ...]
Args = tuple[tuple[str, Value], ...]
Keys = frozenset[str]
NONE: Keys = frozenset()
CARD: Keys = frozenset({"card"})


@dataclass(frozen=True, slots=True)
class Move:
    """A legal play (or one the arbiter let stand) took effect. `args` keep their order.

    `seat` is None only where no sensor tells who played (Тьфу! without watched columns).
    """

    t: float
    seat: int | None
    move: str
    args: Args = ()
    secret: Keys = NONE

    def arg(self, name: str) -> Value:
        """One argument by name; KeyError if the move has none such."""
        return dict(self.args)[name]


@dataclass(frozen=True, slots=True)
class Refused:
    """A play broke a rule. `seat` is the offender, None if unknown; `mend` names how to put it right."""

    t: float
    rule: str
    seat: int | None
    zone: str | None
    mend: str
    card: str | None = None
    button: str | None = None
    uid: str | None = None
    tie: bool = False
    args: Args = ()
    secret: Keys = NONE


@dataclass(frozen=True, slots=True)
class Corrected:
    """An illegal card was put right, or the arbiter dropped its correction."""

    t: float
    rule: str
    seat: int | None
    zone: str | None
    card: str | None
    secret: Keys = NONE


@dataclass(frozen=True, slots=True)
class Stood:
    """The arbiter let an illegal play stand."""

    t: float
    rule: str
    seat: int | None
    zone: str | None
    card: str | None
    secret: Keys = NONE


@dataclass(frozen=True, slots=True)
class Undone:
    """The arbiter took back all that one input had done; `seat` and `move` are of its first move."""

    t: float
    seat: int | None
    move: str
    args: Args = ()
    secret: Keys = NONE


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and what is open to that seat (mode `play`)."""

    t: float
    seat: int
    may: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """Cards were turned face up."""

    t: float
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Points by seat."""

    t: float
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """A game or round ended."""

    t: float
    winners: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match of several rounds ended."""

    t: float
    winners: tuple[int, ...]
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """A message to everybody (`to` is "all") or one seat; `text` is an id, sentences live in the firmware."""

    t: float
    to: int | str
    text: str
    args: Args = ()


Ruling = Move | Refused | Corrected | Stood | Undone | Turn | Reveal | Score | Over | Match | Say

"""What was refused and is still to be put right, as players hear it: the same in every game."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.rulings import Corrected, Over, Refused, Ruling, Score, Stood


@dataclass(frozen=True, slots=True)
class Fault:
    """A card that may not be where it was put."""

    rule: str
    seat: int | None
    zone: str
    card: str


class Faults:
    """Open corrections, oldest first. `unbound`: rules whose refusals open none."""

    def __init__(self, unbound: frozenset[str]) -> None:
        self._unbound = unbound | {"table/unknown-card"}
        self._open: list[Fault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(tuple(self._open))

    def __len__(self) -> int:
        return len(self._open)

    def hear(self, ruling: Ruling) -> None:
        """Follow what a ruling opens or ends; the end of a game or round ends all."""
        match ruling:
            case Refused(zone=str(zone), card=str(card)) if ruling.rule not in self._unbound:
                self._open.append(Fault(ruling.rule, ruling.seat, zone, card))
            case Corrected() | Stood():
                ended = (ruling.rule, ruling.zone, ruling.card)
                for fault in self._open:
                    if (fault.rule, fault.zone, fault.card) == ended:
                        self._open.remove(fault)
                        return
            case Over() | Score():
                self.clear()
            case _:
                pass

    def clear(self) -> None:
        """All is put right: the cards are gathered."""
        self._open.clear()

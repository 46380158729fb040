"""What the sensors see and what is still to be put right: the part of the referee that no play decides.

Rules: `lies` follows the readers (zones of kind `pass` hold nothing: a card crosses them). A correction is
opened by a refused placing and ends when its cards are lifted, seen elsewhere, or back where they belong.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.cards import Card
from engine.observations import Placed
from engine.rulings import NONE, Keys


@dataclass(frozen=True, slots=True)
class Correction:
    """One illegal card (or the cards of one given-up shout) that must leave its zone again.

    `back`: the other way round, a card that left its zone and must return. `play` is the refused placing, for
    an arbiter who lets it stand.
    """

    rule: str
    seat: int | None
    zone: str
    card: Card
    pending: frozenset[Card]
    back: bool = False
    play: Placed | None = None
    secret: Keys = NONE


@dataclass(frozen=True, slots=True)
class Table:
    """Where each card was last seen to lie, the open corrections (oldest first), the last play on each pile.

    `astray`: cards that were refused where they were last put down, whatever the arbiter then said of it.
    """

    lies: Mapping[Card, str] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
    last_play: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    astray: frozenset[Card] = frozenset()

    def put(self, card: Card, zone: str | None) -> "Table":
        """The sensors see `card` on `zone` now (None: nowhere)."""
        if self.lies.get(card) == zone:
            return self
        lies = {**self.lies}
        if zone is None:
            del lies[card]
        else:
            lies[card] = zone
        return replace(self, lies=lies)

    def moved(self, card: Card) -> "Table":
        """`card` was put down anew or taken away: whether it was refused where it lay counts no more."""
        return replace(self, astray=self.astray - {card}) if card in self.astray else self

    def played(self, zone: str, when: tuple[float, float]) -> "Table":
        """A play reached a pile within the seconds `when`."""
        return replace(self, last_play={**self.last_play, zone: when})

    def open(self, correction: Correction) -> "Table":
        """One more thing is to be put right."""
        return replace(self, corrections=(*self.corrections, correction))

    def strayed(self, card: Card) -> "Table":
        """`card` lies where it was refused."""
        return replace(self, astray=self.astray | {card})

    def drop(self, correction: Correction) -> "Table":
        """A correction is over, however it ended."""
        return replace(self, corrections=tuple(c for c in self.corrections if c is not correction))

    def lifted(self, zone: str, card: Card) -> tuple["Table", tuple[Correction, ...]]:
        """`card` left `zone`: the table after it, and the corrections that this ended."""
        ended: list[Correction] = []
        kept: list[Correction] = []
        for c in self.corrections:
            if c.back or c.zone != zone or card not in c.pending:
                kept.append(c)
            elif c.pending == {card}:
                ended.append(c)
            else:
                kept.append(replace(c, pending=c.pending - {card}))
        return replace(self, corrections=tuple(kept)), tuple(ended)

    def returned(self, zone: str, card: Card) -> tuple["Table", tuple[Correction, ...]]:
        """`card` came to `zone`: the table after it, and the corrections that waited for its return."""
        ended = tuple(c for c in self.corrections if c.back and c.zone == zone and c.card == card)
        return replace(self, corrections=tuple(c for c in self.corrections if c not in ended)), ended

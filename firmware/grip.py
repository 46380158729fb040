"""What emulated hands do with cards and buttons, and what a table must report of it.

Rules:
- Cards are put where the physics are: on a free antenna of a `spread` zone, on top of a `pile`, across a `pass`.
- What the referee never sees is done all the same: a pile that is shuffled leaves its reader.
- Who decides what is done, and waits for the verdict, is somebody else: `Hands` for bots alone, the table in the
  browser for bots and humans.
"""

from collections.abc import Callable
from typing import assert_never

from engine.observations import Announce, Lifted, Observation, Placed, Pressed
from engine.zones import ZoneKind
from firmware.controller import Controller
from firmware.rig import VirtualTable
from firmware.simulator.deeds import Action, Press, Put, Speak, Take, Wait
from hardware.twin.tags import Tag

REACH_S = 0.02
"""A hand is never faster than this, and no bus is ever this far ahead of the others."""
CROSSING_S = 0.25
AWAY_S = 0.5
"""A card stays away this long before it comes to the same zone again: sooner is no new play."""

OPEN_S = 0.8
"""So long a pile is held open when a card is taken out from under others: every reader has seen it by then."""

Sight = tuple[str, str, str]
"""What a table must report of an action: (kind, where, what)."""


class Grip:
    """Carries actions out on a virtual table with a game on it."""

    def __init__(self, table: VirtualTable, press: Callable[[str, float], None] | None = None) -> None:
        """`press`: how a button is pressed at a time, if not by telling the controller."""
        assert table.controller is not None, "hands need a table with a game on it"
        self._press = press or table.controller.press
        self._table = table
        self._controller: Controller = table.controller
        self._moving: dict[str, float] = {}  # card -> when it is where it was taken to
        self._left: dict[tuple[str, str], float] = {}  # (zone, card) -> when it went from there

    def reach(self) -> float:
        """The earliest time at which a hand can do anything."""
        return self._table.horizon() + REACH_S

    def act(self, action: Action, at: float) -> set[Sight]:
        """Carry the action out; what the table must report of it."""
        match action:
            case Put():
                return self._put(action, at)
            case Take():
                return self._take(action.zone, action.card, at)
            case Press():
                self._press(action.button, at)
                return {("pressed", action.button, "")}
            case Speak():
                self._controller.speak(action.seat, action.value, action.count, at)
                return {("announced", str(action.seat), str(action.value))}
            case Wait():
                return set()
            case _:
                assert_never(action)

    def clear(self, zone: str) -> None:
        """The pile is taken up for a new one: its cards leave their reader together."""
        at = self.reach()
        for reader in self._readers(zone):
            for tag in self._table.field.pile(reader, at):
                self._table.field.take(tag, at)

    def _put(self, action: Put, at: float) -> set[Sight]:
        zones = self._controller.referee.setup.zones
        sights: set[Sight] = set()
        tag = self._table.tags[action.card]
        at = max(at, self._moving.get(action.card, 0.0))
        if action.source is not None and action.source != action.zone:
            sights |= self._take(action.source, action.card, at)
        elif self._table.field.where(tag, at) is not None:
            self._table.field.take(tag, at)  # out of a shuffled pile, or pushed away unseen
        if action.zone not in zones:
            return sights
        at = max(at + REACH_S, self._left.get((action.zone, action.card), 0.0) + AWAY_S)
        if zones[action.zone] is ZoneKind.PASS:
            self._cross(tag, action.zone, at)
            self._moving[action.card] = at + CROSSING_S + REACH_S
            self._left[(action.zone, action.card)] = at + CROSSING_S
        else:
            self._table.field.put(tag, self._place(action.zone, at), at)
        return sights | {("placed", action.zone, action.card)}

    def _take_out(self, zone: str, tag: Tag, reader: str, at: float) -> set[Sight]:
        """Take a card from under others as people do: those on top are lifted first and go back when it is out.

        One that is only drawn out and laid on top again would be seen as uncovered, which is no play.
        """
        field, deck = self._table.field, {tag.uid_hex: card for card, tag in self._table.tags.items()}
        pile = field.pile(reader, at)
        above = pile[pile.index(tag) + 1 :]
        for other in (*reversed(above), tag):
            field.take(other, at)
        for n, other in enumerate(above):
            field.put(other, reader, at + OPEN_S + n * CROSSING_S)
        self._moving[deck[tag.uid_hex]] = at + OPEN_S + len(above) * CROSSING_S
        return {("placed", zone, deck[other.uid_hex]) for other in above}

    def _cross(self, tag: Tag, zone: str, at: float) -> None:
        """Over the zone's slot, and on to where the cards lie, if that is a reader as well (a deaf pile)."""
        slot, *piles = self._readers(zone)
        self._table.field.put(tag, slot, at)
        if piles:
            self._table.field.put(tag, piles[0], at + CROSSING_S)
        else:
            self._table.field.take(tag, at + CROSSING_S)

    def _take(self, zone: str, card: str, at: float) -> set[Sight]:
        tag = self._table.tags[card]
        at = max(at, self._moving.get(card, 0.0))
        reader = self._table.field.where(tag, at)
        if reader is None:
            return set()
        kind = self._controller.referee.setup.zones[zone]
        pile = self._table.field.pile(reader, at)
        self._left[(zone, card)] = at
        if kind is ZoneKind.PILE and pile[-1] is not tag:
            return self._take_out(zone, tag, reader, at)
        self._table.field.take(tag, at)
        return set() if kind is ZoneKind.PASS else {("lifted", zone, card)}

    def _readers(self, zone: str) -> tuple[str, ...]:
        return tuple(antenna.reader for antenna in self._table.layout.readers if antenna.zone == zone)

    def _place(self, zone: str, at: float) -> str:
        """The antenna of the zone with the fewest cards on it."""
        return min(self._readers(zone), key=lambda reader: len(self._table.field.pile(reader, at)))


def sight_of(observation: Observation) -> Sight:
    """What an observation reports."""
    match observation:
        case Placed():
            return ("placed", observation.zone, observation.card)
        case Lifted():
            return ("lifted", observation.zone, observation.card)
        case Pressed():
            return ("pressed", observation.button, "")
        case Announce():
            return ("announced", str(observation.seat), str(observation.value))
        case _:
            return ("", "", "")

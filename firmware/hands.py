"""Hands of emulated players: they carry out a simulator's deeds on emulated readers and buttons.

Rules:
- A hand does one action, waits until the table has judged it (or until it must have), tells the simulator what the
  referee said, pauses as people do, and goes on. The pauses come from a random source of their own, so that the
  deeds are the same whatever the radio does.
- Cards are put where the physics are: on a free antenna of a `spread` zone, on top of a `pile`, across a `pass`.
- What the referee never sees is done all the same: a pile that is shuffled leaves its reader.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import assert_never

from engine.observations import Announce, Lifted, Observation, Placed, Pressed
from engine.rulings import Move, Ruling
from engine.zones import ZoneKind
from firmware.controller import Controller
from firmware.rig import VirtualTable
from firmware.simulator.deeds import Action, Press, Put, Speak, Take, Wait, World
from hardware.twin.tags import Tag

REACH_S = 0.02
"""A hand is never faster than this, and no bus is ever this far ahead of the others."""
CROSSING_S = 0.25
AWAY_S = 0.5
"""A card stays away this long before it comes to the same zone again: sooner is no new play."""
PATIENCE_S = 3.0
"""After this long a hand gives up waiting for a verdict: the table has missed something."""

Sight = tuple[str, str, str]
"""What a table must report of an action: (kind, where, what)."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long people take, in seconds: between two actions of one deed, and between deeds."""

    action_s: tuple[float, float] = (0.05, 0.15)
    deed_s: tuple[float, float] = (0.08, 0.20)


class Hands:
    """A step machine that plays a `World` on a virtual table until it has no deed left."""

    def __init__(
        self,
        world: World,
        table: VirtualTable,
        seed: int,
        pauses: Pauses | None = None,
        slots: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        assert table.controller is not None, "hands need a table with a game on it"
        self.finished = False
        self.missed: list[str] = []
        """What the table did not report in time, in words."""
        self.press: Callable[[str, float], None] = table.controller.press
        self._world = world
        self._table = table
        self._controller: Controller = table.controller
        self._random = Random(f"hands/{seed}")
        self._pauses = pauses or Pauses()
        self._slots = slots or {}
        self._actions: deque[Action] = deque()
        self._waiting: set[Sight] = set()
        self._acting: Action | None = None
        self._give_up = 0.0
        self._heard: list[Ruling] = []
        self._moving: dict[str, float] = {}  # card -> when it is where it was taken to
        self._left: dict[tuple[str, str], float] = {}  # (zone, card) -> when it went from there
        self._wake = table.loop.add(self, at=0.2)
        self._controller.on_rulings.append(self._hear)

    def step(self, now: float) -> float | None:
        """Do the next thing that is due."""
        if self._acting is not None:
            if self._waiting and now < self._give_up:
                return self._give_up
            return self._done(now)
        if not self._actions:
            deed = self._world.next()
            if deed is None:
                self.finished = True
                return None
            self._actions.extend(deed.actions)
        self._acting = self._actions.popleft()
        at = self._table.horizon() + REACH_S
        self._waiting = self._act(self._acting, at)
        self._give_up = at + PATIENCE_S
        if isinstance(self._acting, Wait):
            self._give_up = at + self._acting.seconds
            self._waiting = {("wait", "", "")}
        return self._give_up if self._waiting else at

    # -- what the table says ---------------------------------------------------------------------------------

    def _hear(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        self._heard += rulings
        if self._waiting:
            self._waiting.discard(_sight(observation))
            if not self._waiting:
                self._wake(self._controller_time())
        for ruling in rulings:
            if isinstance(ruling, Move) and ruling.move == "pile":
                self._shuffle()

    def _controller_time(self) -> float:
        return self._table.loop.now

    def _done(self, now: float) -> float:
        if self._waiting and not isinstance(self._acting, Wait):
            self.missed.append(f"{now:.3f} s: {self._acting} was not reported ({sorted(self._waiting)})")
        self._acting = None
        self._waiting = set()
        heard, self._heard = self._heard, []
        self._world.hear(heard)
        low, high = self._pauses.action_s if self._actions else self._pauses.deed_s
        return now + self._random.uniform(low, high)

    # -- what hands do ---------------------------------------------------------------------------------------

    def _act(self, action: Action, at: float) -> set[Sight]:
        """Carry the action out; what the table must report of it."""
        match action:
            case Put():
                return self._put(action, at)
            case Take():
                return self._take(action.zone, action.card, at)
            case Press():
                self.press(action.button, at)
                return {("pressed", action.button, "")}
            case Speak():
                self._controller.speak(action.seat, action.value, action.count, at)
                return {("announced", str(action.seat), str(action.value))}
            case Wait():
                return set()
            case _:
                assert_never(action)

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
        self._table.field.take(tag, at)
        self._left[(zone, card)] = at
        if kind is ZoneKind.PASS or (kind is ZoneKind.PILE and pile[-1] is not tag):
            return set()  # nobody sees a card drawn from under others
        return {("lifted", zone, card)}

    def _shuffle(self) -> None:
        """The discard is taken up for a new pile: its cards leave their reader together."""
        at = self._table.horizon() + REACH_S
        for reader in self._readers("discard"):
            for tag in self._table.field.pile(reader, at):
                self._table.field.take(tag, at)

    def _readers(self, zone: str) -> tuple[str, ...]:
        return tuple(antenna.reader for antenna in self._table.layout.readers if antenna.zone == zone)

    def _place(self, zone: str, at: float) -> str:
        """The antenna of the zone with the fewest cards on it."""
        return min(self._readers(zone), key=lambda reader: len(self._table.field.pile(reader, at)))


def _sight(observation: Observation) -> Sight:
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

"""Hands of emulated players: they carry out a simulator's deeds on emulated readers and buttons.

A hand does one action, waits until the table has judged it (or until it must have), tells the simulator what the
referee said, pauses as people do, and goes on. The pauses come from a random source of their own, so that the
deeds are the same whatever the radio does.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.observations import Observation
from engine.rulings import Move, Ruling
from firmware.grip import Grip, Sight, sight_of
from firmware.rig import VirtualTable
from firmware.simulator.deeds import Action, Wait, World

PATIENCE_S = 3.0
"""After this long a hand gives up waiting for a verdict: the table has missed something."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long people take, in seconds: between two actions of one deed, and between deeds."""

    action_s: tuple[float, float] = (0.05, 0.15)
    deed_s: tuple[float, float] = (0.08, 0.20)


class Hands:
    """A step machine that plays a `World` on a virtual table until it has no deed left."""

    def __init__(self, world: World, table: VirtualTable, seed: int, pauses: Pauses | None = None) -> None:
        assert table.controller is not None, "hands need a table with a game on it"
        self.finished = False
        self.missed: list[str] = []
        """What the table did not report in time, in words."""
        self._world = world
        self._table = table
        self._grip = Grip(table)
        self._random = Random(f"hands/{seed}")
        self._pauses = pauses or Pauses()
        self._actions: deque[Action] = deque()
        self._waiting: set[Sight] = set()
        self._acting: Action | None = None
        self._give_up = 0.0
        self._heard: list[Ruling] = []
        self._wake = table.loop.add(self, at=0.2)
        table.controller.on_rulings.append(self._hear)

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
        at = self._grip.reach()
        self._waiting = self._grip.act(self._acting, at)
        self._give_up = at + PATIENCE_S
        if isinstance(self._acting, Wait):
            self._give_up = at + self._acting.seconds
            self._waiting = {("wait", "", "")}
        return self._give_up if self._waiting else at

    def _hear(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        self._heard += rulings
        if self._waiting:
            self._waiting.discard(sight_of(observation))
            if not self._waiting:
                self._wake(self._table.loop.now)
        for ruling in rulings:
            if isinstance(ruling, Move) and ruling.move == "pile":
                self._grip.clear("discard")

    def _done(self, now: float) -> float:
        if self._waiting and not isinstance(self._acting, Wait):
            self.missed.append(f"{now:.3f} s: {self._acting} was not reported ({sorted(self._waiting)})")
        self._acting = None
        self._waiting = set()
        heard, self._heard = self._heard, []
        self._world.hear(heard)
        low, high = self._pauses.action_s if self._actions else self._pauses.deed_s
        return now + self._random.uniform(low, high)

"""Hands at the virtual table: bots at a human pace, and the hands of those who sit before a browser.

Rules:
- what a hand does is done on the emulated readers and buttons; what becomes of it, only the table says;
- the simulator hears each verdict at once, whoever caused it, so that bots play on after a human;
- no bot and no bot's arbiter decides for a human: who put down an illegal card takes it back himself;
- `lies` is where cards physically are, whether a reader sees them there or not (a `pass` zone never does).
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from engine.cards import Card
from engine.observations import Observation
from engine.rulings import Corrected, Move, Ruling, Score, Undone
from engine.zones import ZoneKind, seat_of
from firmware.grip import CROSSING_S, OPEN_S, REACH_S, Grip, Sight, sight_of
from firmware.hands import PATIENCE_S, Pauses
from firmware.rig import VirtualTable
from firmware.simulator.deeds import Action, Deed, HostedWorld, Press, Put, Take, Wait

SETTLED_S = 0.05
"""A card that was just put down is not taken up before it has touched the table."""
BETWEEN_CARDS_S = 0.3
"""So far apart are cards that one hand moves at once: each crosses the reader alone."""


class Pace(Enum):
    """How fast bots play. `STEP`: one play each time somebody asks for it."""

    STEP = "step"
    CALM = "calm"
    BRISK = "brisk"
    QUICK = "quick"


PAUSES = {
    Pace.STEP: Pauses((0.4, 0.6), (0.3, 0.4)),
    Pace.CALM: Pauses((0.5, 0.8), (1.3, 2.3)),
    Pace.BRISK: Pauses((0.3, 0.5), (0.5, 0.9)),
    Pace.QUICK: Pauses((0.16, 0.2), (0.16, 0.24)),
}


TIDYING = Pauses((0.05, 0.1), (0.05, 0.1))
"""Nobody wants to watch bots lay out and clear away."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card lies, and where it came from: `hand2`, `draw`, or a zone."""

    zone: str
    source: str


class TableHands:
    """A step machine; `put`, `take`, `give` and `push` are what humans do."""

    def __init__(
        self, world: HostedWorld, table: VirtualTable, seed: int, pace: Pace, press: Callable[[str, float], None]
    ) -> None:
        """`press`: how a finger comes down on a button at a time."""
        assert table.controller is not None, "hands need a table with a game on it"
        self.world = world
        self.pace = pace
        self.finished = False
        self.lies: dict[Card, Spot] = {}
        self.broken = ""
        """Why the bots gave up; empty while they play."""
        self.on_change: Callable[[], None] = lambda: None
        self._table = table
        self._controller = table.controller
        self._grip = Grip(table, press)
        self._random = Random(f"hands/{seed}")
        self._pauses = PAUSES[pace]
        self._permits = 0
        self._tidies = False
        self._actions: deque[Action] = deque()
        self._waiting: set[Sight] = set()
        self._acting: Action | None = None
        self._give_up = 0.0
        self._until: dict[int, float] = {}  # seat -> until when a human is at something that takes both hands
        self._busy: dict[Card, float] = {}  # until when a card is not to be taken up again
        self._wake = table.loop.add(self, at=0.2)
        self._controller.on_rulings.append(self._hear)

    def set_pace(self, pace: Pace) -> None:
        """From the next pause on."""
        self.pace, self._pauses = pace, PAUSES[pace]
        self._wake(self._table.loop.now)

    def permit(self) -> None:
        """Let the bots make one play (pace `STEP`)."""
        self._permits = 1
        self._wake(self._table.loop.now)

    def set_humans(self, humans: frozenset[int]) -> None:
        """For these seats nobody is played here any more."""
        self.world.humans = humans
        self._wake(self._table.loop.now)

    # -- the machine -----------------------------------------------------------------------------------------

    def step(self, now: float) -> float | None:
        """Do the next thing that is due."""
        if self.finished or self.broken:
            return None
        if self._acting is not None:
            if self._waiting and now < self._give_up:
                return self._give_up
            return self._done(now)
        if not self._actions:
            if self.pace is Pace.STEP and not self._permits:
                return None
            deed = self._next()
            if deed is None:
                self.finished = True
                self.on_change()
                return None
            self._tidies = not deed.moves
            if deed.moves:
                self._permits = 0
            self._actions.extend(deed.actions)
        self._acting = self._actions.popleft()
        at = self._grip.reach()
        self._waiting = self._act(self._acting, at)
        self._give_up = at + PATIENCE_S
        if isinstance(self._acting, Wait):
            self._give_up = at + self._acting.seconds
            self._waiting = {("wait", "", "")}
        elif not self._waiting and not self._actions:
            self._acting = None  # nothing that anybody could see: no pause either
            return now
        return self._give_up if self._waiting else at

    def _next(self) -> Deed | None:
        if self._must_wait() or any(self._table.loop.now < until for until in self._until.values()):
            return Deed((Wait(0.5),))
        before = self._held_by_all()
        try:
            deed = self.world.next()
        except (ValueError, KeyError, AssertionError, IndexError) as error:
            self._lost(error)
            return None
        if before != self._held_by_all():
            self.on_change()  # the cards were dealt anew: of that no reader and no referee tells
        if deed is not None and any(self._decides_for_human(a) for a in deed.actions):
            return Deed((Wait(0.5),))
        return deed

    def _held_by_all(self) -> list[tuple[Card, ...]]:
        seats = range(1, self._controller.referee.setup.seats + 1)
        return [(*self.world.hand(seat), *self.world.stock(seat)) for seat in seats]

    def _must_wait(self) -> bool:
        """TIFO: nobody may play on before an illegal card is taken back, and a human takes his back himself."""
        referee = self._controller.referee
        if referee.setup.spec.id != "tifo":
            return False
        return any(c.seat in self.world.humans and not c.back for c in referee.corrections)

    def _decides_for_human(self, action: object) -> bool:
        match action:
            case Press(button="table.accept"):
                return bool(self.world.humans)
            case Press(button="table.undo"):
                open_ = self._controller.referee.corrections
                return bool(open_) and open_[0].seat in self.world.humans
            case _:
                return False

    def _lost(self, error: Exception) -> None:
        self.broken = f"{type(error).__name__}: {error}"
        self._acting, self._waiting = None, set()
        self._actions.clear()
        self.on_change()

    def _done(self, now: float) -> float:
        self._acting, self._waiting = None, set()
        pauses = TIDYING if self._tidies else self._pauses
        low, high = pauses.action_s if self._actions else pauses.deed_s
        return now + self._random.uniform(low, high)

    def _hear(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        if rulings and not self.broken:
            try:
                self.world.hear(rulings)
            except (ValueError, KeyError, AssertionError, IndexError) as error:
                self._lost(error)
        self._follow(rulings)
        if isinstance(self._acting, Wait) and rulings:
            self._waiting.clear()
            self._wake(self._table.loop.now)
        elif self._waiting:
            self._waiting.discard(sight_of(observation))
            if not self._waiting:
                self._wake(self._table.loop.now)
        self.on_change()

    def _follow(self, rulings: Sequence[Ruling]) -> None:
        """What hands do after a verdict without being told: cards leave with their pile, a swapped card is taken."""
        setup = self._controller.referee.setup
        for ruling in rulings:
            match ruling:
                case Move(move="pile"):
                    self._shuffle()
                case Move(move="swap", seat=seat) if seat in self.world.humans:
                    card = str(ruling.arg("card"))
                    if card in self.lies:
                        self.take(int(seat or 0), card)
                case Corrected(zone=zone, card=card) if zone and card and setup.kind(zone) is ZoneKind.PASS:
                    self.lies.pop(card, None)
                case Score() if setup.spec.id == "tipouik":
                    self.lies.clear()  # the hands that were counted are gathered for the next round
                case Move(move="open" | "pose" | "take" | "give" | "verdict") | Undone():
                    self._settle_tipouik()
                case _:
                    pass

    def _settle_tipouik(self) -> None:
        """Announced cards are pushed away; those of a pose that was taken back lie there again."""
        referee = self._controller.referee
        if referee.setup.spec.id != "tipouik":
            return
        refused = {c.card for c in referee.corrections}
        here: dict[Card, int] = {}
        for seat in range(1, referee.setup.seats + 1):
            laid = referee.view(seat)["my_laid"]
            assert isinstance(laid, list), "a seat's view has the cards it laid"
            here.update(dict.fromkeys(laid, seat))
        for card in [c for c in self.lies if c not in here and c not in refused]:
            del self.lies[card]
        for card, seat in here.items():
            self.lies.setdefault(card, Spot(f"seat{seat}", f"hand{seat}"))

    # -- what hands do ---------------------------------------------------------------------------------------

    def held(self, seat: int) -> tuple[Card, ...]:
        """The cards in a player's hand, those that lie on the table left out."""
        return tuple(card for card in self.world.hand(seat) if card not in self.lies)

    def moves(self, card: Card) -> bool:
        """Whether a hand is still busy with a card."""
        return card in self._busy and self._busy[card] + CROSSING_S > self._table.horizon()

    def put(self, seat: int, card: Card, zone: str) -> None:
        """A human puts a card on a zone."""
        spot = self.lies.get(card)
        kind = self._controller.referee.setup.zones
        source = spot.zone if spot is not None and kind.get(spot.zone) is not ZoneKind.PASS else None
        self._human(Put(seat, zone, card, source))

    def give(self, seat: int, card: Card, to: int) -> None:
        """A human hands a card to another player, face down, and says that it is done (Tipouik)."""
        self.world.observe(Put(seat, f"hand{to}", card))
        self.push(f"seat{seat}.ok")

    def take(self, seat: int, card: Card) -> None:
        """A human takes a card up from where it lies; from a `pass` zone by letting it cross again."""
        zone = self.lies[card].zone
        if self._controller.referee.setup.zones[zone] is ZoneKind.PASS:
            self._human(Put(seat, zone, card))
            return
        self._human(Take(seat, zone, card))

    def show(self, seat: int) -> None:
        """A human lays his whole hand before him, to be counted."""
        self._in_turn(seat, [Put(seat, f"seat{seat}", card) for card in self.held(seat)])

    def _in_turn(self, seat: int, steps: Sequence[Put]) -> None:
        """One card after the other. Till then bots tidy up nothing, and the hand presses no button."""
        for n, action in enumerate(steps):
            self._human(action, n * BETWEEN_CARDS_S)
        if len(steps) > 1:
            self._until[seat] = self._grip.reach() + len(steps) * BETWEEN_CARDS_S

    def _human(self, action: Put | Take, after_s: float = 0.0) -> None:
        source = action.zone if isinstance(action, Take) else action.source
        above = self._above(source, action.card) if source is not None else ()
        self.world.observe(action)
        self._act(action, self._grip.reach() + after_s)
        for card in above:  # both hands hold the pile open (`Grip`): till it is closed nobody takes these
            self._busy[card] = self._until[action.seat] = self._grip.reach() + OPEN_S + len(above) * CROSSING_S

    def _above(self, zone: str, card: Card) -> tuple[Card, ...]:
        """The cards that lie on this one."""
        if self._controller.referee.setup.zones.get(zone) is not ZoneKind.PILE:
            return ()
        here = [c for c, spot in self.lies.items() if spot.zone == zone]
        return tuple(here[here.index(card) + 1 :]) if card in here else ()

    def push(self, button: str) -> None:
        """A human presses a button, as soon as he has a hand free."""
        self._act(Press(button), max(self._grip.reach(), self._until.get(seat_of(button) or 0, 0.0)))

    def _act(self, action: Action, at: float) -> set[Sight]:
        """Carry an action out, no earlier than its card may be moved again, and remember where the card lies then."""
        match action:
            case Put(card=card):
                spot = self.lies.pop(card, None)
                at = max(at, self._busy.get(card, 0.0))
                self._busy[card] = at + REACH_S + SETTLED_S
                zones = self._controller.referee.setup.zones
                back = spot is not None and spot.zone == action.zone and zones[spot.zone] is ZoneKind.PASS
                if action.zone in zones and action.zone != "draw" and not back:
                    source = spot.zone if spot else f"hand{action.seat or seat_of(action.zone)}"
                    self.lies[card] = Spot(action.zone, source)
            case Take(card=card):
                self.lies.pop(card, None)
                at = max(at, self._busy.get(card, 0.0))
                self._busy[card] = at + SETTLED_S
            case _:
                return self._grip.act(action, at)
        self.on_change()
        return self._grip.act(action, at)

    def _shuffle(self) -> None:
        self._grip.clear("discard")
        for card in [c for c, spot in self.lies.items() if spot.zone == "discard"]:
            del self.lies[card]

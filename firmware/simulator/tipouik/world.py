"""A whole match of Tipouik with all its hidden cards: deals, lets bots move, keeps the table tidy.

Rules: the truth moves only by what the referee announced. What lies before whom is moved by hands: a card put
down counts as laid until it is refused. Announced cards are pushed to the centre sooner or later, at the latest
before anybody lays there again; illegal ones are put right before anything else happens.
"""

from collections.abc import Sequence
from random import Random

from engine.rulings import Move, Over, Ruling, Score, Undone
from engine.setup import Setup
from firmware.simulator.deeds import Action, Deed, Press, Put, Speak, Take, Wait
from firmware.simulator.tipouik import bots
from firmware.simulator.tipouik.board import Board, owner
from firmware.simulator.tipouik.cheats import SWAPPED, Scene, all_cheats, deed
from firmware.simulator.tipouik.heard import Story
from firmware.simulator.tipouik.truth import DECK_ONE, Truth

UNDO = 0.01
"""Chance a deed that the arbiter takes the last move back."""
ACCEPT = 0.15
DROP = 0.10
"""Chances that he lets an illegal card stand, or drops the correction."""
PUSH = 0.6
"""Chance a deed that announced cards are pushed to the centre."""


class TipouikWorld:
    """One match. `humans` are seats for which nobody is played here (`observe` tells what they did).

    A human gives a card away by `Put(seat, "handN", card)` before pressing ok; else one is given by lot.
    """

    def __init__(self, setup: Setup, rng: Random, cheat: float = 0.0, humans: frozenset[int] = frozenset()) -> None:
        self.setup = setup
        self.humans = humans
        self._rng = rng
        self._cheat = cheat
        truth = Truth(setup.seats, rng, int(setup.option("rounds", 1)), bool(setup.option("titles")))
        truth.deal()
        self._story = Story(truth)
        self._tempers = bots.tempers_of_table(setup.seats, rng)
        self._window_s = float(setup.option("final_window_s", 5))
        self._in_window = 0  # actions since the final window opened
        self._board = Board(setup)
        self._minds: dict[int, int] = {}  # who will challenge the last pose, after how many deeds more
        self._plan: bots.Plan | None = None
        self._after = 0

    @property
    def truth(self) -> Truth:
        """The true position."""
        return self._story.truth

    @property
    def disagreements(self) -> list[str]:
        """Verdicts, scores and winners that do not fit the true cards."""
        return self._story.disagreements

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards a player has in hand, those on the table left out."""
        return tuple(self._scene().free(seat))

    def stock(self, seat: int) -> tuple[str, ...]:
        """Nothing: all cards are dealt."""
        return ()

    def ending(self) -> str:
        """How the last round ended."""
        return self.truth.ended

    # -- the next deed --------------------------------------------------------------------------------------

    def next(self) -> Deed | None:
        """Put right, tidy up; else cheat; else play."""
        d = self._next()
        if d is not None:
            self._in_window = self._in_window + len(d.actions) if self.truth.window is not None else 0
            for action in d.actions:
                self.observe(action)
        return d

    def _next(self) -> Deed | None:
        tidy = self._mend() or self._tidy()
        if tidy is not None:
            return tidy
        t, rng = self.truth, self._rng
        if t.phase == "end":
            return self._after_the_end()
        if t.phase == "deal-again":
            self._board.deal()
            t.deal()
        if self._cheat and rng.random() < self._cheat:
            illegal = self._illegal()
            if illegal is not None:
                return illegal
        if self._cheat and self._can_undo() and rng.random() < UNDO:
            return Deed((Press("table.undo"),))
        return self._play()

    def _can_undo(self) -> bool:
        return self._story.can_undo() and not self._board.faults and self._time_for(1)

    def _play(self) -> Deed:
        t = self.truth
        match t.phase:
            case "gift":
                return self._give(t.king, t.abru)
            case "deal":
                holder = t.holder(DECK_ONE)
                return Deed((self._put(holder, DECK_ONE),), moves=("open",)) if self._is_bot(holder) else _WAIT
            case "count":
                return self._show()
            case _ if t.settle is not None:
                return self._settle()
            case _ if t.window is not None:
                return self._in_final_window()
            case _:
                return self._challenge() or self._take_turn()

    def _is_bot(self, seat: int | None) -> bool:
        return seat is not None and seat not in self.humans

    def _time_for(self, actions: int) -> bool:
        """Whether so many actions, a second each at most, are over before the final window is."""
        return self.truth.window is None or self._in_window + actions < self._window_s

    def _illegal(self) -> Deed | None:
        kinds: dict[str, list[Deed]] = {}
        for d in all_cheats(self._scene()):
            if d.cheat is not None and self.humans.isdisjoint(d.seats) and self._time_for(len(d.actions) + 2):
                kinds.setdefault(d.cheat.kind, []).append(d)
        if not kinds:
            return None
        chosen = self._rng.choice(kinds[self._rng.choice(sorted(kinds))])
        if chosen.cheat is not None and chosen.cheat.kind == SWAPPED:
            self._swap_hands(chosen)
        return chosen

    def _swap_hands(self, d: Deed) -> None:
        put, t = d.actions[0], self.truth
        assert isinstance(put, Put), "a swapped card is laid"
        other = t.holder(put.card)
        assert other is not None, "the card was in a hand"
        mine = self._rng.choice([c for c in self._scene().free(put.seat) if c not in self._board.touched])
        self._story.swap(other, put.card, put.seat, mine)

    def _scene(self) -> Scene:
        return Scene(self.truth, self._board, self._rng)

    def _after_the_end(self) -> Deed | None:
        self._after += 1
        if self._cheat == 0.0 or self._after > 2 or self.humans:
            return None
        if self._after == 1:
            card = self._rng.choice([c for n in self.truth.all_seats() for c in self._board.laid[n] if n != 1])
            return deed("a card after the end", (self._put(1, card),), "over")
        return deed("a challenge after the end", (Press("seat1.call"),), "over")

    # -- turns ----------------------------------------------------------------------------------------------

    def _challenge(self) -> Deed | None:
        for seat, patience in list(self._minds.items()):
            if patience <= 0:
                self._minds.clear()
                return Deed((Press(f"seat{seat}.call"),), moves=("challenge", "verdict"))
            self._minds[seat] = patience - 1
        return None

    def _make_up_minds(self) -> None:
        t = self.truth
        pose = t.pose
        self._minds.clear()
        if pose is None or pose.opening:
            return
        for seat in self._rng.sample(list(t.all_seats()), t.seats):
            if seat != pose.seat and self._is_bot(seat) and bots.doubts(t, seat, self._tempers[seat], self._rng):
                self._minds[seat] = 0 if t.window is not None else self._rng.choice([0, 0, 0, 1, 2, 4])

    def _take_turn(self) -> Deed:
        t, rng, seat = self.truth, self._rng, self.truth.turn
        if not self._is_bot(seat):
            return _WAIT
        laid = self._board.laid[seat]
        if laid:
            if self._plan is None and rng.random() < 0.5:
                return self._board.lift(seat, list(laid))
            value = bots.value_for(t, laid, rng) if self._plan is None else self._plan.value
            self._plan = None
            return Deed((self._say(seat, value, len(laid)),), moves=("pose",))
        plan = bots.plan(t, self._tempers[seat], self._scene().free(seat), rng)
        if not plan.cards:
            return Deed((Press(f"seat{seat}.ok"),), moves=("pass",))
        lays = tuple(self._put(seat, c) for c in plan.cards)
        if rng.random() < 0.3:  # laid now, announced later, if nobody takes the turn away meanwhile
            self._plan = plan if rng.random() < 0.8 else None
            return Deed(lays)
        return Deed((*lays, self._say(seat, plan.value, len(plan.cards))), moves=("pose",))

    def _say(self, seat: int, value: int, count: int) -> Action:
        t, rng = self.truth, self._rng
        if rng.random() < 0.15:
            return Speak(seat, value, count if rng.random() < 0.5 else None)
        return Press(f"seat{seat}.next" if value == t.following else f"seat{seat}.ok")

    def _put(self, seat: int | None, card: str) -> Put:
        assert seat is not None, f"nobody holds {card}"
        return Put(seat, f"seat{seat}", card, self._board.lies.get(card))

    def _settle(self) -> Deed:
        t = self.truth
        settle, pose = t.settle, t.pose
        assert settle is not None, "there is a challenge to settle"
        assert pose is not None, "a challenge has a pose"
        seat = settle.actor
        if not self._is_bot(seat):
            return _WAIT
        if settle.stage == "give":
            return self._give(seat, settle.accused)
        if settle.stage == "draw":
            accused = settle.accused
            if len(self._scene().free(accused)) < 2 and self._board.laid[accused] and self._is_bot(accused):
                return self._board.lift(
                    accused, list(self._board.laid[accused])
                )  # one draws from a hand, not from the table
            return Deed((Press(f"seat{seat}.ok"),), moves=("draw",))
        zone = f"seat{settle.accused}"
        there = [c for c in pose.cards if self._board.lies.get(c) == zone]
        if there and self._rng.random() < 0.7:
            return Deed(tuple(Take(seat, zone, c) for c in there), moves=("take",))
        return Deed((Press(f"seat{seat}.ok"),), moves=("take",))

    def _give(self, giver: int | None, taker: int | None) -> Deed:
        if not self._is_bot(giver) or giver is None or taker is None:
            return _WAIT
        free = self._scene().free(giver)
        if not free:
            return self._board.lift(giver, list(self._board.laid[giver]))
        self._story.gift = bots.gift(free, self._rng)
        return Deed((Press(f"seat{giver}.ok"),), moves=("give",))

    def _in_final_window(self) -> Deed:
        t, rng = self.truth, self._rng
        challenge = self._challenge() if self._time_for(1) else None
        if challenge is not None:
            return challenge
        waiting = [n for n in t.all_seats() if n not in t.declined and n != t.window and self._is_bot(n)]
        if waiting and self._time_for(1) and rng.random() < 0.9:
            seat = rng.choice(waiting)
            t.declined.add(seat)
            return Deed((Press(f"seat{seat}.ok"),))
        return Deed((Wait(1.0 if self.humans else self._window_s + 0.5),))

    def _show(self) -> Deed:
        t = self.truth
        for seat in self._rng.sample(list(t.all_seats()), t.seats):
            if seat in t.counted or not self._is_bot(seat):
                continue
            rest = [c for c in t.hands[seat] if c not in self._board.laid[seat]]
            t.counted.add(seat)
            return Deed((*(self._put(seat, c) for c in rest), Press(f"seat{seat}.ok")))
        return _WAIT

    # -- the table ------------------------------------------------------------------------------------------

    def observe(self, action: Action) -> None:
        """Somebody did something with hands: cards are where they were put."""
        if isinstance(action, Put) and action.zone.startswith("hand"):
            self._story.gift = action.card
        else:
            self._board.observe(action)

    def _mend(self) -> Deed | None:
        """Put the oldest illegal card right: lift it, say so, or ask the arbiter."""
        for fault in self._board.faults:
            seat, chance = fault.seat, self._rng.random()
            if seat is None or not self._is_bot(seat) or not self._time_for(1):
                continue
            if chance < ACCEPT:
                return Deed((Press("table.accept"),))
            if chance < ACCEPT + DROP:
                return Deed((Press("table.undo"),))
            if self._board.passes(seat):
                return Deed((Press(f"seat{seat}.ok"),))
            return Deed((Take(seat, fault.zone, fault.card),))
        return None

    def _tidy(self) -> Deed | None:
        """Lift what has no business where it lies; a few announced cards may wait."""
        t = self.truth
        if not self._time_for(1):
            return None
        for seat, cards in self._board.laid.items():
            strange = [c for c in cards if c not in t.hands[seat] and t.phase != "deal-again"]
            if strange:
                return self._board.lift(seat, strange)
        for card, zone in self._board.lies.items():
            seat = owner(zone)
            if card in self._board.laid[seat] and t.phase != "deal-again":
                continue
            if not self._may_stay(card, seat) and not self._is_humans_fault(card):
                return Deed((Take(seat, zone, card),))
        return None

    def _is_humans_fault(self, card: str) -> bool:
        """A human puts his own cards right."""
        return any(f.card == card and f.seat in self.humans for f in self._board.faults)

    def _may_stay(self, card: str, seat: int) -> bool:
        """Whether an announced card may lie where it is a little longer."""
        t, pose = self.truth, self.truth.pose
        if t.phase == "end":
            return True
        if pose is None or card not in pose.cards or t.phase != "play":
            return False
        if t.settle is not None:
            return t.settle.stage in ("take-back", "take")
        if card not in t.buried or (t.turn == seat and t.window is None):
            return False
        return self._rng.random() >= PUSH

    # -- what is heard --------------------------------------------------------------------------------------

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """Follow the game, the corrections, and what is laid."""
        window = self.truth.window
        back = self._story.hear(rulings, self._board.laid)
        if back:
            seat = next(n for n, hand in self.truth.hands.items() if back[0] in hand)
            self._board.lie_again(seat, back)
            self._minds.clear()
            self._plan = None
        self._board.hear(rulings)
        for r in rulings:
            match r:
                case Move() if r.move in ("open", "pose"):
                    self._make_up_minds()
                    self._plan = None
                case Over() | Score():
                    self._minds.clear()
                    self._plan = None
                case Undone():  # whoever's turn it becomes: what somebody had in mind to say is out of date
                    self._plan = None
                case Move() if r.move in ("challenge", "pass"):
                    self._plan = None
                case _:
                    pass
        if self.truth.window is not None and window is None:
            self._in_window = 0


_WAIT = Deed((Wait(1.0),))

"""A whole game of TIFO with all its hidden cards: deals, lets bots move, tidies the table after them.

Rules: the truth moves only by what the referee announced. Cards that physically lie elsewhere than they should
(an illegal play, an answered attack, a pile that was shuffled) are put right before anything else happens.
"""

from collections.abc import Sequence
from random import Random

from engine.rulings import Ruling
from engine.setup import Setup
from engine.zones import seat_of
from firmware.simulator.deeds import Action, Deed, Press, Put, Take, Wait
from firmware.simulator.faults import Faults
from firmware.simulator.tifo.bots import Temper, decide
from firmware.simulator.tifo.cheats import all_cheats, deed
from firmware.simulator.tifo.heard import Story
from firmware.simulator.tifo.truth import BURIED, Truth

UNDO = 0.01
"""Chance a deed that the arbiter takes the last move back."""
ACCEPT = 0.15
"""Chance that he lets an illegal play stand."""
UNBOUND = frozenset({"tifo/over", "tifo/ola-ola"})
"""Refusals that open no correction."""


class TifoWorld:
    """One game. `humans` are seats for which nobody is played here (`observe` tells what they did)."""

    def __init__(self, setup: Setup, rng: Random, cheat: float = 0.0, humans: frozenset[int] = frozenset()) -> None:
        self.setup = setup
        self.humans = humans
        self._rng = rng
        self._cheat = cheat
        watched = "draw" in setup.zones
        truth = Truth(setup.seats, setup.first, bool(setup.option("draw_two")), watched, rng)
        truth.deal()
        self._story = Story(truth)
        self._tempers = {n: rng.choice(list(Temper)) for n in range(1, setup.seats + 1)}
        self._lies: dict[str, str] = {}  # where each card physically is, if on a zone
        self._faults = Faults(UNBOUND)
        self._shouting = False
        self._after = 0

    @property
    def truth(self) -> Truth:
        """The true position."""
        return self._story.truth

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards a player really holds."""
        return tuple(self.truth.hands[seat])

    def stock(self, seat: int) -> tuple[str, ...]:
        """The draw pile, the next card first."""
        return tuple(reversed(self.truth.pile))

    def ending(self) -> str:
        """How the game ended."""
        return self.truth.ended

    # -- the next deed --------------------------------------------------------------------------------------

    def next(self) -> Deed | None:
        """Tidy up; else draw; else cheat; else play."""
        t = self.truth
        if t.ended:
            return self._after_the_end()
        rng = self._rng
        if self._faults and rng.random() < ACCEPT:
            return Deed((Press("table.accept"),))
        tidy = self._tidy()
        if tidy is not None:
            return tidy
        if self._cheat and rng.random() < self._cheat:
            illegal = self._illegal()
            if illegal is not None:
                return self._do(illegal)
        if t.owed:
            seat = t.owed[0]
            if seat in self.humans:
                return Deed((Wait(1.0),))
            return self._do(Deed((Put(seat, "draw", t.pile[-1]),), moves=("draw",)))
        if t.turn in self.humans or self._shouting:
            return Deed((Wait(1.0),))
        if self._cheat and self._story.can_undo() and rng.random() < UNDO:
            return Deed((Press("table.undo"),))
        return self._do(decide(t, self._tempers[t.turn], self.setup, rng))

    def _illegal(self) -> Deed | None:
        kinds: dict[str, list[Deed]] = {}
        for d in all_cheats(self.truth, self.setup, self.truth.known, self._rng):
            if d.cheat is not None and self.humans.isdisjoint(d.seats):
                kinds.setdefault(d.cheat.kind, []).append(d)
        if not kinds:
            return None
        chosen = self._rng.choice(kinds[self._rng.choice(sorted(kinds))])
        if chosen.cheat is not None and chosen.cheat.kind == "a card swapped under the table":
            self._swap_hands(chosen)
        return chosen

    def _swap_hands(self, d: Deed) -> None:
        put = d.actions[0]
        assert isinstance(put, Put)
        t = self.truth
        other = t.holder(put.card)
        mine = [c for c in t.hands[put.seat] if c not in self.truth.known]
        assert other is not None
        assert mine
        given = self._rng.choice(mine)
        t.hands[other].remove(put.card)
        t.hands[put.seat].remove(given)
        t.hands[other].append(given)
        t.hands[put.seat].append(put.card)

    def _after_the_end(self) -> Deed | None:
        self._after += 1
        if self._cheat == 0.0 or self._after > 2:
            return None
        t = self.truth
        seat = t.alive()[0]
        told = [c for c in t.hands[seat] if BURIED not in t.known.get(c, frozenset())]
        if self._after == 1 and told:
            put = Put(seat, "discard", told[0])
            return self._do(deed("a card after the end", (put,), "tifo/over"))
        return deed("a shout after the end", (Press(f"seat{seat}.call"),), "tifo/over")

    # -- the table ------------------------------------------------------------------------------------------

    def observe(self, action: Action) -> None:
        """Somebody did something with hands: cards are where they were put."""
        if isinstance(action, Put):
            self._lies.pop(action.card, None)
            if action.zone != "draw":
                self._lies[action.card] = action.zone
        elif isinstance(action, Take):
            self._lies.pop(action.card, None)

    def _do(self, d: Deed) -> Deed:
        for action in d.actions:
            self.observe(action)
        return d

    def _tidy(self) -> Deed | None:
        t = self.truth
        for card, zone in list(self._lies.items()):
            right = t.where(card)
            holder = t.holder(card)
            if right == zone or self._is_humans_own(card, zone, holder):
                continue
            seat = seat_of(zone) or t.turn
            if right.startswith("seat") or right == "discard":
                return self._do(Deed((Put(seat, right, card, zone),)))
            return self._do(Deed((Take(seat, zone, card),)))
        for fault in self._faults:
            unseen = fault.rule != "tifo/laid-stays" and self._lies.get(fault.card) != fault.zone
            if unseen and fault.seat not in self.humans:
                return self._unseen_lift(fault.seat)
        rows = [(f"seat{n}", c) for n in t.alive() for c in t.laid[n] + t.attacks[n]]
        for zone, card in [*rows, *(("discard", c) for c in t.discard)]:
            if self._lies.get(card) != zone:
                return self._do(Deed((Put(seat_of(zone) or t.turn, zone, card),)))
        return None

    def _is_humans_own(self, card: str, zone: str, holder: int | None) -> bool:
        """A human puts his own cards right (and gathers his own shout)."""
        return bool(self.humans) and (holder in self.humans or (seat_of(zone) in self.humans and holder is not None))

    def _unseen_lift(self, seat: int | None) -> Deed:
        """A lift that no reader saw is told by `ok`; where `ok` would concede, by the arbiter."""
        t = self.truth
        if seat is None or (seat == t.turn and t.under(seat, "interdit")):
            return Deed((Press("table.undo"),))
        return Deed((Press(f"seat{seat}.ok"),))

    # -- what is heard --------------------------------------------------------------------------------------

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """Follow the game and the corrections."""
        self._story.hear(rulings)
        for r in rulings:
            self._faults.hear(r)

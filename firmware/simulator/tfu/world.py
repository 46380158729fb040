"""A whole match of Тьфу! with all its hidden cards: deals, lays out, lets hands race, tidies the table.

Rules: the truth moves only by what the referee announced. Cards that physically lie elsewhere than they should
(an illegal play, a turned-over pile, the table after a round) are put right before anything else happens.
Laying out, clearing and turning over is the dealer's work, for human seats too; no bot ever plays, spits, calls
or says "Вышел!" for a human seat.
"""

from collections.abc import Sequence
from random import Random

from engine.rulings import Match, Move, Over, Ruling, Say, Undone
from engine.setup import Setup
from engine.zones import seat_of
from firmware.simulator.deeds import Action, Deed, Press, Put, Take, Wait
from firmware.simulator.faults import Faults
from firmware.simulator.tfu import bots
from firmware.simulator.tfu.bots import Hand, Temper
from firmware.simulator.tfu.cheats import Moment, all_cheats
from firmware.simulator.tfu.truth import Truth

UNDO = 0.01
"""Chance a deed that the arbiter takes the last move back."""
ACCEPT = 0.15
"""Chance that he lets an illegal play stand."""
UNBOUND = frozenset({"tfu/over"})
"""Refusals that open no correction."""
EXCHANGED = frozenset({"another player's spare card", "the card set aside", "a column's card put down as spare"})
"""Undetectable kinds in which a card was exchanged for one of the own spare."""


class TfuWorld:
    """One match, or `rounds` of it. `humans`: seats for which nobody is played here (see `observe`)."""

    def __init__(
        self,
        setup: Setup,
        rng: Random,
        cheat: float = 0.0,
        humans: frozenset[int] = frozenset(),
        rounds: int | None = None,
    ) -> None:
        self.setup = setup
        self.humans = humans
        self.truth = Truth(setup.seats, rng)
        self.truth.deal_first()
        self._rng = rng
        self._cheat = cheat
        self._rounds = rounds
        self._watched = "seat1.col1" in setup.zones
        self._tempers = {n: rng.choice(list(Temper)) for n in self.truth.players}
        self._lies: dict[str, str] = {}  # where each card physically is, if on a zone; latest last
        self._old: set[str] = set()  # cards of the last round that still have to be cleared away
        self._faults = Faults(UNBOUND)
        self._hands: dict[int, Hand] = {}
        self._past: list[Truth] = []
        self._floor = 0  # the arbiter of this world takes back nothing older than a card moved by `refill`
        self._asked = False
        self._said_out = True
        self._ended = 0  # rounds
        self._after = 0  # deeds after the match

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards a player really has: the open tops, then what lies face down, then the spare."""
        t = self.truth
        tops = [card for _, card in t.tops(seat)]
        return (*tops, *(card for _, card in t.covered(seat)), *t.spare[seat])

    def stock(self, seat: int) -> tuple[str, ...]:
        """A player's spare, the next card first."""
        return tuple(self.truth.spare[seat])

    @property
    def _bots(self) -> frozenset[int]:
        return frozenset(self.truth.players) - self.humans

    def ending(self) -> str:
        """How the last round ended."""
        return self.truth.by or "cap"

    # -- the next deed --------------------------------------------------------------------------------------

    def next(self) -> Deed | None:
        """Tidy up; else cheat; else play."""
        if self._rounds is not None and self._ended >= self._rounds:
            return None
        if self._cheat and self._faults and self._rng.random() < ACCEPT:
            return Deed((Press("table.accept"),))
        tidy = self._tidy()
        if tidy is not None:
            return self._do(tidy)
        if self.truth.phase == "done":
            return self._after_match()
        if self._cheat and self._rng.random() < self._cheat:
            illegal = self._illegal()
            if illegal is not None:
                return self._do(illegal)
        if self._cheat and len(self._past) > self._floor and self._rng.random() < UNDO:
            return Deed((Press("table.undo"),))
        return self._do(self._legal())

    def _legal(self) -> Deed:
        match self.truth.phase:
            case "over":
                return self._between()
            case "layout":
                return self._lay() or bots.call(self._bots, self._rng, ("call",))
            case _:
                return self._race()

    def _between(self) -> Deed:
        """The winner says "Вышел!", then the next round is dealt."""
        t, w = self.truth, self.truth.winner
        if not self._said_out and w in self._bots and self._rng.random() < 0.8:
            return Deed((Press(f"seat{w}.ok"),), moves=("out",))
        t.deal_next(self._watched)
        self._past.clear()
        self._floor = 0
        self._faults.clear()
        self._hands.clear()
        self._old = set(self._lies)
        return self._tidy() or self._legal()

    def _race(self) -> Deed:
        """Owed cards, a lifted card, a play; when nothing is left, a call."""
        t, rng = self.truth, self._rng
        frozen = frozenset(int(f.zone[6:]) for f in self._faults if f.zone.startswith("centre"))
        if t.owed:
            spits = [d for d in bots.spits(t, self._bots) if self._zone_of(d) not in frozen]
            return rng.choice(spits) if spits else Deed((Wait(1.0),))
        if not self._watched:
            end = bots.small_end(t, self._asked, self._bots, rng)
            if end is not None:
                return end
        if self._hands and rng.random() < 0.5:
            seat = rng.choice(sorted(self._hands))
            return bots.put_down(t, self._hands.pop(seat), frozen, rng)
        if self.humans and rng.random() < 0.5:
            return Deed((Wait(rng.uniform(0.3, 1.5)),))
        free = self._bots - set(self._hands)
        found = bots.play(t, self._tempers, free, frozen, self.setup, rng)
        if found is not None:
            deed, hand = found
            if hand is not None:
                self._hands[hand.seat] = hand
            return deed
        if self._hands:
            seat = rng.choice(sorted(self._hands))
            return bots.put_down(t, self._hands.pop(seat), frozen, rng)
        if t.anybody() or frozen:
            return Deed((Wait(1.0),))  # a human's play, or his card to take back
        return bots.call(self._bots, rng, () if t.stuck() else ("call",))

    @staticmethod
    def _zone_of(d: Deed) -> int:
        put = d.actions[0]
        assert isinstance(put, Put)
        return int(put.zone[6:])

    def _after_match(self) -> Deed | None:
        t = self.truth
        if not self._said_out and t.winner in self._bots:
            return Deed((Press(f"seat{t.winner}.ok"),), moves=("out",))
        self._after += 1
        if not self._cheat or self._after > 2:
            return None
        illegal = self._illegal()
        return None if illegal is None else self._do(illegal)

    # -- cheating -------------------------------------------------------------------------------------------

    def _illegal(self) -> Deed | None:
        lifted = frozenset(h.card for h in self._hands.values()) | {f.card for f in self._faults}
        moment = Moment(self.truth, self.setup, self._lies, bool(self._old), lifted, self._rng)
        kinds: dict[str, list[Deed]] = {}
        for d in all_cheats(moment):
            if d.cheat is not None and self.humans.isdisjoint(d.seats):
                kinds.setdefault(d.cheat.kind, []).append(d)
        if not kinds:
            return None
        chosen = self._rng.choice(kinds[self._rng.choice(sorted(kinds))])
        self._under_the_table(chosen)
        return chosen

    def _under_the_table(self, d: Deed) -> None:
        """What nobody sees happens before the deed: a card taken out of its order, or exchanged."""
        assert d.cheat is not None
        put = d.actions[0]
        if not isinstance(put, Put):
            return
        t = self.truth
        mine = t.spare[put.seat]
        if d.cheat.kind == "a spare card that is not the next":
            mine.remove(put.card)
            mine.insert(0, put.card)
        elif d.cheat.kind in EXCHANGED:
            self._exchange(put.card, mine[0])
        elif d.cheat.kind == "a spare card played for a column's":
            tops = [card for _, card in t.tops(put.seat)]
            self._exchange(put.card, self._rng.choice(tops))

    def _exchange(self, a: str, b: str) -> None:
        t = self.truth
        for cards in (*t.spare.values(), *t.columns.values(), t.aside):
            cards[:] = [b if c == a else a if c == b else c for c in cards]

    # -- the table ------------------------------------------------------------------------------------------

    def observe(self, action: Action) -> None:
        """Somebody did something with hands: cards are where they were put. Tell human deeds here."""
        self._refill(action)
        if isinstance(action, Put):
            self._lies.pop(action.card, None)
            self._old.discard(action.card)
            if action.zone in self.setup.zones:
                self._lies[action.card] = action.zone
        elif isinstance(action, Take):
            self._lies.pop(action.card, None)
            self._old.discard(action.card)

    def _do(self, d: Deed) -> Deed:
        for action in d.actions:
            self.observe(action)
        return d

    def _refill(self, action: Action) -> None:
        """An open top goes to an empty column (option `refill`); the referee says nothing of it."""
        if not self.setup.option("refill") or not isinstance(action, Put) or self.truth.phase != "play":
            return
        source, target, columns = self.truth.home(action.card), action.zone, self.truth.columns
        if (
            source is None
            or columns.get(target, ["?"])
            or source[:5] != target[:5]
            or columns[source][-1] != action.card
        ):
            return
        for t in (self.truth, *self._past):
            if t.phase == "play" and t.begun == self.truth.begun:
                t.columns[source].remove(action.card)
                t.columns[target].insert(0, action.card)
        self._floor = len(self._past)

    def _tidy(self) -> Deed | None:
        t = self.truth
        if self._old:
            card = next(c for c in reversed(self._lies) if c in self._old)
            return Deed((Take(t.owner(card) or 1, self._lies[card], card),))
        if t.phase in ("over", "done"):
            return None
        return self._put_right() or self._unseen() or (self._restore() if t.phase == "play" else None)

    def _put_right(self) -> Deed | None:
        """The topmost card that lies where it must not goes back."""
        t = self.truth
        places = t.places()
        for card, zone in reversed(self._lies.items()):
            right = places.get(card)
            if right == zone:
                continue
            owner = t.owner(card)
            if owner in self.humans and t.phase == "play" and owner not in t.turned:
                continue  # a human puts his own cards right
            seat = owner or seat_of(zone) or 1
            if right is not None and right in self.setup.zones and t.phase == "play":
                return Deed((Put(seat, right, card, zone),))
            return Deed((Take(seat, zone, card),))
        return None

    def _unseen(self) -> Deed | None:
        """A correction whose card lies right again. A lift that no reader saw is told by the arbiter."""
        for f in self._faults:
            if f.seat in self.humans:
                continue
            if self._lies.get(f.card) == f.zone and self.setup.sees_lifts(f.zone):
                return Deed((Take(f.seat or 1, f.zone, f.card), Put(f.seat or 1, f.zone, f.card)))
            return Deed((Press("table.undo"),))
        return None

    def _restore(self) -> Deed | None:
        """Cards that an undone call had moved, or that came off their column, go back in their order."""
        t = self.truth
        held = {h.card for h in self._hands.values()}
        rows = [(f"centre{n}", c) for n in t.players for c in t.piles[n]]
        if self._watched:
            rows += [(zone, c) for zone, cards in t.columns.items() for c in cards]
        for zone, card in rows:
            if self._lies.get(card) != zone and card not in held and t.owner(card) not in self.humans:
                return Deed((Put(t.owner(card) or 1, zone, card),))
        return None

    def _lay(self) -> Deed | None:
        """The next card of the layout, of any player; sometimes it slips and is put down again."""
        if not self._watched:
            return None
        t, rng = self.truth, self._rng
        ready: list[tuple[str, str]] = []
        for zone, cards in t.columns.items():
            missing = [c for c in cards if self._lies.get(c) != zone]
            ready += [(zone, missing[0])] if missing else []
        if not ready:
            return None
        zone, card = rng.choice(ready)
        seat = int(zone[4])
        put = Put(seat, zone, card)
        return Deed((put, Take(seat, zone, card), put)) if rng.random() < 0.02 else Deed((put,))

    # -- what is heard --------------------------------------------------------------------------------------

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """Follow the game and the corrections."""
        t = self.truth
        moves = [r for r in rulings if isinstance(r, Move)]
        if moves:
            self._past.append(t.clone())
        for r in rulings:
            self._faults.hear(r)
            match r:
                case Move():
                    self._moved(r)
                case Undone():
                    self._undone(r)
                case Say(text="tfu/fewest"):
                    self._asked = True
                case Over():
                    self._over(r)
                case Match():
                    self.truth.phase = "done"
                case _:
                    pass

    def _moved(self, move: Move) -> None:
        self._hands = {n: h for n, h in self._hands.items() if dict(move.args).get("card") != h.card}
        self._asked = False
        if move.move == "out":
            self._said_out = True
        if move.move == "call" and self.truth.phase != "play":
            self._past, self._floor = self._past[-1:], 0  # an arbiter takes back the call, but no deal before it
        self.truth.follow(move)

    def _undone(self, undone: Undone) -> None:
        if self._past:
            self.truth = self._past.pop()
        self._asked = False
        self._said_out = undone.move != "out"
        if self.truth.phase == "layout":
            self._past.clear()

    def _over(self, over: Over) -> None:
        t = self.truth
        t.phase, t.by = "over", over.by
        t.winner = over.winners[0] if over.winners else None
        self._said_out = not self._watched or over.by == "blocked"
        self._asked = False
        self._ended += 1

"""Every way to break a rule of Тьфу! that the moment allows, each with the rule that must catch it.

An illegal deed without a rule is one that no sensor of this table can tell from a legal one; each kind is
explained in `docs/undetectable-tfu.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.simulator.deeds import STRAY, Action, Cheat, Deed, Press, Put, Take
from firmware.simulator.tfu.truth import Truth, neighbours

FOREIGN = ("capo#1", "ola#2", "zero#1", "5#3")


@dataclass(frozen=True, slots=True)
class Moment:
    """The position in which somebody may cheat."""

    t: Truth
    setup: Setup
    lies: dict[str, str]
    clearing: bool
    lifted: frozenset[str]
    rng: Random

    @property
    def watched(self) -> bool:
        """Whether columns are watched."""
        return "seat1.col1" in self.setup.zones

    def source(self, zone: str) -> str | None:
        """A column as the source of a card, None where no sensor is."""
        return zone if self.watched else None


def deed(kind: str, actions: tuple[Action, ...], *rules: str) -> Deed:
    """An illegal deed and the rules any of which catches it (none: nothing can)."""
    return Deed(actions, Cheat(kind, frozenset(rules)))


def all_cheats(m: Moment) -> Iterator[Deed]:
    """Illegal deeds of every kind that make sense now, a few examples of each."""
    match m.t.phase:
        case "done":
            yield from _after_match(m)
        case "over":
            yield from _late(m)
        case "layout":
            yield from _late(m) if m.t.begun else _early(m)
            yield from _while_laying(m)
        case _:
            yield from _anywhere(m)
            yield from _owed(m) if m.t.owed else _in_play(m)


def _after_match(m: Moment) -> Iterator[Deed]:
    n = m.rng.choice(m.t.players)
    for zone, card in m.t.tops(n):
        if m.lies.get(card) == "centre1":
            continue  # it lies there since the last try
        yield deed("a card after the match", (Put(n, "centre1", card, m.source(zone)),), "tfu/over")
    yield deed("a call after the match", (Press(f"seat{n}.call"),), "tfu/over")
    if n != m.t.winner:
        yield deed("Вышел! after the match", (Press(f"seat{n}.ok"),), "tfu/over")


def _late(m: Moment) -> Iterator[Deed]:
    """A card on a centre when the round is over and the next has not begun."""
    n, pile = m.rng.choice(m.t.players), m.rng.choice(m.t.players)
    cards = [c for c in m.t.spare[n] + [card for _, card in m.t.tops(n)] if c not in m.lies]
    if cards:
        yield deed("a card between rounds", (Put(n, f"centre{pile}", m.rng.choice(cards)),), "tfu/over")


def _early(m: Moment) -> Iterator[Deed]:
    """A card on a centre before the first call of all."""
    n, pile = m.rng.choice(m.t.players), m.rng.choice(m.t.players)
    yield deed("a card before the first call", (Put(n, f"centre{pile}", m.rng.choice(m.t.spare[n])),), "tfu/spare")


def _while_laying(m: Moment) -> Iterator[Deed]:
    n = m.rng.choice(m.t.players)
    if not m.watched or m.clearing:
        return
    wanted = [c for k in m.t.players for c in m.t.in_columns(k)]
    places = m.t.places()
    if any(m.lies.get(c) != places[c] for c in wanted):
        yield deed("a call before the layout is complete", (Press(f"seat{n}.call"),), "tfu/layout")
    yield from _foreign_on_column(m)


def _foreign_on_column(m: Moment) -> Iterator[Deed]:
    n = m.rng.choice(m.t.players)
    zone = m.rng.choice(m.t.zones_of(n))
    yield deed("a card of another game on a column", (Put(n, zone, m.rng.choice(FOREIGN)),), "table/foreign-card")


def _anywhere(m: Moment) -> Iterator[Deed]:
    """What is illegal at any time of a round."""
    t, rng = m.t, m.rng
    n, pile = rng.choice(t.players), rng.choice(t.players)
    yield deed("a card of another game", (Put(n, f"centre{pile}", rng.choice(FOREIGN)),), "table/foreign-card")
    yield deed("a tag no deck knows", (Put(n, f"centre{pile}", STRAY),), "table/unknown-card")
    seen = [c for k in t.players for c in t.piles[k]]
    if seen:
        card = rng.choice(seen)
        other = rng.choice([k for k in t.players if card not in t.piles[k]])
        source = t.where(card)
        yield deed("a card taken out of a pile", (Put(n, f"centre{other}", card, source),), "table/card-elsewhere")
        if m.watched:
            zone = rng.choice(t.zones_of(n))
            yield deed("a card of a pile on a column", (Put(n, zone, card, source),), "table/card-elsewhere")
    if m.watched:
        yield from _foreign_on_column(m)
        yield from _on_columns(m)
    yield from _not_out(m)


def _not_out(m: Moment) -> Iterator[Deed]:
    for n in m.t.players:
        if m.watched or m.t.plays < m.t.held(n):
            yield deed("Вышел! with cards left", (Press(f"seat{n}.ok"),), "tfu/not-out")
        elif m.t.in_columns(n):
            yield deed("Вышел! with cards left, after enough plays", (Press(f"seat{n}.ok"),))


def _on_columns(m: Moment) -> Iterator[Deed]:
    """An open top on a column that is not its own."""
    t, rng = m.t, m.rng
    n = rng.choice(t.players)
    tops = [(zone, card) for zone, card in t.tops(n) if card not in m.lifted]
    if not tops:
        return
    zone, card = rng.choice(tops)
    others = [
        z
        for k in t.players
        for z in t.zones_of(k)
        if z != zone and not (m.setup.option("refill") and k == n and not t.columns[z])
    ]
    target = rng.choice(others)
    yield deed("a card on another column", (Put(n, target, card, zone),), "tfu/column")
    if m.setup.kind(zone) is ZoneKind.SPREAD:
        yield deed("one card in two columns", (Put(n, target, card),), "table/two-places")
    if t.spare[n]:
        spare = rng.choice(t.spare[n])
        yield deed("a spare card on a column", (Put(n, target, spare),), "tfu/column")


def _owed(m: Moment) -> Iterator[Deed]:
    """While spare cards are owed nothing else goes to a centre."""
    t, rng = m.t, m.rng
    n, pile = rng.choice(t.players), rng.choice(t.players)
    tops = [(zone, card) for zone, card in t.tops(n) if card not in m.lifted]
    if tops and m.watched:
        zone, card = rng.choice(tops)
        yield deed("a play while spare cards are owed", (Put(n, f"centre{pile}", card, zone),), "tfu/spare")
    if tops and not m.watched and (pile not in t.owed or pile in t.turned):
        card = rng.choice(tops)[1]
        yield deed("a play while spare cards are owed", (Put(n, f"centre{pile}", card),), "tfu/spare")
    ready = [k for k in t.players if k not in t.owed and t.spare[k]]
    for k in ready:
        yield deed("two spare cards at one call", (Put(k, f"centre{k}", t.spare[k][0]),), "tfu/spare")
    for k in sorted(t.owed):
        elsewhere = [p for p in t.players if p != k and (p not in t.owed or p in t.turned or k in t.turned)]
        if elsewhere:
            put = Put(k, f"centre{rng.choice(elsewhere)}", t.spare[k][0])
            yield deed("a spare card on another's pile", (put,), "tfu/spare")
        if k in t.turned and len(t.spare[k]) > 1:
            put = Put(k, f"centre{k}", rng.choice(t.spare[k][1:]))
            yield deed("a turned spare out of its order", (put,), "tfu/spare")
        if k not in t.turned and len(t.spare[k]) > 1:
            put = Put(k, f"centre{k}", rng.choice(t.spare[k][1:]))
            yield deed("a spare card that is not the next", (put,))
        yield from _wrong_spit(m, k)


def _wrong_spit(m: Moment, k: int) -> Iterator[Deed]:
    """A card that is not of his spare at all, where nobody knows the spare. It has to be exchanged for one."""
    t, rng = m.t, m.rng
    if k in t.turned:
        return
    others = [c for p in t.players if p != k and p not in t.turned for c in t.spare[p]]
    if others:
        yield deed("another player's spare card", (Put(k, f"centre{k}", rng.choice(others)),))
    if t.aside:
        yield deed("the card set aside", (Put(k, f"centre{k}", t.aside[0]),))
    mine = [card for _, card in t.tops(k)]
    if mine and not m.watched:
        yield deed("a column's card put down as spare", (Put(k, f"centre{k}", rng.choice(mine)),))


def _in_play(m: Moment) -> Iterator[Deed]:
    t, rng = m.t, m.rng
    n = rng.choice(t.players)
    yield from _steps(m, n)
    yield from _spares(m, n)
    yield from _from_columns(m, n)
    if t.anybody():
        rules = ("tfu/can-play",) if m.watched else ()
        yield deed("a call while somebody can play", (Press(f"seat{n}.call"),), *rules)


def _steps(m: Moment, n: int) -> Iterator[Deed]:
    t, rng = m.t, m.rng
    wrong = [
        (zone, card, pile)
        for zone, card in t.tops(n)
        if card not in m.lifted
        for pile in t.open_piles()
        if not neighbours(card, t.piles[pile][-1])
    ]
    if wrong:
        zone, card, pile = rng.choice(wrong)
        put = Put(n, f"centre{pile}", card, m.source(zone))
        yield deed("a card that does not fit", (put,), "tfu/step")
        built = [(z, c) for z, c in t.tops(n) if c != card and c not in m.lifted]
        if built:
            z, c = rng.choice(built)
            on_it = Put(n, f"centre{pile}", c, m.source(z))
            yield deed("a card built on an illegal one", (put, on_it), "tfu/frozen")
    closed = [p for p in t.players if p not in t.open_piles()]
    tops = [(zone, card) for zone, card in t.tops(n) if card not in m.lifted]
    if closed and tops:
        zone, card = rng.choice(tops)
        put = Put(n, f"centre{rng.choice(closed)}", card, m.source(zone))
        yield deed("a card on a closed pile", (put,), "tfu/spare")


def _spares(m: Moment, n: int) -> Iterator[Deed]:
    """A spare card played as if from a column."""
    t, rng = m.t, m.rng
    if not t.spare[n] or not t.open_piles():
        return
    pile = rng.choice(t.open_piles())
    card = rng.choice(t.spare[n])
    put = (Put(n, f"centre{pile}", card),)
    if n in t.turned:
        yield deed("a turned spare card without a call", put, "tfu/spare")
    elif m.watched:
        yield deed("a spare card without a call", put, "tfu/column")
    elif neighbours(card, t.piles[pile][-1]) and t.in_columns(n):
        yield deed("a spare card played for a column's", put)


def _from_columns(m: Moment, n: int) -> Iterator[Deed]:
    """A covered card; and a card put back although one from beneath it has been played."""
    t, rng = m.t, m.rng
    fitting = [
        (zone, card, pile)
        for zone, card in t.covered(n)
        if card not in m.lifted
        for pile in t.open_piles()
        if neighbours(card, t.piles[pile][-1])
    ]
    if not m.watched:
        if fitting:
            _, card, pile = rng.choice(fitting)
            yield deed("a covered card", (Put(n, f"centre{pile}", card),))
        return
    covered = [(zone, card) for zone, card in t.covered(n) if not m.lifted & set(t.columns[zone])]
    if covered:
        zone, card = rng.choice(covered)
        pile = rng.choice(t.open_piles())
        yield deed("a covered card", (Put(n, f"centre{pile}", card, zone),), "tfu/column")
        if m.setup.kind(zone) is ZoneKind.SPREAD:
            yield deed("a covered card in two places", (Put(n, f"centre{pile}", card),), "table/two-places")
    for zone, card, pile in fitting:
        cards = t.columns[zone]
        spread = m.setup.kind(zone) is ZoneKind.SPREAD
        if spread and card == cards[-2] and not m.lifted & set(cards) and len(t.in_columns(n)) > 1:
            top = cards[-1]
            actions = (Take(n, zone, top), Put(n, f"centre{pile}", card, zone), Put(n, zone, top))
            yield deed("a card put back after the one beneath was played", actions, "tfu/column")

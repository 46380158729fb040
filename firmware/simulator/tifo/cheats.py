"""Every way to break a rule of TIFO that the moment allows, each with the rule that must catch it."""

from collections.abc import Iterator, Mapping
from random import Random

from engine.setup import Setup
from firmware.simulator.deeds import STRAY, Action, Cheat, Deed, Press, Put, Take
from firmware.simulator.tifo.truth import (
    ATTACKS,
    BLOCKING,
    BURIED,
    HIDDEN,
    PARADES,
    SEMI,
    TIFO,
    Truth,
    attack_class,
    kind,
)

Known = Mapping[str, frozenset[int]]
"""Cards that the table saw going into a hand -> the hands in which they can be."""


def deed(sort: str, actions: tuple[Action, ...], *rules: str) -> Deed:
    """An illegal deed and the rules any of which catches it (none: nothing can)."""
    return Deed(actions, Cheat(sort, frozenset(rules)))


def all_cheats(t: Truth, setup: Setup, known: Known, rng: Random) -> Iterator[Deed]:
    """Everything illegal that could be tried now by anybody."""
    yield from _out_of_turn(t)
    yield from _strangers(t, setup, known, rng)
    if t.turn in t.owed:
        yield from _before_the_draw(t)
        return
    if t.watches_draw and t.pile and not t.owed:
        yield deed("a draw too many", (Put(t.turn, "draw", t.pile[-1]),), "tifo/draw-twice")
    if t.ola is not None:
        yield from _with_ola(t, setup)
        return
    yield from _barred(t)
    yield from _wrong_place(t)
    yield from _false_shouts(t)
    yield from _walking(t, setup)


def _others(t: Truth) -> list[int]:
    return [n for n in t.alive() if n != t.turn]


def _may_follow(t: Truth, seat: int, card: str) -> bool:
    """Whether a card straight after that seat's lay counts as a shout (T17)."""
    return t.last_layer == seat and kind(card) in t.missing(seat) and t.can_shout(seat)


def _early(t: Truth) -> list[tuple[int, str]]:
    return [(n, c) for n in _others(t) for c in t.hands[n] if kind(c) not in ATTACKS and not _may_follow(t, n, c)]


def _out_of_turn(t: Truth) -> Iterator[Deed]:
    for n, c in _early(t):
        yield deed("a card out of turn", (Put(n, f"seat{n}", c),), "tifo/turn")
    for n in range(1, t.seats + 1):
        if n != t.turn:
            yield deed("a shout out of turn", (Press(f"seat{n}.call"),), "tifo/turn")
            if t.ola is not None:
                yield deed("a swap out of turn", (Press(f"seat{n}.next"),), "tifo/turn")


def _strangers(t: Truth, setup: Setup, known: Known, rng: Random) -> Iterator[Deed]:
    seat = t.turn
    yield deed("a card of another game", (Put(seat, "discard", "10h"),), "table/foreign-card")
    yield deed("a tag no deck knows", (Put(seat, "discard", STRAY),), "table/unknown-card")
    early = _early(t)
    unseen = [(n, c) for n, c in early if c not in known]
    if early and t.hands[seat]:
        n, c = rng.choice(early)
        second = rng.choice(t.hands[seat])
        both = (Put(n, f"seat{n}", c), Put(seat, "discard", second))
        yield deed("another card before the correction", both, "table/correct-first")
    if unseen and setup.sees_lifts("seat1"):
        n, c = rng.choice(unseen)
        twin = (Put(n, f"seat{n}", c), Press("table.undo"), Put(seat, "discard", c))
        # From an empty hand no card can have come at all, which is said first.
        yield deed("one card in two places", twin, "table/two-places" if t.hands[seat] else "table/card-elsewhere")
    if t.ola is None:
        for c in t.discard[-4:]:
            zone = f"seat{rng.choice(_others(t))}" if kind(c) in ATTACKS else f"seat{seat}"
            yield deed("a card from the discard", (Put(seat, zone, c, "discard"),), "table/card-elsewhere")
    for c, hands in known.items():
        if seat not in hands and BURIED not in hands and t.holder(c) not in (None, seat):
            yield deed("a card that another holds", (Put(seat, "discard", c),), "table/card-elsewhere")
        if hands == {HIDDEN}:
            yield deed("the card set aside", (Put(seat, "discard", c),), "table/card-elsewhere")
    hidden = [(n, c) for n in _others(t) for c in t.hands[n] if c not in known]
    mine = [c for c in t.hands[seat] if c not in known and t.can_discard(seat, c) and kind(c) != "ola"]
    if hidden and mine and t.ola is None and seat not in t.owed and not t.under(seat, "interdit"):
        n, c = rng.choice(hidden)
        if kind(c) != "ola":
            yield deed("a card swapped under the table", (Put(seat, "discard", c),))
    if not t.watches_draw and t.ola is None:
        yield deed("a draw forgotten, draw pile not watched", ())


def _before_the_draw(t: Truth) -> Iterator[Deed]:
    seat = t.turn
    for c in t.hands[seat]:
        yield deed("a play before the draw", (Put(seat, "discard", c),), "tifo/draw-first")
    yield deed("a shout before the draw", (Press(f"seat{seat}.call"),), "tifo/draw-first")


def _with_ola(t: Truth, setup: Setup) -> Iterator[Deed]:
    seat = t.turn
    for c in t.hands[seat]:
        yield deed("a card while an OLA waits", (Put(seat, "discard", c),), "tifo/ola-open")
    yield deed("a shout while an OLA waits", (Press(f"seat{seat}.call"),), "tifo/ola-open")
    for n in t.out:
        yield deed("robbing an eliminated player", (Press(f"seat{n}.ok"),), "tifo/ola-target")
    below = [c for c in t.discard if c != t.ola]
    if not below or t.loose:
        yield deed("a swap with nothing known", (Press(f"seat{seat}.next"),), "tifo/ola-empty")
    elif kind(below[-1]) == "ola":
        yield deed("an OLA for an OLA", (Press(f"seat{seat}.next"),), "tifo/ola-ola")
        if setup.zones["discard"].value != "pass":
            yield deed("an OLA for an OLA, lifted", (Take(seat, "discard", below[-1]),), "tifo/ola-ola")


def _barred(t: Truth) -> Iterator[Deed]:
    seat = t.turn
    here = f"seat{seat}"
    if t.under(seat, "interdit"):
        for c in t.hands[seat]:
            if kind(c) != "ola":
                yield deed("a discard under INTERDIT", (Put(seat, "discard", c),), "tifo/interdit")
            if kind(c) != "avocat":
                yield deed("a play under INTERDIT", (Put(seat, here, c),), "tifo/interdit")
        yield deed("a shout under INTERDIT", (Press(f"{here}.call"),), "tifo/interdit")
        return
    if t.under(seat, *BLOCKING):
        for c in t.hands[seat]:
            if kind(c) in TIFO or kind(c) in ATTACKS:
                yield deed("laying or attacking while blocked", (Put(seat, here, c),), "tifo/blocked")
        yield deed("a shout while blocked", (Press(f"{here}.call"),), "tifo/blocked")
        return
    for c in t.hands[seat]:
        if kind(c) in TIFO and t.under(seat, "locaux"):
            yield deed("laying under LOCAUX", (Put(seat, here, c),), "tifo/locaux")
        elif kind(c) == "fumis" and t.under(seat, "fumis-interdits"):
            yield deed("FUMIS under FUMIS INTERDITS", (Put(seat, here, c),), "tifo/fumis")
        elif kind(c) in TIFO and kind(c) not in t.missing(seat):
            yield deed("a kind laid twice", (Put(seat, here, c),), "tifo/lay-once")
    if not t.can_shout(seat):
        rule = "tifo/locaux" if t.under(seat, "locaux") else "tifo/fumis"
        yield deed("a shout while barred", (Press(f"{here}.call"),), rule)


def _wrong_place(t: Truth) -> Iterator[Deed]:
    seat = t.turn
    here = f"seat{seat}"
    if t.under(seat, "interdit"):
        return
    for c in t.hands[seat]:
        if kind(c) in PARADES and not t.answers(seat, c):
            yield deed("a parade that answers nothing", (Put(seat, here, c),), "tifo/parade-match")
        if kind(c) == "ola":
            yield deed("an OLA before oneself", (Put(seat, here, c),), "tifo/ola-place")
        if kind(c) not in ATTACKS or t.under(seat, *BLOCKING):
            continue
        yield deed("an attack on oneself", (Put(seat, here, c),), "tifo/attack-self")
        for n in range(1, t.seats + 1):
            if n == seat or n in t.targets(seat, c):
                continue
            same = any(attack_class(kind(a)) == attack_class(kind(c)) for a in t.attacks[n])
            rule = "attack-out" if n in t.out else "attack-class" if same else "attack-two"
            yield deed(f"a wrong target: {rule}", (Put(seat, f"seat{n}", c),), f"tifo/{rule}")


def _false_shouts(t: Truth) -> Iterator[Deed]:
    seat = t.turn
    here = f"seat{seat}"
    if not t.can_shout(seat):
        return
    missing = t.missing(seat)
    good = {kind(c): c for c in t.hands[seat] if kind(c) in missing}
    bad = [c for c in t.hands[seat] if kind(c) not in missing]
    call = Press(f"{here}.call")
    if good and set(good) != missing:
        puts: tuple[Action, ...] = tuple(Put(seat, here, c) for c in sorted(good.values()))
        yield deed("a false shout", (call, *puts, call), "tifo/shout")
        if bad:
            left: tuple[Action, ...] = (call, *puts, Put(seat, "discard", bad[0]))
            yield deed("a false shout left for another play", left, "tifo/shout")
    if bad and set(good) != missing:
        yield deed("a wrong card in a shout", (call, Put(seat, here, bad[0]), call), "tifo/shout")


def _walking(t: Truth, setup: Setup) -> Iterator[Deed]:
    for n in t.alive():
        zone = f"seat{n}"
        for c in t.laid[n] + t.attacks[n]:
            if not setup.sees_lifts(zone):
                yield deed("a laid card taken from a `pass` zone", (Take(n, zone, c),))
                continue
            choosing = n == t.turn and kind(c) in SEMI and t.under(n, *BLOCKING)
            if not choosing:
                yield deed("a walking card", (Take(n, zone, c),), "tifo/laid-stays")

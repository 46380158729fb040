"""Secrecy: exchanging the identities of two unseen cards throughout a game changes nothing that is public.

Not before they are revealed, that is: then the verdict does change, so that these tests can fail.
"""

import json
from dataclasses import replace
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.games import SPECS
from engine.observations import Lifted, Observation, Placed, Pressed
from engine.record import public_output
from engine.rulings import Move, Reveal, Ruling, Score
from engine.setup import Mode, Setup
from engine.tipouik.cards import ONE, points_of
from engine.tipouik.referee import TipouikReferee
from engine.zones import ZoneKind
from firmware.simulator.run import Report, run_game
from firmware.simulator.tipouik import TipouikWorld

SPEC = SPECS["tipouik"]


def game(seed: int, cheat: float) -> tuple[Setup, list[Observation]]:
    rng = Random(seed)
    seats = rng.choice([3, 4, 6])
    kind = rng.choice([ZoneKind.SPREAD, ZoneKind.PASS])
    setup = Setup(SPEC, seats, mode=Mode.PLAY, zones=dict.fromkeys(SPEC.all_zones(seats), kind))
    log: list[Observation] = []
    run_game(setup, TipouikWorld(setup, rng, cheat), Report(), log)
    return setup, log


def exchanged(observations: list[Observation], one: str, other: str) -> list[Observation]:
    """The same radio, with two cards exchanged in the deck registry."""
    names = {one: other, other: one}
    return [replace(o, card=names.get(o.card, o.card)) if isinstance(o, Placed | Lifted) else o for o in observations]


def told(referee: TipouikReferee, o: Observation) -> tuple[tuple[Ruling, ...], bytes]:
    """What the referee says, and all of it that is public, the public window included."""
    out = referee.receive(o)
    lines = [public_output(r) for r in out]
    return out, json.dumps([lines, referee.public_view()], sort_keys=True).encode()


def shows(out: tuple[Ruling, ...], cards: set[str]) -> bool:
    """Whether these rulings give away one of the cards: it is turned up, or its points are counted."""
    return any((isinstance(r, Reveal) and cards & set(r.cards)) or isinstance(r, Score) for r in out)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_public_output_does_not_depend_on_unseen_cards(seed: int, choice: int) -> None:
    setup, log = game(seed, cheat=0.1)
    placed = sorted({o.card for o in log if isinstance(o, Placed)} & set(SPEC.pack(setup.seats)) - {ONE})
    one = Random(choice).choice(placed)
    other = Random(choice + 1).choice([c for c in SPEC.pack(setup.seats) if c not in (ONE, one)])
    mine, theirs = TipouikReferee(setup), TipouikReferee(setup)
    for o, changed in zip(log, exchanged(log, one, other), strict=True):
        out, public = told(mine, o)
        other_out, other_public = told(theirs, changed)
        if shows(out, {one, other}) or shows(other_out, {one, other}):
            return
        assert public == other_public


def disturbed(setup: Setup, observations: list[Observation], rng: Random) -> list[Observation]:
    """The same game in careless hands: things left out, done twice, cards put anywhere, buttons at random."""
    out: list[Observation] = []
    cards = [o.card for o in observations if isinstance(o, Placed)]
    for o in observations:
        t, seat = o.t, rng.randint(1, setup.seats)
        out += [o] * rng.choice([0, 1, 1, 1, 1, 1, 1, 2])
        match rng.randrange(16):
            case 0 | 1:
                out.append(Placed(t, f"seat{seat}", rng.choice(cards)))
            case 2:
                out.append(Lifted(t, f"seat{seat}", rng.choice(cards)))
            case 3:
                out.append(Pressed(t, f"seat{seat}.{rng.choice(['ok', 'next', 'call'])}"))
            case 4:
                out.append(Pressed(t, rng.choice(["table.accept", "table.undo"])))
            case _:
                pass
    return out


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_public_output_does_not_depend_on_unseen_cards_in_careless_hands(seed: int, choice: int) -> None:
    setup, log = game(seed, cheat=0.1)
    log = disturbed(setup, log, Random(choice + 2))
    placed = sorted({o.card for o in log if isinstance(o, Placed)} & set(SPEC.pack(setup.seats)) - {ONE})
    one = Random(choice).choice(placed)
    other = Random(choice + 1).choice([c for c in SPEC.pack(setup.seats) if c not in (ONE, one)])
    mine, theirs = TipouikReferee(setup), TipouikReferee(setup)
    for o, changed in zip(log, exchanged(log, one, other), strict=True):
        out, public = told(mine, o)
        other_out, other_public = told(theirs, changed)
        if shows(out, {one, other}) or shows(other_out, {one, other}):
            return
        assert public == other_public


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_seat_sees_no_card_of_another(seed: int, choice: int) -> None:
    setup, log = game(seed, cheat=0.1)
    placed = sorted({o.card for o in log if isinstance(o, Placed)} & set(SPEC.pack(setup.seats)) - {ONE})
    one = Random(choice).choice(placed)
    other = Random(choice + 1).choice([c for c in SPEC.pack(setup.seats) if c not in (ONE, one)])
    mine, theirs = TipouikReferee(setup), TipouikReferee(setup)
    for o, changed in zip(log, exchanged(log, one, other), strict=True):
        if shows(mine.receive(o), {one, other}) | shows(theirs.receive(changed), {one, other}):
            return
        for seat in range(1, setup.seats + 1):
            view, other_view = mine.view(seat), theirs.view(seat)
            own = {one, other} & {*_cards(view, "my_laid"), *_cards(view, "known")}
            if not own:
                assert view == other_view


def _cards(view: object, key: str) -> list[str]:
    assert isinstance(view, dict)
    return [str(c) for c in view[key]]


def _honest_challenge(setup: Setup, log: list[Observation]) -> tuple[int, str, str] | None:
    """Input, a revealed card and an unseen one of another value, at the first challenge that failed."""
    referee = TipouikReferee(setup)
    seen: set[str] = {ONE}
    for n, o in enumerate(log):
        out = referee.receive(o)
        reveal = next((r for r in out if isinstance(r, Reveal)), None)
        if reveal is None:
            continue
        honest = any(isinstance(r, Move) and ("result", "honest") in r.args for r in out)
        numbers = [c for c in reveal.cards if c[0].isdigit() and c not in seen]
        if honest and numbers:
            others = [
                c
                for c in SPEC.pack(setup.seats)
                if c[0].isdigit() and points_of(c) != points_of(numbers[0]) and c not in seen
            ]
            return n, numbers[0], others[-1]
        seen |= set(reveal.cards)
    return None


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_the_verdict_depends_on_the_cards_that_nobody_could_see(seed: int) -> None:
    setup, log = game(seed, cheat=0.0)
    found = _honest_challenge(setup, log)
    assume(found is not None)
    assert found is not None
    at, one, other = found
    mine, theirs = TipouikReferee(setup), TipouikReferee(setup)
    changed = exchanged(log, one, other)
    for n in range(at):
        assert told(mine, log[n])[1] == told(theirs, changed[n])[1]
    honest, _ = told(mine, log[at])
    bluff, _ = told(theirs, changed[at])
    assert _result(honest) == "honest"
    assert _result(bluff) == "bluff"


def _result(out: tuple[Ruling, ...]) -> object:
    return next(r.arg("result") for r in out if isinstance(r, Move) and r.move == "verdict")


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_only_opening_and_reveal_name_a_card_in_public(seed: int) -> None:
    setup, log = game(seed, cheat=0.2)
    referee = TipouikReferee(setup)
    for o in log:
        for r in referee.receive(o):
            line = public_output(r) or {}
            if line.get("out") == "reveal" or line.get("move") == "open":
                continue
            assert "card" not in line
            assert "cards" not in line

"""Field report 29: two cards that nobody has seen change places; no screen, sound or lamp differs, nor its time.

All that the stage hands out is compared, in order and with its time: pages of every screen, tunes, lights.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from engine.games import SPECS, referee_for
from engine.observations import Lifted, Observation, Placed
from engine.record import output_line, public_output
from engine.rulings import Reveal, Ruling, Score
from engine.setup import Setup
from engine.zones import ZoneKind, usual_kind
from firmware.simulator import world_for
from firmware.simulator.run import Report, run_game
from firmware.stage import Context
from firmware.stage.layout import Page
from firmware.stage.stage import Stage
from hardware.lamps import Colour
from hardware.sounds import Tune

SEATS = {"tifo": 3, "tipouik": 4, "tfu": 2}


class Witness:
    """A screen and a lamp at one place, and ears; writes down everything."""

    def __init__(self, viewer: int | None, log: list[tuple[float, object]]) -> None:
        self.viewer = viewer
        self.log = log
        self.now = 0.0

    def show(self, page: Page) -> None:
        self.log.append((self.now, (self.viewer, page)))

    def dim(self, level: int) -> None:
        self.log.append((self.now, (self.viewer, "dim", level)))

    def steady(self, colour: Colour) -> None:
        self.log.append((self.now, (self.viewer, "steady", colour)))

    def flash(self, colour: Colour, seconds: float) -> None:
        self.log.append((self.now, (self.viewer, "flash", colour, seconds)))

    def play(self, tune: Tune) -> None:
        self.log.append((self.now, tune))


def played(game: str, seed: int, options: Mapping[str, bool]) -> tuple[Setup, list[Observation]]:
    spec = SPECS[game]
    kinds = {z: ZoneKind.PASS if game == "tipouik" else usual_kind(z) for z in spec.all_zones(SEATS[game])}
    setup = Setup(spec, SEATS[game], zones=kinds, options=options)
    log: list[Observation] = []
    run_game(setup, world_for(setup, Random(seed), 0.2), Report(), log)
    return setup, log


def never_seen(game: str, setup: Setup, log: list[Observation], seed: int) -> tuple[str, str]:
    """Two cards of the pack that cross a reader, and that nobody sees do so before the end (TIFO), before they are
    revealed (Tipouik) or before they come from the spare (Тьфу!)."""
    placed = [o for o in log if isinstance(o, Placed) and o.card in setup.spec.pack(setup.seats)]
    match game:
        case "tifo":
            shown = {o.card for o in placed if o.zone.startswith("seat") or o.card.startswith("ola")}
        case "tipouik":
            shown = {"1#1"}
        case _:
            shown = {o.card for o in placed if ".col" in o.zone}
    late = [card for card in dict.fromkeys(o.card for o in placed) if card not in shown]
    one, other = Random(seed).sample(late[len(late) // 2 :], 2)
    return one, other


def ends(game: str, o: Observation, out: tuple[Ruling, ...], cards: set[str]) -> bool:
    """Whether one of the cards has been seen now."""
    match game:
        case "tipouik":
            return any((isinstance(r, Reveal) and cards & set(r.cards)) or isinstance(r, Score) for r in out)
        case "tfu":
            return isinstance(o, Placed) and o.card in cards
        case _:
            return False


def watched(
    game: str, setup: Setup, log: list[Observation], cards: set[str]
) -> tuple[int, list[tuple[float, object]]]:
    """After how many observations a card was seen, and all that was shown, sounded and lit until then."""
    written: list[tuple[float, object]] = []
    witnesses = [Witness(viewer, written) for viewer in (None, *range(1, setup.seats + 1))]
    stage = Stage(Context.of(setup, "en"), witnesses, witnesses[:1], witnesses)
    referee = referee_for(setup)
    wake: float | None = 0.0

    def step_to(until: float) -> None:
        nonlocal wake
        while wake is not None and wake <= until:
            for witness in witnesses:
                witness.now = wake
            wake = stage.step(wake)

    for n, o in enumerate(log):
        step_to(o.t)
        out = referee.receive(o)
        if ends(game, o, out, cards):
            return n, written
        if out:
            stage.show(o.t, [(output_line(r), public_output(r)) for r in out])
            wake = o.t
            step_to(o.t)
    return len(log), written


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("game", "options"), [("tifo", {"hidden_discard": True, "draw_two": True}), ("tipouik", {}), ("tfu", {})]
)
def test_unseen_cards_change_places_and_nobody_can_tell(game: str, options: dict[str, bool], seed: int) -> None:
    setup, log = played(game, seed, options)
    one, other = never_seen(game, setup, log, seed)
    names = {one: other, other: one}
    changed = [replace(o, card=names.get(o.card, o.card)) if isinstance(o, Placed | Lifted) else o for o in log]
    assert changed != log
    mine = watched(game, setup, log, {one, other})
    theirs = watched(game, setup, changed, {one, other})
    until = min(mine[0], theirs[0])
    end = log[until].t if until < len(log) else log[-1].t + 1.0
    assert until > 10
    assert [x for x in mine[1] if x[0] < end] == [x for x in theirs[1] if x[0] < end]


def test_a_card_that_is_shown_does_make_a_difference() -> None:
    setup, log = played("tfu", 1, {})
    shown = [o.card for o in log if isinstance(o, Placed) and o.zone == "centre1"][:2]
    names = dict(zip(shown, reversed(shown), strict=True))
    changed = [replace(o, card=names.get(o.card, o.card)) if isinstance(o, Placed | Lifted) else o for o in log]
    assert watched("tfu", setup, log, set())[1] != watched("tfu", setup, changed, set())[1]

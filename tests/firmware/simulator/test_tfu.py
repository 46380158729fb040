"""The bots of Тьфу!: legal play is never refused, cheating caught where a sensor can tell it, humans left alone."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from engine.games import SPECS, referee_for
from engine.record import output_line
from engine.rulings import Over, Refused
from engine.setup import Setup
from engine.tfu import ids
from engine.zones import ZoneKind, seat_of, usual_kind
from firmware.simulator.deeds import Press, Put, Take, Wait
from firmware.simulator.run import Report, observe, run_game, simulate
from firmware.simulator.tfu import TfuWorld
from firmware.simulator.tfu.truth import PACK

SPEC = SPECS["tfu"]
SMALL_BLIND = {
    "a call while somebody can play",
    "a column's card put down as spare",
    "a covered card",
    "a spare card played for a column's",
    "Вышел! with cards left, after enough plays",
}
"""What a table without columns cannot tell from legal play; a watched one can."""
BLIND = {"a spare card that is not the next", "another player's spare card", "the card set aside"}
"""What no table can tell: nobody sees a spare that was never turned over."""


def table(
    seats: int, watched: bool = True, kinds: Mapping[str, ZoneKind] | None = None, refill: bool = False
) -> Setup:
    names = SPEC.all_zones(seats) if watched else SPEC.smallest(seats)
    zones = {z: (kinds or {}).get("centre" if z.startswith("centre") else "column", usual_kind(z)) for z in names}
    return Setup(SPEC, seats, options={"refill": True} if refill else {}, zones=zones)


@pytest.mark.parametrize("refill", [False, True])
@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_legal_play_is_refused_and_every_match_ends(seats: int, watched: bool, refill: bool) -> None:
    report = simulate(table(seats, watched, refill=refill), TfuWorld, 12, 7, 0.0)
    assert report.faults == []
    assert report.games == 12
    assert set(report.ended) <= {"no-cards", "columns-empty", "blocked"}
    assert watched is False or set(report.ended) == {"no-cards"}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_illegal_play_is_caught_on_a_watched_table(seats: int) -> None:
    report = simulate(table(seats), TfuWorld, 25, 8, 0.2)
    assert report.faults == []
    assert (report.missed, report.legal_refused) == (0, 0)
    assert set(report.blind) <= BLIND
    assert set(ids.RULES) <= set(report.rules)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_small_table_names_what_it_cannot_tell(seats: int) -> None:
    report = simulate(table(seats, watched=False), TfuWorld, 40, 9, 0.2)
    assert report.faults == []
    assert set(report.blind) <= BLIND | SMALL_BLIND
    assert set(ids.RULES) - set(report.rules) == {ids.LAYOUT, ids.COLUMN, ids.CAN_PLAY}


def test_every_undetectable_kind_is_explained_in_the_documents(project_root: Path) -> None:
    text = (project_root / "docs" / "undetectable-tfu.md").read_text(encoding="utf-8")
    missing = {kind for kind in BLIND | SMALL_BLIND if kind not in text}
    assert missing == set()


@pytest.mark.slow
@pytest.mark.parametrize("column", list(ZoneKind))
@pytest.mark.parametrize("centre", list(ZoneKind))
def test_bots_manage_with_zones_of_every_kind(column: ZoneKind, centre: ZoneKind) -> None:
    setup = table(3, kinds={"centre": centre, "column": column})
    for cheat in (0.0, 0.2):
        report = simulate(setup, TfuWorld, 6, 10, cheat)
        assert report.faults == []


def test_the_same_source_brings_the_same_deeds() -> None:
    def deeds() -> list[str]:
        setup = table(2)
        world, referee, out, t = TfuWorld(setup, Random(11), 0.2), referee_for(setup), [], 0.0
        while (deed := world.next()) is not None:
            out.append(repr(deed))
            for action in deed.actions:
                t += 2.0
                world.hear([r for o in observe(action, t, setup) for r in referee.receive(o)])
        return out

    assert deeds() == deeds()


def test_no_card_is_lost_between_rounds() -> None:
    setup = table(3)
    world, referee, t = TfuWorld(setup, Random(12), 0.1), referee_for(setup), 0.0
    rounds = 0
    while (deed := world.next()) is not None:
        for action in deed.actions:
            t += 2.0
            rulings = [r for o in observe(action, t, setup) for r in referee.receive(o)]
            rounds += sum(isinstance(r, Over) for r in rulings)
            world.hear(rulings)
        truth = world.truth
        cards = [c for n in truth.players for c in (*world.hand(n), *truth.piles[n])] + truth.aside
        assert sorted(cards) == sorted(PACK)
    assert rounds > 1


def test_cards_are_lifted_before_they_are_put_elsewhere() -> None:
    """Physically plausible: a card lies in one place, and is taken from where it lies."""
    setup = table(4, refill=True)
    world, referee, t = TfuWorld(setup, Random(13)), referee_for(setup), 0.0
    lies: dict[str, str] = {}
    while (deed := world.next()) is not None:
        for action in deed.actions:
            t += 2.0
            match action:
                case Put():
                    assert lies.get(action.card) == action.source
                    lies[action.card] = action.zone
                case Take():
                    assert lies.pop(action.card) == action.zone
                case _:
                    pass
            world.hear([r for o in observe(action, t, setup) for r in referee.receive(o)])


@pytest.mark.parametrize("watched", [False, True])
def test_nobody_plays_for_a_human(watched: bool) -> None:
    """Seat 1 is a human who answers each wait with whatever is legal; the bot at seat 2 goes on by itself."""
    setup = table(2, watched)
    world = TfuWorld(setup, Random(14), humans=frozenset({1}), rounds=2)
    referee, t, waits = referee_for(setup), 0.0, 0
    while (deed := world.next()) is not None:
        actions = deed.actions
        if isinstance(actions[0], Wait):
            assert len(actions) == 1
            waits += 1
            actions = human(world, watched) or actions
            for action in actions:
                world.observe(action)
        else:
            for action in actions:
                if isinstance(action, Press):
                    assert seat_of(action.button) == 2
                elif isinstance(action, Put) and action.zone.startswith("centre"):
                    assert action.seat == 2
        for action in actions:
            t += 2.0
            rulings = [r for o in observe(action, t, setup) for r in referee.receive(o)]
            assert not any(isinstance(r, Refused) for r in rulings), [output_line(r) for r in rulings]
            world.hear(rulings)
    assert waits
    assert world.ending() in {"no-cards", "columns-empty", "blocked"}


def human(world: TfuWorld, watched: bool) -> tuple[Put | Press, ...]:
    """What seat 1 can do now, looking at the true cards."""
    truth = world.truth
    if truth.phase != "play":
        return ()
    if 1 in truth.owed:
        return (Put(1, "centre1", truth.spare[1][0]),)
    if not watched and not truth.in_columns(1):
        return (Press("seat1.ok"),)
    for zone, card, pile in truth.plays_of(1):
        return (Put(1, f"centre{pile}", card, zone if watched else None),)
    return ()


def test_a_cap_is_named() -> None:
    setup = table(2)
    report = Report()
    run_game(setup, TfuWorld(setup, Random(15), rounds=0), report)
    assert dict(report.ended) == {"cap": 1}

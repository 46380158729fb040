"""Plays many games straight into the referee and counts what it got right and wrong.

Times in the observations are made up (a second an action); the only clock read is for the time spent inside
`receive`, which is the figure reported.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from engine.cards import ALL_CARDS
from engine.games import referee_for
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.referee import Referee
from engine.rulings import Move, Refused, Ruling
from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.simulator.deeds import Action, Deed, Press, Put, Speak, Take, Wait, World

MakeWorld = Callable[[Setup, Random, float], World]
"""Setup, random source and the chance that a bot tries something illegal."""

DEEDS_CAP = 20_000
"""A game is cut short (`cap`) after so many deeds; none of the three comes near it."""


@dataclass(slots=True)
class Report:
    """Counts over many games."""

    games: int = 0
    observations: int = 0
    seconds: float = 0.0
    legal_refused: int = 0
    tried: int = 0
    caught: int = 0
    missed: int = 0
    undetectable: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    blind: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Add another report's counts."""
        counts = ("games", "observations", "seconds", "legal_refused", "tried", "caught", "missed", "undetectable")
        for name in counts:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("ended", "rules", "kinds", "blind"):
            getattr(self, name).update(getattr(other, name))
        self.faults += other.faults


def observe(action: Action, t: float, setup: Setup) -> Iterator[Observation]:
    """What a faultless table reports of one action."""
    match action:
        case Put():
            if action.card not in ALL_CARDS:
                yield Unknown(t, action.zone, action.card)
                return
            if action.source is not None and setup.zones.get(action.source, ZoneKind.PASS) is not ZoneKind.PASS:
                yield Lifted(t, action.source, action.card)
            if action.zone in setup.zones:
                yield Placed(t, action.zone, action.card)
        case Take():
            if action.card in ALL_CARDS and setup.zones.get(action.zone, ZoneKind.PASS) is not ZoneKind.PASS:
                yield Lifted(t, action.zone, action.card)
        case Press():
            yield Pressed(t, action.button)
        case Speak():
            yield Announce(t, action.seat, action.value, action.count)
        case Wait():
            yield Tick(t + action.seconds)


def run_game(setup: Setup, world: World, report: Report, log: list[Observation] | None = None) -> Referee[object]:
    """One game; `log` collects the observations."""
    referee = referee_for(setup)
    t = 0.0
    for _ in range(DEEDS_CAP):
        deed = world.next()
        if deed is None:
            break
        refused: list[Refused] = []
        moved: set[str] = set()
        for action in deed.actions:
            t += 1.0
            answers: list[Ruling] = []
            for observation in observe(action, t, setup):
                t = observation.t
                if log is not None:
                    log.append(observation)
                began = perf_counter()
                answers += referee.receive(observation)
                report.seconds += perf_counter() - began
                report.observations += 1
            refused += [a for a in answers if isinstance(a, Refused)]
            moved |= {a.move for a in answers if isinstance(a, Move)}
            world.hear(answers)
        _count(deed, refused, moved, report, t)
        if len(report.faults) > 20:
            break
    else:
        report.ended["cap"] += 1
        report.games += 1
        return referee
    report.ended[world.ending()] += 1
    report.games += 1
    return referee


def _count(deed: Deed, refused: list[Refused], moved: set[str], report: Report, t: float) -> None:
    if deed.cheat is None:
        if refused:
            report.legal_refused += 1
            report.faults.append(f"t={t:g}: {refused[0].rule} for legal {deed.actions}")
        elif not moved.issuperset(deed.moves):
            # A legal play that was not taken for what it was is as bad as a refusal.
            report.legal_refused += 1
            report.faults.append(f"t={t:g}: {deed.actions} wanted {deed.moves}, brought {sorted(moved)}")
        return
    report.tried += 1
    report.kinds[deed.cheat.kind] += 1
    if not deed.cheat.rules and not refused:
        report.undetectable += 1
        report.blind[deed.cheat.kind] += 1
    elif any(r.rule in deed.cheat.rules for r in refused):
        report.caught += 1
        report.rules.update(r.rule for r in refused)
    else:
        report.missed += 1
        said = [r.rule for r in refused]
        wanted = sorted(deed.cheat.rules)
        report.faults.append(f"t={t:g}: {deed.cheat.kind} {deed.actions} wanted {wanted}, got {said}")


def simulate(setup: Setup, make: MakeWorld, games: int, seed: int, cheat: float) -> Report:
    """Many games, each from a random source of its own so that one can be played again alone."""
    report = Report()
    for n in range(games):
        world = make(setup, Random(f"{setup.spec.id}/{seed}/{n}"), cheat)
        run_game(setup, world, report)
        if len(report.faults) > 20:
            break
    return report

"""`arbitre bench engine`: how many observations a second each referee judges, and what the time goes into.

Bots play whole games once to make the observations; only the judging of them is timed. Shares come from a second
pass under the profiler, so they are ratios of one run and no absolute times.
"""

import argparse
import cProfile
import json
import pstats
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import perf_counter

from engine.games import SPECS, referee_for
from engine.observations import Observation
from engine.setup import Setup
from engine.zones import usual_kind
from firmware.simulator import world_for
from firmware.simulator.run import Report, run_game

GAMES = 12
TOP = 5


@dataclass(frozen=True, slots=True)
class Rate:
    """One game's figures; `shares` are fractions (not rounded) of the time inside `receive`, callees left out."""

    game: str
    seats: int
    observations: int
    seconds: float
    per_second: float
    shares: tuple[tuple[str, float], ...]


def figures(args: argparse.Namespace) -> dict[str, object]:
    """All games, each at its default table with every zone."""
    return {spec.id: asdict(measure(spec.id)) for spec in SPECS.values()}


def run(args: argparse.Namespace) -> int:
    """Print them."""
    found = figures(args)
    if args.json:
        print(json.dumps({"engine": found}, indent=2))
        return 0
    for name in found:
        rate = found[name]
        assert isinstance(rate, dict)
        print(f"{name}, {rate['seats']} seats: {rate['per_second']:,.0f} observations a second inside receive")
        for function, share in rate["shares"]:
            print(f"    {share:5.0%}  {function}")
    return 0


def measure(game: str) -> Rate:
    """Judge the observations of some simulated games."""
    spec = SPECS[game]
    seats = spec.default_seats
    setup = Setup(spec, seats, zones={z: usual_kind(z) for z in spec.all_zones(seats)})
    logs: list[list[Observation]] = []
    for n in range(GAMES):
        logs.append([])
        run_game(setup, world_for(setup, Random(f"bench/{n}")), Report(), logs[-1])
    began = perf_counter()
    _judge(setup, logs)
    seconds = perf_counter() - began
    count = sum(map(len, logs))
    profile = cProfile.Profile()
    profile.runcall(_judge, setup, logs[:4])
    return Rate(game, seats, count, round(seconds, 3), round(count / seconds), _shares(profile))


def _judge(setup: Setup, logs: list[list[Observation]]) -> None:
    for log in logs:
        referee = referee_for(setup)
        for observation in log:
            referee.receive(observation)


def _shares(profile: cProfile.Profile) -> tuple[tuple[str, float], ...]:
    entries = pstats.Stats(profile).get_stats_profile().func_profiles
    total = sum(e.tottime for e in entries.values()) or 1.0
    busiest = sorted(entries.items(), key=lambda pair: -pair[1].tottime)[:TOP]
    return tuple((f"{Path(e.file_name).name}:{name}", e.tottime / total) for name, e in busiest)

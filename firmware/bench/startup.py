"""`arbitre bench startup`: how long a command takes to begin, beside a bare interpreter, and what it imports.

Each figure is the median of several fresh processes in one run; the ratio to the bare interpreter is what carries
over to another machine.
"""

import argparse
import json
import subprocess
import sys
from statistics import median
from time import perf_counter

RUNS = 7

CASES = {
    "python": [sys.executable, "-c", "pass"],
    "help": [sys.executable, "-m", "firmware", "--help"],
    "engine": [sys.executable, "-c", "import engine; engine.SPECS"],
    "replay": [sys.executable, "-c", "import firmware.replay"],
    "stage": [sys.executable, "-c", "import firmware.stage"],
    "gpiozero": [sys.executable, "-c", "import gpiozero"],
    "luma.oled": [sys.executable, "-c", "import luma.oled.device"],
}
"""What is started; the last two are what hardware needs, measured beside us."""

COUNT = "import sys, firmware.replay; print(len(sys.modules))"


def figures(args: argparse.Namespace) -> dict[str, object]:
    """Milliseconds and ratio for each case, and how many modules a replay imports."""
    times = {name: _median_ms(command) for name, command in CASES.items()}
    bare = times["python"]
    rows = {name: {"ms": round(ms, 1), "ratio": round(ms / bare, 2)} for name, ms in times.items()}
    modules = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    return {"cases": rows, "replay_modules": int(modules.stdout)}


def run(args: argparse.Namespace) -> int:
    """Print them."""
    found = figures(args)
    if args.json:
        print(json.dumps({"startup": found}, indent=2))
        return 0
    rows = found["cases"]
    assert isinstance(rows, dict)
    for name, row in rows.items():
        print(f"{name:10} {row['ms']:7.1f} ms  {row['ratio']:5.2f} x a bare interpreter")
    print(f"modules after importing a replay: {found['replay_modules']}")
    return 0


def _median_ms(command: list[str]) -> float:
    times = []
    for _ in range(RUNS):
        began = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(perf_counter() - began)
    return median(times) * 1000

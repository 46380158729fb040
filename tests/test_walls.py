"""The walls of the houses: who may import whom, and what a file may look like.

The rules are checked on the syntax tree, so that an import inside a function counts too. Each checker is
first shown a file that breaks its rule: a wall that nothing can hit is no wall.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

HOUSES = ("engine", "hardware", "firmware")
ROOT = Path(__file__).resolve().parent.parent
MAY_ENTER = {"engine": {"engine"}, "hardware": {"hardware"}, "firmware": set(HOUSES)}
LINES_MAX = 400

CLOCKS = frozenset(["time", "datetime", "sched", "select", "threading", "_thread", "queue", "asyncio"])
# Clock, chance, log, files, net and the process itself: an engine that has one of these cannot be replayed.
NOT_FOR_THE_ENGINE = CLOCKS | {
    *("calendar", "random", "secrets", "uuid", "logging", "warnings", "locale", "platform", "gc", "atexit"),
    *("os", "io", "sys", "pathlib", "glob", "shutil", "tempfile", "fileinput", "mmap", "getpass", "pty"),
    *("sqlite3", "dbm", "shelve", "pickle", "subprocess", "multiprocessing", "concurrent", "contextvars"),
    *("socket", "selectors", "ssl", "http", "urllib", "fcntl", "tty", "ctypes", "importlib", "signal"),
}
LOCKS = ("Lock", "RLock")
# Step machines: woken from outside at a given time, on the Pi and on the twins alike.
WITHOUT_CLOCK = (
    *("hardware/iso14443.py", "hardware/mfrc522/", "hardware/station.py", "hardware/poller.py", "hardware/bounce.py"),
    *("firmware/presence/", "firmware/senses.py", "firmware/order.py", "firmware/controller.py"),
)
NOT_CALLED_BY_THE_ENGINE = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint"})


def sources(*folders: str) -> list[Path]:
    """All Python files of ours below the folders, in a stable order."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if "node_modules" not in path.parts)


def name_of(path: Path) -> str:
    """What a test and a message call a file."""
    return path.relative_to(ROOT).as_posix()


def imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that a module of `package` imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, level=0):
                yield node.lineno, str(module)
            case ast.ImportFrom(module=module, level=level):
                parent = package[: len(package) - level + 1]
                yield node.lineno, ".".join([*parent, *([module] if module else [])])
            case ast.Call(func=ast.Name("__import__") | ast.Attribute(attr="import_module"), args=[name, *_]):
                yield node.lineno, str(name.value) if isinstance(name, ast.Constant) else "(a computed name)"


def waits(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of what waits by itself: all of `threading` but its locks, and calls with a time-out."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="threading", names=names):
                yield from ((node.lineno, alias.name) for alias in names if alias.name not in LOCKS)
            case ast.Attribute(value=ast.Name("threading"), attr=name) if name not in LOCKS:
                yield node.lineno, name
            case ast.Call(keywords=keywords) if any(keyword.arg == "timeout" for keyword in keywords):
                yield node.lineno, "timeout="


def breaches(source: str, path: str) -> list[str]:
    """Where a file, named by its path from the project's root, breaks the walls of its house."""
    tree = ast.parse(source, path)
    package = Path(path).parts[:-1]
    house = package[0]
    found = []
    for line, name in imports(tree, package):
        top = name.partition(".")[0]
        if top in HOUSES and top not in MAY_ENTER[house]:
            found.append(f"{path}:{line}: {house} must not import {name}")
        elif house == "engine" and top != "engine":
            if top not in sys.stdlib_module_names:
                found.append(f"{path}:{line}: engine imports the standard library only, not {name}")
            elif top in NOT_FOR_THE_ENGINE:
                found.append(f"{path}:{line}: {name} is a clock, chance or I/O: not in engine")
        if path.startswith(WITHOUT_CLOCK) and top in CLOCKS - {"threading", "queue"}:
            found.append(f"{path}:{line}: {name} waits or tells the time: a step machine is given the time")
    if path.startswith(WITHOUT_CLOCK):
        found += [f"{path}:{line}: {name}: a step machine never waits" for line, name in waits(tree)]
    if house == "engine":
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = node.func.id
                if called in NOT_CALLED_BY_THE_ENGINE:
                    found.append(f"{path}:{node.lineno}: {called}() is I/O or foreign code: not in engine")
    return found


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/a.py", "import time"),
        ("engine/a.py", "def f():\n    from random import random\n"),
        ("engine/a.py", "import json, os.path"),
        ("engine/a.py", "from logging.handlers import SysLogHandler"),
        ("engine/a.py", "import gpiozero"),
        ("engine/a.py", "from hardware.looks import Look"),
        ("engine/tifo/a.py", "from ... import firmware"),
        ("engine/tifo/a.py", "from ...firmware import loop"),
        ("engine/a.py", "__import__('json')"),
        ("engine/a.py", "print('hello')"),
        ("engine/a.py", "def f(p):\n    return open(p)\n"),
        ("hardware/a.py", "from engine.cards import Card"),
        ("hardware/twin/a.py", "import firmware.loop"),
        ("hardware/twin/a.py", "import importlib\nimportlib.import_module('engine.cards')"),
        ("hardware/mfrc522/a.py", "from time import sleep"),
        ("firmware/presence/a.py", "import threading\nthreading.Event().wait()"),
        ("hardware/poller.py", "from threading import Timer"),
        ("firmware/controller.py", "inbox.get(timeout=0.1)"),
        ("hardware/twin/a.py", "if False:\n    from engine import cards\n"),
    ],
)
def test_a_breach_is_found(path: str, source: str) -> None:
    assert breaches(source, path)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/a.py", "import json\nfrom collections.abc import Iterator\nfrom engine.cards import Card"),
        ("engine/tifo/a.py", "from ..cards import Card\nfrom . import rules"),
        ("hardware/a.py", "import time, gpiozero\nfrom hardware.steps import Machine\nprint(1)"),
        ("firmware/controller.py", "from queue import SimpleQueue\nSimpleQueue().get_nowait()"),
        ("hardware/mfrc522/a.py", "import threading\nlock = threading.Lock()"),
        ("firmware/a.py", "import time\nfrom engine.cards import Card\nfrom hardware.looks import Look"),
        ("engine/a.py", "class A:\n    def print(self) -> None: ...\n\nA().print()"),
    ],
)
def test_what_is_allowed_is_no_breach(path: str, source: str) -> None:
    assert breaches(source, path) == []


@pytest.mark.parametrize("house", HOUSES)
def test_the_walls_of_the_houses_hold(house: str) -> None:
    found = [line for path in sources(house) for line in breaches(path.read_text("utf-8"), name_of(path))]
    assert found == []


def test_every_step_machine_that_is_named_is_there() -> None:
    assert [path for path in WITHOUT_CLOCK if not (ROOT / path).exists()] == []


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a ring; none if there is no such ring."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def python_graph() -> dict[str, set[str]]:
    """What each module imports when it is loaded; what is imported late may close a ring."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sources(*HOUSES)}
    modules = {name.removesuffix(".__init__"): path for name, path in names.items()}
    graph = {}
    for name, path in modules.items():
        wanted = set()
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= (inside & modules.keys()) or ({str(node.module)} & modules.keys())
        graph[name] = wanted - {name}
    return graph


def page_graph() -> dict[str, set[str]]:
    """What each module of the page imports."""
    folder = ROOT / "firmware" / "web" / "static"
    return {path.name: set(re.findall(r'from "\./([^"]+)"', path.read_text("utf-8"))) for path in folder.glob("*.js")}


@pytest.mark.parametrize("graph", [python_graph, page_graph])
def test_imports_go_one_way(graph: Callable[[], dict[str, set[str]]]) -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    found = graph()
    assert sum(map(len, found.values())) > 20, "what imports nothing proves nothing"
    assert circle(found) == []


def test_no_module_is_longer_than_it_can_be_read() -> None:
    paths = sources(*HOUSES, "tests", "tools")
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in paths}
    assert lengths, "no source was found"
    assert {name: length for name, length in lengths.items() if length > LINES_MAX} == {}


def test_every_file_is_python_3_11() -> None:
    def broken(path: Path) -> str | None:
        try:
            ast.parse(path.read_text("utf-8"), feature_version=(3, 11))
        except SyntaxError as error:
            return f"{name_of(path)}:{error.lineno}: {error.msg}"
        return None

    assert [line for line in map(broken, sources(*HOUSES, "tests", "tools")) if line] == []


def places_of_this_machine(text: str, places: list[str]) -> list[str]:
    """The places (absolute paths) that a text names."""
    return [place for place in places if place in text]


def test_no_file_names_a_place_of_the_machine_it_was_written_on() -> None:
    places = [str(ROOT), *([f"{Path.home()}/"] if len(Path.home().parts) > 2 else [])]
    assert places_of_this_machine(f"see {ROOT}/README.md", places)
    suffixes = {".py", ".md", ".toml", ".service", ".js", ".css", ".html", ".json", ".jsonl", ".yml", ".txt"}
    texts = [ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / ".ci" / "run"]
    for folder in (*HOUSES, "tests", "tools", "docs", "systemd"):
        inside = (ROOT / folder).rglob("*")
        texts += [path for path in inside if path.suffix in suffixes and "node_modules" not in path.parts]
    named = {name_of(path): places_of_this_machine(path.read_text("utf-8"), places) for path in texts}
    assert {name: found for name, found in named.items() if found} == {}

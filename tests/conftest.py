"""Order and needs of the tests: quick ones first, then slow ones, then those that need a browser.

A test that needs Chromium, Node, real MicroPython or systemd is skipped, and says so, where that is not found: a
contributor without root still runs the rest. Where they must be there, as in `.ci/run`, ARBITRE_REQUIRE_BROWSER=1,
ARBITRE_REQUIRE_NODE=1 and ARBITRE_REQUIRE_SYSTEMD=1 turn that skip into a failure.
"""

import os
import shutil
from pathlib import Path

import hypothesis
import pytest

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

MICROPYTHON = Path(__file__).resolve().parent / "micropython"

# No deadline: how long an example takes says nothing on a busy machine. On a CI the examples never change.
hypothesis.settings.register_profile("arbitre", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("arbitre")


def find_chromium() -> str | None:
    """The path of a Chromium, or None. ARBITRE_CHROMIUM names one explicitly."""
    named = os.environ.get("ARBITRE_CHROMIUM")
    if named:
        return shutil.which(named)
    found = (shutil.which(name) for name in (*CHROMIUM_NAMES, *CHROMIUM_PLACES))
    return next(filter(None, found), None)


def require(found: str | None, what: str, variable: str) -> str:
    """Hands over what was found; else skips the test, or fails it where the variable demands it."""
    if found:
        return found
    if os.environ.get(variable) == "1":
        pytest.fail(f"{variable}=1, but there is no {what}", pytrace=False)
    pytest.skip(f"no {what} found")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium for tests marked `browser`."""
    return require(find_chromium(), "Chromium (Debian: apt install chromium)", "ARBITRE_REQUIRE_BROWSER")


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node for tests marked `node`."""
    return require(shutil.which("node"), "Node (Debian: apt install nodejs npm)", "ARBITRE_REQUIRE_NODE")


@pytest.fixture(scope="session")
def micropython(node: str) -> str:
    """The path of Node, where the package with MicroPython is there too."""
    package = MICROPYTHON / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"
    what = "MicroPython (npm install --prefix tests/micropython)"
    return require(node if package.is_dir() else None, what, "ARBITRE_REQUIRE_NODE")


@pytest.fixture(scope="session")
def systemd_analyze() -> str:
    """The path of systemd's own checker of units."""
    return require(
        shutil.which("systemd-analyze"), "systemd-analyze (Debian: apt install systemd)", "ARBITRE_REQUIRE_SYSTEMD"
    )


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds the houses."""
    return Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts quick tests first, and keeps all browser tests on one worker: two Chromiums starve each other."""

    def turn(item: pytest.Item) -> int:
        if item.get_closest_marker("browser"):
            return 2
        return 1 if item.get_closest_marker("slow") else 0

    items.sort(key=turn)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips or fails a marked test whose need is not there, whichever fixtures it asks for."""
    if item.get_closest_marker("browser"):
        require(find_chromium(), "Chromium (Debian: apt install chromium)", "ARBITRE_REQUIRE_BROWSER")
    if item.get_closest_marker("node"):
        require(shutil.which("node"), "Node (Debian: apt install nodejs npm)", "ARBITRE_REQUIRE_NODE")

"""The project as it is handed over: set-up, wheel, licences, the unit for systemd."""

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from hardware.pollerprocess import REALTIME_PRIORITY

HOUSES = ("engine", "hardware", "firmware")
ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
UNIT = ROOT / "systemd" / "arbitre.service"
PROGRAM = "/opt/arbitre/.venv/bin/arbitre"


def load_setup() -> ModuleType:
    """The set-up program, which is no module of any package."""
    spec = spec_from_file_location("setup_venv", ROOT / "tools" / "setup_venv.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


setup_venv = load_setup()


def name_of(requirement: str) -> str:
    """The package's name in a requirement, as package indexes compare it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match[0]).lower()


class TestSetup:
    def test_what_would_need_a_compiler_is_installed_without_its_dependencies(self) -> None:
        full, bare = setup_venv.requirements(ROOT / "pyproject.toml", "base")
        assert {name_of(r) for r in bare} == {"mfrc522", "pi-rc522"}
        assert {name_of(r) for r in full} == {"gpiozero", "pyserial", "luma-oled", "fontpkg-pt-sans-narrow", "pillow"}

    def test_every_dependency_belongs_to_a_part(self) -> None:
        parts = ["base", *PROJECT["optional-dependencies"]]
        lists = [setup_venv.requirements(ROOT / "pyproject.toml", part) for part in parts]
        installed = {requirement for full, bare in lists for requirement in [*full, *bare]}
        extras = [r for extra in PROJECT["optional-dependencies"].values() for r in extra]
        assert installed == {*PROJECT["dependencies"], *extras}

    def test_an_unknown_part_is_named_with_those_there_are(self) -> None:
        with pytest.raises(setup_venv.SetupError, match=r"no part 'wbe'.*base, dev, peers, web"):
            setup_venv.requirements(ROOT / "pyproject.toml", "wbe")

    @pytest.mark.parametrize(
        ("model", "is_pi"),
        [(b"Raspberry Pi 5 Model B Rev 1.0\0", True), (b"Radxa ROCK 5B\0", False), (None, False)],
    )
    def test_only_a_raspberry_pi_is_one(self, tmp_path: Path, model: bytes | None, is_pi: bool) -> None:
        if model is not None:
            (tmp_path / "model").write_bytes(model)
        assert setup_venv.is_raspberry_pi(tmp_path / "model") is is_pi

    def test_a_pi_without_system_packages_is_told_which_to_install(self) -> None:
        assert setup_venv.missing_on_pi({"spidev", "lgpio"}) is None
        assert "sudo apt install python3-lgpio " in str(setup_venv.missing_on_pi({"spidev"}))
        assert "sudo apt install python3-spidev python3-lgpio " in str(setup_venv.missing_on_pi(set()))

    def test_a_python_without_pip_is_told_how_to_get_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(setup_venv, "find_spec", lambda name: None)
        with pytest.raises(setup_venv.SetupError, match="sudo apt install python3-venv"):
            setup_venv.make_venv(tmp_path / "venv", with_system_packages=False)

    @pytest.mark.slow
    def test_an_environment_is_made_anew_where_it_was_moved_or_sees_too_little(self, tmp_path: Path) -> None:
        made, moved = tmp_path / "made", tmp_path / "moved"
        assert not setup_venv.works(made, with_system_packages=False)
        setup_venv.make_venv(made, with_system_packages=False)
        assert setup_venv.works(made, with_system_packages=False)
        assert not setup_venv.works(made, with_system_packages=True)
        made.rename(moved)
        assert not setup_venv.works(moved, with_system_packages=False)


@dataclass(frozen=True, slots=True)
class Handover:
    """A wheel, and the files of the houses that it was built from."""

    wheel: zipfile.ZipFile
    sources: frozenset[str]


@pytest.fixture(scope="module")
def handover(tmp_path_factory: pytest.TempPathFactory) -> Handover:
    """The project's wheel, built from a copy, so that the build leaves nothing in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "project"
    copy.mkdir()
    for house in HOUSES:
        shutil.copytree(ROOT / house, copy / house, ignore=shutil.ignore_patterns("__pycache__"))
        # A folder of data without a program in it is the one that gets forgotten.
        (copy / house / "data").mkdir(exist_ok=True)
        (copy / house / "data" / "probe.txt").write_text("probe", encoding="utf-8")
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, copy)
    files = (path for house in HOUSES for path in (copy / house).rglob("*") if path.is_file())
    sources = frozenset(path.relative_to(copy).as_posix() for path in files)
    options = ("-q", "--no-deps", "--no-build-isolation", "-w")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, folder, copy], check=True)
    (path,) = folder.glob("arbitre-*-py3-none-any.whl")
    return Handover(zipfile.ZipFile(path), sources)


@pytest.mark.slow
@pytest.mark.xdist_group("wheel")  # built once
class TestWheel:
    def test_every_file_of_the_houses_is_in_the_wheel_and_nothing_else(self, handover: Handover) -> None:
        inside = {name for name in handover.wheel.namelist() if ".dist-info/" not in name}
        assert inside == handover.sources

    def test_the_licences_travel_with_it(self, handover: Handover) -> None:
        names = {Path(name).name for name in handover.wheel.namelist() if "/licenses/" in name}
        assert names == {"LICENSE", "NOTICE"}

    def test_it_brings_the_command(self, handover: Handover) -> None:
        (name,) = (name for name in handover.wheel.namelist() if name.endswith("entry_points.txt"))
        entry_points = configparser.ConfigParser()
        entry_points.read_string(handover.wheel.read(name).decode())
        assert dict(entry_points["console_scripts"]) == {"arbitre": "firmware.cli:main"}


def needed_packages() -> set[str]:
    """All packages that come with the project's dependencies, their own dependencies included."""
    open_names = {name_of(r) for r in PROJECT["dependencies"]}
    open_names |= {name_of(r) for part in ("web", "peers") for r in PROJECT["optional-dependencies"][part]}
    seen: set[str] = set()
    while open_names:
        name = open_names.pop()
        seen.add(name)
        if name in setup_venv.WITHOUT_DEPENDENCIES:
            continue
        for requirement in metadata.requires(name) or ():
            _, _, condition = requirement.partition(";")
            if not re.search(r"\bextra\b|python_version *<", condition):
                open_names.add(name_of(requirement))
        open_names -= seen
    return seen


def test_the_licence_of_every_package_is_noted() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    noted = {name_of(name) for name in re.findall(r"^  (\S+) {2,}\S+", notice, re.M)}
    tests_only = {name_of(r) for r in PROJECT["optional-dependencies"]["dev"]}
    assert (needed_packages() | tests_only) - noted == {"mfrc522"}  # has a paragraph of its own


def test_the_reason_of_every_direct_dependency_is_documented() -> None:
    text = (ROOT / "docs" / "install.md").read_text("utf-8")
    extras = [r for extra in PROJECT["optional-dependencies"].values() for r in extra]
    names = {re.split(r"[^A-Za-z0-9._-]", r, maxsplit=1)[0] for r in [*PROJECT["dependencies"], *extras]}
    assert {name for name in names if f"| {name} |" not in text} == set()


class TestUnit:
    def test_systemd_finds_no_fault_in_it(self, tmp_path: Path, systemd_analyze: str) -> None:
        def verify(unit: Path) -> tuple[int, list[str]]:
            done = subprocess.run([systemd_analyze, "verify", unit], capture_output=True, text=True, check=False)
            return done.returncode, [line for line in done.stderr.splitlines() if UNIT.name in line]

        assert verify(UNIT) == (0, [])
        wrong = tmp_path / UNIT.name
        wrong.write_text(UNIT.read_text("utf-8").replace("Restart=on-failure", "Restart=sometimes"), "utf-8")
        _, faults = verify(wrong)
        assert len(faults) == 1  # what it calls a fault it only prints: the status alone would prove nothing

    def test_it_starts_the_command_that_setup_makes(self) -> None:
        (start,) = re.findall(r"^ExecStart=/usr/bin/env (\S+)", UNIT.read_text("utf-8"), re.M)
        assert start == PROGRAM

    def test_it_may_open_the_buses_and_pins(self) -> None:
        text = UNIT.read_text("utf-8")
        (groups,) = re.findall(r"^SupplementaryGroups=(.+)", text, re.M)
        assert {"spi", "i2c", "gpio"} <= set(groups.split())
        assert not re.search(r"^(PrivateDevices|DevicePolicy|DynamicUser)=", text, re.M)

    def test_it_may_have_the_priority_that_the_pollers_ask_for(self) -> None:
        text = UNIT.read_text("utf-8")
        assert f"\nLimitRTPRIO={REALTIME_PRIORITY}\n" in text
        assert "RestrictRealtime" not in text

"""Builds `.venv`, with the command `arbitre` in it, on any machine that has Python 3.11 or newer.

Usage: python3 tools/setup_venv.py PART...      a part is `base` or an extra of pyproject.toml

Runs before anything is installed, so it imports the standard library only. No compiler is ever needed:
mfrc522 and pi-rc522 ask for RPi.GPIO and spidev, which are C sources, and are installed without them. On a
Raspberry Pi both come from the system's packages, and only there does `.venv` see the system's packages.
"""

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
MODEL_FILE = Path("/proc/device-tree/model")  # written by the Pi's boot firmware; absent on a PC

WITHOUT_DEPENDENCIES = frozenset({"mfrc522", "pi-rc522"})
PI_PACKAGES = {"spidev": "python3-spidev", "lgpio": "python3-lgpio"}  # module -> Debian package

NO_PIP = """\
this Python has neither ensurepip nor pip, so no environment can be made with it.
  Debian, Ubuntu, Raspberry Pi OS: sudo apt install python3-venv
  Fedora: sudo dnf install python3-pip      Alpine: sudo apk add py3-pip
Then say `make setup` again."""


class SetupError(Exception):
    """The environment cannot be built. The message says why and how to mend it."""


def is_raspberry_pi(model_file: Path = MODEL_FILE) -> bool:
    """Whether this machine calls itself a Raspberry Pi."""
    try:
        return model_file.read_bytes().startswith(b"Raspberry Pi")
    except FileNotFoundError:
        return False


def requirements(pyproject: Path, part: str) -> tuple[list[str], list[str]]:
    """What a part installs: those with their dependencies, those without."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    if part == "base":
        wanted = [*project["dependencies"], *extras["peers"]]
    elif part in extras:
        wanted = list(extras[part])
    else:
        known = ", ".join(["base", *sorted(extras)])
        raise SetupError(f"no part {part!r} in {pyproject.name}; there are: {known}")
    bare = [r for r in wanted if re.split(r"[^A-Za-z0-9._-]", r, maxsplit=1)[0] in WITHOUT_DEPENDENCIES]
    return [r for r in wanted if r not in bare], bare


def missing_on_pi(modules: set[str]) -> str | None:
    """How to get what a Pi's hardware needs, given the modules that can be imported; None if all is there."""
    missing = [package for module, package in PI_PACKAGES.items() if module not in modules]
    if not missing:
        return None
    return (
        f"no {' and no '.join(missing)} for {sys.executable}: the twins work, a table on this Pi does not.\n"
        f"  sudo apt install {' '.join(missing)}      (they serve /usr/bin/python3 and no other Python)"
    )


def run(*command: str | Path) -> None:
    """Runs a command; its own output tells what went wrong."""
    if subprocess.run(command, check=False).returncode:
        raise SetupError(f"failed: {' '.join(map(str, command))}")


def works(venv: Path, with_system_packages: bool) -> bool:
    """Whether the environment is whole, sees the system's packages or not as asked, and was not moved."""
    python = venv / "bin" / "python"
    ask = "import pip, sys; print(sys.prefix)"
    try:
        answer = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    except OSError:
        return False
    script = venv / "bin" / "pip"
    sees_system = "include-system-site-packages = true" in (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    return (
        answer.returncode == 0
        and Path(answer.stdout.strip()) == venv
        and script.exists()
        and str(venv) in script.read_text(encoding="utf-8")
        and sees_system == with_system_packages
    )


def make_venv(venv: Path, with_system_packages: bool) -> None:
    """Makes the environment with pip in it, by ensurepip or else by the pip of this Python."""
    command: list[str | Path] = [sys.executable, "-m", "venv", "--clear"]
    if with_system_packages:
        command.append("--system-site-packages")
    if find_spec("ensurepip"):
        run(*command, venv)
    elif find_spec("pip"):  # Debian keeps ensurepip in python3-venv; its pip can fill an empty environment
        run(*command, "--without-pip", venv)
        run(sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install", "-q", "pip")
    else:
        raise SetupError(NO_PIP)


def set_up(parts: list[str]) -> None:
    """Builds the environment where it is not there yet, and installs the parts into it."""
    pi = is_raspberry_pi()
    wanted = [requirements(ROOT / "pyproject.toml", part) for part in parts]
    if not works(VENV, with_system_packages=pi):
        print(f"making {VENV} with {sys.executable} ({sys.version.split()[0]})", flush=True)
        make_venv(VENV, with_system_packages=pi)
    python = VENV / "bin" / "python"
    pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-input")
    for part, (full, bare) in zip(parts, wanted, strict=True):
        print(f"installing {part}: {', '.join([*full, *bare]) or 'nothing more'}", flush=True)
        if full:
            run(*pip, "--prefer-binary", *full)
        if bare:
            run(*pip, "--no-deps", *bare)
        if part == "base":
            run(*pip, "--no-deps", "-e", ROOT)
    if pi:
        ask = "import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec(m)])"
        found = subprocess.run([python, "-c", ask, *PI_PACKAGES], capture_output=True, text=True, check=True)
        mend = missing_on_pi(set(found.stdout.split()))
        if mend:
            print(f"warning: {mend}", file=sys.stderr)


def main(parts: list[str]) -> int:
    """Exit status: 0 done, 1 failed, 2 wrong usage."""
    if not parts:
        print("usage: setup_venv.py PART...  (base, or an extra of pyproject.toml)", file=sys.stderr)
        return 2
    os.environ.pop("PYTHONHOME", None)  # either would make the new environment look elsewhere for its modules
    os.environ.pop("PYTHONPATH", None)
    try:
        set_up(parts)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

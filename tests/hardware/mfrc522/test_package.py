"""The PyPI packages are imported as they are, and stand-ins leave no trace."""

import subprocess
import sys

import pytest

from hardware.errors import HardwareError
from hardware.mfrc522.package import load, make_access

FRESH = """
import sys
{before}
from hardware.mfrc522.package import load
module = load("mfrc522")
found = [name for name in ("spidev", "RPi", "RPi.GPIO") if name in sys.modules]
print(found, [name for name in found if hasattr(sys.modules[name], "REAL")])
print(module.MFRC522.VersionReg, module.MFRC522.__init__.__name__)
"""
REAL = """
import types
for name in ("RPi", "RPi.GPIO", "spidev"):
    module = types.ModuleType(name)
    module.REAL = True
    sys.modules[name] = module
sys.modules["RPi"].__path__ = []
sys.modules["RPi"].GPIO = sys.modules["RPi.GPIO"]
"""
REFUSED = """
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name == "spidev":
            raise ImportError("no spidev here")
        if name.startswith("RPi"):
            raise RuntimeError("This module can only be run on a Raspberry Pi!")
sys.meta_path.insert(0, Refuse())
"""


REFUSED_ODDLY = REFUSED.replace("RuntimeError", "type('error', (Exception,), {})")


def fresh(before: str) -> list[str]:
    """What a new interpreter prints."""
    code = FRESH.format(before=before)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()


@pytest.mark.parametrize("refused", [REFUSED, REFUSED_ODDLY], ids=["RuntimeError", "an error class like lgpio's"])
def test_stand_ins_are_gone_after_the_import(refused: str) -> None:
    # gpiozero looks for RPi.GPIO when it searches a pin factory, and must not find ours
    assert fresh(refused) == ["[] []", "55 __init__"]


def test_real_modules_are_used_and_stay_where_they_import() -> None:
    everything = ["spidev", "RPi", "RPi.GPIO"]
    assert fresh(REAL) == [f"{everything} {everything}", "55 __init__"]


def test_missing_package_is_told_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mfrc522", None)
    with pytest.raises(HardwareError, match=r"pip install --no-deps mfrc522==0\.0\.7"):
        load("mfrc522")


def test_object_is_made_without_its_constructor_and_adds_no_log_handler() -> None:
    import logging

    class Echo:
        def transfer(self, data: bytes) -> bytes:
            return bytes([0, 0x92]) if data[0] & 0x80 else bytes(len(data))

        def close(self) -> None:
            raise AssertionError("nobody closes it here")

    access = make_access(Echo())
    assert access.Read_MFRC522(0x37) == 0x92
    assert logging.getLogger("mfrc522Logger").handlers == []

"""Import the PyPI packages that know the MFRC522, also where RPi.GPIO and spidev are not to be had.

Rules:
- Where the real RPi.GPIO and spidev import, they are used. Where one does not (another machine, a Pi 5, no
  compiler), a stand-in takes its place for the time of that one import and is gone afterwards: gpiozero's
  search for a pin factory would find it and believe in it.
- The package's class is never constructed: its constructor asks RPi.GPIO for a pin and adds a log handler for
  each object. An object made without it and given an SPI handle is all a driver needs.
"""

import importlib
import sys
import threading
from types import ModuleType
from typing import Any, Protocol

from hardware.errors import HardwareError
from hardware.spi import Spi

_import_lock = threading.Lock()


class RegisterAccess(Protocol):
    """What we use of `mfrc522.MFRC522`: single registers."""

    def Read_MFRC522(self, addr: int) -> int:  # noqa: N802 - the package's name
        """Read one register."""
        ...

    def Write_MFRC522(self, addr: int, val: int) -> None:  # noqa: N802 - the package's name
        """Write one register."""
        ...


class SpiHandle:
    """What the packages call `spi`: spidev's `xfer2` over our seam."""

    def __init__(self, spi: Spi) -> None:
        self._transfer = spi.transfer

    def xfer2(self, data: list[int]) -> list[int]:
        """One chip-select window."""
        return list(self._transfer(bytes(data)))


def _stand_in(name: str) -> ModuleType:
    module = ModuleType(name)
    module.__doc__ = "Stands in while another package is imported; never used afterwards."
    if name == "RPi.GPIO":
        for number, constant in enumerate(("BOARD", "BCM", "OUT", "IN", "PUD_UP", "FALLING"), start=10):
            setattr(module, constant, number)
    if name == "spidev":
        module.SpiDev = type("SpiDev", (), {})  # type: ignore[attr-defined]
    return module


def _imports(name: str) -> bool:
    """Whether the real module can be imported; what a failed attempt left behind is removed."""
    before = set(sys.modules)
    try:
        importlib.import_module(name)
    except Exception:
        # Another's module fails at import as it likes, and all of it means that a stand-in is needed. RuntimeError:
        # "This module can only be run on a Raspberry Pi!"; OSError: no /dev/mem, or lgpio, on which rpi-lgpio stands,
        # may not write to the working directory; lgpio also has an error class of its own, which cannot be named
        # here without importing it.
        for left in set(sys.modules) - before:
            if left.split(".")[0] == name.split(".")[0]:
                del sys.modules[left]
        return False
    return True


def load(name: str = "mfrc522") -> ModuleType:
    """Import one of the MFRC522 packages (`mfrc522`, `pirc522`) as it is, with stand-ins where needed."""
    with _import_lock:
        placed: list[str] = []
        try:
            if name not in sys.modules:
                if not _imports("spidev"):
                    sys.modules["spidev"] = _stand_in("spidev")
                    placed.append("spidev")
                if not _imports("RPi.GPIO"):
                    parent = _stand_in("RPi")
                    parent.__path__ = []
                    child = _stand_in("RPi.GPIO")
                    parent.GPIO = child  # type: ignore[attr-defined]
                    sys.modules["RPi"], sys.modules["RPi.GPIO"] = parent, child
                    placed += ["RPi", "RPi.GPIO"]
            return importlib.import_module(name)
        except ImportError as error:
            raise HardwareError(
                f"the Python package {name} cannot be imported ({error}); install it with"
                f" 'pip install --no-deps {'pi-rc522' if name == 'pirc522' else 'mfrc522==0.0.7'}'"
            ) from error
        finally:
            for module in placed:
                del sys.modules[module]


def make_access(spi: Spi) -> RegisterAccess:
    """An `mfrc522.MFRC522` object over our wires, made without its constructor."""
    cls: Any = load("mfrc522").MFRC522
    access: Any = object.__new__(cls)
    access.spi = SpiHandle(spi)
    result: RegisterAccess = access
    return result

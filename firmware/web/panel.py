"""What a builder wants to see and to break: the readers' last sightings, latencies, faults.

Public form: how many tags a reader sees and how it is; which tags, only the arbiter may know.
"""

from dataclasses import dataclass, field

from engine.observations import Placed
from firmware.web.errors import NotAllowedError
from firmware.web.messages import Fault
from firmware.web.rig import Rig
from firmware.web.show import Json
from hardware.looks import Look

DEAD = 0x00
"""What a chip without power answers to everything."""


@dataclass(slots=True)
class _Seen:
    """The latest of one reader."""

    at: float = 0.0
    took_s: float = 0.0
    tags: tuple[str, ...] = ()
    sighted: float | None = None
    last: str = ""


@dataclass(slots=True)
class Watch:
    """Listens to looks and verdicts."""

    rig: Rig
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _latency_s: float | None = None
    _faults: dict[tuple[str, str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rig.table.on_look.append(self.look)

    def look(self, look: Look) -> None:
        """A reader has looked."""
        seen = self._seen.setdefault(look.reader, _Seen())
        seen.at, seen.took_s = look.ended, look.ended - look.began
        if look.present:
            seen.sighted, seen.last = look.ended, look.present[-1]
        gone = set(look.silent)
        kept = [uid for uid in seen.tags if uid not in gone and uid not in look.present]
        seen.tags = (*kept, *look.present)[-8:]

    def judged(self, placed: Placed) -> None:
        """A card was judged; from its first contact to the verdict is the latency that players feel."""
        if placed.contact is not None:
            self._latency_s = placed.t - placed.contact

    def broken(self, fault: Fault) -> None:
        """Remember a fault, so that the page shows its switch as it is."""
        self._faults[(fault.what, fault.name)] = fault.level

    def faults(self) -> list[Json]:
        """All that is broken now."""
        return [{"what": w, "name": n, "level": level} for (w, n), level in self._faults.items() if level]

    def told(self, everything: bool) -> Json:
        """All readers. Times in whole milliseconds: finer ones tell of the tags."""
        pollers, now = self.rig.table.pollers, self.rig.table.loop.now
        readers: list[Json] = []
        for antenna in self.rig.table.layout.readers:
            seen = self._seen.get(antenna.reader, _Seen())
            row: Json = {
                "reader": antenna.reader,
                "zone": antenna.zone,
                "bus": antenna.bus,
                "state": pollers.poller(antenna.reader).health(antenna.reader).state.value,
                "tags": len(pollers.poller(antenna.reader).known(antenna.reader)),
                "sighted_s": None if seen.sighted is None else round(max(0.0, now - seen.sighted), 1),
            }
            if everything:
                row["look_ms"] = round(1000 * seen.took_s, 1)
                row["uid"] = seen.last
            readers.append(row)
        latency = None if self._latency_s is None else round(1000 * self._latency_s)
        return {"now": round(now, 1), "readers": readers, "latency_ms": latency}


def break_it(rig: Rig, fault: Fault) -> None:
    """Break something of the emulated table, or make it whole again. Raises `NotAllowedError`."""
    match fault.what:
        case "dead-screen":
            _break_screen(rig, fault)
            return
        case "drop" | "noise" | "dead-reader":
            chips = rig.table.chips
            if fault.name and fault.name not in chips:
                raise NotAllowedError("no-device")
            for chip in [chips[fault.name]] if fault.name else chips.values():
                if fault.what == "drop":
                    chip.faults.drop = fault.level
                elif fault.what == "noise":
                    chip.faults.noise = fault.level
                else:
                    chip.faults.stuck = DEAD if fault.level else None
        case _:
            raise NotAllowedError("no-device")


def _break_screen(rig: Rig, fault: Fault) -> None:
    stage = rig.stage
    chip = stage.chips.get(fault.name)
    if chip is None:
        raise NotAllowedError("no-device")
    for wire in stage.wires.values():
        for address, attached in wire.chips.items():
            if attached is chip and fault.level:
                wire.silent.add(address)
                chip.power_up()  # it lost its supply: dark
            elif attached is chip:
                wire.silent.discard(address)

"""The sweep: how long until a card that was put down is sighted, and placed, on tables of many readers.

Half of the readers hold a resting card, as on a table in play; cards are put on the others at random moments.
*Sighted*: the look that found the card is handed out. *Placed*: presence lets it through, after 150 ms of dwell.
*Span*: from when the reader was last known not to hold the card to its first answer; it touched in between.
All times are virtual, at 60 us a call and 4 MHz, chip selects by the kernel (its `cs-gpios` overlays).
"""

from random import Random
from typing import Any

from engine.zones import ZoneKind
from firmware.deck import Deck, emulated_uid
from firmware.layout import Antenna, Layout, Zone
from firmware.order import Cluster
from firmware.presence import Placed
from firmware.rig import Physics, VirtualTable, build_readers
from firmware.senses import Senses
from hardware.looks import Look
from hardware.twin.spibus import Costs

Figures = list[dict[str, Any]]

READERS = (1, 2, 4, 8, 16, 24)
BUSES = (1, 2)
SAMPLES = 80
HOLD_S = 0.30
REST_S = 0.90
"""From one card on a reader to the next one there."""
CALL_US = 60
PACE_S = 2e-3
"""A bus with many readers never rests; one with few may."""
PHYSICS = Physics(costs=Costs(call_s=CALL_US * 1e-6), gpio_select=False, pace_s=PACE_S)


def measure() -> Figures:
    """One entry for each number of readers and buses, alone and in groups of two."""
    return [
        one(readers, buses, grouped)
        for readers in READERS
        for buses in BUSES
        for grouped in (False, True)
        if readers >= buses and (readers >= 2 * buses or not grouped)
    ]


def one(readers: int, buses: int, grouped: bool) -> dict[str, Any]:
    """The figures of one table."""
    run = _Run(readers, buses, grouped)
    run.play()
    sighted, placed, spans = sorted(run.sighted), sorted(run.placed), sorted(run.spans)
    return {
        "readers": readers,
        "buses": buses,
        "group": 2 if grouped else 1,
        "call_us": CALL_US,
        "samples": len(sighted),
        "sighting_p50_ms": _percentile(sighted, 0.50),
        "sighting_p99_ms": _percentile(sighted, 0.99),
        "placed_p99_ms": _percentile(placed, 0.99),
        "span_p50_ms": _percentile(spans, 0.50),
        "span_p99_ms": _percentile(spans, 0.99),
    }


def lines(found: Figures) -> list[str]:
    """The figures as a table."""
    out = ["sweep: half the readers hold a card; ms from card down to sighted, and to placed (dwell 150 ms)"]
    out.append("readers buses group  sighted p50     p99  placed p99  span p50     p99")
    out += [
        f"{f['readers']:7d} {f['buses']:5d} {f['group']:5d} {f['sighting_p50_ms']:12.1f} "
        f"{f['sighting_p99_ms']:7.1f} {f['placed_p99_ms']:11.1f} {f['span_p50_ms']:9.1f} {f['span_p99_ms']:7.1f}"
        for f in found
    ]
    return out


class _Run:
    """One table and the cards put on it."""

    def __init__(self, readers: int, buses: int, grouped: bool) -> None:
        names = [f"r{n}" for n in range(readers)]
        antennas = []
        for n, name in enumerate(names):
            group = f"bus{n % buses}-{n // buses // 2}" if grouped else None
            antennas.append(Antenna(name, name, f"bus{n % buses}", group))
        layout = Layout(tuple(Zone.usual(name, ZoneKind.SPREAD) for name in names), tuple(antennas))
        resting = names[1::2]
        self._free = names[0::2]
        cards = [f"rest-{name}" for name in resting] + [f"card{n}" for n in range(SAMPLES)]
        uids = [emulated_uid(n) for n in range(1, len(cards) + 1)]
        self.table: VirtualTable = build_readers(layout, Deck(dict(zip(uids, cards, strict=True)), {}), PHYSICS)
        self._senses = Senses(layout, self.table.pollers)
        self._wake = self.table.loop.add(self)
        self.table.on_look.append(self._look)
        for name in resting:
            self.table.field.put(self.table.tags[f"rest-{name}"], name, 0.2)
        self._put: dict[str, float] = {}
        self.sighted: list[float] = []
        self.placed: list[float] = []
        self.spans: list[float] = []

    def play(self) -> None:
        """Put every card on a free reader at a random moment, and take it away again."""
        random, at = Random(1), 1.0
        last = dict.fromkeys(self._free, 0.0)
        for n in range(SAMPLES):
            reader = min(self._free, key=lambda name: (last[name], random.random()))
            at = max(at + random.uniform(0.02, 0.12), last[reader] + REST_S)
            last[reader] = at
            tag = self.table.tags[f"card{n}"]
            self.table.field.put(tag, reader, at)
            self.table.field.take(tag, at + HOLD_S)
            self._put[tag.uid_hex] = at
        self.table.loop.run_to(at + 1.0)

    def step(self, now: float) -> float | None:
        """The machine: what is placed by now."""
        clusters, wake = self._senses.advance(now)
        for cluster in clusters:
            self._note(cluster, now)
        return wake

    def _note(self, cluster: Cluster, now: float) -> None:
        for event in cluster:
            if isinstance(event, Placed) and event.uid in self._put:
                self.placed.append(now - self._put[event.uid])
                if event.after is not None:
                    self.spans.append(event.contact - event.after)

    def _look(self, look: Look) -> None:
        for uid, _ in look.contacts:
            if uid in self._put:
                self.sighted.append(look.ended - self._put[uid])
        self._senses.look(look)
        self._wake(look.ended)


def _percentile(values: list[float], share: float) -> float:
    return round(values[min(len(values) - 1, int(share * len(values)))] * 1e3, 2) if values else float("nan")

"""The sweep that a plan promises is the one the emulated chips keep."""

from itertools import pairwise

import pytest

from engine.zones import ZoneKind
from firmware.config import parse_table
from firmware.config.budgets import budgets
from firmware.deck import Deck
from firmware.layout import Layout, Zone, pace_s
from firmware.rig import Physics, build_readers
from hardware.looks import Look
from hardware.twin.spibus import Costs

CALL_S = 60e-6
PINS = (4, 5, 6, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)


def table_toml(readers: int, group: int, *, by_gpio: bool) -> str:
    """So many readers on spi0, `group` of them in each group (1: alone)."""
    parts = ['[[zone]]\nname = "discard"\n']
    for n in range(readers):
        select = str(PINS[n]) if by_gpio else f'"CE{n}"'
        text = f'[[reader]]\nname = "r{n}"\nzone = "discard"\ndriver = "mfrc522"\nbus = "spi0"\nselect = {select}\n'
        parts.append(text + (f'group = "g{n // group}"\n' if group > 1 else ""))
    return "\n".join(parts)


def measured_ms(layout: Layout, *, by_gpio: bool) -> float:
    """The mean time from look to look on an empty table of twins."""
    spread = Layout(tuple(Zone.usual(zone.name, ZoneKind.SPREAD) for zone in layout.zones), layout.readers)
    pace = pace_s(len(layout.readers))
    twins = build_readers(spread, Deck({}, {}), Physics(costs=Costs(call_s=CALL_S), gpio_select=by_gpio, pace_s=pace))
    began: dict[str, list[float]] = {}

    def on_look(look: Look) -> None:
        began.setdefault(look.reader, []).append(look.began)

    twins.on_look.append(on_look)
    twins.loop.run_to(2.0)
    spans = [b - a for times in began.values() for a, b in pairwise(times) if a > 1.0]
    return sum(spans) / len(spans) * 1e3


@pytest.mark.parametrize(
    ("readers", "group", "by_gpio"),
    [
        (1, 1, False), (2, 1, False), (2, 2, False),
        (1, 1, True), (4, 1, True), (5, 1, True), (9, 1, True), (14, 1, True),
        (2, 2, True), (4, 2, True), (6, 3, True), (8, 4, True),
    ],
)  # fmt: skip
def test_the_promised_sweep_is_the_measured_one_within_a_tenth(readers: int, group: int, by_gpio: bool) -> None:
    table = parse_table(table_toml(readers, group, by_gpio=by_gpio), "t")
    ((bus, count, promised_ms),) = budgets(table).sweeps_ms
    assert (bus, count) == ("spi0", readers)
    assert promised_ms == pytest.approx(measured_ms(table.layout(), by_gpio=by_gpio), rel=0.1)

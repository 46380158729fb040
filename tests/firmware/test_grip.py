"""What hands do on emulated readers is what the firmware can see (the design's "Stacks")."""

from collections.abc import Sequence

import pytest

from engine.games import SPECS, referee_for
from engine.observations import Lifted, Observation, Placed
from engine.rulings import Ruling
from engine.setup import Setup
from firmware.deck import emulated_deck
from firmware.demo import Variant, kinds_for, table_for
from firmware.grip import Grip
from firmware.recordfile import Lines
from firmware.rig import Physics, build_table
from firmware.simulator.deeds import Put, Take

TIFO = SPECS["tifo"]


@pytest.mark.parametrize("top", [1, 2])
def test_a_card_taken_out_from_under_another_and_laid_on_top_again_is_seen_to_come_anew(top: int) -> None:
    setup = Setup(TIFO, 2, zones=kinds_for(TIFO, 2, Variant.FULL))
    layout = table_for(TIFO, 2, Variant.FULL).layout
    table = build_table(referee_for(setup), layout, emulated_deck(TIFO.pack(2)), Lines(), Physics(top=top))
    grip = Grip(table)
    assert table.controller is not None
    seen: list[tuple[str, str]] = []

    def hear(observation: Observation, rulings: Sequence[Ruling]) -> None:
        if isinstance(observation, Placed | Lifted):
            seen.append((type(observation).__name__.lower(), observation.card))

    table.controller.on_rulings.append(hear)
    table.loop.run_to(0.5)
    for action in (
        Put(1, "discard", "greve#1"),
        Put(2, "discard", "ola#1"),
        Take(2, "discard", "greve#1"),
        Put(2, "discard", "greve#1"),
    ):
        grip.act(action, grip.reach())
        table.loop.run_to(table.loop.now + 2.0)
    assert [card for kind, card in seen if kind == "placed"] == ["greve#1", "ola#1", "ola#1", "greve#1"]
    assert ("lifted", "greve#1") in seen

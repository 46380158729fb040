"""The live view of a table that is not moved from here (`arbitre play GAME --web`): the same page, without a hand."""

from typing import Any

import pytest

from engine.games import referee_for
from firmware.deck import emulated_deck
from firmware.demo import Variant, table_for
from firmware.recordfile import Lines
from firmware.rig import Physics, VirtualTable, build_table
from firmware.web.live import serve_beside
from firmware.web.rig import Game

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> VirtualTable:
    """A table for two whose cards the test moves, as hands would."""
    setup = Game("tifo", 2, 1).setup()
    layout = table_for(setup.spec, 2, Variant.FULL).layout
    return build_table(referee_for(setup), layout, emulated_deck(setup.spec.pack(2)), Lines(), Physics())


def test_the_live_view_shows_what_happens_on_the_table_and_moves_nothing(table: VirtualTable, tab: Any) -> None:
    assert table.controller is not None
    link = serve_beside(table.controller, "en", "127.0.0.1", 0)
    tab.go(link)
    tab.says("[data-key='live']", "A real table, live")
    for card, reader, at in (("voile#1", "draw/1", 0.6), ("greve#1", "seat2/1", 1.0), ("crs#1", "seat1/1", 2.0)):
        table.field.put(table.tags[card], reader, at)
        if reader == "draw/1":
            table.field.take(table.tags[card], at + 0.15)
    table.loop.run_to(3.0)
    tab.until('document.querySelector(\'[data-zone="seat2"] [data-key="c:greve#1"]\')')
    tab.until("document.querySelector('[data-zone=\"seat1\"] .card.bad')")  # a card out of turn, for all to see
    tab.until("document.querySelector('#log li.refused')")
    tab.until("document.querySelector('canvas[data-screen=\"all\"]').dataset.lit === 'true'")
    assert "VOILE" not in tab.text("body")
    assert "GIANT FLAG" not in tab.text("body"), "a drawn card is nobody's business"
    movable = "button.card, button.stack, [data-push], [data-do='new'], [data-do='step'], .hand, .mend"
    assert tab.count(movable) == 0
    tab.key("d")
    tab.click("[data-do='panel']")
    tab.until("document.querySelector('#tail')?.innerText.includes('attack')")
    assert tab.count("[data-fault], [data-load='all'], #everything") == 0
    table.field.take(table.tags["crs#1"], 3.2)
    table.loop.run_to(4.0)
    tab.until("!document.querySelector('.bad')")

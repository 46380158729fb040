"""Nothing moves beneath the pointer: what appears for a moment has its room, or lies over the table."""

import json
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

MY_DRAW = "document.querySelector('.pile.hot button.stack')"
FIXED = ".seat, .zone, .stack:not(.fanned), .oled, .log, .key, .keys, .hand, .bar, #felt, #others, #middle, #mine"
PLACES = f"""[...document.querySelectorAll({json.dumps(FIXED)})].map(e => {{ const b = e.getBoundingClientRect();
    const name = e.dataset.key ?? (e.id || e.className);
    return [name, ...[b.left, b.top, b.width, b.height].map(Math.round)].join(' '); }})"""
CARDS = """[...document.querySelectorAll('.hand .card')].map(e =>
    [e.dataset.key, e.offsetLeft, e.offsetTop, e.offsetWidth].join(' '))"""
"""Where the cards of the hand are laid out, the flight and the lift of a card aside."""
SIZES = [(1280, 800, False), (390, 844, True), (844, 390, True)]
WITH_OLA = "1"


def moved(tab: Any, before: list[str]) -> list[str]:
    """What is no longer where it was; what is new counts for nothing."""
    now = tab.eval(PLACES)
    names = {place.rsplit(" ", 4)[0] for place in now}
    return [place for place in before if place.rsplit(" ", 4)[0] in names and place not in now]


def pick(tab: Any, card: str) -> None:
    """Take a card up with one click."""
    tab.click(f".hand [data-card='{card}']")
    tab.until("document.querySelector('.hand [aria-pressed=true]')")


def discard(tab: Any, card: str) -> None:
    """Two clicks; the card lies there."""
    pick(tab, card)
    tab.click("[data-drop='discard']")
    tab.until(f'document.querySelector(\'[data-zone="discard"] [data-key="c:{card}"]\')')


@pytest.mark.parametrize(("width", "height", "touch"), SIZES)
def test_a_card_that_is_picked_up_and_an_ola_move_nothing(
    tab: Any, serve: Callable[..., Any], width: int, height: int, touch: bool
) -> None:
    tab.size(width, height, touch=touch)
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", WITH_OLA, "--pace", "quick", "--lang", "fr").link)
    tab.draw()
    still, cards = tab.eval(PLACES), tab.eval(CARDS)
    olas = sorted(card for card in tab.hand() if card.startswith("ola"))
    pick(tab, olas[0])
    tab.until("document.querySelectorAll('.target').length >= 3")
    assert moved(tab, still) == []
    assert tab.eval(CARDS) == cards
    tab.click("[data-drop='discard']")
    tab.until("document.querySelector('.rob')")
    assert moved(tab, still) == [], "the button that robs lies over the seat"
    tab.click(".rob")
    tab.until("document.querySelectorAll('.hand [data-card]').length === 9 && !document.querySelector('.rob')")
    discard(tab, next(c for c in tab.hand() if c.split("#")[0] in ("mediation", "identite", "crs")))
    tab.draw()
    assert moved(tab, still) == [], "a whole round of turns has moved nothing"
    discard(tab, olas[1])
    tab.until("document.querySelector('.stack.fanned')")
    assert moved(tab, still) == [], "the discard is spread over what lies beside it"


@pytest.mark.parametrize(("width", "height", "touch"), SIZES)
def test_a_wrong_card_and_what_is_said_of_it_move_nothing(
    tab: Any, serve: Callable[..., Any], width: int, height: int, touch: bool
) -> None:
    tab.size(width, height, touch=touch)
    tab.go(serve("--game", "tifo", "--seats", "4", "--seed", "3", "--pace", "quick", "--lang", "fr").link)
    tab.until(MY_DRAW)
    still = tab.eval(PLACES)
    discard(tab, tab.hand()[0])  # not drawn yet
    tab.until("document.querySelector('.pile.bad .mend')")
    tab.until("document.querySelector('#hint').innerText.startsWith('Ce coup')")
    assert moved(tab, still) == []
    box = tab.eval(
        "(() => { const b = document.querySelector('.mend').getBoundingClientRect(); return [b.left, b.right]; })()"
    )
    assert 0 <= box[0] < box[1] <= width
    tab.click(".mend")
    tab.until("!document.querySelector('.bad')")
    assert moved(tab, still) == []


@pytest.mark.parametrize(("width", "height", "touch"), SIZES)
def test_keys_keep_their_places_whatever_is_written_on_them(
    tab: Any, serve: Callable[..., Any], width: int, height: int, touch: bool
) -> None:
    tab.size(width, height, touch=touch)
    tab.go(serve("--game", "tipouik", "--seats", "3", "--seed", "5", "--pace", "quick", "--lang", "fr").link)
    tab.until("document.querySelector('#turn.go')")
    still = tab.eval(PLACES)
    card = tab.hand()[0]
    pick(tab, card)
    tab.click("[data-drop='seat1']")
    tab.until("!document.querySelector('.key.ok').innerText.includes('passe')")
    assert moved(tab, still) == []


def test_all_of_a_full_table_is_in_sight_at_every_usual_size(tab: Any, serve: Callable[..., Any]) -> None:
    """A card is not put where one would have to scroll first."""
    tab.go(serve("--game", "tifo", "--seats", "6", "--seed", "3", "--lang", "ru").link)
    tab.until(MY_DRAW)
    hidden = (
        "(() => { const felt = document.querySelector('#felt'); return felt.scrollHeight - felt.clientHeight; })()"
    )
    for width, height, touch in (*SIZES, (1366, 650, False), (1920, 950, False), (1920, 1080, False)):
        tab.size(width, height, touch=touch)
        tab.until(f"innerWidth === {width} && innerHeight === {height}")
        assert tab.eval(hidden) <= 8, (width, height)


@pytest.mark.parametrize(("width", "height", "touch"), SIZES)
def test_a_card_taken_back_in_a_race_moves_nothing(
    tab: Any, serve: Callable[..., Any], width: int, height: int, touch: bool
) -> None:
    tab.size(width, height, touch=touch)
    tab.go(
        serve("--game", "tfu", "--seats", "2", "--seed", "3", "--pace", "quick", "--speed", "4", "--lang", "fr").link
    )
    tab.until("document.querySelector('#turn.go')")  # all is laid out, the other has called, a spare card is owed
    still = tab.eval(PLACES)
    card = tab.eval("document.querySelector('#mine [data-card]:not([data-card=spare])').dataset.card")
    tab.drag(f"#mine [data-card='{card}']", "[data-zone='centre1']")
    tab.until("document.querySelector('.mend')")
    tab.click(".mend")
    tab.until(f"document.querySelector('.hand [data-card=\"{card}\"]')")
    places = {place for place in moved(tab, still) if not place.startswith("zone:seat")}  # columns lost a card
    assert places <= {place for place in still if place.startswith("hand ")}

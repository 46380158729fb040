"""People at one table: a second seat by its link, an OLA, house rules and rounds, keys alone for every action."""

import json
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

MY_DRAW = "document.querySelector('.pile.hot button.stack')"
WITH_OLA = "1"


def discard(tab: Any, card: str) -> None:
    """Drag a card to the discard; it is there."""
    tab.drag(f".hand [data-card='{card}']", "[data-zone='discard']")
    tab.until(f'document.querySelector(\'[data-zone="discard"] [data-key="c:{card}"]\')')


def tame(cards: list[str]) -> str:
    """A card that one may do without."""
    return next(c for c in cards if c.split("#")[0] in ("mediation", "identite", "crs"))


def test_a_second_player_sits_down_by_his_link_and_both_play(
    browser: Any, tab: Any, serve: Callable[..., Any]
) -> None:
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", "3", "--lang", "en").link)
    tab.click("[data-do='invite']")
    link = tab.until(
        "[...document.querySelectorAll('.links code')].find(e => e.innerText.includes('seat=2'))?.innerText"
    )
    tab.key("Escape")
    other = browser.tab()
    other.size(390, 844, touch=True)
    other.go(link)
    mine, theirs = tab.hand(), other.hand()
    assert len(mine) == len(theirs) == 8
    assert not set(mine) & set(theirs)
    tab.until("document.querySelector('[data-seat=\"2\"] .tag')?.innerText === 'human'")
    for actor, watcher, seat in ((tab, other, 1), (other, tab, 2), (tab, other, 1)):
        actor.call("Page.bringToFront")
        actor.draw()
        card = tame(actor.hand())
        discard(actor, card)
        watcher.until(f'document.querySelector(\'[data-zone="discard"] [data-key="c:{card}"]\')')
        watcher.until(f"document.querySelector('#log').innerText.includes('Player {seat}')")
    assert tab.count(".zone.bad, .pile.bad") == 0
    assert other.errors == []
    other.close()


def test_an_ola_robs_and_another_swaps(tab: Any, serve: Callable[..., Any]) -> None:
    options = ("--game", "tifo", "--seats", "2", "--seed", WITH_OLA, "--pace", "quick", "--lang", "en")
    tab.go(serve(*options).link)
    # Seat 1 holds one OLA and draws another. The first robs; the card played after it is the bot's to answer.
    tab.draw()
    before = set(tab.hand())
    first, second = sorted(c for c in before if c.startswith("ola"))
    discard(tab, first)
    tab.until("document.querySelector('.rob')")
    tab.says("#hint", "rob")
    tab.click(".rob")
    tab.until(f"document.querySelectorAll('.hand [data-card]').length === {len(before)}")
    assert len(set(tab.hand()) - before) == 1
    tab.until("!document.querySelector('.rob') && document.querySelector('#turn.go')")
    discard(tab, tame(tab.hand()))
    # Next turn: the last discard lies beneath the OLA, and is taken by lifting it.
    tab.draw()
    last = tab.eval(
        '[...document.querySelectorAll(\'[data-zone="discard"] [data-key^="c:"]\')].at(-1).dataset.key.slice(2)'
    )
    discard(tab, second)
    tab.until("document.querySelector('.stack.fanned')")
    tab.until(f'document.querySelector(\'[data-zone="discard"] [data-card="{last}"]\')')
    tab.click(f"[data-zone='discard'] [data-card='{last}']")
    tab.click(".hand .target")
    tab.until(f"document.querySelector('.hand [data-card=\"{last}\"]')")
    tab.until("!document.querySelector('.stack.fanned') && document.querySelector('#turn.go')")
    assert tab.count(".zone.bad, .pile.bad") == 0


def test_two_rounds_are_chosen_in_the_dialog_and_the_hand_is_shown_between_them(
    tab: Any, serve: Callable[..., Any]
) -> None:
    tab.go(
        serve(
            "--game", "tipouik", "--seats", "3", "--seed", "9", "--pace", "quick", "--speed", "8", "--lang", "fr"
        ).link
    )
    tab.click("[data-do='new']")
    tab.until("document.querySelector('#dialog [name=rounds]')")
    for name, value in (("rounds", "2"), ("final_window_s", "0"), ("seed", "4"), ("speed", "8"), ("pace", "quick")):
        tab.eval(f"void (document.querySelector('#dialog [name={name}]').value = '{value}')")
    tab.click("#dialog .go")
    tab.until("document.querySelectorAll('.hand [data-card]').length === 11")
    # I open if I must, and pass at every turn, until hands are counted.
    moment = """document.querySelector('[data-do="show"]') ? 'show' : document.querySelector('#turn.go') ? 'pass'
        : document.querySelector('#hint')?.innerText.startsWith('Qui a le 1')
            && document.querySelector('.hand [data-card^="1#1"]') ? 'open' : ''"""
    while (now := tab.until(moment)) != "show":
        told = tab.eval("document.querySelector('#log li:last-child')?.dataset.key ?? ''")
        if now == "open":
            tab.click(".hand [data-card='1#1']")
            tab.click("[data-drop='seat1']")
        else:
            tab.click("[data-push='seat1.ok']")
        tab.until(f"(document.querySelector('#log li:last-child')?.dataset.key ?? '') !== {json.dumps(told)}")
    tab.click("[data-do='show']")
    tab.until("!document.querySelector('.hand [data-card]')")
    tab.click("[data-push='seat1.ok']")
    tab.until("document.querySelectorAll('.hand [data-card]').length === 11")
    tab.until("document.querySelector('[data-seat=\"2\"] .tag.points')")
    tab.until("document.querySelector('#turn').innerText.includes('Manche 2 sur 2')")


def test_keys_alone_place_lift_and_move_between_zones_and_press_each_button(
    tab: Any, serve: Callable[..., Any]
) -> None:
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", "3", "--pace", "quick", "--lang", "en").link)
    tab.until(MY_DRAW)
    tab.key("d")
    tab.until(f"document.querySelectorAll('.hand [data-card]').length === 9 && !{MY_DRAW}")
    card = next(c for c in tab.hand() if c.split("#")[0] in ("greve", "controle", "baston"))

    def go_to(wanted: str) -> None:
        """Tab until an element has the focus, which one can see."""
        tab.there(wanted)
        for _ in range(80):
            if tab.eval(f"document.activeElement.matches({json.dumps(wanted)})"):
                assert tab.eval("getComputedStyle(document.activeElement).outlineStyle") == "solid", wanted
                return
            tab.key("Tab")
        raise AssertionError(f"Tab never comes to {wanted}")

    def drop_on(zone: str) -> None:
        """Arrows until a zone has the focus, then Enter."""
        tab.until("document.activeElement.matches('[data-drop]')")
        for _ in range(10):
            if tab.eval("document.activeElement.dataset.drop") == zone:
                tab.key("Enter")
                return
            tab.key("ArrowRight")
        raise AssertionError(f"the arrows never come to {zone}")

    # Put wrongly before me, told, moved on to the opponent.
    go_to(f".hand [data-card='{card}']")
    tab.key("Enter")
    drop_on("seat1")
    tab.until("document.querySelector('[data-zone=\"seat1\"].bad')")
    tab.says("#assertive", "An attack goes in front of an opponent")
    go_to(f"[data-zone='seat1'] [data-card='{card}']")
    tab.key("Enter")
    drop_on("seat2")
    tab.until(f'document.querySelector(\'[data-zone="seat2"] [data-key="c:{card}"]\')')
    tab.until("!document.querySelector('.bad')")
    tab.until("document.querySelector('#log li.corrected')")
    # A wrong card again, lifted into the hand by the button beside it.
    tab.until(MY_DRAW)
    tab.key("d")
    tab.until(f"document.querySelectorAll('.hand [data-card]').length === 9 && !{MY_DRAW}")
    wrong = next(
        c for c in tab.hand() if c.split("#")[0] in ("greve", "controle", "baston", "locaux", "fumis-interdits")
    )
    go_to(f".hand [data-card='{wrong}']")
    tab.key("Enter")
    drop_on("seat1")
    go_to(".mend")
    tab.key("Enter")
    tab.until(f"document.querySelector('.hand [data-card=\"{wrong}\"]') && !document.querySelector('.bad')")
    # Each button of the seat, by Tab and by its letter.
    for role, letter in (("call", "c"), ("ok", "o"), ("next", "n")):
        go_to(f"[data-push='seat1.{role}']")
        pushed = """(() => { window.pushed = []; const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) { window.pushed.push(text); send.call(this, text); }; })()"""
        tab.eval(pushed)
        tab.key("Enter")
        tab.key(letter)
        wanted = json.dumps({"do": "push", "button": f"seat1.{role}"}, separators=(",", ":"))
        tab.until(f"window.pushed.filter(text => text === {json.dumps(wanted)}).length >= 2")

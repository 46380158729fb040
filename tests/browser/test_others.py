"""Tipouik and Тьфу! in the browser."""

import json
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

BLUFFER = "14"
WORDS = {"fr": ("Bluff", "PROUVE-LE"), "ru": ("Обман", "ДОКАЖИ"), "en": ("Bluff", "PROVE IT")}


@pytest.mark.parametrize("lang", ["fr", "ru", "en"])
def test_a_bluff_is_caught_and_settled(lang: str, tab: Any, serve: Callable[..., Any]) -> None:
    options = ("--game", "tipouik", "--seats", "3", "--seed", BLUFFER, "--pace", "step", "--lang", lang)
    tab.go(serve(*options).link)
    bluff, call = WORDS[lang]
    tab.says(".key.call", call)
    # The bots play one deed at a time; at the first pose that may be challenged, we do.
    for _ in range(12):
        told = tab.count("#log li")
        tab.click("[data-do='step']")
        tab.until(f"document.querySelectorAll('#log li').length > {told}")
        if tab.count(".key.call.hot"):
            break
        if tab.count("#turn.go"):
            tab.click("[data-push='seat1.ok']")
            tab.until("!document.querySelector('#turn.go')")
    backs = tab.count("[data-anchor='pose'] .card.back")
    assert backs >= 1
    assert tab.count("[data-anchor='pose'] [data-key^='c:']") == 0, "a pose lies face down"
    held = tab.count(".hand [data-card]")
    tab.click("[data-push='seat1.call']")
    tab.until(f'document.querySelectorAll(\'[data-anchor="pose"] [data-key^="c:"]\').length === {backs}')
    tab.says("#log", bluff)
    # The bluffer takes his cards back, and I give him one of mine, face down.
    tab.click("[data-do='step']")
    tab.until("document.querySelector('#turn.go')")
    gift = tab.eval("document.querySelector('.hand [data-card]').dataset.card")
    tab.click(f".hand [data-card='{gift}']")
    tab.click("[data-drop^='give:']")
    tab.there(".hand [data-card]", held - 1)
    tab.there(f".hand [data-card='{gift}']", 0)
    assert tab.count(".bad") == 0


PLAY = """(() => {
    const ranks = 'A 2 3 4 5 6 7 8 9 10 J Q K'.split(' ');
    const rank = (card) => ranks.indexOf(card.slice(0, -1));
    const open = document.querySelectorAll('#mine .column [data-card], .hand [data-card]');
    const piles = document.querySelectorAll('.middle .stack');
    for (const mine of open) for (const pile of piles) {
        const top = [...pile.querySelectorAll('[data-key^="c:"]')].at(-1)?.dataset.key.slice(2);
        if (mine.dataset.card === 'spare' || !top) continue;
        if ([1, 12].includes(Math.abs(rank(mine.dataset.card) - rank(top))))
            return `${mine.dataset.card} ${pile.dataset.zone}`;
    } return ''; })()"""
LEFT = "document.querySelector('[data-key=\"zone:spare\"] .name').innerText"
MOMENT = f"""document.querySelector('#log li.over') ? 'over' : document.querySelector('.mend') ? 'wrong'
    : document.querySelector('#turn.go') ? 'owes ' + {LEFT} : {PLAY}"""
"""What there is to do. A spare card is counted: when all lie there, the next may be owed at once."""


def test_a_round_of_tfu_is_played(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve("--game", "tfu", "--seed", "3", "--pace", "brisk", "--speed", "2", "--lang", "ru").link)
    put = 0
    while (now := tab.until(MOMENT)) != "over":
        other = f"({MOMENT}) !== {json.dumps(now)}"  # nobody waits for anybody in this game
        if now == "wrong":
            tab.click(".mend", other)
        elif now.startswith("owes"):
            put += tab.click("[data-card='spare']", other)
        else:
            card, zone = now.split()
            put += tab.drag(f"[data-card='{card}']", f"[data-zone='{zone}']", other)
        tab.until(other)
    assert put >= 3
    tab.there("#log li.over")

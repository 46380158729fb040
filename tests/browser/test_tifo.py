"""TIFO in the browser: a whole game by dragging, illegal plays put right, three languages, keyboard, a finger."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

TIFO = ("capo", "echarpe", "voile", "mats", "fumis")
PARADES = {
    "avocat": {"interdit"},
    "mediation": {"greve", "fumis-interdits", "locaux"},
    "identite": {"controle"},
    "crs": {"baston"},
    "mastre": {"greve", "controle", "baston", "fumis-interdits", "locaux"},
}
SEED = "3"


def kind(card: str) -> str:
    return card.split("#")[0]


def decide(hand: list[str], zone: list[str]) -> tuple[str, str] | None:
    """A legal play of a simple player: card and zone; None to give up under INTERDIT."""
    there = {kind(card) for card in zone}
    attacks = there - set(TIFO)
    for card in hand:
        if PARADES.get(kind(card), set()) & attacks:
            return card, "seat1"
    if "interdit" in attacks:
        return None
    if not attacks & {"greve", "controle", "baston", "locaux"}:
        for card in hand:
            new = kind(card) in TIFO and kind(card) not in there
            if new and not (kind(card) == "fumis" and "fumis-interdits" in attacks):
                return card, "seat1"
    spare = [card for card in hand if kind(card) not in (*TIFO, "ola", "avocat")]
    return (spare or [card for card in hand if kind(card) != "ola"])[-1], "discard"


def zone_of(tab: Any, zone: str) -> list[str]:
    """The cards that lie open on a zone."""
    selector = json.dumps(f"[data-zone='{zone}'] .card[data-key^='c:']")
    return list(tab.eval(f"[...document.querySelectorAll({selector})].map(e => e.dataset.key.slice(2))"))


def in_hand(card: str) -> str:
    return f".hand [data-card='{card}']"


MY_DRAW = "document.querySelector('.pile.hot button.stack')"
OVER = "document.querySelector('.banner')"


def test_a_whole_game_is_played_by_dragging_cards(tab: Any, serve: Callable[..., Any]) -> None:
    table = serve("--game", "tifo", "--seats", "2", "--seed", SEED, "--pace", "quick", "--speed", "4", "--lang", "fr")
    tab.go(table.link)
    turns = 0
    while tab.until(f"{MY_DRAW} ? 'draw' : {OVER} ? 'over' : ''") != "over":
        tab.draw(drag=True)
        turns += 1
        play = decide(tab.hand(), zone_of(tab, "seat1"))
        if play is None:
            tab.click("[data-push='seat1.ok']")
            tab.until(OVER)
            break
        card, zone = play
        tab.drag(in_hand(card), f"[data-zone='{zone}']")
        tab.until(f"!document.querySelector({json.dumps(in_hand(card))})")
        tab.until(f"!document.querySelector('#turn.go') || {MY_DRAW} || {OVER}")
        assert tab.count(".zone.bad, .pile.bad") == 0, tab.text("#log")
    assert turns >= 3
    tab.says(".banner", "gagne")
    tab.says("[data-do='again']", "Rejouer")


@pytest.mark.parametrize(
    ("lang", "rule", "fixed"),
    [
        ("fr", "Une attaque se pose devant un adversaire.", "La faute est réparée"),
        ("ru", "Атаку кладут перед соперником.", "Ошибка исправлена"),
        ("en", "An attack goes in front of an opponent.", "The mistake is put right"),
    ],
)
def test_an_illegal_drag_is_refused_on_the_screen_and_put_right_by_lifting(
    lang: str, rule: str, fixed: str, tab: Any, serve: Callable[..., Any]
) -> None:
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", "3", "--pace", "quick", "--lang", lang).link)
    tab.draw(drag=True)
    card = next(c for c in tab.hand() if kind(c) in ("greve", "controle", "baston", "locaux"))
    shown = tab.eval(SCREEN)
    tab.drag(in_hand(card), "[data-zone='seat1']")
    tab.until("document.querySelector('[data-zone=\"seat1\"].bad')")
    tab.until("document.querySelector('#mine [data-colour=\"red\"]')")
    tab.until(f"{SCREEN} !== {json.dumps(shown)}")  # the OLED of the seat tells
    tab.says("#assertive", tab.says("#log li.refused", rule))  # a screen reader is told the same
    tab.drag(f"[data-zone='seat1'] [data-card='{card}']", ".hand")
    tab.says("#log li.corrected", fixed)
    tab.there(".zone.bad", 0)
    tab.there(in_hand(card))
    tab.there("#turn.go")  # it is still my turn


SCREEN = "document.querySelector('#mine canvas').toDataURL()"


def test_the_canvas_holds_what_the_emulated_display_holds(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", "3", "--lang", "fr").link)
    tab.until('document.querySelector(\'canvas[data-screen="all"][data-lit="true"]\')')
    told = """(() => { const c = document.querySelector('canvas[data-screen="all"]');
        const d = c.getContext('2d').getImageData(0, 0, 128, 64).data;
        return Array.from({length: 64}, (_, y) => Array.from({length: 128}, (_, x) =>
            d[(y * 128 + x) * 4] > 100 ? '#' : '.').join('')); })()"""
    rows = tab.eval(told)
    from firmware.stage.layout import pages
    from firmware.stage.picture import draw as picture
    from firmware.stage.texts import Context, start_text, title_text

    context = Context("tifo", 2, lang="fr")
    texts = title_text(context, "fr"), start_text(context, "fr", None)  # they take turns
    wanted = [picture(pages(text)[0]) for text in texts]
    drawn = [["".join("#" if w.getpixel((x, y)) else "." for x in range(128)) for y in range(64)] for w in wanted]
    assert rows in drawn


def test_a_turn_is_played_with_the_keyboard_alone(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve("--game", "tifo", "--seats", "2", "--seed", "3", "--pace", "quick", "--lang", "en").link)
    tab.until(MY_DRAW)
    for _ in range(60):
        tab.key("Tab")
        if tab.eval("document.activeElement.dataset.card === 'draw'"):
            break
    assert tab.eval("document.activeElement.getAttribute('aria-label')").startswith("Draw.")
    tab.key("Enter")
    tab.until(f"document.querySelectorAll('.hand [data-card]').length === 9 && !{MY_DRAW}")
    for _ in range(60):
        tab.key("Tab")
        if tab.eval("document.activeElement.closest('.hand') !== null"):
            break
    first = tab.eval("document.activeElement.dataset.card")
    tab.key("ArrowRight")
    assert tab.eval("document.activeElement.dataset.card") != first
    card = tab.eval("document.activeElement.dataset.card")
    tab.key("Enter")
    tab.until("document.activeElement.matches('[data-drop]')")
    assert tab.eval(f"document.querySelector('[data-card=\"{card}\"]').getAttribute('aria-pressed')") == "true"
    tab.key("Escape")
    assert tab.eval("document.activeElement.dataset.card") == card
    tab.key("Enter")
    tab.until("document.activeElement.matches('[data-drop]')")
    for _ in range(10):
        if tab.eval("document.activeElement.dataset.drop") == "discard":
            break
        tab.key("ArrowRight")
    assert "Discard" in tab.eval("document.activeElement.getAttribute('aria-label')")
    tab.key("Enter")
    tab.until(f'document.querySelector(\'[data-zone="discard"] [data-key="c:{card}"]\')')
    tab.says("#log", "Player 1 discards")


def test_everything_that_can_be_used_has_a_name(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve("--game", "tifo", "--seats", "3", "--seed", "3", "--lang", "en").link)
    tab.click("[data-do='panel']")
    tab.until("document.querySelector('#panel tbody tr')")
    nameless = """[...document.querySelectorAll('button, [role], select, input, section, canvas')]
        .filter(e => e.offsetParent && !e.closest('[aria-hidden=true], [aria-live], canvas'))
        .filter(e => !(e.getAttribute('aria-label') || e.innerText || e.labels?.length)).map(e => e.outerHTML)"""
    assert tab.eval(nameless) == []
    names = tab.eval("[...document.querySelectorAll('[role=group]')].map(e => e.getAttribute('aria-label'))")
    assert "In front of you: empty" in names
    assert "In front of Player 2: empty" in names
    assert any(name.startswith("Discard: empty") for name in names)


def test_a_card_is_dragged_with_a_finger_on_a_small_screen(tab: Any, serve: Callable[..., Any]) -> None:
    tab.size(390, 844, touch=True)
    tab.go(serve("--game", "tifo", "--seats", "4", "--seed", "3", "--pace", "quick", "--lang", "fr").link)
    tab.until(MY_DRAW)
    assert tab.eval("document.documentElement.scrollWidth") == 390
    tab.touch_drag("button.stack", ".hand")
    tab.until(f"document.querySelectorAll('.hand [data-card]').length === 9 && !{MY_DRAW}")
    card = next(c for c in tab.hand() if kind(c) in TIFO)
    tab.touch_drag(in_hand(card), "[data-zone='seat1']")
    tab.until(f'document.querySelector(\'[data-zone="seat1"] [data-key="c:{card}"]\')')
    tab.until("!document.querySelector('#turn.go')")


def test_pictures_are_drawn_in_both_sizes(tab: Any, serve: Callable[..., Any], tmp_path: Path) -> None:
    tab.go(serve("--game", "tifo", "--seats", "4", "--seed", "3", "--watch", "--pace", "quick").link)
    tab.until("document.querySelectorAll('#log li').length > 8")
    for width, height in ((1280, 800), (390, 844)):
        tab.size(width, height, touch=width < 600)
        tab.until(f"innerWidth === {width}")
        assert tab.eval("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
        tab.picture(tmp_path / "page.png")
        assert (tmp_path / "page.png").stat().st_size > 30_000


def test_nothing_overlaps_or_is_cut_off_at_any_size(tab: Any, serve: Callable[..., Any]) -> None:
    """1280 x 800; the workbench open; a phone, upright and on its side; a page at 200 %."""
    tab.go(serve("--game", "tfu", "--seats", "4", "--seed", "3", "--pace", "quick", "--lang", "ru").link)
    tab.until("document.querySelectorAll('.column .card').length > 8")
    overlaps = """(() => {
        const boxes = (what) => [...document.querySelectorAll(what)].map(e => e.getBoundingClientRect());
        const apart = (a, b) => a.bottom <= b.top + 1 || b.bottom <= a.top + 1
            || a.right <= b.left + 1 || b.right <= a.left + 1;
        const all = (list) => list.flatMap((a, i) => list.slice(i + 1).map(b => [a, b]));
        const pairs = [...all(boxes('#others, #middle, #mine')), ...all(boxes('.seat')), ...all(boxes('.zone'))];
        const [felt] = boxes('#felt'), cut = boxes('.zone, .stack, .seat').filter(box => box.right > felt.right);
        return [pairs.filter(([a, b]) => !apart(a, b)).length, cut.length,
                document.documentElement.scrollWidth - innerWidth]; })()"""
    for width, height, touch in ((1280, 800, False), (390, 844, True), (844, 390, True), (640, 400, False)):
        tab.size(width, height, touch=touch)
        tab.until(f"innerWidth === {width}")
        assert tab.eval(overlaps) == [0, 0, 0], (width, height)
    tab.size(1280, 800)
    tab.click("[data-do='panel']")
    tab.until("document.querySelector('#panel tbody tr')")
    assert tab.eval(overlaps)[:2] == [0, 0]
    edges = (
        "document.querySelector('#felt').getBoundingClientRect().right",
        "document.querySelector('#panel').offsetLeft",
    )
    assert tab.eval(f"{edges[0]} <= {edges[1]}")

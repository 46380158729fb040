"""The workbench and what else a host has: faults with what comes of them, pace, sound, records out and in."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.stage.signals import TUNES, Signal

pytestmark = pytest.mark.browser

WAIT_S = 60.0
MY_DRAW = "document.querySelector('.pile.hot button.stack')"
TIFO = ("--game", "tifo", "--seats", "2", "--seed", "3", "--pace", "quick", "--lang", "en")


def put(tab: Any, card: str, zone: str) -> None:
    """Two clicks: the card, the place."""
    tab.click(f".hand [data-card='{card}']")
    tab.click(f"[data-drop='{zone}']")


def attack_of(tab: Any) -> str:
    """A card that is wrong before its owner."""
    return next(str(c) for c in tab.hand() if c.split("#")[0] in ("greve", "controle", "baston", "locaux"))


def test_each_fault_shows_and_the_table_copes(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve(*TIFO).link)
    tab.draw()
    tab.click("[data-do='panel']")
    tab.until("document.querySelectorAll('#panel tbody tr').length > 10")
    tab.until("""document.querySelector('#mine canvas').dataset.lit === 'true'""")
    for what, name, effect in (
        ("dead-screen", "seat1", "document.querySelector('#mine canvas').dataset.lit === 'false'"),
        ("dead-reader", "seat2/1", "document.querySelector('[data-reader=\"seat2/1\"] td.dead')"),
    ):
        switch = f"[data-fault='{what}'][data-name='{name}']"
        tab.click(switch)
        tab.until(effect)
        tab.there(f"{switch}[aria-pressed=true]")
        tab.click(switch)
        tab.until(f"!({effect})")
    for what in ("drop", "noise"):
        tab.click(f"[data-fault='{what}']")
        tab.until(f"document.querySelector('[data-fault=\"{what}\"]').getAttribute('aria-pressed') === 'true'")
    card = next(c for c in tab.hand() if c.split("#")[0] in ("mediation", "identite", "crs"))
    put(tab, card, "discard")
    tab.until(f'document.querySelector(\'[data-zone="discard"] [data-key="c:{card}"]\')')
    tab.until("document.querySelectorAll('#log li').length >= 2")
    tab.until("document.querySelector('#latency')")


def test_pace_and_time_are_set_while_the_game_goes_on(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve(*TIFO, "--watch").link)
    tab.until("document.querySelectorAll('#log li').length > 2")
    tab.click("[data-do='tempo']")
    choose = """(() => { const s = document.querySelector('#dialog [name=%s]'); s.value = '%s';
        s.dispatchEvent(new Event('change', { bubbles: true })); return s.value; })()"""
    assert tab.eval(choose % ("pace", "step")) == "step"
    tab.until("document.querySelector('[data-do=\"step\"]')")
    assert tab.eval(choose % ("speed", "8")) == "8"
    tab.click("#dialog .ends button")
    # One play each time somebody asks for it: two outputs at most, the move and whose turn it is.
    last = "Number([...document.querySelectorAll('#log li')].at(-1)?.dataset.key.slice(4) ?? 0)"
    tab.until("document.querySelector('#log li')")
    for _ in range(2):
        before = tab.eval(last)
        tab.click("[data-do='step']")
        tab.until(f"{last} > {before}")
    tab.click("[data-do='tempo']")
    assert tab.eval(choose % ("speed", "0")) == "0"
    tab.click("#dialog .ends button")
    tab.until("document.querySelector('[data-do=\"pause\"]').innerText === 'Go on'")


HEARD = """(() => { window.tones = []; const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { const tone = make.call(this); const start = tone.start;
        tone.start = function (at) { window.tones.push(tone.frequency.value); start.call(tone, at); }; return tone; };
    })()"""


def test_the_table_is_mute_until_sound_is_asked_for_then_plays_its_tunes(tab: Any, serve: Callable[..., Any]) -> None:
    tab.go(serve(*TIFO).link)
    tab.eval(HEARD)
    tab.draw()
    card = attack_of(tab)
    for loud in (False, True):
        if loud:
            tab.click("[data-do='sound']")
            tab.there("[data-do='sound'][aria-pressed=true]")
            tab.eval("void (window.tones.length = 0)")
        refusals = tab.count("#log li.refused")
        put(tab, card, "seat1")
        tab.until(f"document.querySelectorAll('#log li.refused').length > {refusals}")
        wanted = ",".join(f"{note.hertz:g}" for note in TUNES[Signal.REFUSED].notes if note.hertz > 0)
        if loud:  # what sounded before it may still have come
            tab.until(f"window.tones.map(hertz => String(Math.round(hertz))).join().includes({wanted!r})")
        else:
            assert tab.eval("window.tones") == []
        tab.click(".mend")
        tab.until("!document.querySelector('.mend')")


def test_a_record_is_downloaded_and_agrees_with_itself_and_is_opened_and_stepped_through(
    tab: Any, serve: Callable[..., Any], tmp_path: Path
) -> None:
    tab.go(serve(*TIFO, "--watch", "--speed", "4").link)
    tab.until("document.querySelectorAll('#log li').length > 8")
    tab.click("[data-do='panel']")
    tab.until("document.querySelector('[data-load=\"all\"]')")
    tab.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    tab.click("[data-load='all']")
    file = tmp_path / "record.jsonl"
    arrives(file)
    checked = subprocess.run(
        [sys.executable, "-m", "firmware", "replay", str(file), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    inputs = sum('"in":' in line for line in file.read_text("utf-8").splitlines())
    assert inputs > 4
    # By the file dialog.
    tab.call("Page.setInterceptFileChooserDialog", enabled=True)
    tab.click("#panel [data-open]")
    tab.until("document.querySelector('#record-file')")
    chooser = tab.call("Runtime.evaluate", expression="document.querySelector('#record-file')")["result"]["objectId"]
    tab.call("DOM.setFileInputFiles", files=[str(file)], objectId=chooser)
    at = "document.querySelector('#at')?.innerText"
    tab.until(f"{at} === 'Record: 0 of {inputs}'")
    for n, word in ((1, 1), (1, 2), (-1, 1), (1_000_000, inputs)):
        tab.click(f"[data-step='{n}']")
        tab.until(f"{at} === 'Record: {word} of {inputs}'")
    tab.until("document.querySelectorAll('#log li').length > 4")
    tab.click("[data-step='-1000000']")
    tab.until(f"{at} === 'Record: 0 of {inputs}'")
    tab.there("#log li", 0)
    # By dropping it; what is no record is said to be none.
    dropped = """(() => { const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([%s], 'x.jsonl'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })); })()"""
    tab.eval(dropped % json.dumps("{}"))
    tab.until("document.querySelector('#toast').innerText.startsWith('That is no record: 1: ')")
    tab.errors.clear()  # the browser notes that the server refused it
    short = "".join(file.read_text("utf-8").splitlines(keepends=True)[:3])
    tab.eval(dropped % json.dumps(short))
    tab.until(f"{at} && {at} !== 'Record: 0 of {inputs}'")


def arrives(file: Path) -> None:
    """Wait for a download."""
    end = time.monotonic() + WAIT_S
    while not file.exists():
        assert time.monotonic() < end, f"{file.name} never came; there is {list(file.parent.iterdir())}"
        time.sleep(0.05)


def test_a_table_that_went_away_is_said_to_be_away(tab: Any, serve: Callable[..., Any]) -> None:
    table = serve(*TIFO)
    tab.go(table.link)
    table.close()
    tab.until("document.querySelector('#toast:not([hidden])')?.innerText.startsWith('The table does not answer')")
    tab.says("#assertive", "The table does not answer")
    tab.errors.clear()  # the browser notes that nobody answers

"""A Chromium without a window, spoken to in its own protocol (DevTools), and a table server beside it.

Nothing here sleeps to be in time: every wait is for a state of the page. `WAIT_S` is only how long a test that
will fail takes to say so. ARBITRE_HAZE=1 (any number: a seed) makes the line to the table slow and uneven and the
tests dawdle; they must pass all the same.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

WAIT_S = 60.0
TRIES = 20
MY_DRAW = "document.querySelector('.pile.hot button.stack')"
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio"),
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),  # two players, one in front
    *("--hide-scrollbars", "--remote-debugging-port=0", "--disable-dev-shm-usage", "--force-color-profile=srgb"),
)
KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "ArrowRight": (39, ""), "ArrowLeft": (37, "")}

PLACE = """(() => { if (%s) return 'not any more';
    const e = document.querySelector(%s);
    if (!e || e.getAnimations().some(a => a.constructor === Animation)) return null;
    e.scrollIntoView({block: 'nearest'});
    const b = e.getBoundingClientRect(), at = [b.left + b.width / 2, b.top + b.height / 2], was = e.restedAt;
    e.restedAt = at.join();
    return b.width && was === e.restedAt && e.contains(document.elementFromPoint(...at)) ? at : null; })()"""
"""The middle of an element, once it is where it was 50 ms before and nothing lies on it."""

GUARD = """(() => { const meant = %s; window.pressed = window.clicked = false;
    const met = (event) => Boolean(event.target.closest?.(meant));
    const guard = (event) => {
        if (event.type === 'pointerdown') window.pressed = met(event);
        const good = window.pressed && (event.type !== 'click' || met(event));
        if (!good) { event.stopImmediatePropagation(); event.preventDefault(); }
        if (event.type === 'click' && good) {
            window.clicked = true;
            for (const kind of kinds) removeEventListener(kind, guard, true);
        } };
    const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
    window.unguard?.();
    window.unguard = () => { for (const kind of kinds) removeEventListener(kind, guard, true); };
    for (const kind of kinds) addEventListener(kind, guard, true); })()"""
"""Until a click has met the element that is meant, the page hears of none: it may have moved beneath the pointer."""


SLOW_LINE = """(() => { let seed = %d;
    const random = () => (seed = (seed * 48271) %% 2147483647) / 2147483647;
    const late = () => random() < 0.4 ? 60 + random() * 500 : random() * 20;
    const at = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
    Object.defineProperty(WebSocket.prototype, 'onmessage', { ...at, set(hear) {
        const queue = []; let last = 0;
        const out = () => { while (queue.length && queue[0][0] <= performance.now())
            hear.call(this, queue.shift()[1]); };
        at.set.call(this, (event) => { last = Math.max(last, performance.now() + late());
            queue.push([last, event]); setTimeout(out, last - performance.now() + 2); });
    } }); })()"""
"""Messages reach the page late, in their order."""


class Tab:
    """One page."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        opening = connect(address, max_size=None, open_timeout=WAIT_S, ping_interval=None)
        self._socket: ClientConnection = self._open.enter_context(opening)
        self._count = 0
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self._haze: Random | None = None
        if seed := os.environ.get("ARBITRE_HAZE"):
            self._haze = Random(seed)
            self.call("Page.addScriptToEvaluateOnNewDocument", source=SLOW_LINE % self._haze.randrange(1, 10**9))

    def close(self) -> None:
        """Close the page."""
        self.call("Page.close")
        self._open.close()

    def call(self, method: str, **params: Any) -> Any:
        """One command of the DevTools protocol, and its answer."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(WAIT_S))
            if message.get("id") == self._count:
                assert "error" not in message, f"{method}: {message.get('error')}"
                return message["result"]
            self._note(message)

    def _note(self, message: Any) -> None:
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(str(details.get("exception", {}).get("description", details.get("text"))))
        entry = message.get("params", {}).get("entry", {})
        if message.get("method") == "Log.entryAdded" and entry.get("level") == "error":
            self.errors.append(f"{entry.get('text')} {entry.get('url', '')}")

    def size(self, width: int, height: int, *, touch: bool = False) -> None:
        """The window."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def go(self, address: str) -> None:
        """Open a table and wait until it is drawn."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.until("document.body && document.body.dataset.ready === 'yes'")

    def eval(self, script: str) -> Any:
        """The value of an expression in the page."""
        if self._haze is not None and self._haze.random() < 0.3:
            time.sleep(self._haze.random() * 0.4)
        made = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in made, f"{script}: {made.get('exceptionDetails')}"
        return made["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; its value. Asked anew at every frame the page draws, and every 50 ms."""
        wait = f"""new Promise((done) => {{ const ask = () => {{ const value = (() => {script})();
            if (value) done(value); else setTimeout(ask, 50); }}; ask(); }})"""
        deadline = time.monotonic() + WAIT_S
        self._count += 1
        params = {"expression": wait, "returnByValue": True, "awaitPromise": True}
        self._socket.send(json.dumps({"id": self._count, "method": "Runtime.evaluate", "params": params}))
        while True:
            try:
                message = json.loads(self._socket.recv(max(0.1, deadline - time.monotonic())))
            except TimeoutError:
                shown = self.eval("document.body.innerText")
                raise AssertionError(f"never came to be: {script}\nthe page says:\n{shown}\n{self.errors}") from None
            if message.get("id") == self._count:
                if "exceptionDetails" in message.get("result", {}):  # the page was just being replaced
                    return self.until(script)
                if "error" in message:
                    return self.until(script)
                return message["result"]["result"].get("value")
            self._note(message)

    def says(self, selector: str, words: str) -> str:
        """Wait until an element says these words, among others; all that it says."""
        element = f"document.querySelector({json.dumps(selector)})"
        return str(self.until(f"{element}?.innerText.includes({json.dumps(words)}) && {element}.innerText"))

    def there(self, selector: str, count: int | None = None) -> None:
        """Wait until there are so many such elements; None: at least one."""
        wanted = "> 0" if count is None else f"=== {count}"
        self.until(f"document.querySelectorAll({json.dumps(selector)}).length {wanted}")

    def text(self, selector: str) -> str:
        """What an element says just now: for what can no longer change. Else `says`."""
        return str(self.eval(f"(document.querySelector({json.dumps(selector)})?.innerText) ?? ''"))

    def count(self, selector: str) -> int:
        """How many there are just now: for what can no longer change, or must never be. Else `there`."""
        return int(self.eval(f"document.querySelectorAll({json.dumps(selector)}).length"))

    def hand(self) -> list[str]:
        """The cards in the viewer's hand, as the page has them."""
        return list(self.eval("[...document.querySelectorAll('.hand [data-card]')].map(e => e.dataset.card)"))

    def draw(self, *, drag: bool = False) -> None:
        """TIFO: draw by a click on the pile, or by dragging its top to the hand; wait until the table has seen it."""
        self.until(MY_DRAW)
        before = len(self.hand())
        if drag:
            self.drag("button.stack", ".hand")
        else:
            self.click("button.stack")
        self.until(f"document.querySelectorAll('.hand [data-card]').length === {before + 1} && !{MY_DRAW}")

    def _middle(self, selector: str, unless: str = "false") -> tuple[float, float] | None:
        """Where a pointer meets an element: it flies no more, has come to rest, and nothing lies on it."""
        box = self.until(PLACE % (unless, json.dumps(selector)))
        return None if isinstance(box, str) else (float(box[0]), float(box[1]))

    def _mouse(self, kind: str, x: float, y: float, buttons: int) -> None:
        button = "left" if kind != "mouseMoved" else "none"
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1)

    def _press(self, selector: str, unless: str, *, hold: bool) -> tuple[float, float] | None:
        """Press on the middle of an element, and let go or `hold`; again if it was no longer there. Where it was."""
        for _ in range(TRIES):
            self.eval(GUARD % json.dumps(selector))
            at = self._middle(selector, unless)
            if at is None:
                return None
            self._mouse("mousePressed", *at, 1)
            if hold and self.eval("window.pressed"):
                return at
            self._mouse("mouseReleased", *at, 0)
            if not hold and self.eval("window.clicked"):
                return at
        raise AssertionError(f"never hit {selector}")

    def click(self, selector: str, unless: str = "false") -> bool:
        """Press the mouse on an element and let go.

        False, and nothing done, where `unless` (an expression in the page) comes true first.
        """
        return self._press(selector, unless, hold=False) is not None

    def drag(self, selector: str, target: str, unless: str = "false") -> bool:
        """Drag one element onto another with the mouse; `unless` as with `click`."""
        at = self._press(selector, unless, hold=True)
        if at is None:
            return False
        self.eval("window.unguard()")
        to = self._place(target)
        for part in (0.2, 0.6, 1.0):
            self._mouse("mouseMoved", at[0] + (to[0] - at[0]) * part, at[1] + (to[1] - at[1]) * part, 1)
        to = self._place(target)  # the page may have made room
        self._mouse("mouseMoved", *to, 1)
        self._mouse("mouseReleased", *to, 0)
        return True

    def _place(self, selector: str) -> tuple[float, float]:
        at = self._middle(selector)
        assert at is not None, "it was waited for"
        return at

    def touch_drag(self, selector: str, target: str) -> None:
        """The same with a finger."""
        x, y = self._place(selector)
        to_x, to_y = self._place(target)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in (0.2, 0.6, 1.0):
            point = {"x": x + (to_x - x) * part, "y": y + (to_y - y) * part}
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name: str) -> None:
        """One key, down and up."""
        code, text = KEYS.get(name, (ord(name.upper()[0]), name))
        params = {"key": name, "code": name if len(name) > 1 else f"Key{name.upper()}", "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **params, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def picture(self, path: Path) -> None:
        """A screenshot."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


class Browser:
    """One Chromium with an empty profile."""

    def __init__(self, program: str, folder: Path) -> None:
        self._folder = folder
        command = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            found = re.search(r"DevTools listening on ws://([^/]+)/", line)
            if found:
                self._at = found[1]
                break
        else:
            raise AssertionError("Chromium ended before it listened")

    def tab(self) -> Tab:
        """A new page, on its own."""
        import urllib.request

        request = urllib.request.Request(f"http://{self._at}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        return Tab(address)

    def close(self) -> None:
        """End it and remove its profile."""
        self._process.terminate()
        self._process.wait(WAIT_S)
        shutil.rmtree(self._folder, ignore_errors=True)


class TableServer:
    """`arbitre table`, as anybody starts it; `link` is the host's, at seat 1."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "firmware", "table", "--port", "0", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, f"no address in {first!r}"
        self.link = found[0]
        self.base = self.link.split("#")[0]

    def close(self) -> None:
        """As Ctrl-C does."""
        self._process.terminate()
        self._process.wait(WAIT_S)


@pytest.fixture(scope="session")
def browser(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests."""
    made = Browser(chromium, tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """A page that must not have failed in the end."""
    made = browser.tab()
    made.size(1280, 800)
    yield made
    assert made.errors == []
    made.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., TableServer]]:
    """Starts tables; they end with the test."""
    running: list[TableServer] = []

    def start(*options: str) -> TableServer:
        running.append(TableServer(*options))
        return running[-1]

    yield start
    for server in running:
        server.close()

"""Topics to browsers: latest state wins; a topic whose latest is empty is forgotten.

Lives in the server's asyncio loop; only `post` and `call` may be called elsewhere.
A client has a sender of its own, which sends one message at a time and then looks what is newest. So one that
reads slowly skips states, one that does not read at all holds one message, until its sender gives it up.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from firmware.web.room import Topics

STALLED_S: Final = 15.0
"""A client that takes no message for so long is given up."""


@dataclass(eq=False, slots=True)
class Client:
    """One browser: the topics it gets, and which of their versions it has."""

    topics: set[str]
    _got: dict[str, int] = field(default_factory=dict)
    _own: dict[str, str] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, topic: str, text: str) -> None:
        """A message for this client alone; a newer one of the same topic replaces it."""
        self._own[topic] = text
        self.wake.set()

    def next(self, latest: dict[str, tuple[int, str]]) -> str | None:
        """All that is new to it, as one message: a JSON list; None if nothing is."""
        texts = list(self._own.values())
        self._own.clear()
        for topic in sorted(self.topics):
            version, text = latest.get(topic, (0, ""))
            if text and version != self._got.get(topic, 0):
                self._got[topic] = version
                texts.append(text)
        return f"[{','.join(texts)}]" if texts else None


class Hub:
    """All clients and the latest of each topic."""

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self.latest: dict[str, tuple[int, str]] = {}
        """Topic -> the number of its version, and what it says."""
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Called once, in the loop that the clients live in."""
        self._loop = asyncio.get_running_loop()

    def post(self, topics: Topics) -> None:
        """New versions of some topics, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.take, topics)

    def call(self, what: Callable[[], None]) -> None:
        """Do something in the loop of the clients, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def take(self, topics: Topics) -> None:
        """The same, in the loop that the clients live in."""
        for topic, text in topics.items():
            self._count += 1
            if text:
                self.latest[topic] = (self._count, text)
            else:
                self.latest.pop(topic, None)
        for client in self.clients:
            if not client.topics.isdisjoint(topics):
                client.wake.set()

    async def serve(self, client: Client, send: Callable[[str], Awaitable[None]]) -> None:
        """Send what is new until the client is gone. Raises `TimeoutError` for one that does not read."""
        while True:
            await client.wake.wait()
            client.wake.clear()
            while (text := client.next(self.latest)) is not None:
                async with asyncio.timeout(STALLED_S):  # not wait_for: in Python 3.11 that may swallow a cancellation
                    await send(text)

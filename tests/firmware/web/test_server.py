"""The server over real sockets: who gets in, and that a bad client harms nobody."""

import asyncio
import contextlib
import json
import random
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection, connect

from firmware.web.hands import Pace
from firmware.web.rig import Game
from firmware.web.room import Settings
from firmware.web.server import MOST_CLIENTS, Server, make, uvicorn_settings

LIMIT_S = 90.0
NEW_GAME = {
    "do": "new",
    "game": "tfu",
    "seats": 2,
    "mode": "play",
    "lang": "fr",
    "seed": 1,
    "play": True,
    "options": {},
}


CARDS = ("capo#1", "voile#2", "10h", "spare", "5#2", "", "x" * 30)
SPICE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    1e308,
    "seat1",
    "draw",
    "discard",
    "seat1.ok",
    "table.undo",
    [],
    {},
    "\x00",
)
WORDS = ("put", "take", "draw", "give", "show", "push", "run", "step", "new", "fault", "panel", "hello", "fly")
KEYS = (
    "card",
    "zone",
    "to",
    "button",
    "speed",
    "pace",
    "n",
    "game",
    "seats",
    "options",
    "what",
    "level",
    "open",
    "all",
)


class Running:
    """A server in a thread, at a port of its own."""

    def __init__(self, game: Game, *, play: bool = False, pace: Pace = Pace.QUICK) -> None:
        self.server: Server = make(Settings(game, pace, 1.0, play))
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        self.at = "127.0.0.1:%d" % listening.getsockname()[1]  # noqa: UP031
        settings = uvicorn_settings("127.0.0.1", 0)
        self._uvicorn = uvicorn.Server(uvicorn.Config(self.server.app(["127.0.0.1"]), **settings))
        self._thread = threading.Thread(target=self._uvicorn.run, args=([listening],))
        self._thread.start()

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(LIMIT_S)
        assert not self._thread.is_alive()

    def get(self, path: str, key: str = "", host: str | None = None, body: bytes | None = None) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if host:
            headers["Host"] = host
        request = urllib.request.Request(f"http://{self.at}{path}", data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


@pytest.fixture
def running() -> Iterator[Running]:
    made = Running(Game("tifo", 4, 3))  # a game that is not over within a test
    yield made
    made.stop()


async def enter(at: str, key: str = "", seat: int | None = None, **more: Any) -> ClientConnection:
    """Connect and say hello."""
    client = await connect(f"ws://{at}/ws", open_timeout=LIMIT_S, **more)
    await client.send(json.dumps({"do": "hello", "key": key, "seat": seat, "lang": "en"}))
    return client


async def until(client: ClientConnection, found: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message for which something is so."""
    async with asyncio.timeout(LIMIT_S):
        while True:
            messages: list[dict[str, Any]] = json.loads(await client.recv())
            for message in messages:
                if found(message):
                    return message


async def closing(client: ClientConnection) -> int | None:
    """The code with which the server closes a connection."""
    async with asyncio.timeout(LIMIT_S):
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await client.recv()
    return client.close_code


async def goes_on(client: ClientConnection) -> None:
    """The game goes on for this client: three new states."""
    for _ in range(3):
        await until(client, lambda m: m["is"] == "state")


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


def test_a_wrong_key_a_strange_page_and_a_strange_name_are_kept_out(running: Running) -> None:
    async def work() -> None:
        client = await enter(running.at, "wrong", 1)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
        seat2 = await enter(running.at, running.server.keys.seats[0], 2)  # the key of another seat
        with pytest.raises(websockets.ConnectionClosed):
            await seat2.recv()
        with pytest.raises(websockets.InvalidStatus):
            await connect(f"ws://{running.at}/ws", origin="http://elsewhere.example")  # type: ignore[arg-type]

    run(work)
    assert running.get("/")[0] == 200
    assert running.get("/", host="rebound.example")[0] == 400


def test_only_the_host_gets_the_whole_record_or_opens_one(running: Running) -> None:
    async def work() -> None:
        spectator = await enter(running.at)
        await until(spectator, lambda m: m["is"] == "log" and len(m["lines"]) >= 5)
        await spectator.close()

    run(work)
    host, seat = running.server.keys.host, running.server.keys.seats[0]
    assert b'"in"' in running.get("/record?all=1", host)[1]
    for key in ("", seat, "x"):
        assert b'"in"' not in running.get("/record?all=1", key)[1]
    record = running.get("/record?all=1", host)[1]
    assert running.get("/open", seat, body=record)[0] == 403
    assert running.get("/open", host, body=b'{"arbitre": 2}')[0] == 422
    assert running.get("/open", host, body=record) == (200, b"ok")

    async def steps() -> None:
        client = await enter(running.at, host, None)
        first = await until(client, lambda m: m["is"] == "state" and m["kind"] == "record")
        for n, at in ((3, 3), (-1, 2), (1_000_000, first["of"]), (-1_000_000, 0)):
            await client.send(json.dumps({"do": "step", "n": n}))
            assert (await until(client, lambda m: m["is"] == "state"))["at"] == at
        await client.close()

    run(steps)


@pytest.mark.parametrize("rubbish", ["{", '{"do":"fly"}', b"\x00\x01", "x" * 100_000, '{"do":"hello"}'])
def test_rubbish_closes_its_own_connection_and_no_other(rubbish: str | bytes, running: Running) -> None:
    async def work() -> None:
        good, bad = await enter(running.at), await enter(running.at)
        await bad.send(rubbish)
        assert await closing(bad) in (1003, 1008, 1009)
        await goes_on(good)
        await good.close()

    run(work)


def test_a_flood_of_wishes_closes_its_own_connection_and_no_other(running: Running) -> None:
    async def work() -> None:
        good, bad = await enter(running.at), await enter(running.at)
        with contextlib.suppress(websockets.ConnectionClosed):
            for _ in range(20_000):
                await bad.send('{"do":"push","button":"seat1.ok"}')
        assert await closing(bad) == 1008
        await goes_on(good)
        await good.close()

    run(work)


def test_a_client_that_stops_reading_or_vanishes_harms_nobody(running: Running) -> None:
    async def work() -> None:
        stalled = [await enter(running.at, max_queue=1) for _ in range(3)]  # never read again
        gone = await enter(running.at)
        gone.transport.abort()
        good = await enter(running.at)
        await goes_on(good)
        await goes_on(good)
        for client in stalled:
            client.transport.abort()
        await good.close()

    run(work)


def test_what_a_viewer_may_not_do_is_refused_and_nothing_happens(running: Running) -> None:
    async def work() -> None:
        spectator = await enter(running.at)
        await until(spectator, lambda m: m["is"] == "state")
        for wish, why in (
            ({"do": "draw"}, "no-seat"),
            ({"do": "push", "button": "seat2.ok"}, "not-yours"),
            ({"do": "push", "button": "table.undo"}, "not-yours"),
            ({"do": "run", "speed": 0, "pace": "calm"}, "host-only"),
            ({"do": "step", "n": 1}, "host-only"),
            ({"do": "panel", "open": True, "all": True}, "host-only"),
            (NEW_GAME, "host-only"),
            ({"do": "fault", "what": "dead-reader", "name": "", "level": 1}, "host-only"),
        ):
            await spectator.send(json.dumps(wish))
            assert (await until(spectator, lambda m: m["is"] == "no"))["why"] == why
        await spectator.close()

    run(work)


def test_a_seat_is_taken_by_its_link_and_given_back_to_a_bot(running: Running) -> None:
    async def work() -> None:
        watching = await enter(running.at)
        seat = await enter(running.at, running.server.keys.seats[1], 2)
        assert (await until(seat, lambda m: m["is"] == "state"))["me"] == 2
        await until(watching, lambda m: m["is"] == "state" and m["humans"] == [2])
        await seat.close()
        await watching.close()

    run(work)


def rubbish(rng: random.Random) -> str | bytes:
    """A message of the kind that no page sends: nearly right, or not at all."""
    match rng.randrange(5):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(60)))
        case 2:
            wish = {"do": "put", "card": rng.choice(CARDS), "zone": rng.choice(("seat1", "discard", "draw", "seat7"))}
            return json.dumps(wish)[: rng.randrange(20, 60)]
        case _:
            made: dict[str, Any] = {"do": rng.choice(WORDS)}
            made |= {key: rng.choice((*SPICE, *CARDS)) for key in rng.sample(KEYS, rng.randrange(5))}
            return json.dumps(made)


def test_two_thousand_random_messages_harm_nobody(running: Running) -> None:
    rng = random.Random(9)

    async def work() -> None:
        good = await enter(running.at)
        for _ in range(100):
            bad = await enter(running.at, running.server.keys.seats[1], 2)
            with contextlib.suppress(websockets.ConnectionClosed):  # the first of them was enough
                for _ in range(20):
                    await bad.send(rubbish(rng))
            assert await closing(bad) == 1008
        await goes_on(good)
        await good.close()

    run(work)
    assert running.server.room.broken == ""


def test_fifty_come_at_once_and_all_see_the_table(running: Running) -> None:
    async def one() -> dict[str, Any]:
        client = await enter(running.at)
        state: dict[str, Any] = await until(client, lambda m: m["is"] == "state")
        await client.close()
        return state

    async def work() -> None:
        states = await asyncio.gather(*(one() for _ in range(50)))
        assert all(state["me"] is None and state["game"] == "tifo" for state in states)

    run(work)


def test_browsers_that_never_say_who_they_are_are_counted_too(running: Running) -> None:
    async def work() -> None:
        silent = [await connect(f"ws://{running.at}/ws") for _ in range(MOST_CLIENTS)]
        late = await connect(f"ws://{running.at}/ws")
        with pytest.raises(websockets.ConnectionClosed) as full:
            await late.recv()
        assert full.value.rcvd is not None
        assert full.value.rcvd.code == 1013
        for client in silent:
            client.transport.abort()

    run(work)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1.elsewhere.example"},
        {"Host": "rebound.example", "Origin": "http://rebound.example"},
    ],
)
def test_no_other_page_reaches_the_table(headers: dict[str, str], running: Running) -> None:
    async def work() -> None:
        with pytest.raises((websockets.InvalidStatus, websockets.InvalidMessage)):
            await connect(f"ws://{running.at}/ws", additional_headers=headers)

    run(work)


def test_a_guessed_key_opens_nothing(running: Running) -> None:
    keys = running.server.keys
    assert len({keys.host, *keys.seats}) == 11
    assert all(len(key) >= 16 for key in (keys.host, *keys.seats))

    async def work() -> None:
        for key, seat in (
            ("0", 1),
            (keys.host[:-1], 1),
            (keys.seats[1] + "x", 2),
            (keys.seats[0], 2),
            (keys.seats[0], None),
        ):
            client = await enter(running.at, key, seat)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await client.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403

    run(work)

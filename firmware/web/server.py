"""The server: the page and its parts, one WebSocket for each browser, the record to download or to open.

It listens on the loopback address unless told otherwise. A WebSocket is taken only from a page of this very
server (`Origin`), so that no other page in the same browser can reach the table. Keys come in messages and
headers, never in addresses.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Container
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from engine.errors import RecordError
from firmware.languages import page_languages
from firmware.web.address import host_of
from firmware.web.errors import MessageError, NotAllowedError
from firmware.web.hub import Client, Hub
from firmware.web.messages import MAX_BYTES, Panel, Wish, read_hello, read_wish
from firmware.web.playback import RecordShow
from firmware.web.room import Room, Settings, log_topic, panel_topic, state_topic
from firmware.web.strings import strings
from firmware.web.viewers import Keys, Role, Viewer

STATIC: Final = Path(__file__).parent / "static"
MOST_CLIENTS: Final = 64
"""Browsers at one table, those included that have not said yet who they are."""
MOST_WAITING: Final = 32
"""Messages of one browser that may wait to be carried out; one more, and it is rubbish."""
HELLO_S: Final = 10.0
ROOM_S: Final = 20.0
MOST_RECORD: Final = 4_000_000
T = TypeVar("T")
RUBBISH, FULL, STRANGER = 1008, 1013, 4403
HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)


class _Headers:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


class _Names:
    """Answers only to names that are ours, so that no rebound one reaches the table."""

    def __init__(self, app: ASGIApp, names: Container[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            header = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
            if host_of(header) not in self._names:
                await PlainTextResponse("this table has another name", 400)(scope, receive, send)
                return
        await self._app(scope, receive, send)


@dataclass(slots=True)
class _Guest:
    """One browser that has said hello."""

    viewer: Viewer
    client: Client
    waiting: int = 0
    panel: Panel = Panel(False, False)  # noqa: RUF009  # a frozen value


class Server:
    """All that the web part of one table is made of."""

    def __init__(self, room: Room, hub: Hub, keys: Keys, house: str = "") -> None:
        """`house`: the address under which other machines reach it, empty if none does."""
        self.room, self.hub, self.keys, self.house = room, hub, keys, house
        self._entering = 0

    def app(self, names: Container[str]) -> Starlette:
        """The ASGI application. `names`: the hosts it answers to (see `address`)."""
        return Starlette(
            routes=[
                Route("/", self._page),
                Route("/strings/{lang}.json", self._strings),
                Route("/record", self._record),
                Route("/open", self._open, methods=["POST"]),
                WebSocketRoute("/ws", self._socket),
                Mount("/static", StaticFiles(directory=STATIC)),
            ],
            middleware=[Middleware(_Names, names=names), Middleware(_Headers)],
            lifespan=self._lifespan,
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.hub.open()
        thread = self.room.start()
        yield
        self.room.stop()
        await run_in_threadpool(thread.join, 5.0)

    async def _page(self, request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def _strings(self, request: Request) -> Response:
        lang = request.path_params["lang"]
        if lang not in page_languages():
            return PlainTextResponse("no such language", 404)
        return JSONResponse(strings(lang))

    def _is_host(self, request: Request) -> bool:
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        viewer = self.keys.viewer(key, None, 0, "fr")
        return viewer is not None and viewer.role is Role.HOST

    async def _record(self, request: Request) -> Response:
        """The record: in full for the host, for all others what everybody may know."""
        everything = self._is_host(request) and request.query_params.get("all") == "1"
        data = await self._in_room(lambda: self.room.show.record(public=not everything))
        name = "record.jsonl" if everything else "public.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/jsonl", headers=headers)

    async def _open(self, request: Request) -> Response:
        """Open a record to step through (the host only)."""
        if not self._is_host(request):
            return PlainTextResponse("host-only", 403)
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > MOST_RECORD:
                return PlainTextResponse(f"0: a record of more than {MOST_RECORD} bytes", 413)
        lines, lang = bytes(data).splitlines(), self.room.settings.game.lang
        try:
            await self._in_room(lambda: self.room.open(RecordShow(lines, lang)))
        except RecordError as error:
            return PlainTextResponse(f"{error.line}: {error}", 422)
        return PlainTextResponse("ok")

    async def _in_room(self, what: Callable[[], T]) -> T:
        """Do something in the room's thread, and hand over what comes of it, an error too."""
        found: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def work() -> None:
            try:
                result = what()
            except Exception as error:  # handed over, not swallowed
                self.hub.call(partial(_settle, found, None, error))
            else:
                self.hub.call(partial(_settle, found, result, None))

        self.room.submit(work)
        return await asyncio.wait_for(found, ROOM_S)

    # -- one browser -----------------------------------------------------------------------------------------

    async def _socket(self, socket: WebSocket) -> None:
        origin = socket.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != socket.headers.get("host"):
            await socket.close(STRANGER)
            return
        await socket.accept()
        if len(self.hub.clients) + self._entering >= MOST_CLIENTS:
            await socket.close(FULL)
            return
        self._entering += 1
        try:
            guest = await asyncio.wait_for(self._hello(socket), HELLO_S)
        except (MessageError, TimeoutError):
            await self._close(socket, RUBBISH)
            return
        except WebSocketDisconnect:
            return
        finally:
            self._entering -= 1
        if guest is None:
            await self._close(socket, STRANGER)
            return
        await self._serve(socket, guest)

    async def _hello(self, socket: WebSocket) -> _Guest | None:
        hello = read_hello(await _text(socket))
        seats = self.room.settings.game.seats
        viewer = self.keys.viewer(hello.key, hello.seat, seats, hello.lang)
        if viewer is None:
            return None
        topics = {"lamps", "sound", state_topic(viewer.seat), log_topic(viewer.seat, viewer.lang)}
        topics |= {f"screen:{name}" for name in ("all", *(f"seat{n}" for n in range(1, 11)))}
        client = Client(topics)
        me: dict[str, Any] = {"is": "you", "role": viewer.role.value, "seat": viewer.seat}
        if viewer.is_host:
            me["house"] = self.house
            me["links"] = {str(n): self.keys.link("", n) for n in range(1, 11)}
        client.tell("you", json.dumps(me))
        return _Guest(viewer, client)

    async def _serve(self, socket: WebSocket, guest: _Guest) -> None:
        self.hub.clients.add(guest.client)
        guest.client.wake.set()
        self.room.submit(partial(self.room.join, guest.viewer))
        sender = asyncio.create_task(self.hub.serve(guest.client, socket.send_text))
        reader = asyncio.create_task(self._read(socket, guest))
        ended: list[object] = []
        try:
            await asyncio.wait({sender, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.hub.clients.discard(guest.client)
            closed = Panel(False, False)
            self.room.submit(partial(self._leave, guest.viewer, closed, guest.panel))
            for task in (sender, reader):
                task.cancel()
            # A browser that left, or took nothing for too long, is no error of ours; only rubbish is told apart.
            ended += await asyncio.gather(sender, reader, return_exceptions=True)
        rubbish = any(isinstance(error, MessageError) for error in ended)
        await self._close(socket, RUBBISH if rubbish else 1000)

    def _leave(self, viewer: Viewer, closed: Panel, panel: Panel) -> None:
        self.room.panel(viewer, closed, panel)
        self.room.leave(viewer)

    async def _read(self, socket: WebSocket, guest: _Guest) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                wish = read_wish(await _text(socket))
                if guest.waiting >= MOST_WAITING:
                    raise MessageError("more messages than any hand could send")
                guest.waiting += 1
                if isinstance(wish, Panel):
                    self._panel(guest, wish)
                else:
                    self.room.submit(partial(self._do, guest, wish))

    def _panel(self, guest: _Guest, wish: Panel) -> None:
        guest.waiting -= 1
        if wish.all and not guest.viewer.is_host:
            guest.client.tell("no", json.dumps({"is": "no", "why": "host-only"}))
            return
        guest.client.topics -= {panel_topic(False), panel_topic(True)}
        if wish.open:
            guest.client.topics.add(panel_topic(wish.all))
        before, guest.panel = guest.panel, wish
        self.room.submit(partial(self._change_panel, guest.viewer, wish, before))

    def _change_panel(self, viewer: Viewer, wish: Panel, before: Panel) -> None:
        self.room.panel(viewer, wish, before)

    def _do(self, guest: _Guest, wish: Wish) -> None:
        why = ""
        try:
            self.room.do(guest.viewer, wish)
        except NotAllowedError as error:
            why = str(error)

        def answer() -> None:
            guest.waiting -= 1
            if why:
                guest.client.tell("no", json.dumps({"is": "no", "why": why}))

        self.hub.call(answer)

    async def _close(self, socket: WebSocket, code: int) -> None:
        if socket.application_state is not WebSocketState.DISCONNECTED:
            with contextlib.suppress(Exception):  # it may be gone already, and then nothing is to be said
                await asyncio.wait_for(socket.close(code), 2.0)


def _settle(found: "asyncio.Future[Any]", result: object, error: Exception | None) -> None:
    if found.done():
        return  # nobody waits any more
    if error is not None:
        found.set_exception(error)
    else:
        found.set_result(result)


async def _text(socket: WebSocket) -> str:
    """The next message. Raises `MessageError` for bytes, `WebSocketDisconnect` at the end."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise MessageError("a message of bytes, expected text")
    return text


def make(settings: Settings, keys: Keys | None = None, *, house: str = "", **more: Any) -> Server:
    """A server with a new room. `more` goes to the `Room`."""
    hub = Hub()
    return Server(Room(settings, hub.post, **more), hub, keys or Keys(), house)


def uvicorn_settings(host: str, port: int) -> dict[str, Any]:
    """How uvicorn is to run: one process, small messages, nothing compressed, no log of every request."""
    return {
        "host": host,
        "port": port,
        "log_level": "warning",
        "access_log": False,
        "ws_max_size": MAX_BYTES,
        "ws_max_queue": 8,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "timeout_graceful_shutdown": 1,
    }

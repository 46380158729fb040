"""`arbitre bench web`: do twenty spectators delay a verdict?

The virtual table lives by the wall clock here, bots play. In slices of time the room's thread does what was due
since the last one; what is measured is the wall time from the beginning of a slice to each verdict in it, that is how
long verdicts wait for the processor. Once with one browser looking on (time stands still without any), once with
twenty; they are a process of their own and read all that they are sent. The ratio of the two medians is told.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

Figures = dict[str, Any]
SPECTATORS: Final = 20
VERDICTS: Final = 60
LIMIT_S: Final = 60.0
BAR: Final = 1.5
"""The median with spectators over the median without."""


def late_s(spectators: int, verdicts: int = VERDICTS) -> tuple[list[float], int]:
    """Seconds each verdict waited within its slice; how many messages a spectator got on the mean."""
    from firmware.web.hands import Pace
    from firmware.web.rig import Game
    from firmware.web.room import Settings
    from firmware.web.server import make
    from firmware.web.virtual import VirtualShow

    server = make(Settings(Game("tifo", 2, 7), Pace.QUICK, 1.0, False))
    show = server.room.show
    assert isinstance(show, VirtualShow), "a new room has a virtual table"
    found: list[float] = []

    slice_began = 0.0
    advance = show.advance

    def advancing(dt: float) -> None:
        nonlocal slice_began
        slice_began = monotonic()
        advance(dt)

    def said(now: float, shown: object) -> None:
        found.append(monotonic() - slice_began)

    controller = show.rig.table.controller
    assert controller is not None, "the rig has a game on it"
    controller.on_outputs.append(said)
    show.advance = advancing  # type: ignore[method-assign]
    with _served(server.app(["127.0.0.1"])) as port:
        command = [sys.executable, "-m", "firmware.bench.web", str(port), str(max(1, spectators))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            end = monotonic() + LIMIT_S
            while len(found) < verdicts and monotonic() < end and not show.rig.hands.finished:
                asyncio.run(asyncio.sleep(0.05))
            watching.terminate()
            told = (watching.stdout.read() if watching.stdout else "") or "0"
    return found, int(told.split()[-1])


@contextmanager
def _served(app: Any) -> Iterator[int]:
    """The app on a free port, in a thread, while it lasts."""
    import socket
    from threading import Thread

    import uvicorn

    from firmware.web.server import uvicorn_settings

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    running = uvicorn.Server(uvicorn.Config(app, **uvicorn_settings("127.0.0.1", 0)))
    thread = Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        running.should_exit = True
        thread.join(10.0)


async def watch(port: int, spectators: int) -> None:
    """So many browsers that read all they get, until the process is ended."""
    import signal

    from websockets.asyncio.client import connect

    count = 0

    async def one() -> None:
        nonlocal count
        async with connect(f"ws://127.0.0.1:{port}/ws", open_timeout=LIMIT_S) as client:
            await client.send(json.dumps({"do": "hello", "key": "", "seat": None, "lang": "fr"}))
            async for _ in client:
                count += 1

    tasks = [asyncio.create_task(one()) for _ in range(spectators)]
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(count // max(1, spectators))


def figures(args: argparse.Namespace | None = None) -> Figures:
    """The waits with one spectator and with twenty."""
    rows = {}
    for name, spectators in (("alone", 1), ("watched", SPECTATORS)):
        late, messages = late_s(spectators)
        ordered = sorted(late)
        rows[name] = {
            "spectators": spectators,
            "verdicts": len(ordered),
            "messages_each": messages,
            "p50_ms": round(1000 * ordered[len(ordered) // 2], 2),
            "p99_ms": round(1000 * ordered[int(0.99 * (len(ordered) - 1))], 2),
        }
    ratio = rows["watched"]["p50_ms"] / max(0.01, rows["alone"]["p50_ms"])
    return {**rows, "ratio": round(ratio, 2), "bar": BAR, "within": ratio <= BAR}


def run(args: argparse.Namespace) -> int:
    """Print the figures; 1 if spectators delay verdicts."""
    found = figures(args)
    if args.json:
        print(json.dumps(found, indent=2))
        return 0 if found["within"] else 1
    print("web: how long verdicts wait, wall clock              p50      p99 (ms)")
    for name in ("alone", "watched"):
        row = found[name]
        what = f"{row['spectators']} looking on, {row['messages_each']} messages each, {row['verdicts']} verdicts"
        print(f"  {what:<50}{row['p50_ms']:8.2f} {row['p99_ms']:8.2f}")
    print(f"  ratio of the medians {found['ratio']:.2f}, bar {BAR}: {'kept' if found['within'] else 'MISSED'}")
    return 0 if found["within"] else 1


if __name__ == "__main__":
    asyncio.run(watch(int(sys.argv[1]), int(sys.argv[2])))

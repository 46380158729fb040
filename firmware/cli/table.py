"""`arbitre table`: the virtual table in the browser: the real firmware on emulated chips, bots on the other seats."""

import argparse
import socket
import sys
from pathlib import Path
from typing import Any

from engine.games import SPECS

PORT = 8137
LOOPBACK = "127.0.0.1"


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("table", help="the virtual table in the browser")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    parser.add_argument("--game", choices=tuple(SPECS), default="tifo")
    parser.add_argument("--seats", type=int, metavar="N", help="players (default: the game's usual number)")
    parser.add_argument("--seed", type=int, metavar="S", help="same seed, same cards (default: any)")
    parser.add_argument("--lang", choices=("fr", "ru", "en"), help="language of the table (default: the game's)")
    parser.add_argument("--mode", choices=("play", "referee"), default="play")
    parser.add_argument("--pace", choices=("step", "calm", "brisk", "quick"), default="calm", help="of the bots")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="how fast time runs: 0.25 to 8")
    parser.add_argument("--watch", action="store_true", help="bots play all seats")
    parser.add_argument("--table", type=Path, metavar="FILE", help="a table.toml of yours instead of the full table")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the record; a new game begins it anew")
    parser.add_argument("--listen", default=LOOPBACK, metavar="ADDRESS", help=f"whom to let in (default {LOOPBACK})")
    parser.add_argument("--port", type=int, metavar="P", help=f"default {PORT}, or any free one; 0: any free one")
    parser.set_defaults(run=run)


def run_demo(args: argparse.Namespace) -> int:
    """`arbitre demo GAME` without `--headless`: bots only, in the browser."""
    headless = (("zones", "full"), ("small", False), ("top", 2), ("drop", 0.0), ("echo", 0.0), ("screens", None))
    for name, usual in headless:
        if getattr(args, name, usual) != usual:
            print(f"arbitre demo: --{name} is for --headless, expected both or neither", file=sys.stderr)
            return 2
    settings = {"pace": "calm", "speed": 1.0, "watch": True, "table": None, "listen": LOOPBACK, "port": None}
    return run(argparse.Namespace(**{**settings, **vars(args), "open": True}))


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted. Exit status 2 for a table that cannot be, or a port that is taken."""
    from engine.errors import EngineError
    from firmware.config import ConfigError

    try:
        return _serve(args)
    except (EngineError, ConfigError) as error:
        print(error if isinstance(error, ConfigError) else f"arbitre table: {error}", file=sys.stderr)
    except ImportError as error:
        what = f"{error.name} is missing, expected the web extra: pip install 'arbitre[web]'"
        print(f"arbitre table: {what}", file=sys.stderr)
    except OSError as error:
        where = f"{args.listen}:{PORT if args.port is None else args.port}"
        mend = "expected a free port of this machine (--port 0 takes any)"
        print(f"arbitre table: cannot listen on {where} ({error.strerror}), {mend}", file=sys.stderr)
    return 2


def _serve(args: argparse.Namespace) -> int:
    import random

    import uvicorn

    from engine.setup import Mode
    from firmware.recordfile import RecordFile
    from firmware.web.hands import Pace
    from firmware.web.rig import Game
    from firmware.web.room import Settings
    from firmware.web.server import make, uvicorn_settings

    seats = args.seats if args.seats is not None else SPECS[args.game].default_seats
    lang = args.lang or {"tfu": "ru"}.get(args.game, "fr")
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1, 100_000)
    game = Game(args.game, seats, seed, Mode(args.mode), lang, layout=_layout(args))
    settings = Settings(game, Pace(args.pace), args.speed, not args.watch)
    journal = (lambda: RecordFile(args.record).open()) if args.record else (lambda: None)
    listening = _listen(args.listen, args.port)
    server = make(settings, journal=journal)
    port = listening.getsockname()[1]
    base = f"http://{args.listen}:{port}"
    link = server.keys.link(base, None if args.watch else 1, host=True, lang=lang)
    print(f"The table is at {link}", flush=True)
    print("Stop it with Ctrl-C. To look on, open the address without what follows #.", flush=True)
    names = [LOOPBACK, "localhost"] if args.listen in (LOOPBACK, "localhost") else ["*"]
    if args.open:
        _open_soon(link)
    uvicorn.Server(uvicorn.Config(server.app(names), **uvicorn_settings(args.listen, port))).run(sockets=[listening])
    return 0


def _layout(args: argparse.Namespace) -> Any:
    if args.table is None:
        return None
    from firmware.config import read_table

    return read_table(args.table).layout()


def _listen(address: str, port: int | None) -> socket.socket:
    """The socket to serve on: that port; the usual one; or, if the usual one is taken, any."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, PORT if port is None else port))
    except OSError:
        if port is not None:
            listening.close()
            raise
        listening.bind((address, 0))
    listening.listen(128)
    return listening


def _open_soon(link: str) -> None:
    """In a thread: some browsers block until they are closed. The socket listens already."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

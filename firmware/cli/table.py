"""`arbitre table`: the virtual table in the browser: the real firmware on emulated chips, bots on the other seats."""

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.games import SPECS
from firmware.languages import languages

PORT = 8137
LOOPBACK = "127.0.0.1"
SPEEDS = (0.25, 8.0)


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("table", help="the virtual table in the browser")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    parser.add_argument("--game", choices=tuple(SPECS), help="default tifo, or what the --table is for")
    parser.add_argument("--seats", type=int, metavar="N", help="players (default: the game's usual number)")
    parser.add_argument("--seed", type=int, metavar="S", help="same seed, same cards (default: any)")
    parser.add_argument("--lang", choices=languages(), help="language of the table (default: the game's)")
    parser.add_argument("--mode", choices=("play", "referee"), help="default play, or what the --table says")
    parser.add_argument("--pace", choices=("step", "calm", "brisk", "quick"), default="calm", help="of the bots")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="X", help="how fast time runs: 0.25 to 8")
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
    from firmware.errors import FirmwareError

    try:
        return _serve(args)
    except FirmwareError as error:
        print(error, file=sys.stderr)
    except EngineError as error:
        print(f"arbitre table: {error}", file=sys.stderr)
    except ImportError as error:
        what = f"{error.name} is missing, expected the web extra: pip install 'arbitre[web]'"
        print(f"arbitre table: {what}", file=sys.stderr)
    except OSError as error:
        where = f"{args.listen}:{PORT if args.port is None else args.port}"
        mend = "expected a free port of this machine (--port 0 takes any)"
        print(f"arbitre table: cannot listen on {where} ({error.strerror}), {mend}", file=sys.stderr)
    return 2


def _serve(args: argparse.Namespace) -> int:
    import uvicorn

    from firmware.recordfile import RecordFile
    from firmware.web.address import Address
    from firmware.web.hands import Pace
    from firmware.web.room import Settings
    from firmware.web.server import make, uvicorn_settings

    game, told = _game(args)
    settings = Settings(game, Pace(args.pace), args.speed, not args.watch)
    journal = (lambda: RecordFile(args.record).open()) if args.record else (lambda: None)
    listening = _listen(args.listen, args.port)
    at = Address(args.listen, listening.getsockname()[1])
    server = make(settings, journal=journal, house=at.house)
    link = server.keys.link(at.here, None if args.watch else 1, host=True, lang=game.lang)
    print(f"The table is at {link}", *told, sep="\n", flush=True)
    if at.house:
        print(
            f"From other machines: {at.house}/ to look on; Invite, on the page, has links to the seats.", flush=True
        )
    print("Stop it with Ctrl-C. To look on, open the address without what follows #.", flush=True)
    if args.open:
        _open_soon(link)
    serving = uvicorn.Server(uvicorn.Config(server.app(at.names), **uvicorn_settings(args.listen, at.port)))
    with suppress(KeyboardInterrupt):  # which is how it ends
        serving.run(sockets=[listening])
    return 0


def _game(args: argparse.Namespace) -> tuple[Any, tuple[str, ...]]:
    """What is to be played, and what is to be said of the builder's table, if it is played on one."""
    import random

    from engine.setup import Mode
    from firmware.web.rig import Game

    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1, 100_000)
    if args.table is None:
        game = args.game or "tifo"
        seats = SPECS[game].default_seats if args.seats is None else args.seats
        lang = args.lang or {"tfu": "ru"}.get(game, "fr")
        return Game(game, seats, seed, Mode(args.mode or "play"), lang), ()
    from firmware.config import read_table
    from firmware.web.own import describe, game_for, own_table

    config = read_table(args.table)
    game, seats = game_for(config, args.game, args.seats)
    mode, lang = Mode(args.mode) if args.mode else config.mode, args.lang or config.language.value
    made = Game(game, seats, seed, mode, lang, own=own_table(config))
    made.setup()  # so many seats must be, before anything is said of them
    return made, describe(config, game, seats)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number from {SPEEDS[0]:g} to {SPEEDS[1]:g}")
    return speed


def _listen(address: str, port: int | None) -> Any:
    """The socket to serve on: that port; the usual one; or, if the usual one is taken, any."""
    from firmware.web.address import listen

    if port is not None:
        return listen(address, port)
    try:
        return listen(address, PORT)
    except OSError:
        return listen(address, 0)


def _open_soon(link: str) -> None:
    """In a thread: some browsers block until they are closed. The socket listens already."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

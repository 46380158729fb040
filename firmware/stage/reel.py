"""A table record as a row of pictures: every screen change of a game, as the emulated displays hold it.

    python -m firmware.stage.reel RECORD DIR [--lang fr] [--all]

The referee judges the record anew; its outputs go through the stage to emulated displays, one for each seat and
one for all, at the times of the record.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.record import output_line, public_output
from firmware.languages import languages
from firmware.loop import Loop
from firmware.replay import load, steps
from firmware.stage.errors import StageError
from firmware.stage.screens import PngSink
from firmware.stage.texts import Context
from firmware.stage.virtual import places, virtual_stage


def reel(record: Path, folder: Path, lang: str, *, only_all: bool = False) -> int:
    """Write the pictures; how many there are. Raises `EngineError` or `StageError`."""
    read = load(record)
    setup = read.setup
    sink = PngSink(folder)
    loop = Loop()
    context = Context.of(setup, lang)
    shown = [place for place in places(setup.seats) if place.viewer is None or not only_all]
    built = virtual_stage(loop, context, shown, on_shown=sink.shown)
    sink.source = built.picture
    last = 0.0
    for step in steps(read):
        last = step.observation.t
        loop.run_to(last)
        if step.rulings:
            built.stage.show(last, [(output_line(ruling), public_output(ruling)) for ruling in step.rulings])
    loop.run_to(last + 15.0)
    return sink.count


def main(args: Sequence[str] | None = None) -> int:
    """0 done, 2 for a record or folder that cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m firmware.stage.reel", description=__doc__.split("\n")[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=languages(), default="fr")
    parser.add_argument("--all", action="store_true", help="only the screen for all")
    given = parser.parse_args(args)
    try:
        print(reel(given.record, given.folder, given.lang, only_all=given.all), "pictures in", given.folder)
    except (EngineError, StageError) as error:
        line = getattr(error, "line", 0)
        print(f"{given.record}:{line}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

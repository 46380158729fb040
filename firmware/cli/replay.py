"""`arbitre replay FILE`: narrates a record, prints the referee's outputs, or checks those in the file."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.errors import EngineError, RecordError
from engine.record import Record
from firmware.languages import languages
from firmware.replay import check, load, outputs, steps


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser("replay", help="judge a table record again")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--jsonl", action="store_true", help="print the outputs as JSON Lines")
    parser.add_argument("--public", action="store_true", help="only what everybody may know")
    parser.add_argument("--check", action="store_true", help="compare with the outputs in the file")
    parser.add_argument("--lang", choices=languages(), help="language of the narration (default: the game's)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Exit status 1 if `--check` finds a difference, 2 if the file is no record."""
    try:
        record = load(args.file)
        if args.check:
            return _check(args.file, record)
        if args.jsonl:
            for step in steps(record):
                for line in outputs(step, args.public):
                    print(json.dumps(line, ensure_ascii=False))
            return 0
        return _narrate(record, args)
    except RecordError as e:
        print(f"{args.file}:{e.line or 1}: {e}", file=sys.stderr)
    except EngineError as e:
        print(f"{args.file}:1: {e}", file=sys.stderr)
    return 2


def _check(path: Path, record: Record) -> int:
    differences = check(record)
    for d in differences:
        wanted, said = (json.dumps(x, ensure_ascii=False) if x else "nothing" for x in (d.in_file, d.said))
        print(f"{path}:{d.line}: the file has {wanted}, the referee says {said}")
    if not differences:
        print(f"{path}: {len(record.inputs)} inputs judged again, all outputs as in the file")
    return 1 if differences else 0


def _narrate(record: Record, args: argparse.Namespace) -> int:
    from firmware.stage import Context, narrate

    setup = record.setup
    lang = args.lang or {"tfu": "ru"}.get(setup.spec.id, "fr")
    context = Context.of(setup, lang)
    for step in steps(record):
        for line in outputs(step, args.public):
            print(f"{step.observation.t:8.2f}  {narrate(line, context)}")
    return 0

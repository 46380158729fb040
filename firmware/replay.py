"""Feeds a table record to the referee: outputs of each input, and how they differ from those in the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.errors import RecordError
from engine.games import referee_for
from engine.observations import Observation
from engine.record import Output, Record, output_line, public_output, read_record
from engine.record.contract import OPTIONAL, same
from engine.record.writer import Line
from engine.rulings import Ruling


@dataclass(frozen=True, slots=True)
class Step:
    """One input, and what the referee said to it. `line` is the input's line in the file."""

    line: int
    observation: Observation
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the file and the referee disagree; None stands for "nothing"."""

    line: int
    in_file: Line | None
    said: Line | None


def load(path: Path) -> Record:
    """The record in a file. Raises `RecordError` (line 0 if the file cannot be opened)."""
    try:
        with path.open("rb") as file:
            return read_record(file)
    except OSError as e:
        raise RecordError(0, f"cannot be read ({e.strerror})", "a table record") from e


def steps(record: Record) -> Iterator[Step]:
    """Every input with its rulings, in order."""
    referee = referee_for(record.setup)
    for entry in record.entries:
        if not isinstance(entry.what, Output):
            yield Step(entry.line, entry.what, referee.receive(entry.what))


def check(record: Record) -> list[Difference]:
    """Every place where the outputs in the file are not those of the referee (see `engine.record.contract`)."""
    expected = _outputs_by_input(record)
    kinds = {out["out"] for lines in expected.values() for _, out in lines}
    unasked = OPTIONAL - {str(k) for k in kinds}
    found = [Difference(line, out, None) for line, out in expected.get(0, [])]
    for step in steps(record):
        theirs = expected.get(step.line, [])
        ours = [out for r in step.rulings if (out := output_line(r))["out"] not in unasked]
        for n in range(max(len(theirs), len(ours))):
            line, wanted = theirs[n] if n < len(theirs) else (step.line, None)
            said = ours[n] if n < len(ours) else None
            if wanted is None or said is None or not same(record.setup.spec.id, wanted, said):
                found.append(Difference(line, wanted, said))
    return found


def _outputs_by_input(record: Record) -> dict[int, list[tuple[int, Line]]]:
    after = 0
    out: dict[int, list[tuple[int, Line]]] = {}
    for entry in record.entries:
        if isinstance(entry.what, Output):
            out.setdefault(after, []).append((entry.line, dict(entry.what.fields)))
        else:
            after = entry.line
    return out


def outputs(step: Step, public: bool) -> Iterator[Line]:
    """A step's outputs as lines, only what everybody may know if `public`."""
    for ruling in step.rulings:
        line = public_output(ruling) if public else output_line(ruling)
        if line is not None:
            yield line

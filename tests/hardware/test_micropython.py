"""The protocol generators run under real MicroPython as they do here, dialogue by dialogue.

MicroPython comes as WebAssembly (npm package @micropython/micropython-webassembly-pyscript) and runs in node:
`npm install --prefix tests/micropython` fetches it. Without it the test is skipped, unless ARBITRE_REQUIRE_NODE=1.
"""

import json
import subprocess
from collections.abc import Generator
from pathlib import Path
from random import Random
from typing import Any

from hardware import iso14443, mfrc522
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.field import Field
from hardware.twin.spibus import TwinBus
from hardware.twin.tags import Tag, TagKind
from hardware.twin.timeline import TimeLine

HERE = Path(__file__).parent
FOLDER = HERE.parent / "micropython"
KINDS = {4: TagKind.CLASSIC_1K, 7: TagKind.NTAG213, 10: TagKind.TRIPLE}

Dialogue = tuple[str, list[Any], list[Any]]


def record(seed: int) -> list[tuple[Dialogue, list[Any]]]:
    """What driver and chip really said about some tags: dialogues, and what each came to."""
    random = Random(seed)
    line = TimeLine()
    field = Field(top=3)
    chip = Mfrc522Twin(field, "r", line, seed=seed, absolute_collisions=bool(seed % 2))
    chip.faults.hidden_noise = 0.1
    reader = mfrc522.Reader("r", TwinBus(line).add(chip), line)
    list(reader.bring_up())
    line.advance(0.1)
    uids = []
    for _ in range(random.randint(1, 3)):
        uid = bytes([0x04]) + random.randbytes(random.choice((3, 6, 9)))
        uid = uid.replace(b"\x88", b"\x08")
        uids.append(uid)
        field.put(Tag(uid.hex(), KINDS[len(uid)]), "r", at=line.now())
    line.advance(0.1)
    found = []
    for name, args in (
        ("find", [iso14443.REQA, iso14443.RELATIVE]), ("halt", []), ("find", [iso14443.WUPA, iso14443.ABSOLUTE]),
        ("check", [uids[0]]), ("check", [uids[-1]]), ("wake", [iso14443.REQA]),
    ):  # fmt: skip
        protocol: Generator[Any, Any, Any] = getattr(iso14443, name)(*args)
        answers, asks = [], []
        try:
            ask = next(protocol)
            while True:
                asks.append([list(ask[0]), *ask[1:]])
                work = reader.exchange(ask)
                try:
                    while True:
                        line.sleep_until(next(work))
                except StopIteration as end:
                    answer = end.value
                answers.append([answer[0], list(answer[1]), *answer[2:]])
                ask = protocol.send(answer)
        except StopIteration as end:
            result = end.value if isinstance(end.value, tuple) else (end.value,)
        plain = [list(part) if isinstance(part, bytes) else part for part in result]
        plain_args = [list(arg) if isinstance(arg, bytes) else arg for arg in args]
        found.append(((name, plain_args, answers), [asks, plain]))
    return found


def test_generators_say_and_conclude_the_same_under_micropython(tmp_path: Path, micropython: str) -> None:
    recorded = [pair for seed in range(60) for pair in record(seed)]
    dialogues = tmp_path / "dialogues.json"
    dialogues.write_text(json.dumps([dialogue for dialogue, _ in recorded]))
    source = Path(iso14443.__file__)
    done = subprocess.run(
        [micropython, str(FOLDER / "run.mjs"), str(FOLDER / "replay_dialogues.py"), str(source), str(dialogues)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    version, *lines = done.stdout.splitlines()
    assert version.startswith("micropython 1 ")
    assert [json.loads(line) for line in lines] == [outcome for _, outcome in recorded]
    kinds = {outcome[1][0] for (name, _, _), outcome in recorded if name == "find"}
    assert {iso14443.ANSWER, iso14443.COLLISION, iso14443.BROKEN} <= kinds

"""A trace of a chip, replayed against the twin: no difference where there is none, each one named where there is."""

import errno
import io
import json
import os

import pytest

from firmware.trace import TracedSpi, TraceError, replay
from hardware.looks import Look
from hardware.mfrc522 import Reader
from hardware.poller import Poller
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.faults import Faults
from hardware.twin.field import Field
from hardware.twin.spibus import TwinBus
from hardware.twin.tags import Tag
from hardware.twin.timeline import TimeLine

Hands = tuple[tuple[float, str, bool], ...]
"""What hands do: (time, UID, whether it comes)."""

A, B = "04A81D12DE5F80", "04B81D12DE5F81"
CARD: Hands = ((0.3, A, True), (0.7, A, False))


def recorded(seconds: float = 1.0, hands: Hands = CARD, faults: Faults | None = None) -> list[bytes]:
    """What a reader wrote down of cards that came, stayed and went."""
    air, line, file = Field(), TimeLine(), io.StringIO()
    air.add_reader("r")
    chip = Mfrc522Twin(air, "r", line, version=0x91, faults=faults or Faults())
    spi = TracedSpi(TwinBus(line).add(chip), line, file, "r", 4_000_000)

    def on_look(look: Look) -> None:
        spi.note(look)

    poller = Poller("spi0", [Reader("r", spi, line)], line, on_look)
    tags = {uid: Tag(uid) for _, uid, _ in hands}
    for at, uid, comes in hands:
        if comes:
            air.put(tags[uid], "r", at)
        else:
            air.take(tags[uid], at)
    while line.now() < seconds:
        wake = poller.step(line.now())
        line.sleep_until(wake if wake is not None else seconds)
    return file.getvalue().encode().splitlines()


def test_a_trace_of_the_twin_is_answered_by_the_twin_in_the_same_way() -> None:
    lines = recorded()
    found = replay(lines, "trace")
    assert found.windows > 500
    assert found.differences == []
    assert any(json.loads(line).get("tags") == [A] for line in lines)


@pytest.mark.parametrize(
    "hands",
    [
        ((0.3, A, True), (0.9, A, False)),
        ((0.3, A, True), (0.3001, B, True), (0.9, A, False), (1.1, B, False)),
        ((0.3, A, True), (0.5, B, True), (0.9, A, False), (1.1, B, False)),
        ((0.3, A, True), (0.7, A, False), (0.7005, B, True)),
    ],
    ids=["one goes in the middle of a look", "two at once", "two, one after the other", "two exchanged"],
)
def test_hands_that_move_in_the_middle_of_a_look_make_no_difference(hands: Hands) -> None:
    found = replay(recorded(1.3, hands), "trace")
    assert found.differences == []
    assert found.unsure < 10


def test_answers_that_a_real_chip_lost_are_shown_where_no_hand_moved() -> None:
    found = replay(recorded(2.0, ((0.3, A, True),), Faults(drop=0.3)), "trace")
    assert found.registers()["COM_IRQ"] > 3
    assert all(difference.t > 0.3 for difference in found.differences)


def test_a_window_that_was_answered_otherwise_is_named_with_line_and_register() -> None:
    lines = recorded(0.2)
    number = next(n for n, line in enumerate(lines) if json.loads(line).get("tx") == "8200")  # CommandReg is read
    entry = json.loads(lines[number])
    entry["rx"] = "0010"
    lines[number] = json.dumps(entry).encode()
    (difference,) = replay(lines, "trace").differences
    assert difference.line == number + 1
    assert "COMMAND real 10 twin 20" in difference.describe()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "trace:1: no header"),
        ("{}", "trace:1: no header"),
        ('{"trace": 2}', "trace:1: version 2"),
        ('{"trace": true}', "trace:1: version true"),
        ('{"trace": 1}\nnot', "trace:2: no JSON"),
        ('{"trace": 1}\n[]', "trace:2: a list"),
        ('{"trace": 1}\n{}', "trace:2: no window"),
        ('{"trace": 1}\n{"t": 0, "tx": "00", "rx":', "trace:2: no JSON"),
        ('{"trace": 1}\n' + "[" * 50_000, "trace:2: brackets nested too deep"),
        ('{"trace": 1}\n{"t": "0", "tx": "00", "rx": "00"}', 'trace:2: t "0"'),
        ('{"trace": 1}\n{"t": 1e999, "tx": "00", "rx": "00"}', "trace:2: t Infinity"),
        ('{"trace": 1}\n{"t": NaN, "tx": "00", "rx": "00"}', "trace:2: NaN"),
        ('{"trace": 1}\n{"t": 1' + "0" * 400 + ', "tx": "00", "rx": "00"}', "trace:2: t 1000"),
        ('{"trace": 1}\n{"t": 0, "tx": "0", "rx": "00"}', 'trace:2: tx "0"'),
        ('{"trace": 1}\n{"t": 0, "tx": 1, "rx": "00"}', "trace:2: tx 1"),
        ('{"trace": 1}\n{"t": 0, "tags": 1}', "trace:2: tags 1"),
        ('{"trace": 1}\n{"t": 0, "tags": ["04"]}', 'trace:2: tag "04"'),
        ('{"trace": 1}\n{"tags": []}', "trace:2: no key 't'"),
        ('{"trace": 1}\n{"t": 2, "tx": "00", "rx": "00"}\n{"t": 1, "tx": "00", "rx": "00"}', "trace:3: time goes"),
        ('{"trace": 1}\n{"t": 0.1, "tx": "a4"}', "trace:2: no window"),
        ('{"trace": 1}\n{"t": 0.1, "tx": "a400", "rx": "00"}', "trace:2: 2 bytes out, 1 in"),
    ],
)
def test_a_trace_that_cannot_be_read_is_one_line_with_its_place(text: str, words: str) -> None:
    with pytest.raises(TraceError) as caught:
        replay(text.encode().splitlines(), "trace")
    message = str(caught.value)
    assert message.startswith(words)
    assert ", expected " in message
    assert message.isprintable()
    assert len(message) < 400


def test_a_full_disk_is_told_with_the_traces_name() -> None:
    class Full(io.StringIO):
        name = "chip.jsonl"

        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(TraceError, match=r"chip\.jsonl:1: cannot be written \(No space left on device\), exp"):
        TracedSpi(TwinBus(TimeLine()).add(Mfrc522Twin(Field(), "r", TimeLine())), TimeLine(), Full(), "r", 4_000_000)

"""Properties: whatever chips answer, the driver neither raises nor invents, and keeps its deadlines."""

from collections.abc import Callable
from functools import partial
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.iso14443 import ANSWER, BROKEN, COLLISION, REQA, SILENCE, check, crc_a, find
from hardware.looks import Look
from hardware.mfrc522 import ReaderState
from hardware.mfrc522.registers import MODE_VALUE, TX_CONTROL_ON
from hardware.twin.chip import Mfrc522Twin
from hardware.twin.stand import Stand
from hardware.twin.tags import Tag

READERS = ("a", "b", "c", "d")
DEADLINE_S = 50e-3
SLACK_S = 20e-3
"""One exchange at most (5 ms deadline), 5 ms of settling, and the turns of three other readers meanwhile."""

Change = Callable[[Mfrc522Twin], None]


def setter(**values: object) -> Change:
    def change(chip: Mfrc522Twin) -> None:
        for name, value in values.items():
            setattr(chip.faults, name, value)

    return change


CHANGES: dict[str, Change] = {
    "brown-out": lambda chip: chip.brown_out(),
    "00": setter(stuck=0x00),
    "FF": setter(stuck=0xFF),
    "alive": setter(stuck=None, fuzz=False, dead_timer=False, noise=0.0, hidden_noise=0.0, drop=0.0),
    "fuzz": setter(fuzz=True),
    "dead timer": setter(dead_timer=True),
    "noise": setter(noise=0.4),
    "hidden noise": setter(hidden_noise=0.4),
    "drop": setter(drop=0.4),
    "held in reset": lambda chip: chip.reset_line(low=True),
    "let go": lambda chip: chip.reset_line(low=False),
    "deaf": setter(deaf_registers=frozenset({0x26, 0x0D})),
}


def check_looks(looks: list[Look], real: set[str]) -> None:
    for look in looks:
        assert look.ended - look.began <= DEADLINE_S + SLACK_S
        assert set(look.present) <= real


@settings(max_examples=40, deadline=None)
@given(
    faults=st.lists(
        st.tuples(st.floats(0.0, 1.5), st.sampled_from(READERS[:2]), st.sampled_from(sorted(CHANGES))), max_size=8
    ),
    seed=st.integers(0, 2**16),
)
def test_any_sequence_of_faults_ends_every_look_in_time_and_harms_no_other_reader(
    faults: list[tuple[float, str, str]], seed: int
) -> None:
    stand = Stand(READERS, seed=seed, deadline_s=DEADLINE_S)
    tags = {reader: Tag(f"04{number:02X}1D12DE5F80") for number, reader in enumerate(READERS)}
    for number, (reader, tag) in enumerate(tags.items()):
        stand.field.put(tag, reader, at=0.3 + 0.3 * number)
    for at, reader, change in faults:
        chip = stand.chips[reader]
        chip.schedule(at, partial(CHANGES[change], chip))
    stand.run(until=2.0)
    check_looks(stand.looks, {tag.uid_hex for tag in tags.values()})
    for reader in READERS[2:]:
        looks = stand.looks_of(reader)
        assert all(look.trouble is None and not look.silent for look in looks)
        put = next(at for at, _, uid, _ in stand.field.history if uid == tags[reader].uid_hex)
        assert [uid for look in looks for uid, _ in look.contacts] == [tags[reader].uid_hex]
        assert next(look.ended for look in looks if look.contacts) < put + 0.06
    for reader in READERS[:2]:
        assert {uid for look in stand.looks_of(reader) for uid in look.present} <= {tags[reader].uid_hex}


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_chip_whose_every_byte_is_random_is_named_dead_within_two_seconds(seed: int) -> None:
    stand = Stand(READERS, seed=seed, deadline_s=DEADLINE_S)
    stand.field.put(Tag("04A81D12DE5F80"), "b", at=0.5)
    stand.run(until=1.0)
    stand.chips["a"].faults.fuzz = True
    stand.run(until=3.0)
    health = stand.poller.health("a")
    assert health.state is ReaderState.DEAD
    assert health.dead_since is not None
    assert health.dead_since - 1.0 <= 2.0
    check_looks(stand.looks, {"04A81D12DE5F80"})
    assert stand.present("b", since=2.0) == {"04A81D12DE5F80"}


class HalfSane:
    """A wire that lets ModeReg and TxControlReg through and makes the rest of every status read random."""

    def __init__(self, stand: Stand, reader: str, random: Random) -> None:
        self._transfer = stand.ports[reader].transfer
        self._random = random

    def transfer(self, data: bytes) -> bytes:
        answer = self._transfer(data)
        if data[0] != 0x88:
            return answer
        noise = self._random.randbytes(len(data))
        return noise[:6] + bytes([MODE_VALUE, TX_CONTROL_ON]) + noise[8:]

    def close(self) -> None:
        """Nothing to give back."""


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_random_answers_of_a_chip_that_seems_well_make_no_uid_and_no_exception(seed: int) -> None:
    stand = Stand(["a", "b"], seed=seed, deadline_s=DEADLINE_S)
    stand.run(until=0.2)
    stand.readers["a"]._spi = HalfSane(stand, "a", Random(seed))
    stand.run(until=1.2)
    check_looks(stand.looks, set())


def random_answer(random: Random, frame: bytes) -> tuple[int, bytes, int, int]:
    """An answer as a chip might give it: mostly one that fits the frame and is valid in itself, else anything."""
    part = random.choice([b"\x88" + random.randbytes(3), random.randbytes(4)])
    sak = bytes([random.choice([0x00, 0x04, 0x08])])
    valid = [b"\x44\x00", part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]]), sak + crc_a(sak)]
    if random.random() < 0.7:
        return ANSWER, valid[min(2, len(frame) // 2)], 0, 0
    data = random.choice([random.randbytes(random.randrange(19)), *valid])
    return random.choice([ANSWER, SILENCE, COLLISION, BROKEN]), data, random.choice([0, 1, 7]), random.randrange(33)


@settings(max_examples=2000, deadline=None)
@given(seed=st.integers(0, 2**32), reading=st.integers(0, 1))
def test_no_uid_with_a_wrong_bcc_or_crc_comes_out_of_any_answers(seed: int, reading: int) -> None:
    random = Random(seed)
    answers: list[tuple[int, bytes, int, int]] = []
    protocol = find(REQA, reading)
    frames = [next(protocol)]
    try:
        for _ in range(120):
            answers.append(random_answer(random, frames[-1][0]))
            frames.append(protocol.send(answers[-1]))
        raise AssertionError("a search is over after at most 3 levels of 33 rounds and a SELECT")
    except StopIteration as end:
        kind, uid, sak, _ = end.value
    if kind != ANSWER:
        assert uid == b""
        return
    selects = [
        (frame, answer)
        for (frame, *_), answer in zip(frames, answers, strict=False)
        if len(frame) == 9 and frame[1] == 0x70
    ]
    parts = []
    for frame, (answer_kind, data, last, _) in selects:
        assert frame[6] == frame[2] ^ frame[3] ^ frame[4] ^ frame[5]
        assert (answer_kind, last, data[1:]) == (ANSWER, 0, crc_a(data[:1]))
        parts.append(frame[2:6])
    assert uid == b"".join(part[1:] for part in parts[:-1]) + parts[-1]
    assert sak == selects[-1][1][1][0]


@settings(max_examples=1000, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_known_tag_is_confirmed_only_by_valid_saks(seed: int) -> None:
    random = Random(seed)
    protocol = check(bytes.fromhex("04A81D12DE5F80"))
    frame = next(protocol)[0]
    used = []
    try:
        for _ in range(8):
            used.append(random_answer(random, frame))
            frame = protocol.send(used[-1])[0]
        raise AssertionError("a check is over after three frames")
    except StopIteration as end:
        if end.value == ANSWER:
            _, first, second = (data for _, data, _, _ in used)
            assert first == b"\x04\xda\x17"
            assert second[0] & 0x04 == 0
            assert second[1:] == crc_a(second[:1])

"""Lines of a record: what is written is read again as it was; what stands in an output, and what of it is public."""

import json
from collections.abc import Mapping

import pytest

from engine.games import SPECS
from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.record import header_line, input_line, output_line, public_output, read_record
from engine.record.contract import same
from engine.rulings import (
    CARD,
    Corrected,
    Match,
    Move,
    Over,
    Refused,
    Reveal,
    Ruling,
    Say,
    Score,
    Stood,
    Turn,
    Undone,
)
from engine.setup import Mode, Setup
from engine.zones import ZoneKind, usual_kind

TIFO = Setup(SPECS["tifo"], 3, first=2, mode=Mode.REFEREE, options={"draw_two": True})
TIPOUIK = Setup(SPECS["tipouik"], 3, options={"final_window_s": 2.5, "rounds": 2})
PASSING = Setup(SPECS["tfu"], 2, zones={"centre1": ZoneKind.PASS, "centre2": ZoneKind.SPREAD})
WATCHED = Setup(SPECS["tfu"], 4, zones={z: usual_kind(z) for z in SPECS["tfu"].all_zones(4)})

INPUTS: list[tuple[Setup, Observation]] = [
    (TIFO, Placed(1.0, "seat1", "capo#1")),
    (TIFO, Placed(1.0, "seat1", "capo#1", 0.9)),
    (TIFO, Placed(1.0, "seat1", "capo#1", 0.9, 0.85)),
    (TIFO, Placed(1.0, "seat1", "capo#1", 1.0, 1.0)),
    (TIFO, Placed(1.0, "seat1", "capo#1", None, 1.0)),
    (TIFO, Placed(0.0, "discard", "10h", 0.0, 0.0)),
    (TIFO, Lifted(1.25, "discard", "interdit#1")),
    (TIFO, Pressed(2.0, "seat3.next")),
    (TIFO, Pressed(2.0, "table.pile")),
    (TIFO, Tick(3.5)),
    (TIFO, Unknown(4.0, "seat2", "0")),
    (TIFO, Unknown(4.0, "seat2", "04A1B2C3D4E5F6789A0B")),
    (TIPOUIK, Announce(1.0, 1, 3)),
    (TIPOUIK, Announce(1.0, 3, 0, 0)),
    (WATCHED, Placed(1.0, "seat4.col4", "Ac")),
]


def written(line: Mapping[str, object]) -> bytes:
    return json.dumps(line).encode()


@pytest.mark.parametrize("setup", [TIFO, TIPOUIK, PASSING, WATCHED], ids=["tifo", "tipouik", "passing", "watched"])
def test_a_table_is_read_as_it_was_written(setup: Setup) -> None:
    assert read_record([written(header_line(setup))]).setup == setup


@pytest.mark.parametrize(("setup", "o"), INPUTS, ids=[f"{n}" for n in range(len(INPUTS))])
def test_an_input_is_read_as_it_was_written(setup: Setup, o: Observation) -> None:
    record = read_record([written(header_line(setup)), written(input_line(o))])
    assert record.inputs == (o,)


def test_a_header_without_the_rest_is_the_smallest_table_in_mode_play() -> None:
    setup = read_record([b'{"arbitre": 1, "game": "tfu", "seats": 2}']).setup
    assert (setup.first, setup.mode, setup.options) == (1, Mode.PLAY, {})
    assert setup.zones == {"centre1": ZoneKind.PILE, "centre2": ZoneKind.PILE}


def test_only_a_table_with_unusual_zones_tells_their_kinds() -> None:
    assert header_line(WATCHED)["zones"] == list(WATCHED.zones)
    assert header_line(PASSING)["zones"] == {"centre1": "pass", "centre2": "spread"}
    assert "first" not in header_line(WATCHED)
    assert header_line(TIFO)["first"] == 2


OUTPUTS: list[tuple[Ruling, dict[str, object]]] = [
    (
        Move(1.0, 1, "give", (("to", 2), ("card", "5#2")), CARD),
        {"t": 1.0, "out": "move", "seat": 1, "move": "give", "to": 2, "card": "5#2"},
    ),
    (
        Refused(1.0, "tifo/turn", 2, "seat2", "wait-turn", card="capo#1", tie=True, secret=CARD),
        {
            "t": 1.0,
            "out": "refused",
            "rule": "tifo/turn",
            "seat": 2,
            "zone": "seat2",
            "card": "capo#1",
            "mend": "wait-turn",
            "tie": True,
        },
    ),
    (
        Refused(1.0, "tfu/can-play", 1, None, "play-on", button="seat1.call", args=(("can", (1, 2)),)),
        {
            "t": 1.0,
            "out": "refused",
            "rule": "tfu/can-play",
            "seat": 1,
            "zone": None,
            "button": "seat1.call",
            "mend": "play-on",
            "can": [1, 2],
        },
    ),
    (
        Corrected(1.0, "tifo/turn", 2, "draw", "capo#1", CARD),
        {"t": 1.0, "out": "corrected", "rule": "tifo/turn", "seat": 2, "zone": "draw", "card": "capo#1"},
    ),
    (
        Stood(1.0, "tifo/turn", None, "draw", "capo#1", CARD),
        {"t": 1.0, "out": "stood", "rule": "tifo/turn", "seat": None, "zone": "draw", "card": "capo#1"},
    ),
    (
        Undone(1.0, 3, "discard", (("card", "ola#1"),), CARD),
        {"t": 1.0, "out": "undone", "seat": 3, "move": "discard", "card": "ola#1"},
    ),
    (Turn(1.0, 1, ("lay", "discard")), {"t": 1.0, "out": "turn", "seat": 1, "may": ["lay", "discard"]}),
    (Reveal(1.0, 1, ("5#1", "any#1")), {"t": 1.0, "out": "reveal", "seat": 1, "cards": ["5#1", "any#1"]}),
    (Score(1.0, (0, 10)), {"t": 1.0, "out": "score", "scores": [0, 10]}),
    (Over(1.0, (1, 3), "points"), {"t": 1.0, "out": "over", "winners": [1, 3], "by": "points"}),
    (Match(1.0, (1,)), {"t": 1.0, "out": "match", "winners": [1]}),
    (Match(1.0, (1,), (0, 5)), {"t": 1.0, "out": "match", "winners": [1], "scores": [0, 5]}),
    (
        Say(1.0, "all", "tfu/closed", (("pile", 2),)),
        {"t": 1.0, "out": "say", "to": "all", "text": "tfu/closed", "args": {"pile": 2}},
    ),
    (Say(1.0, 2, "tfu/deal"), {"t": 1.0, "out": "say", "to": 2, "text": "tfu/deal", "args": {}}),
]


@pytest.mark.parametrize(("ruling", "line"), OUTPUTS, ids=[f"{n}" for n in range(len(OUTPUTS))])
def test_an_output_has_all_its_keys_in_their_order(ruling: Ruling, line: dict[str, object]) -> None:
    assert list(output_line(ruling).items()) == list(line.items())


@pytest.mark.parametrize(("ruling", "line"), OUTPUTS, ids=[f"{n}" for n in range(len(OUTPUTS))])
def test_in_public_secrets_and_words_to_one_seat_are_left_out(ruling: Ruling, line: dict[str, object]) -> None:
    secret = getattr(ruling, "secret", ())
    public = {k: v for k, v in line.items() if k not in secret}
    assert public_output(ruling) == (None if line.get("to") == 2 and line["out"] == "say" else public)


@pytest.mark.parametrize(("ruling", "line"), OUTPUTS, ids=[f"{n}" for n in range(len(OUTPUTS))])
def test_an_output_is_the_same_without_keys_of_ones_own_and_with_other_numbers(
    ruling: Ruling, line: dict[str, object]
) -> None:
    said = output_line(ruling)
    assert same("tipouik", line, said)
    assert same("tipouik", {**line, "t": 1, "x-note": [1]}, said)
    assert not same("tipouik", {**line, "note": 1}, said)
    assert not same("tipouik", {**line, "t": True}, said)
    assert not same("tipouik", {**line, "out": "moved"}, said)


@pytest.mark.parametrize(
    ("ruling", "keys"),
    [
        (OUTPUTS[0][0], {"seat", "move", "to"}),
        (OUTPUTS[1][0], {"rule", "seat", "zone", "card", "tie"}),
        (OUTPUTS[2][0], {"rule", "seat", "button"}),
        (OUTPUTS[3][0], {"rule"}),
        (OUTPUTS[5][0], {"seat", "move"}),
        (OUTPUTS[6][0], {"seat"}),
        (OUTPUTS[7][0], {"seat", "cards"}),
        (OUTPUTS[8][0], {"scores"}),
        (OUTPUTS[9][0], {"winners", "by"}),
        (OUTPUTS[11][0], {"winners", "scores"}),
        (OUTPUTS[12][0], {"to", "text", "args"}),
    ],
    ids=[
        "move",
        "refused",
        "refused-press",
        "corrected",
        "undone",
        "turn",
        "reveal",
        "score",
        "over",
        "match",
        "say",
    ],
)
def test_a_file_may_leave_out_what_is_not_the_formats_own(ruling: Ruling, keys: set[str]) -> None:
    said = output_line(ruling)
    for key in said:
        rest = {k: v for k, v in said.items() if k != key}
        assert same("tipouik", rest, said) == (key not in keys | {"t", "out"}), key

"""Buttons on gpiozero's mock pins: bounce, long, stuck, two at once, times on the one clock."""

from itertools import pairwise
from pathlib import Path

import pytest

from hardware.buttons import ButtonBoard, ButtonError, Press, Trouble, Wired
from hardware.twin.pins import CLEAN, LONG_BOUNCE, SHORT_BOUNCE, Fingers, TwinFactory
from hardware.twin.timeline import TimeLine

CALL, OK, UNDO = 5, 6, 13


class Table:
    """A board of three buttons on emulated pins, and fingers."""

    def __init__(self) -> None:
        self.line = TimeLine(overshoot_s=0.0)
        self.factory = TwinFactory(self.line)
        self.fingers = Fingers(self.factory)
        self.presses: list[Press] = []
        self.told_at: list[float] = []
        self.troubles: list[tuple[str, Trouble]] = []
        self.board = ButtonBoard(
            [Wired("seat1.call", CALL), Wired("seat2.call", OK), Wired("table.undo", UNDO)],
            self.line,
            self._pressed,
            on_trouble=lambda name, trouble, now: self.troubles.append((name, trouble)),
            pin_factory=self.factory,
        )
        self.board.open()

    def _pressed(self, press: Press) -> None:
        self.presses.append(press)
        self.told_at.append(self.line.now())

    def run(self, until: float) -> None:
        while True:
            now = self.line.now()
            wakes = [w for w in (self.fingers.step(now), self.board.step(now)) if w is not None]
            if not wakes or min(wakes) > until:
                self.line.advance_to(until)
                return
            self.line.advance_to(min(wakes))


@pytest.mark.parametrize("up", [CLEAN, SHORT_BOUNCE, LONG_BOUNCE])
@pytest.mark.parametrize("down", [CLEAN, SHORT_BOUNCE, LONG_BOUNCE])
def test_a_press_that_bounces_is_one_press_at_its_first_edge(down: tuple[float, ...], up: tuple[float, ...]) -> None:
    table = Table()
    table.fingers.press(CALL, 1.25, down=down, up=up)
    table.run(3.0)
    assert table.presses == [Press("seat1.call", 1.25)]


def test_of_two_at_once_the_first_contact_is_told_first_however_long_it_bounces() -> None:
    # Field report 30: seat 1 was first by half a millisecond, on a button that bounces for 15 ms.
    table = Table()
    table.fingers.press(CALL, 1.0, down=LONG_BOUNCE)
    table.fingers.press(OK, 1.0005)
    table.run(3.0)
    assert [(p.button, p.at) for p in table.presses] == [("seat1.call", 1.0), ("seat2.call", 1.0005)]
    assert all(told - press.at < 0.06 for told, press in zip(table.told_at, table.presses, strict=True))


def test_a_wire_that_chatters_for_ever_keeps_no_other_button_waiting() -> None:
    table = Table()
    table.fingers.press(CALL, 1.0, 10.0, down=(0.002,) * 4000)  # a broken wire: edges for 8 seconds
    table.fingers.press(OK, 3.0)
    table.run(4.0)
    assert [press.button for press in table.presses] == ["seat2.call"]
    table.run(12.0)  # then it stays closed: a press, but none of 8 seconds ago
    assert [press.button for press in table.presses] == ["seat2.call", "seat1.call", "seat1.call"]
    assert table.presses[1].at > 8.8


def test_a_long_press_is_told_once_more_as_long() -> None:
    table = Table()
    table.fingers.press(UNDO, 1.0, held_s=5.0)
    table.run(9.0)
    assert table.presses == [Press("table.undo", 1.0), Press("table.undo", 1.0, held_s=1.0)]
    assert [p.long for p in table.presses] == [False, True]


def test_a_stuck_button_is_told_and_when_it_is_free_again() -> None:
    table = Table()
    table.fingers.press(CALL, 1.0, held_s=60.0)
    table.run(90.0)
    assert table.troubles == [("seat1.call", Trouble.STUCK), ("seat1.call", Trouble.FREE)]


def test_a_button_held_at_the_start_is_no_press_but_the_next_one_is() -> None:
    line = TimeLine(overshoot_s=0.0)
    factory = TwinFactory(line)
    presses: list[Press] = []
    factory.drive(CALL, high=False, at=0.0)
    held = ButtonBoard([Wired("seat1.call", CALL)], line, presses.append, pin_factory=factory)
    held.open()
    line.advance_to(3.0)
    held.step(3.0)
    factory.drive(CALL, high=True, at=3.0)
    line.advance_to(3.5)
    held.step(3.5)
    factory.drive(CALL, high=False, at=3.4)
    held.step(3.5)
    assert presses == [Press("seat1.call", 3.4)]


def test_a_button_to_3v3_is_pressed_when_high() -> None:
    line = TimeLine(overshoot_s=0.0)
    factory = TwinFactory(line)
    presses: list[Press] = []
    board = ButtonBoard([Wired("seat1.call", CALL, to_ground=False)], line, presses.append, pin_factory=factory)
    board.open()
    line.advance_to(1.0)
    factory.drive(CALL, high=True, at=0.5)
    board.step(1.0)
    assert presses == [Press("seat1.call", 0.5)]


def test_times_are_those_of_the_edges_not_of_the_telling() -> None:
    table = Table()
    for n in range(20):
        table.fingers.press(CALL, 1.0 + n * 0.3, held_s=0.08, down=SHORT_BOUNCE, up=SHORT_BOUNCE)
    table.run(9.0)
    assert [p.at for p in table.presses] == pytest.approx([1.0 + n * 0.3 for n in range(20)], abs=1e-12)
    assert all(b.at > a.at for a, b in pairwise(table.presses))
    assert table.board.strange_ticks == 0


def test_ticks_of_another_clock_are_counted_and_taken_as_now() -> None:
    table = Table()
    table.line.advance_to(50.0)
    table.factory.drive(CALL, high=False, at=3.0)  # 47 s ago: no edge is told so late
    table.run(50.5)
    assert table.board.strange_ticks == 1
    assert [p.at for p in table.presses] == [50.0]


def test_names_and_pins_used_twice_are_refused() -> None:
    line = TimeLine()
    with pytest.raises(ValueError, match="pin GPIO5 is used twice"):
        ButtonBoard([Wired("a", 5), Wired("b", 5)], line, lambda press: None)
    with pytest.raises(ValueError, match="name a is used twice"):
        ButtonBoard([Wired("a", 5), Wired("a", 6)], line, lambda press: None)


def test_a_pin_that_is_taken_is_named_with_its_button() -> None:
    table = Table()
    other = ButtonBoard([Wired("table.pile", UNDO)], table.line, lambda press: None, pin_factory=table.factory)
    with pytest.raises(ButtonError, match=r"button table\.pile on GPIO13: .*in use"):
        other.open()


def test_closed_pins_can_be_opened_again() -> None:
    table = Table()
    table.board.close()
    table.board.open()
    table.fingers.press(CALL, 1.0)
    table.run(2.0)
    assert table.presses == [Press("seat1.call", 1.0)]


def test_gpiozero_is_imported_only_when_a_pin_is_opened() -> None:
    source = Path(__file__).resolve().parents[2] / "hardware" / "buttons.py"
    heads = [line for line in source.read_text("utf-8").splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in heads if "gpiozero" in line]

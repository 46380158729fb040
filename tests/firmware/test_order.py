"""The order of events (field reports 20 and 30; rulings P8 and S18)."""

from dataclasses import dataclass

from firmware.loop import Loop
from firmware.order import Gate, Press, calls_by_seat, tied
from firmware.presence import Lifted, Placed


@dataclass
class Judge:
    """Presence as a test wants it: swept up to a time, and one undecided moment."""

    swept_to: float = 1e9
    open_since: float | None = None

    def swept(self, at: float, now: float) -> bool:
        return at <= self.swept_to

    def undecided(self, key: float, now: float) -> bool:
        return self.open_since is not None and self.open_since < key


def placed(uid: str, after: float, contact: float, zone: str = "discard") -> Placed:
    return Placed(zone, uid, f"{zone}/1", contact, after)


def test_events_leave_by_contact_whatever_came_first() -> None:
    gate = Gate(Judge())
    late, early = placed("B", 1.19, 1.2), placed("A", 0.99, 1.0)
    gate.put(late)
    gate.put(early)
    assert gate.release(2.0) == ((early,), (late,))


def test_nothing_leaves_before_every_reader_has_looked_since() -> None:
    judge = Judge(swept_to=1.0)
    gate = Gate(judge)
    gate.put(placed("A", 1.0, 1.01))
    assert gate.release(1.02) == ()
    assert gate.waiting()
    judge.swept_to = 1.01
    assert len(gate.release(1.02)) == 1


def test_a_press_waits_for_a_card_that_was_put_down_before_it() -> None:
    judge = Judge(open_since=1.0)
    gate = Gate(judge)
    gate.put(Press("seat1.ok", 1.1))
    assert gate.release(1.2) == ()
    judge.open_since = None
    card = placed("A", 0.99, 1.0)
    gate.put(card)
    assert gate.release(1.2) == ((card,), (Press("seat1.ok", 1.1),))


def test_at_one_moment_a_departure_comes_before_an_arrival_and_that_before_a_press() -> None:
    gate = Gate(Judge())
    press, arrival = Press("seat1.ok", 1.0), placed("A", 0.9, 1.0)
    departure = Lifted("seat1", "A", "seat1/1", 1.0, 0.9)
    for event in (press, arrival, departure):
        gate.put(event)
    assert gate.release(2.0) == ((departure,), (arrival,), (press,))


def test_arrivals_that_no_sensor_can_tell_apart_leave_together_after_their_own_departures() -> None:
    gate = Gate(Judge())
    a, b = placed("A", 0.95, 1.0), placed("B", 0.98, 1.02)
    departure = Lifted("seat2", "B", "seat2/1", 1.01, 0.9)
    for event in (b, departure, a):
        gate.put(event)
    assert tied(a, b)
    assert gate.release(2.0) == ((departure,), (a, b))


def test_a_card_taken_away_again_at_once_leaves_after_its_own_arrival() -> None:
    gate = Gate(Judge())
    a, b = placed("A", 0.95, 1.0), placed("B", 0.98, 1.05)
    departure = Lifted("discard", "A", "discard/1", 1.03, 1.02)
    for event in (a, departure, b):
        gate.put(event)
    assert gate.release(2.0) == ((a, b), (departure,))


def test_an_arrival_after_the_other_reader_was_seen_empty_is_no_tie() -> None:
    assert not tied(placed("A", 0.95, 1.0), placed("B", 1.001, 1.02))


def test_calls_at_one_time_go_by_seat_after_the_accused() -> None:
    presses = [Press("seat1.call", 1.0), Press("seat4.call", 1.0), Press("seat2.call", 1.0)]
    assert [p.button for p in calls_by_seat(presses, 2, 4)] == ["seat4.call", "seat1.call", "seat2.call"]


def test_equal_wakes_step_in_the_order_machines_were_added() -> None:
    told: list[str] = []

    @dataclass
    class Once:
        name: str

        def step(self, now: float) -> float | None:
            told.append(f"{self.name}@{now}")
            return None

    loop = Loop()
    wake_a = loop.add(Once("a"), at=1.0)
    loop.add(Once("b"), at=1.0)
    loop.run_to(2.0)
    wake_a(3.0)
    wake_a(2.5)
    loop.run_to(5.0)
    assert told == ["a@1.0", "b@1.0", "a@2.5"]
    assert loop.now == 5.0

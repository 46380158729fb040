"""Bouncing contacts: one press is one press (field report 16)."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.bounce import DOWN_S, LONG_S, STUCK_S, UP_S, Contact, Event, Happening, edge, settle

BURSTS = {
    "clean": (),
    "short": (0.0004, 0.0003, 0.0008, 0.0002),
    "long": (0.0021, 0.0014, 0.0043, 0.0009, 0.0038, 0.0027),
}


def told(edges: Sequence[tuple[float, bool]], until: float) -> list[Event]:
    """All events of a contact whose edges these are."""
    contact = Contact()
    events: list[Event] = []
    for t, closed in edges:
        contact, more = edge(contact, t, closed)
        events += more
    while True:
        contact, more, ask = settle(contact, until)
        events += more
        if ask is None or ask > until:
            return events


def burst(at: float, closed: bool, gaps: Sequence[float]) -> list[tuple[float, bool]]:
    edges = [(at, closed)]
    for gap in gaps:
        at, closed = at + gap, not closed
        edges.append((at, closed))
    return edges


@pytest.mark.parametrize("up", BURSTS)
@pytest.mark.parametrize("down", BURSTS)
class TestPresses:
    def test_one_press_is_one_press_at_its_first_contact(self, down: str, up: str) -> None:
        edges = burst(1.0, True, BURSTS[down]) + burst(1.2, False, BURSTS[up])
        events = told(edges, 3.0)
        assert [(e.what, e.at) for e in events] == [(Happening.DOWN, 1.0), (Happening.UP, 1.0)]

    def test_a_long_press_is_told_as_long_once_and_not_as_a_second_press(self, down: str, up: str) -> None:
        edges = burst(1.0, True, BURSTS[down]) + burst(1.0 + 3 * LONG_S, False, BURSTS[up])
        assert [e.what for e in told(edges, 9.0)] == [Happening.DOWN, Happening.LONG, Happening.UP]

    def test_two_quick_presses_are_two(self, down: str, up: str) -> None:
        edges = [
            *burst(1.0, True, BURSTS[down]), *burst(1.06, False, BURSTS[up]),
            *burst(1.15, True, BURSTS[down]), *burst(1.21, False, BURSTS[up]),
        ]  # fmt: skip
        assert [e.at for e in told(edges, 3.0) if e.what is Happening.DOWN] == [1.0, 1.15]


class TestEdges:
    def test_a_spike_is_no_press(self) -> None:
        assert told([(1.0, True), (1.0 + DOWN_S / 2, False)], 3.0) == []

    def test_a_spike_some_time_before_does_not_date_a_press_back(self) -> None:
        edges = [(1.0, True), (1.001, False), (1.0 + 2 * UP_S, True)]
        assert told(edges, 1.5) == [Event(Happening.DOWN, 1.0 + 2 * UP_S, 0.0)]

    def test_a_break_in_a_held_contact_is_no_second_press(self) -> None:
        edges = [(1.0, True), (1.3, False), (1.3 + UP_S / 2, True), (1.6, False)]
        assert [e.what for e in told(edges, 3.0)] == [Happening.DOWN, Happening.UP]

    def test_a_stuck_contact_is_told_once_and_when_it_is_free(self) -> None:
        events = told([(1.0, True), (1.0 + 2 * STUCK_S, False)], 99.0)
        assert [e.what for e in events] == [Happening.DOWN, Happening.LONG, Happening.STUCK, Happening.UP]
        assert events[-1].stuck
        assert events[-1].held_s == pytest.approx(2 * STUCK_S)

    def test_edges_told_late_and_all_at_once_give_the_same(self) -> None:
        edges = burst(1.0, True, BURSTS["long"]) + burst(1.2, False, BURSTS["short"])
        asked_often: list[Event] = []
        contact, n = Contact(), 0
        for step in range(30_000):
            now = step / 10_000
            while n < len(edges) and edges[n][0] <= now:
                contact, more = edge(contact, *edges[n])
                asked_often += more
                n += 1
            contact, more, _ = settle(contact, now)
            asked_often += more
        assert asked_often == told(edges, 3.0)


@given(st.lists(st.floats(0.0001, 0.5), min_size=1, max_size=60))
def test_whatever_a_contact_does_presses_and_releases_alternate(gaps: list[float]) -> None:
    t, closed = 1.0, False
    edges = []
    for gap in gaps:
        t, closed = t + gap, not closed
        edges.append((t, closed))
    events = told(edges, t + 60.0)
    ups_and_downs = [e for e in events if e.what in (Happening.DOWN, Happening.UP)]
    assert [e.what for e in ups_and_downs] == [
        Happening.UP if n % 2 else Happening.DOWN for n in range(len(ups_and_downs))
    ]
    downs = [e.at for e in events if e.what is Happening.DOWN]
    assert downs == sorted(set(downs))
    assert all(at in [t for t, c in edges if c] for at in downs)

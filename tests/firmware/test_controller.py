"""From looks to rulings: ties, control cards, unknown tags, timers, rescan (field reports 20, 24, 26)."""

from collections.abc import Sequence

from engine.games import SPECS, referee_for
from engine.observations import Observation, Placed
from engine.rulings import Ruling
from engine.setup import Setup
from engine.zones import ZoneKind
from firmware.controller import Controller, Shown
from firmware.deck import Deck
from firmware.layout import Antenna, Layout, Zone
from firmware.recordfile import Lines
from hardware.looks import Look

CARDS = {"04000000000001": "capo#1", "04000000000002": "voile#1", "04000000000003": "greve#1"}
UID = {card: uid for uid, card in CARDS.items()}
UNDO = "040000000000FF"


class Table:
    """A table of TIFO for two without a radio: looks are made by hand."""

    def __init__(self) -> None:
        kinds = {"seat1": ZoneKind.SPREAD, "seat2": ZoneKind.SPREAD, "discard": ZoneKind.PILE}
        layout = Layout(
            tuple(Zone.usual(name, kind) for name, kind in kinds.items()),
            tuple(Antenna(name, name, f"bus{n % 2}") for n, name in enumerate(kinds)),
        )
        self.asked: list[tuple[str, str]] = []
        self.journal = Lines()
        setup = Setup(SPECS["tifo"], 2, zones=kinds)
        deck = Deck(CARDS, {UNDO: "table.undo"})
        self.controller = Controller(referee_for(setup), layout, deck, self, self.journal)
        self.lying: dict[str, set[str]] = {name: set() for name in kinds}
        self.known: dict[str, set[str]] = {name: set() for name in kinds}
        self.now = 0.0

    def ask(self, reader: str, uid: str) -> None:
        self.asked.append((reader, uid))

    def forget(self, reader: str, uid: str) -> None:
        self.known[reader].discard(uid)

    def pass_time(self, seconds: float) -> None:
        """All readers look every 10 ms, on two buses at once."""
        until = self.now + seconds
        while self.now < until - 1e-9:
            began = self.now
            self.now = round(self.now + 0.01, 3)
            for reader, here in self.lying.items():
                new = tuple((uid, began + 0.005) for uid in sorted(here - self.known[reader]))
                silent = tuple(sorted(self.known[reader] - here))
                self.known[reader] |= here
                self.controller.look(Look(reader, began, self.now, tuple(sorted(here)), silent, None, new))
            self.controller.step(self.now)

    def said(self, out: str) -> list[dict[str, object]]:
        return [line for line in self.journal.lines if line.get("out") == out]


def test_two_plays_in_one_scan_are_judged_in_the_order_in_which_both_are_legal() -> None:
    table = Table()
    table.pass_time(0.1)
    table.lying["seat2"].add(UID["capo#1"])  # seat 2 lays: legal only after seat 1 has played
    table.lying["seat1"].add(UID["voile#1"])
    table.pass_time(0.5)
    assert [(m["seat"], m["card"]) for m in table.said("move")] == [(1, "voile#1"), (2, "capo#1")]
    assert table.said("refused") == []


def test_without_a_legal_order_the_order_of_contact_stands() -> None:
    table = Table()
    table.pass_time(0.1)
    table.lying["seat2"] |= {UID["capo#1"], UID["voile#1"]}
    table.pass_time(0.5)
    assert [r["rule"] for r in table.said("refused")] == ["tifo/turn", "table/correct-first"]


def test_the_journal_has_the_input_before_anybody_is_told() -> None:
    table = Table()
    heard: list[object] = []

    def listen(now: float, shown: Shown) -> None:
        heard.append(table.journal.lines[-1] if shown else None)
        assert any(line.get("in") == "placed" for line in table.journal.lines)

    table.controller.on_outputs.append(listen)
    table.lying["seat1"].add(UID["capo#1"])
    table.pass_time(0.5)
    assert heard


def test_a_control_card_is_a_button_and_never_a_play() -> None:
    table = Table()
    table.pass_time(0.1)
    table.lying["seat1"].add(UID["capo#1"])
    table.pass_time(0.5)
    table.lying["discard"].add(UNDO)
    table.pass_time(0.5)
    assert [line["move"] for line in table.said("undone")] == ["lay"]
    assert not any(line.get("in") == "unknown" for line in table.journal.lines)


def test_a_control_card_that_slides_on_to_another_zone_is_still_one_press() -> None:
    table = Table()
    table.pass_time(0.1)
    for card in ("capo#1", "voile#1"):
        table.lying["seat1" if card == "capo#1" else "seat2"].add(UID[card])
        table.pass_time(0.5)
    table.lying["discard"].add(UNDO)
    table.pass_time(0.1)
    table.lying["discard"].remove(UNDO)
    table.lying["seat1"].add(UNDO)
    table.pass_time(1.0)
    assert len(table.said("undone")) == 1
    table.lying["seat1"].remove(UNDO)
    table.pass_time(1.0)
    table.lying["seat2"].add(UNDO)
    table.pass_time(0.5)
    assert len(table.said("undone")) == 2


def test_a_control_card_that_two_readers_hear_at_once_is_one_press() -> None:
    table = Table()
    table.pass_time(0.1)
    for card in ("capo#1", "voile#1"):
        table.lying["seat1" if card == "capo#1" else "seat2"].add(UID[card])
        table.pass_time(0.5)
    table.lying["seat1"].add(UNDO)
    table.lying["seat2"].add(UNDO)
    table.pass_time(3.0)
    assert len(table.said("undone")) == 1


def test_a_tag_that_no_deck_knows_is_reported_once() -> None:
    table = Table()
    table.lying["seat1"].add("04DEADBEEF0001")
    table.pass_time(2.0)
    (refused,) = table.said("refused")
    assert refused["rule"] == "table/unknown-card"
    assert refused["uid"] == "04DEADBEEF0001"


def test_a_press_is_dated_when_it_was_made_and_never_before_the_last_input() -> None:
    table = Table()
    table.lying["seat1"].add(UID["capo#1"])
    table.pass_time(0.5)
    table.controller.press("seat2.call", 0.49)
    table.pass_time(0.1)
    times = [float(str(line["t"])) for line in table.journal.lines if "in" in line]
    assert times == sorted(times)
    assert times[-1] == 0.49


def test_a_button_of_another_game_does_nothing() -> None:
    table = Table()
    table.controller.press("seat7.call", 0.1)
    table.pass_time(0.5)
    assert [line for line in table.journal.lines if "in" in line] == []


def test_rescan_tells_the_referee_what_he_missed() -> None:
    table = Table()
    table.lying["seat1"].add(UID["capo#1"])
    table.pass_time(0.5)
    heard: list[Observation] = []

    def hear(observation: Observation, rulings: Sequence[Ruling]) -> None:
        heard.append(observation)

    table.controller.on_rulings.append(hear)
    referee = table.controller.referee
    referee.table = referee.table.put("capo#1", None)  # he forgot, or was told wrongly
    table.controller.press("table.rescan", table.now)
    table.pass_time(1.0)
    assert [(type(o), o.card) for o in heard if isinstance(o, Placed)] == [(Placed, "capo#1")]
    assert ("seat1", UID["capo#1"]) in table.asked


def test_a_lay_and_a_quick_discard_keep_their_order_though_a_pile_has_no_dwell() -> None:
    table = Table()
    table.pass_time(0.1)
    table.lying["seat1"].add(UID["capo#1"])
    table.pass_time(0.03)
    table.lying["discard"].add(UID["greve#1"])
    table.pass_time(0.5)
    assert [line["zone"] for line in table.journal.lines if line.get("in") == "placed"] == ["seat1", "discard"]

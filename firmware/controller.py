"""The controller: looks, presses and time in; observations to the referee; journal first, then everybody else.

Its rules:
- it owns the senses and the referee; nothing else calls them;
- `look`, `press` and `speak` may be called from any thread, everything else happens in `step`;
- `t` in the record is the time of decision for a card, of the press for a button, and never goes back;
- a control card is a button, never a play (field report 24); a tag that no deck knows is `unknown`;
- timers of the referee go through the gate, so that a press made in time is judged in time.
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from engine.observations import Announce, Lifted, Observation, Placed, Pressed, Tick, Unknown
from engine.record import header_line, input_line, output_line, public_output
from engine.record.writer import Line
from engine.referee import Referee
from engine.rulings import Move, Ruling
from firmware import order, presence
from firmware.deck import Deck
from firmware.layout import Layout
from firmware.recordfile import Journal
from firmware.senses import Senses
from hardware.looks import Look

Shown = list[tuple[Line, Line | None]]
"""Outputs, each as the arbiter sees it and as everybody may (None: nobody else)."""

GESTURE_S = 0.5
"""A control card that was on the table so shortly ago is still the same gesture, wherever it is seen now."""
RESCAN_S = 0.5
"""How long after `table.rescan` the table and the game are compared: every tag has been asked by then."""


class Controller:
    """A step machine (`hardware.steps.Machine`). `wake` is set by whoever drives it."""

    def __init__(
        self, referee: Referee[object], layout: Layout, deck: Deck, asker: presence.Asker, journal: Journal
    ) -> None:
        self.referee = referee
        self.senses = Senses(layout, asker, familiar=deck.knows)
        self.on_outputs: list[Callable[[float, Shown], None]] = []
        self.on_notice: list[Callable[[float, presence.Notice], None]] = []
        self.on_rescan: list[Callable[[], None]] = []
        self.on_rulings: list[Callable[[Observation, Sequence[Ruling]], None]] = []
        self.wake: Callable[[float], None] = lambda _at: None
        self.layout = layout
        self._deck = deck
        self._asker = asker
        self._journal = journal
        self._last_t = 0.0
        self._gestures: dict[str, float] = {}  # control card -> when it was last known to be on the table
        self._accused: int | None = None
        self._timer: float | None = None
        self._compare_at: float | None = None
        journal.write(header_line(referee.setup))

    # -- in, from any thread -------------------------------------------------------------------------

    def look(self, look: Look) -> None:
        """What a reader saw."""
        self.senses.look(look)
        self.wake(look.ended)

    def press(self, button: str, at: float) -> None:
        """A button was pressed at `at` seconds of the table's clock."""
        self.senses.put(order.Press(button, at))
        self.wake(at)

    def speak(self, seat: int, value: int, count: int | None, at: float) -> None:
        """A value was announced aloud, and somebody typed it in."""
        self.senses.put(order.Spoken(seat, value, count, at))
        self.wake(at)

    # -- the machine ---------------------------------------------------------------------------------

    def step(self, now: float) -> float | None:
        """Judge all that has happened up to `now`; the time of the next wake, if any."""
        clusters, wake = self.senses.advance(now)
        for notice in self.senses.notices():
            for listener in self.on_notice:
                listener(now, notice)
        self._release(list(clusters), now)
        if self._compare_at is not None and now >= self._compare_at:
            self._compare_at = None
            self._compare(now)
        wakes = (wake, self._timer, self._compare_at)
        return min((at for at in wakes if at is not None and at > now), default=None)

    def _release(self, clusters: list[order.Cluster], now: float) -> None:
        due = self._timer
        while clusters:
            cluster = clusters.pop(0)
            first = cluster[0]
            if due is not None and first.key >= due:
                self._fire(due)
            due = self._timer
            if isinstance(first, order.Press):
                together = [first]
                while clusters and isinstance(other := clusters[0][0], order.Press) and other.key == first.key:
                    together.append(other)
                    clusters.pop(0)
                seats = self.referee.setup.seats
                for press in order.calls_by_seat(together, self._accused, seats):
                    self._judge(self._observe(press, now), now)
            elif len(cluster) > 1:
                self._judge_tie(cluster, now)
            else:
                self._judge(self._observe(first, now), now)
            due = self._timer
        quiet = self.senses.presence.swept
        if due is not None and now >= due and quiet(due, now) and not self.senses.gate.waiting():
            self._fire(due)

    def _fire(self, due: float) -> None:
        self._timer = None
        self._judge(Tick(max(self._last_t, due)), due)  # not rounded: it must not fall before the deadline

    def _observe(self, event: order.Event, now: float) -> Observation | None:
        """The event as the referee takes it; None for what is no business of his."""
        t = max(self._last_t, _round(now))
        match event:
            case presence.Placed():
                control = self._deck.control(event.uid)
                if control is not None:
                    return self._button(control, t) if self._begins(event) else None
                card = self._deck.card(event.uid)
                if card is None:
                    return Unknown(t, event.zone, event.uid)
                after = None if event.after is None else _round(event.after)
                return Placed(t, event.zone, card, _round(event.contact), after)
            case presence.Lifted():
                if self._deck.control(event.uid) is not None:
                    self._gestures[event.uid] = event.seen
                card = self._deck.card(event.uid)
                return None if card is None else Lifted(t, event.zone, card)
            case order.Press():
                return self._button(event.button, max(self._last_t, min(t, _round(event.key))))
            case order.Spoken():
                at = max(self._last_t, min(t, _round(event.key)))
                return Announce(at, event.seat, event.value, event.count)
            case _:
                assert_never(event)

    def _begins(self, placed: presence.Placed) -> bool:
        """Whether a control card is a new press: not when it slid here, or is heard by two readers at once."""
        before = self._gestures.get(placed.uid)
        self._gestures[placed.uid] = placed.contact
        return not placed.conflict and (before is None or placed.contact > before + GESTURE_S)

    def _button(self, button: str, t: float) -> Observation | None:
        if button == "table.rescan":
            self.rescan(t)
            return None
        known = self.referee.setup.spec.buttons(self.referee.setup.seats)
        return Pressed(t, button) if button in known else None

    def _judge_tie(self, cluster: Sequence[order.Event], now: float) -> None:
        """Arrivals whose order no sensor can tell: one in which all are legal, if there is one."""
        seen = [self._observe(event, now) for event in cluster]
        plays = [o for o in seen if isinstance(o, Placed)]
        legal = self.referee.try_order(plays) if len(plays) > 1 else None
        for observation in seen:
            if not isinstance(observation, Placed):
                self._judge(observation, now)
        for play in legal or self._zone_by_zone(plays):
            self._judge(play, now)

    def _zone_by_zone(self, plays: Sequence[Placed]) -> list[Observation]:
        """An illegal card spoils every order of all; the cards of another zone still get a legal one of theirs."""
        line: list[Observation] = list(plays)
        for zone in dict.fromkeys(play.zone for play in plays):
            places = [n for n, play in enumerate(plays) if play.zone == zone]
            if 1 < len(places) < len(plays):
                legal = self.referee.try_order([plays[n] for n in places]) or ()
                for n, play in zip(places, legal, strict=False):
                    line[n] = play
        return line

    def _judge(self, observation: Observation | None, now: float) -> None:
        if observation is None:
            return
        self._last_t = observation.t
        rulings = self.referee.receive(observation)
        self._journal.write(input_line(observation))
        for ruling in rulings:
            self._journal.write(output_line(ruling))
            if isinstance(ruling, Move) and ruling.move in ("open", "pose"):
                self._accused = ruling.seat
        self._timer = self.referee.due()
        if rulings:
            shown: Shown = [(output_line(ruling), public_output(ruling)) for ruling in rulings]
            for listener in self.on_outputs:
                listener(now, shown)
        for hearer in self.on_rulings:
            hearer(observation, rulings)

    # -- the way out of a misread --------------------------------------------------------------------

    def rescan(self, now: float) -> None:
        """Ask every tag anew; in a moment, tell the referee where the table differs from what he was told."""
        for antenna in self.layout.readers:
            for zone, uid in self.senses.presence.lying():
                if zone == antenna.zone:
                    self._asker.ask(antenna.reader, uid)
        for listener in self.on_rescan:
            listener()
        self._compare_at = now + RESCAN_S
        self.wake(self._compare_at)

    def _compare(self, now: float) -> None:
        """Cards he believes to lie where they do not are lifted, cards he does not know of are placed."""
        t = max(self._last_t, _round(now))
        setup = self.referee.setup
        lying = {
            (zone, card)
            for zone, uid in self.senses.presence.lying()
            if (card := self._deck.card(uid)) is not None and setup.zones[zone].value != "pass"
        }
        believed = {(zone, card) for card, zone in self.referee.table.lies.items()}
        for zone, card in sorted(believed - lying):
            self._judge(Lifted(t, zone, card), now)
        for zone, card in sorted(lying - believed):
            self._judge(Placed(t, zone, card), now)


def _round(seconds: float) -> float:
    """Times in a record are whole microseconds: shorter to read, and far below what a sensor can tell."""
    return round(seconds, 6)

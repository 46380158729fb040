"""The virtual table as a show: what a viewer does becomes what hands do, and the table says what comes of it."""

from collections.abc import Mapping, Sequence

from engine.cards import Card
from engine.observations import Observation, Placed
from engine.record import public_output
from engine.record.writer import Line
from engine.rulings import Ruling
from engine.setup import Setup
from engine.zones import column_of, seat_of
from firmware.recordfile import Journal, encode
from firmware.stage import Context
from firmware.web import layout
from firmware.web.errors import NotAllowedError
from firmware.web.hands import Pace
from firmware.web.layout import Lying
from firmware.web.messages import DrawCard, Fault, GiveCard, Push, PutCard, ShowHand, Step, TakeCard, Wish
from firmware.web.panel import Watch, break_it
from firmware.web.rig import Game, Rig, build
from firmware.web.show import Json, Log, Signals
from firmware.web.viewers import Viewer


class Kept:
    """The record in memory, and in a file if there is one."""

    def __init__(self, file: Journal | None) -> None:
        self.lines: list[Line] = []
        self._file = file

    def write(self, line: Line) -> None:
        """Keep one line, on the disk first."""
        if self._file is not None:
            self._file.write(line)
        self.lines.append(line)


class VirtualShow:
    """A game on twins, bots in the seats that nobody took."""

    def __init__(self, game: Game, pace: Pace, humans: frozenset[int], journal: Journal | None = None) -> None:
        self.version = 0
        self.game = game
        self.signals = Signals()
        self.log = Log(Context.of(game.setup(), game.lang))
        self._kept = Kept(journal)
        self._public: list[Line] = []
        self._rig: Rig = build(game, self._kept, self.signals, pace, humans)
        self.setup: Setup = self._rig.setup
        self._rig.hands.on_change = self._changed
        controller = self._rig.table.controller
        assert controller is not None, "the rig has a game on it"
        self._controller = controller
        self.watch = Watch(self._rig)
        controller.on_outputs.append(lambda now, shown: self.log.add(now, shown))
        controller.on_rulings.append(self._heard)

    @property
    def rig(self) -> Rig:
        """What it is made of."""
        return self._rig

    def _changed(self) -> None:
        self.version += 1

    def _heard(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        if isinstance(observation, Placed):
            self.watch.judged(observation)
        self._public += [line for ruling in rulings if (line := public_output(ruling)) is not None]
        self._changed()

    def advance(self, dt: float) -> None:
        """Let the table's time go on."""
        loop = self._rig.table.loop
        loop.run_to(loop.now + dt)
        self.signals.lamps = {lamp.name: lamp.colour for lamp in self._rig.lamps}

    def screens(self) -> Mapping[str, bytes]:
        """What each emulated display holds."""
        return {name: chip.frame() for name, chip in self._rig.stage.chips.items()}

    def set_humans(self, seats: frozenset[int]) -> None:
        """For these seats no bot plays."""
        if seats != self._rig.hands.world.humans:
            self._rig.hands.set_humans(seats)
            self._changed()

    def set_pace(self, pace: Pace) -> None:
        """How fast bots play."""
        self._rig.hands.set_pace(pace)
        self._changed()

    def panel(self, everything: bool) -> Json:
        """Readers, latency, record, faults."""
        lines = self._kept.lines if everything else self._public
        return {**self.watch.told(everything), "lines": len(lines), "tail": [encode(line) for line in lines[-8:]]}

    def record(self, *, public: bool) -> bytes:
        """The table record so far."""
        lines = [self._kept.lines[0], *self._public] if public else self._kept.lines
        return "".join(encode(line) + "\n" for line in lines).encode()

    def close(self) -> None:
        """Give the pins back."""
        self._rig.close()

    # -- what is to be seen ----------------------------------------------------------------------------------

    def state(self, seat: int | None) -> Json:
        """All that the page draws for this seat (None: for everybody)."""
        setup, hands = self.setup, self._rig.hands
        referee = self._controller.referee
        view = referee.public_view() if seat is None else referee.view(seat)
        told: Json = {
            "kind": "virtual",
            "game": setup.spec.id,
            "seats": setup.seats,
            "mode": setup.mode.value,
            "seed": self.game.seed,
            "lang": self.game.lang,
            "options": dict(setup.options),
            "own": self.game.own is not None,
            "absent": self.game.own.without(setup.spec, setup.seats) if self.game.own is not None else (),
            "screens": sorted(self._rig.stage.chips),
            "me": seat,
            "humans": sorted(hands.world.humans),
            "view": view,
            "zones": layout.zones(setup, view, self._lying(view), seat),
            "hands": {str(n): self._hand(n, seat, view) for n in range(1, setup.seats + 1)},
            "pace": hands.pace.value,
            "finished": hands.finished,
            "broken": bool(hands.broken),
            "faults": self.watch.faults(),
        }
        if setup.spec.id == "tipouik":
            told["centre"] = layout.centre(view)
        return told

    def _lying(self, view: Mapping[str, object]) -> list[Lying]:
        lies = self._rig.hands.lies
        return [Lying(card, s.zone, s.source, self._takers(card, view)) for card, s in lies.items()]

    def _takers(self, card: Card, view: Mapping[str, object]) -> frozenset[int]:
        """Who may take a card up: whose place it lies in, who put it there wrongly, anybody the top of a pile."""
        lies = self._rig.hands.lies
        zone = lies[card].zone
        owner, source = seat_of(zone), lies[card].source
        wrong = {(c.zone, c.card): c.seat for c in self._controller.referee.corrections}
        giver = int(source[4:]) if source.startswith("hand") else seat_of(source)
        takers = {wrong[zone, card], giver} if (zone, card) in wrong else set()
        in_reach = column_of(zone) is None or layout.open_to(self.setup, view, Lying(card, zone, source), None)
        if owner is not None and in_reach:
            takers.add(owner)
        if zone == "discard" and [c for c, s in lies.items() if s.zone == zone][-1] == card:
            takers |= set(range(1, self.setup.seats + 1))
        turn = view.get("turn")
        if zone == "discard" and view.get("ola") and isinstance(turn, int):  # to swap by lifting: any, see T30
            takers.add(turn)
        held = self._rig.hands.world.hand(giver) if giver is not None and self.setup.spec.id == "tifo" else ()
        if card in held:  # put down, and still his: not judged yet, or refused
            takers.add(giver)
        return frozenset(t for t in takers if t is not None)

    def _hand(self, n: int, seat: int | None, view: Mapping[str, object]) -> Json:
        hands = self._rig.hands
        if self.setup.spec.id == "tfu":
            lifted = self._lifted(n, view)
            return {"n": len(lifted), "cards": lifted, "spare": len(hands.world.stock(n))}
        held = hands.held(n)
        return {"n": len(held), "cards": layout.sorted_hand(self.setup, held) if n == seat else None}

    def _lifted(self, n: int, view: Mapping[str, object]) -> list[Card]:
        """Тьфу!: open tops that are in the air, for everybody to see."""
        seats = view["seats"]
        assert isinstance(seats, list), "a view has seats"
        columns = seats[n - 1]["columns"] or []
        tops = [column["open"] for column in columns if column["open"] is not None]
        return [card for card in tops if card not in self._rig.hands.lies]

    # -- what viewers do -------------------------------------------------------------------------------------

    def do(self, viewer: Viewer, wish: Wish) -> None:
        """Carry out what somebody wants. Raises `NotAllowedError`."""
        match wish:
            case Fault():
                break_it(self._rig, wish)
                self.watch.broken(wish)
                self._changed()
            case Step():
                self._rig.hands.permit()
            case Push(button=button):
                self._push(viewer, button)
            case PutCard() | TakeCard() | DrawCard() | GiveCard() | ShowHand():
                if viewer.seat is None:
                    raise NotAllowedError("no-seat")
                self._move(viewer.seat, wish)
            case _:
                raise NotAllowedError("not-here")

    def _push(self, viewer: Viewer, button: str) -> None:
        if button not in self.setup.spec.buttons(self.setup.seats):
            raise NotAllowedError("no-button")
        owner = seat_of(button)
        robs = (
            viewer.seat is not None
            and self.setup.spec.id == "tifo"
            and button.endswith(".ok")
            and bool((view := self._controller.referee.public_view())["ola"])
            and view["turn"] == viewer.seat
        )
        mine = viewer.is_host if owner is None else owner == viewer.seat
        if not mine and not robs:
            raise NotAllowedError("not-yours")
        self._rig.hands.push(button)

    def _move(self, seat: int, wish: PutCard | TakeCard | DrawCard | GiveCard | ShowHand) -> None:
        hands = self._rig.hands
        match wish:
            case PutCard(card=card, zone=zone):
                if zone not in self.setup.zones or zone == "draw":
                    raise NotAllowedError("no-zone")
                card = self._own(seat, card)
                hands.put(seat, card, zone)
            case TakeCard(card=card):
                view = self._controller.referee.view(seat)
                if card not in hands.lies or seat not in self._takers(card, view):
                    raise NotAllowedError("not-yours")
                hands.take(seat, card)
            case DrawCard():
                self._draw(seat)
            case GiveCard(card=card, to=to):
                self._give(seat, card, to)
            case ShowHand():
                if self._controller.referee.public_view().get("phase") != "count":
                    raise NotAllowedError("not-now")
                hands.show(seat)

    def _own(self, seat: int, card: Card) -> Card:
        """The card that a seat may move, by name or as the next of its spare."""
        hands = self._rig.hands
        if self.setup.spec.id == "tfu":
            if card == "spare":
                spare = [c for c in hands.world.stock(seat) if c not in hands.lies]
                if not spare:
                    raise NotAllowedError("no-spare")
                return spare[0]
            if card in self._lifted(seat, self._controller.referee.public_view()):
                return card
        elif card in hands.held(seat):
            return card
        if card in hands.lies and seat in self._takers(card, self._controller.referee.view(seat)):
            return card
        raise NotAllowedError("not-yours")

    def _draw(self, seat: int) -> None:
        if "draw" not in self.setup.zones:
            raise NotAllowedError("no-zone")
        hands = self._rig.hands
        if not (pile := hands.world.stock(seat)):
            raise NotAllowedError("no-pile")
        if hands.moves(pile[0]):
            raise NotAllowedError("not-now")
        hands.put(seat, pile[0], "draw")

    def _give(self, seat: int, card: Card, to: int) -> None:
        view = self._controller.referee.public_view()
        settle = view.get("settle")
        asked = isinstance(settle, dict) and settle["stage"] == "give" and settle["seat"] == seat
        king = view.get("phase") == "gift"
        if self.setup.spec.id != "tipouik" or not (asked or king) or card not in self._rig.hands.held(seat):
            raise NotAllowedError("not-now")
        self._rig.hands.give(seat, card, to)

"""Watching without a game: arrivals, departures, chips, resets, latency; told line by line.

Each bus has a thread here, not a process: what is watched is wiring, not play, and a trace sees every window.
"""

from collections.abc import Callable
from typing import IO

from firmware.config.model import TableConfig
from firmware.deck import Deck
from firmware.order import Press, Spoken
from firmware.presence import Lifted, Notice, Placed, ReaderBack, ReaderDown, Separate
from firmware.realrig import Wire, build_poller, open_spi, pulse, shared_resets, wires
from firmware.realtable import failure
from firmware.senses import Senses
from firmware.stage.threads import MachineThread, starter
from firmware.trace import TracedSpi
from hardware.linuxspi import GpioReset
from hardware.looks import Look
from hardware.poller import Poller
from hardware.pollerprocess import MonotonicClock
from hardware.spi import Spi


class Teller:
    """A step machine: looks in, lines out."""

    def __init__(self, senses: Senses, deck: Deck, say: Callable[[str], None], finding: Callable[[str], str]) -> None:
        """`finding`: what was last found wrong at a reader, in words."""
        self._senses = senses
        self._finding = finding
        self._deck = deck
        self._say = say
        self.latencies_s: list[float] = []
        """From the last empty look to the look that found a tag: the longest it can have lain there unseen."""

    def step(self, now: float) -> float | None:
        """Tell what has come to pass by `now`."""
        clusters, wake = self._senses.advance(now)
        for cluster in clusters:
            for event in cluster:
                self._event(event, now)
        for notice in self._senses.notices():
            self._notice(notice, now)
        return wake

    def _event(self, event: Placed | Lifted | Press | Spoken, now: float) -> None:
        match event:
            case Placed():
                late_s = None if event.after is None else event.contact - event.after
                if late_s is not None:
                    self.latencies_s.append(late_s)
                unseen = "" if late_s is None else f", unseen for {late_s * 1e3:.1f} ms at most"
                conflict = ", ALSO ELSEWHERE" if event.conflict else ""
                self._say(f"{now:9.3f} arrived  {event.reader}: {self._tag(event.uid)}{unseen}{conflict}")
            case Lifted():
                gone_ms = (now - event.seen) * 1e3
                what = f"{self._tag(event.uid)}, {gone_ms:.0f} ms after its last answer"
                self._say(f"{now:9.3f} departed {event.reader}: {what}")
            case Press() | Spoken():
                pass  # nothing is pressed here

    def _notice(self, notice: Notice, now: float) -> None:
        match notice:
            case ReaderDown():
                why = self._finding(notice.reader) or notice.cause.value
                self._say(f"{now:9.3f} DEAD     {notice.reader}: {why}")
            case ReaderBack():
                self._say(f"{now:9.3f} back     {notice.reader}")
            case Separate():
                self._say(f"{now:9.3f} separate {notice.reader}: tags that cannot be told apart; separate the cards")

    def _tag(self, uid: str) -> str:
        name = self._deck.card(uid) or self._deck.control(uid)
        return f"{uid} ({name})" if name else uid


class Watch:
    """All readers of a table.toml, watched."""

    def __init__(
        self,
        config: TableConfig,
        deck: Deck,
        say: Callable[[str], None],
        trace: IO[str] | None = None,
        on_end: Callable[[str], None] = lambda why: None,
        spi_of: Callable[[Wire], Spi] = open_spi,
    ) -> None:
        self._config = config
        self._on_end = on_end
        self._clock = MonotonicClock()
        self._trace = trace
        self._traced: TracedSpi | None = None
        self._open_wire = spi_of
        self._pollers: dict[str, Poller] = {}
        self._threads: dict[str, MachineThread] = {}
        self._all: list[MachineThread] = []
        self._resets = [GpioReset(pin) for pin in shared_resets(config)]
        self._senses = Senses(config.layout(), self, familiar=deck.knows)
        self.teller = Teller(self._senses, deck, say, self._finding)

    def open(self) -> None:
        """Open every bus and start watching. Raises HardwareError; call `close` all the same."""
        pulse(self._resets)
        give, self._all = starter(self._clock, lambda name, error: self._on_end(failure(name, error)))
        teller = give("teller", self.teller)

        def on_look(look: Look) -> None:
            if self._traced is not None:
                self._traced.note(look)
            self._senses.look(look)
            teller.wake()

        for bus, bus_wires in wires(self._config).items():
            poller = build_poller(bus, bus_wires, self._clock, on_look, self._wire)
            thread = give(f"bus-{bus}", poller)
            for wire in bus_wires:
                self._pollers[wire.reader.name] = poller
                self._threads[wire.reader.name] = thread
        for thread in self._all:
            thread.start()

    def close(self) -> None:
        """Stop watching, give everything back."""
        for thread in reversed(self._all):
            thread.stop()
        for poller in dict.fromkeys(self._pollers.values()):
            poller.close()
        for reset in self._resets:
            reset.close()

    def ask(self, reader: str, uid: str) -> None:
        """Look for this tag at this reader at once."""
        self._pollers[reader].ask(reader, uid)
        self._threads[reader].wake()

    def forget(self, reader: str, uid: str) -> None:
        """Do not look for this tag at this reader any more."""
        self._pollers[reader].forget(reader, uid)

    def summary(self) -> tuple[str, ...]:
        """Each reader's chip and counters, and the latencies, in words."""
        lines = []
        for name, poller in self._pollers.items():
            health = poller.health(name)
            version = "--" if health.version is None else f"{health.version:02X}"
            lines.append(
                f"{name}: {health.chip} (version {version}), {health.looks} looks, {health.resets} resets, "
                f"{health.reinits} re-initialisations, longest look {health.longest_look_s * 1e3:.1f} ms"
                + (f"; {health.finding}" if health.finding else "")
            )
        late = sorted(self.teller.latencies_s)
        if late:
            lines.append(f"arrivals: {len(late)}, unseen for {late[-1] * 1e3:.1f} ms at most")
        return tuple(lines)

    def _finding(self, reader: str) -> str:
        return self._pollers[reader].health(reader).finding

    def _wire(self, wire: Wire) -> Spi:
        spi = self._open_wire(wire)
        if self._trace is None:
            return spi
        self._traced = TracedSpi(spi, self._clock, self._trace, wire.reader.name, wire.reader.clock_hz)
        return self._traced

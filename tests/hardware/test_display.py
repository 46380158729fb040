"""Displays: exact bytes on the wire, only what changed, and what happens when one fails."""

import errno
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.display import Chip, DisplayBus, DisplayError, Health, Panel, Run, Where, apply, next_run
from hardware.display.bus import PING_S, REFRESH_S, RETRY_S
from hardware.display.connect import i2c
from hardware.display.panel import Serial
from hardware.twin.display import Kind, OledChip
from hardware.twin.displaybus import HELD_TIMEOUT_S, I2cBuses, I2cTwin
from hardware.twin.timeline import TimeLine

BLANK = bytes(1024)


def noise(seed: int) -> bytes:
    return Random(seed).randbytes(1024)


def with_changes(frame: bytes, changes: dict[int, int]) -> bytes:
    changed = bytearray(frame)
    for at, value in changes.items():
        changed[at] = value
    return bytes(changed)


class Bench:
    """One I2C bus with displays and their worker, on a time line."""

    def __init__(self, *chips: Chip, clock_hz: int = 400_000) -> None:
        self.line = TimeLine(overshoot_s=0.0)
        self.wire = I2cTwin(self.line, clock_hz=clock_hz)
        self.wire.keep_messages = True
        buses = I2cBuses({1: self.wire})
        self.chips: list[OledChip] = []
        self.panels: list[Panel] = []
        for n, chip in enumerate(chips):
            self.chips.append(OledChip(Kind(chip.value)))
            self.wire.attach(0x3C + n, self.chips[n])
            where = Where(f"seat{n + 1}", f"i2c-1 address 0x{0x3C + n:02X}")
            self.panels.append(Panel(where, chip, buses.connecting(i2c(1, 0x3C + n))))
        self.health: list[tuple[str, Health]] = []
        self.shown: list[tuple[str, float]] = []
        self.worker = DisplayBus(
            "i2c-1",
            self.panels,
            self.line,
            on_health=lambda name, health, now: self.health.append((name, health)),
            on_shown=lambda name, frame, now: self.shown.append((name, now)),
        )

    def offer(self, panel: str, frame: bytes) -> None:
        self.worker.offer(panel, lambda: frame)

    def settle(self, until: float | None = None) -> None:
        """Step until nothing is left to send, or until a time."""
        while True:
            wake = self.worker.step(self.line.now())
            if wake is None or (until is None and wake > self.line.now()) or (until is not None and wake > until):
                break
            self.line.advance_to(wake)
        if until is not None:
            self.line.advance_to(until)

    def written(self) -> list[tuple[int, bytes]]:
        messages, self.wire.messages = self.wire.messages, []
        return messages


class TestFrames:
    def test_what_is_shown_already_is_not_sent(self) -> None:
        assert next_run(noise(1), noise(1)) is None

    def test_a_run_is_the_changed_columns_of_one_page(self) -> None:
        wanted = with_changes(BLANK, {130: 1, 140: 2, 400: 3})
        assert next_run(BLANK, wanted) == Run(1, 2, bytes([1, *[0] * 9, 2]))

    @settings(max_examples=60)
    @given(st.integers(0, 99), st.dictionaries(st.integers(0, 1023), st.integers(0, 255), max_size=40))
    def test_runs_lead_to_the_wanted_frame_and_then_end(self, seed: int, changes: dict[int, int]) -> None:
        shown = noise(seed)
        wanted = with_changes(shown, changes)
        runs = 0
        while (run := next_run(shown, wanted)) is not None:
            assert run.column + len(run.data) <= 128
            shown, runs = apply(shown, run), runs + 1
        assert shown == wanted
        assert runs <= 8

    def test_another_size_is_refused(self) -> None:
        with pytest.raises(ValueError, match="1024 bytes, not 512"):
            next_run(BLANK, bytes(512))


class TestBytesOnTheWire:
    """Golden byte streams after power-up (SSD1306 datasheet 10.1; SH1106 datasheet, page addressing)."""

    def opened(self, chip: Chip) -> Bench:
        bench = Bench(chip)
        bench.panels[0].open()
        bench.written()
        return bench

    def test_ssd1306_part_of_a_page(self) -> None:
        bench = self.opened(Chip.SSD1306)
        bench.panels[0].send(Run(3, 16, b"\x01\x02\x03"))
        assert [m.hex(" ") for _, m in bench.written()] == ["00 21 10 12 22 03 07", "40 01 02 03"]

    def test_ssd1306_whole_pages_flow_on_without_a_new_address(self) -> None:
        bench = self.opened(Chip.SSD1306)
        for page in range(3):
            bench.panels[0].send(Run(page, 0, bytes([page + 1]) * 128))
        messages = [m for _, m in bench.written()]
        assert [m.hex(" ") for m in messages if m[0] == 0] == ["00 21 00 7f 22 00 07"]
        assert [m[0] for m in messages] == [0x00, 0x40, 0x40, 0x40]
        assert bench.chips[0].frame()[: 3 * 128] == b"\x01" * 128 + b"\x02" * 128 + b"\x03" * 128

    def test_sh1106_addresses_each_page_two_columns_to_the_right(self) -> None:
        bench = self.opened(Chip.SH1106)
        bench.panels[0].send(Run(7, 30, b"\xff"))
        assert [m.hex(" ") for _, m in bench.written()] == ["00 b7 00 12", "40 ff"]

    def test_nothing_is_sent_before_open(self) -> None:
        bench = Bench(Chip.SSD1306)
        with pytest.raises(DisplayError, match=r"display seat1 on i2c-1 address 0x3C is not open"):
            bench.panels[0].send(Run(0, 0, b"\x00"))
        assert bench.written() == []

    def test_close_switches_the_display_off(self) -> None:
        bench = self.opened(Chip.SSD1306)
        bench.panels[0].close()
        assert [m.hex(" ") for _, m in bench.written()] == ["00 ae"]
        assert not bench.chips[0].on


@pytest.mark.parametrize("chip", list(Chip))
class TestPictures:
    def test_the_chip_holds_what_was_offered(self, chip: Chip) -> None:
        bench = Bench(chip)
        for seed in range(4):
            bench.offer("seat1", noise(seed))
            bench.settle()
            assert bench.chips[0].frame() == noise(seed)
        assert bench.chips[0].unknown == (1 if chip is Chip.SH1106 else 0)  # luma sends 20h to an SH1106 too

    def test_a_change_of_one_column_costs_a_few_bytes(self, chip: Chip) -> None:
        bench = Bench(chip)
        bench.offer("seat1", noise(1))
        bench.settle()
        before = bench.wire.bytes
        bench.offer("seat1", with_changes(noise(1), {500: noise(1)[500] ^ 0xFF}))
        bench.settle()
        assert bench.wire.bytes - before == (8 if chip is not Chip.SH1106 else 5) + 3


class TestLatestWins:
    def test_a_newer_picture_replaces_what_is_left_of_an_older_one(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.settle()
        drawn: list[str] = []

        def picture(name: str, frame: bytes) -> Callable[[], bytes]:
            def draw() -> bytes:
                drawn.append(name)
                return frame

            return draw

        bench.worker.offer("seat1", picture("first", b"\xff" * 1024))
        bench.worker.step(bench.line.now())  # one page of the first
        bench.worker.offer("seat1", picture("second", b"\x0f" * 1024))
        bench.worker.offer("seat1", picture("third", b"\xf0" * 1024))
        before = bench.chips[0].data_bytes
        bench.settle()
        assert drawn == ["first", "third"]  # the second was never drawn
        assert bench.chips[0].frame() == b"\xf0" * 1024
        assert bench.chips[0].data_bytes - before == 1024
        assert len(bench.shown) == 1

    def test_two_displays_of_one_bus_take_turns(self) -> None:
        bench = Bench(Chip.SSD1306, Chip.SH1106)
        bench.settle()
        bench.written()
        for name in ("seat1", "seat2"):
            bench.offer(name, b"\xff" * 1024)
        bench.settle()
        addresses = [address for address, message in bench.written() if message[0] == 0x40]
        assert addresses == [0x3C, 0x3D] * 8

    def test_offering_never_touches_the_bus(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.settle()
        now, sent = bench.line.now(), bench.wire.bytes
        for seed in range(50):
            bench.offer("seat1", noise(seed))
        assert (bench.line.now(), bench.wire.bytes) == (now, sent)


class TestFailures:
    """Field report 13: a display that vanishes or holds its bus stops nothing, and comes back."""

    def test_one_that_does_not_answer_is_dead_and_the_other_goes_on(self) -> None:
        bench = Bench(Chip.SSD1306, Chip.SSD1306)
        bench.settle()
        bench.wire.silent.add(0x3C)
        for name in ("seat1", "seat2"):
            bench.offer(name, noise(5))
        bench.settle()
        assert bench.health == [("seat1", Health.DEAD)]
        assert "display seat1 on i2c-1 address 0x3C" in bench.worker.failures()["seat1"]
        assert bench.worker.failures()["seat1"].endswith("; check its wires and its address")
        assert bench.chips[1].frame() == noise(5)

    def test_it_is_powered_up_when_it_is_back_and_gets_the_latest_picture(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.settle()
        bench.wire.silent.add(0x3C)
        for seed in range(3):
            bench.offer("seat1", noise(seed))
            bench.settle(bench.line.now() + 1.0)
        bench.wire.silent.clear()
        bench.chips[0].power_up()  # it had lost its supply
        bench.settle(bench.line.now() + RETRY_S + 0.1)
        assert bench.health == [("seat1", Health.DEAD), ("seat1", Health.BACK)]
        assert bench.chips[0].frame() == noise(2)

    def test_one_that_vanishes_while_idle_is_found(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.settle()
        bench.wire.silent.add(0x3C)
        bench.settle(bench.line.now() + PING_S + 0.1)
        assert bench.health == [("seat1", Health.DEAD)]

    def test_a_held_bus_costs_its_worker_one_time_out_for_each_try(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.settle()
        bench.wire.held = True
        before = bench.line.now()
        bench.offer("seat1", noise(1))
        bench.worker.step(bench.line.now())
        assert bench.line.now() - before == pytest.approx(HELD_TIMEOUT_S, abs=0.001)
        assert bench.worker.step(bench.line.now()) == pytest.approx(bench.line.now() + RETRY_S)
        assert "Connection timed out" in bench.worker.failures()["seat1"]
        bench.wire.held = False
        bench.settle(bench.line.now() + RETRY_S + 0.1)
        assert bench.chips[0].frame() == noise(1)

    def test_a_dead_one_is_told_of_once_however_long_it_is_dead(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.wire.silent.add(0x3C)
        bench.settle(60.0)
        assert bench.health == [("seat1", Health.DEAD)]

    def test_a_bus_that_is_not_switched_on_is_a_display_error_not_a_crash(self) -> None:
        panel = Panel(Where("all", "i2c-7 address 0x3C"), Chip.SSD1306, I2cBuses({}).connecting(i2c(7, 0x3C)))
        with pytest.raises(
            DisplayError,
            match=r"display all on i2c-7 address 0x3C did not start: I2C device not found.*; the bus is.* i2c-dev",
        ):
            panel.open()

    def test_a_bus_that_one_may_not_use_is_told_with_the_group_that_may(self) -> None:
        def refuse() -> Serial:
            raise PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1")

        panel = Panel(Where("all", "i2c-1 address 0x3C"), Chip.SSD1306, refuse)
        with pytest.raises(DisplayError, match=r"Permission denied: '/dev/i2c-1'; 'sudo usermod -aG i2c"):
            panel.open()

    @pytest.mark.parametrize("chip", list(Chip))
    def test_one_that_lost_its_registers_but_answers_is_well_again_by_itself(self, chip: Chip) -> None:
        # Field report 9, for displays: a brown-out puts the registers back, and no ping finds it.
        bench = Bench(chip)
        bench.offer("seat1", noise(1))
        bench.worker.dim("seat1", 8)
        bench.settle()
        bench.chips[0].power_up()
        bench.settle(bench.line.now() + PING_S + 0.1)
        assert bench.chips[0].frame() != noise(1)
        bench.settle(bench.line.now() + REFRESH_S)
        assert bench.chips[0].frame() == noise(1)
        assert bench.chips[0].contrast == 8
        assert bench.health == []
        assert len(bench.shown) == 1  # no new picture

    @pytest.mark.parametrize("chip", list(Chip))
    def test_a_refresh_is_not_seen_on_a_display_that_is_well(self, chip: Chip) -> None:
        bench = Bench(chip)
        bench.offer("seat1", noise(1))
        bench.settle()
        before = bench.wire.bytes
        end = bench.line.now() + 3 * REFRESH_S + 0.5
        while bench.line.now() < end:
            wake = bench.worker.step(bench.line.now())
            assert bench.chips[0].frame() == noise(1)
            assert wake is not None
            bench.line.advance_to(max(wake, bench.line.now()))
        assert 3 * 1024 < bench.wire.bytes - before < 3 * 1200  # each 10 s some 23 ms of the bus at 400 kHz

    def test_a_new_picture_goes_before_the_rest_of_a_refresh(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.offer("seat1", noise(1))
        bench.settle()
        bench.settle(bench.line.now() + REFRESH_S - 0.2)
        while bench.worker.step(bench.line.now()) != bench.line.now():  # until the refresh has begun
            bench.line.advance(0.01)
        bench.worker.step(bench.line.now())  # its first page
        bench.written()
        bench.chips[0].power_up()
        bench.offer("seat1", with_changes(noise(1), {900: noise(1)[900] ^ 0xFF}))
        bench.worker.step(bench.line.now())
        assert bench.written()[0][1].hex(" ") == "00 21 04 04 22 07 07"
        bench.settle(bench.line.now() + 2 * REFRESH_S)
        assert bench.chips[0].frame() == with_changes(noise(1), {900: noise(1)[900] ^ 0xFF})

    def test_renewing_powers_up_what_shows_noise(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.offer("seat1", noise(1))
        bench.settle()
        bench.chips[0].power_up()  # a brown-out between two pings: it answers, but shows nothing
        assert bench.chips[0].frame() == BLANK
        bench.worker.renew()
        bench.settle()
        assert bench.chips[0].frame() == noise(1)
        assert bench.health == []


class TestContrast:
    def test_a_dim_display_stays_dim_when_it_is_powered_up_again(self) -> None:
        bench = Bench(Chip.SSD1306)
        bench.worker.dim("seat1", 8)
        bench.settle()
        assert bench.chips[0].contrast == 8
        bench.chips[0].power_up()
        bench.worker.renew()
        bench.settle()
        assert bench.chips[0].contrast == 8

    def test_a_level_out_of_range_is_refused(self) -> None:
        with pytest.raises(ValueError, match="contrast 256"):
            Bench(Chip.SSD1306).panels[0].contrast(256)

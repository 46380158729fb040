"""The stage on emulated displays: the right picture in the chip, sounds and lamps once, nothing private leaks."""

from pathlib import Path

import pytest
from PIL import Image

from firmware.loop import Loop
from firmware.stage import Context
from firmware.stage.layout import Page, pages
from firmware.stage.picture import frame, unpack
from firmware.stage.screens import PngSink
from firmware.stage.signals import COLOURS, TUNES, Signal, weightiest
from firmware.stage.stage import BRIGHT, DIM, Stage
from firmware.stage.texts import Out, device_text, text_of
from firmware.stage.virtual import Place, VirtualStage, places, virtual_stage
from hardware.display import Chip
from hardware.lamps import Colour
from hardware.sounds import Tune

CTX = Context("tifo", 3, lang="fr", seat_langs=((2, "ru"),))
TURN: Out = {"out": "turn", "seat": 2, "may": ["lay", "discard"]}
ILLEGAL: Out = {
    "out": "refused", "rule": "tifo/turn", "seat": 3, "zone": "seat3", "card": "capo#1", "mend": "wait-turn"
}  # fmt: skip


class Ears:
    """Remembers tunes."""

    def __init__(self) -> None:
        self.heard: list[Tune] = []

    def play(self, tune: Tune) -> None:
        self.heard.append(tune)


class Eyes:
    """Remembers lights."""

    def __init__(self, viewer: int | None = None) -> None:
        self.viewer = viewer
        self.seen: list[tuple[str, Colour]] = []

    def steady(self, colour: Colour) -> None:
        self.seen.append(("steady", colour))

    def flash(self, colour: Colour, seconds: float) -> None:
        self.seen.append(("flash", colour))


def show(
    loop: Loop, built: VirtualStage, at: float, *outs: Out, public: tuple[Out | None, ...] | None = None
) -> None:
    loop.run_to(at)
    built.stage.show(at, list(zip(outs, public if public is not None else outs, strict=True)))
    loop.run_to(at + 0.5)


class TestPictures:
    @pytest.mark.parametrize("chip", list(Chip))
    def test_each_display_holds_its_own_words_in_its_own_language(self, chip: Chip) -> None:
        loop = Loop()
        built = virtual_stage(loop, CTX, places(3, chip=chip))
        show(loop, built, 1.0, TURN)
        for name, lang, viewer in (("all", "fr", None), ("seat1", "fr", 1), ("seat2", "ru", 2), ("seat3", "fr", 3)):
            (page,) = pages(text_of(TURN, CTX, lang, viewer))
            assert built.picture(name) == frame(page), name

    def test_private_words_are_on_their_seats_display_alone(self) -> None:
        loop = Loop()
        built = virtual_stage(loop, CTX, places(3))
        show(loop, built, 1.0, TURN)
        before = {name: built.picture(name) for name in built.chips}
        show(loop, built, 3.0, {"out": "say", "to": 3, "text": "tifo/robbed-draw", "args": {}}, public=(None,))
        assert [name for name in built.chips if built.picture(name) != before[name]] == ["seat3"]

    def test_a_hidden_card_changes_no_picture_sound_or_lamp(self) -> None:
        # Field report 29: two runs that differ in a hidden card alone.
        runs = []
        for card in ("5#1", "zero#1"):
            loop, ears, eyes = Loop(), Ears(), Eyes()
            pictures: list[tuple[str, bytes, float]] = []
            built = virtual_stage(
                loop,
                Context("tipouik", 3),
                places(3),
                sounds=(ears,),
                lamps=(eyes,),
                on_shown=lambda n, f, t, log=pictures: log.append((n, f, t)),  # type: ignore[misc]
            )
            full = {
                "out": "refused",
                "rule": "tipouik/turn",
                "seat": 2,
                "zone": "seat2",
                "card": card,
                "mend": "wait-turn",
            }
            show(loop, built, 1.0, full, public=({k: v for k, v in full.items() if k != "card"},))
            mended = {"out": "corrected", "rule": "tipouik/turn", "seat": 2, "zone": "seat2", "card": card}
            show(loop, built, 2.0, mended, public=({k: v for k, v in mended.items() if k != "card"},))
            loop.run_to(30.0)
            runs.append((pictures, ears.heard, eyes.seen))
        assert runs[0] == runs[1]

    def test_it_dims_when_idle_and_wakes_with_the_next_event(self) -> None:
        loop = Loop()
        built = virtual_stage(loop, CTX, places(1))
        show(loop, built, 1.0, TURN)
        loop.run_to(119.0)
        assert built.chips["all"].contrast == BRIGHT
        loop.run_to(123.0)
        assert {chip.contrast for chip in built.chips.values()} == {DIM}
        show(loop, built, 200.0, TURN)
        assert {chip.contrast for chip in built.chips.values()} == {BRIGHT}

    def test_a_table_without_displays_still_sounds(self) -> None:
        ears = Ears()
        stage = Stage(CTX, (), (ears,))
        stage.show(1.0, [(ILLEGAL, ILLEGAL)])
        stage.step(1.0)
        assert ears.heard == [TUNES[Signal.REFUSED]]


class TestDisplaysThatFail:
    def test_one_dead_and_one_that_holds_its_bus_change_nothing_for_the_others(self) -> None:
        # Field report 13. The dead ones are told of by second 2; after that the third bus shows the same
        # pictures at the same times as on a table where nothing is broken.
        def run(broken: bool) -> list[tuple[bytes, float]]:
            loop = Loop()
            shown: list[tuple[bytes, float]] = []
            built = virtual_stage(
                loop,
                CTX,
                [Place(1, port=1), Place(2, port=2), Place(3, port=3)],
                on_shown=lambda n, f, t: shown.append((f, round(t, 6))) if n == "seat3" else None,
            )
            built.wires[1].silent = {0x3C} if broken else set()
            built.wires[2].held = broken
            loop.run_to(6.0)
            for n in range(10):
                show(loop, built, 8.0 + n, {**TURN, "seat": 1 + n % 3})
            assert set(built.workers[1].failures()) | set(built.workers[2].failures()) == (
                {"seat1", "seat2"} if broken else set()
            )
            return [(f, t) for f, t in shown if t > 8.0]

        healthy, beside = run(False), run(True)
        assert len(healthy) == 10
        assert beside == healthy

    def test_its_failure_is_told_and_it_returns_with_the_latest_picture(self) -> None:
        loop = Loop()
        built = virtual_stage(loop, CTX, places(1))
        show(loop, built, 1.0, TURN)
        built.wires[1].silent.add(0x3D)
        show(loop, built, 2.0, {**TURN, "seat": 3})
        assert list(built.workers[1].failures()) == ["seat1"]
        told = built.picture("all")
        assert told == frame(pages(device_text("fr", "display-dead", "seat1"))[0])
        built.wires[1].silent.clear()
        built.chips["seat1"].power_up()
        loop.run_to(20.0)
        assert built.workers[1].failures() == {}
        (page,) = pages(text_of({**TURN, "seat": 3}, CTX, "fr", 1))
        assert built.picture("seat1") == frame(page)


class TestSignals:
    def test_every_refusal_is_heard_once_and_outweighs_the_rest(self) -> None:
        # Field report 23.
        ears, eyes = Ears(), Eyes()
        stage = Stage(CTX, (), (ears,), (eyes,))
        stage.show(1.0, [(TURN, TURN), (ILLEGAL, ILLEGAL)])
        for now in (1.0, 2.0, 5.0, 60.0):
            stage.step(now)
        assert ears.heard == [TUNES[Signal.REFUSED]]
        assert eyes.seen == [("steady", Colour.RED), ("flash", Colour.RED)]

    def test_the_lamp_stays_red_until_all_is_put_right(self) -> None:
        eyes = Eyes()
        stage = Stage(CTX, (), (), (eyes,))
        mended = {"out": "corrected", "rule": "tifo/turn", "seat": 3, "zone": "seat3", "card": "capo#1"}
        steady = []
        for now, out in ((1.0, ILLEGAL), (2.0, ILLEGAL), (3.0, mended), (4.0, mended)):
            stage.show(now, [(out, out)])
            stage.step(now)
            steady.append([c for kind, c in eyes.seen if kind == "steady"][-1])
        assert steady == [Colour.RED, Colour.RED, Colour.RED, Colour.BLACK]

    def test_a_seats_lamp_tells_of_its_own_turn_and_faults(self) -> None:
        lamps = [Eyes(2), Eyes(3)]
        stage = Stage(CTX, (), (), lamps)
        for now, out in ((1.0, TURN), (2.0, ILLEGAL)):
            stage.show(now, [(out, out)])
            stage.step(now)
        assert lamps[0].seen == [("steady", Colour.WHITE), ("steady", Colour.WHITE)]
        assert lamps[1].seen == [("steady", Colour.BLACK), ("steady", Colour.RED), ("flash", Colour.RED)]

    @pytest.mark.parametrize(
        ("out", "signal"),
        [
            ({"out": "move", "move": "lay", "seat": 1}, Signal.ACCEPTED),
            ({"out": "move", "move": "tifo", "seat": 1}, Signal.ANNOUNCEMENT),
            ({"out": "refused", "rule": "table/unknown-card"}, Signal.UNKNOWN),
            ({"out": "refused", "rule": "tifo/turn"}, Signal.REFUSED),
            ({"out": "over", "winners": [1], "by": "tifo"}, Signal.ANNOUNCEMENT),
            ({"out": "turn", "seat": 1}, None),
        ],
    )
    def test_which_signal(self, out: Out, signal: Signal | None) -> None:
        assert weightiest([out], "tifo") is signal

    def test_in_mode_referee_a_legal_play_makes_no_sound_and_no_light(self) -> None:
        ears, eyes = Ears(), Eyes()
        stage = Stage(Context("tifo", 3, mode="referee"), (), (ears,), (eyes,))
        lay: Out = {"out": "move", "move": "lay", "seat": 1, "card": "capo#1"}
        tifo: Out = {"out": "move", "move": "tifo", "seat": 1, "cards": ["capo#1"]}
        for now, out in ((1.0, lay), (2.0, tifo), (3.0, ILLEGAL)):
            stage.show(now, [(out, out)])
            stage.step(now)
        assert ears.heard == [TUNES[Signal.ANNOUNCEMENT], TUNES[Signal.REFUSED]]
        assert [colour for kind, colour in eyes.seen if kind == "flash"] == [Colour.BLUE, Colour.RED]

    def test_the_four_cannot_be_mistaken_for_each_other(self) -> None:
        assert len({tune.notes for tune in TUNES.values()}) == len(Signal)
        assert len({colour for colour, _ in COLOURS.values()}) == len(Signal)
        assert len({round(sum(n.seconds for n in tune.notes), 2) for tune in TUNES.values()}) == len(Signal)


class TestPngSink:
    def test_every_completed_picture_is_a_file_as_the_chip_holds_it(self, tmp_path: Path) -> None:
        loop = Loop()
        sink = PngSink(tmp_path / "screens")
        built = virtual_stage(loop, CTX, places(1), on_shown=sink.shown)
        sink.source = built.picture
        show(loop, built, 1.0, TURN)
        files = sorted((tmp_path / "screens").iterdir())
        assert len(files) == sink.count == 4  # the title and the turn, on two displays
        last = [f for f in files if f.name.endswith("_all.png")][-1]
        with Image.open(last) as picture:
            small = picture.convert("1").resize((128, 64), Image.Resampling.NEAREST)
            assert picture.size == (512, 256)
        assert small.tobytes() == unpack(built.picture("all")).tobytes()


class TestOffers:
    def test_a_page_is_given_to_a_screen_once_however_often_the_stage_is_woken(self) -> None:
        class Paper:
            viewer: int | None = None

            def __init__(self) -> None:
                self.pages: list[Page] = []

            def show(self, page: Page) -> None:
                self.pages.append(page)

            def dim(self, level: int) -> None:
                raise AssertionError("not idle yet")

        paper = Paper()
        stage = Stage(CTX, (paper,))
        stage.show(1.0, [(TURN, TURN)])
        for n in range(50):
            stage.step(1.0 + n / 10)
        assert [page.head for page in paper.pages] == [("Joueur 2",)]

"""Pages of 128x64: nothing cut, nothing overlapping, big enough to be read; and the golden contact sheets."""

from pathlib import Path

import pytest
from PIL import Image

from engine.cards import TFU_DECK, TIFO_COUNTS, TIPOUIK_DECK
from engine.zones import ZoneKind
from firmware.languages import languages
from firmware.stage.catalogue import catalogue
from firmware.stage.errors import StageError
from firmware.stage.fonts import Face, drawable
from firmware.stage.layout import BODY, BOX, LINE, SMALLEST, WHO, Page, pages, wrap
from firmware.stage.picture import draw, frame, pack, unpack
from firmware.stage.samples import GAMES, SEATS, samples
from firmware.stage.sheets import differs, main, path_of, screens, sheet
from firmware.stage.texts import Context, Text, text_of
from firmware.stage.words import card_name

SHEETS = Path(__file__).resolve().parents[3] / "docs" / "screens"


def ink(face: Face, text: str) -> tuple[int, int, int, int]:
    """Where a text really puts pixels: left, top, right, bottom, from its origin on the base line."""
    image = Image.new("1", (400, 120))
    face.draw(image, 100, 60, text)
    box = image.getbbox()
    if box is None:
        return (0, 0, 0, 0)
    return box[0] - 100, box[1] - 60, box[2] - 100, box[3] - 60


def overflow(page: Page) -> list[str]:
    """What of a page would be cut at an edge or would run into its neighbour."""
    wrong = []
    room = 128 - (15 if page.badge else 0)
    height = 0
    for part in page.head:
        left, top, right, bottom = ink(Face(True, page.size), part)
        if right - min(left, 0) > room:
            wrong.append(f"{part!r} is {right - left} wide")
        height += bottom - top
    if height > BOX[len(page.lines)]:
        wrong.append(f"{page.head} is {height} high")
    for n, line in enumerate(page.lines):
        left, top, right, bottom = ink(WHO if n < page.bold else BODY, line)
        if left + 1 < 0 or right + 1 > 128:
            wrong.append(f"{line!r} reaches from {left} to {right}")
        if bottom > 3 or top < -13:
            wrong.append(f"{line!r} is {top} to {bottom} high")
    return wrong


def contexts(game: str, lang: str) -> list[Context]:
    """The table with each kind of zone in turn."""
    zones = ["discard", "draw", "seat3.col4", *(f"seat{n}" for n in range(1, 11)), "centre1", "centre2"]
    name = "tifo" if game == "table" else game
    return [Context(name, SEATS[game], lang=lang, kinds=tuple((z, kind) for z in zones)) for kind in ZoneKind]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", GAMES)
class TestEveryMessage:
    def test_no_page_overflows(self, game: str, lang: str) -> None:
        assert [(id_, wrong) for id_, page in screens(game, lang) if (wrong := overflow(page))] == []

    def test_headlines_can_be_read_at_arms_length(self, game: str, lang: str) -> None:
        assert [(id_, page.size) for id_, page in screens(game, lang) if page.size < SMALLEST] == []

    def test_no_letter_is_missing_from_the_font(self, game: str, lang: str) -> None:
        used = {c for _, page in screens(game, lang) for part in (*page.head, *page.lines) for c in part}
        assert used - drawable() == set()

    def test_a_refusal_has_three_pages_at_most_and_the_whole_rule_on_its_first(self, game: str, lang: str) -> None:
        for sample in samples(game):
            if sample.id.startswith("rule:"):
                for context in contexts(game, lang):
                    words = text_of(sample.out, context, lang)
                    shown = pages(words)
                    assert len(shown) <= 3, (sample, words)
                    if "tie" not in sample.out:  # that adds a sentence
                        assert set(wrap(words.text, BODY)) <= set(shown[0].lines), (sample, words)
                    assert [wrong for page in pages(words, badge=12) if (wrong := overflow(page))] == []

    def test_its_contact_sheet_is_what_is_shown(self, game: str, lang: str) -> None:
        assert not differs(SHEETS, game, lang), "python -m firmware.stage.sheets docs/screens, and look at them"


@pytest.mark.parametrize("lang", languages())
class TestEveryCard:
    def test_fits_as_a_headline_and_beside_a_player(self, lang: str) -> None:
        cards = [("tifo", f"{kind}#1") for kind in TIFO_COUNTS] + [("tfu", card) for card in TFU_DECK]
        for game, card in cards:
            ctx = Context(game, 6, lang=lang)
            move = {
                "out": "move",
                "move": "discard" if game == "tifo" else "play",
                "seat": 6,
                "pile": 1,
                "card": card,
            }
            refused = {"out": "refused", "rule": "table/two-places", "seat": 6, "card": card, "mend": "one-place"}
            for words in (text_of(move, ctx, lang), text_of(refused, ctx, lang)):
                for page in pages(words, badge=2):
                    assert overflow(page) == [], card

    def test_has_a_name_of_its_own(self, lang: str) -> None:
        cat = catalogue(lang)
        tifo = [card_name(cat, f"{kind}#1") for kind in TIFO_COUNTS]
        assert len(set(tifo)) == len(TIFO_COUNTS)
        assert len({card_name(cat, card) for card in TFU_DECK}) == 52
        assert len({card_name(cat, card) for card in TIPOUIK_DECK}) == 12 + 4


class TestPages:
    def test_a_short_text_makes_a_big_headline(self) -> None:
        (page,) = pages(Text("2 × 8", "Joueur 1 : 2 cartes 8."))
        assert page.size == 40

    def test_how_to_mend_it_begins_a_page_of_its_own_when_not_all_fits(self) -> None:
        told = pages(Text("Trop tard", "un\ndeux\ntrois", mend="Attends."))
        assert [page.lines[0].startswith("→") for page in told] == [False, True]
        assert [(page.number, page.total) for page in told] == [(1, 2), (2, 2)]

    def test_no_word_is_lost(self) -> None:
        words = [f"mot{n}" for n in range(40)]
        told = pages(Text("Titre", " ".join(words), who="Joueur 3", mend="Reprends la carte."))
        lines = " ".join(line for page in told for line in page.lines)
        assert lines == f"Joueur 3 {' '.join(words)} → Reprends la carte."

    def test_a_who_that_is_too_long_is_shortened_to_one_line(self) -> None:
        told = pages(Text("Non", "Oui.", who="Joueur 3 · FUMIS INTERDITS", short="J3 · FUMIS INTERDITS"))
        assert told[0].lines[0] == "J3 · FUMIS INTERDITS"

    def test_a_headline_of_one_long_word_is_refused_not_cut(self) -> None:
        with pytest.raises(StageError, match="does not fit on a screen"):
            pages(Text("Anticonstitutionnellement", "x"))

    def test_a_word_wider_than_the_screen_is_refused_not_cut(self) -> None:
        with pytest.raises(StageError, match="wider than a screen"):
            wrap("x" * 60, BODY)

    def test_a_separator_does_not_end_a_line(self) -> None:
        lines = wrap("aaaaaaaaa\u00a0· bbbbbbbbbb\u00a0· cccc", BODY, width=100)
        assert lines == ["aaaaaaaaa", "bbbbbbbbbb\u00a0· cccc"]

    def test_one_short_word_is_not_left_alone_on_the_last_line(self) -> None:
        assert wrap("aaaaaaaaaaaaa bbbb 1.", BODY, width=90)[-1] == "bbbb 1."

    def test_a_no_break_space_holds(self) -> None:
        lines = wrap("aaaaaaaaaaaaaa bbbbbbbbbb\u00a0!", BODY, width=100)
        assert lines == ["aaaaaaaaaaaaaa", "bbbbbbbbbb\u00a0!"]

    def test_the_number_of_open_corrections_stands_in_the_corner(self) -> None:
        (plain,) = pages(Text("Non", "Oui."))
        (badged,) = pages(Text("Non", "Oui."), badge=3)
        assert draw(badged).crop((115, 0, 128, 14)).getbbox() is not None
        assert draw(plain).crop((115, 0, 128, 14)).getbbox() is None


class TestPictures:
    @pytest.mark.parametrize("suit", "♣♦♥♠")
    @pytest.mark.parametrize("size", [22, 28, 36, 40])
    def test_a_suit_has_no_holes(self, suit: str, size: int) -> None:
        image = Image.new("1", (60, 60))
        Face(True, size).draw(image, 10, 50, suit)
        dark = {(x, y) for x in range(60) for y in range(60) if not image.getpixel((x, y))}
        outside = [(0, 0)]
        while outside:  # corners are ways, too
            x, y = outside.pop()
            beside = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & dark
            dark -= beside
            outside += beside
        assert dark == set()

    def test_packing_is_the_memory_order_of_the_chip(self) -> None:
        image = Image.new("1", (128, 64))
        image.putpixel((5, 0), 1)
        image.putpixel((127, 63), 1)
        data = pack(image)
        assert len(data) == 1024
        assert {n: b for n, b in enumerate(data) if b} == {5: 0x01, 7 * 128 + 127: 0x80}

    def test_unpacking_gives_the_picture_back(self) -> None:
        image = draw(pages(Text("Тьфу!", "Играют все сразу."))[0])
        assert unpack(pack(image)).tobytes() == image.tobytes()

    def test_a_body_line_is_drawn_where_the_layout_says(self) -> None:
        (page,) = pages(Text("Х", "Н"))
        rows = draw(page).crop((0, 64 - 1 - LINE, 128, 64)).getbbox()
        assert rows is not None
        assert rows[1] >= 0

    def test_frames_of_one_page_are_drawn_once(self) -> None:
        (page,) = pages(Text("1", "2"))
        assert frame(page) is frame(page)


class TestSheets:
    def test_a_sheet_that_is_not_what_is_shown_is_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("firmware.stage.sheets.GAMES", ("table",))  # one game is enough, and quick
        assert main([str(tmp_path)]) == 0
        assert main([str(tmp_path), "--check"]) == 0
        spoilt = path_of(tmp_path, "table", "ru")
        picture = sheet("table", "ru")
        picture.putpixel((20, 20), 0 if picture.getpixel((20, 20)) else 1)
        picture.save(spoilt)
        path_of(tmp_path, "table", "fr").unlink()
        capsys.readouterr()
        assert main([str(tmp_path), "--check"]) == 1
        told = capsys.readouterr().out.splitlines()
        assert [line.split(":")[0].split("/")[-1] for line in told] == ["fr-table.png", "ru-table.png"]

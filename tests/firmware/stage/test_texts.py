"""The words for outputs: what is said, to whom, and what is kept."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.zones import ZoneKind
from firmware.languages import languages
from firmware.stage import Context, narrate, text_of
from firmware.stage.catalogue import NARROW, NBSP
from firmware.stage.samples import GAMES, samples, text
from firmware.stage.texts import Text, device_text

ROOT = Path(__file__).resolve().parents[3]
TIFO = Context("tifo", 3, lang="fr", seat_langs=((2, "ru"),))
TIPOUIK = Context("tipouik", 4, lang="fr")
TFU = Context("tfu", 2, lang="ru")


def refused(**keys: object) -> Mapping[str, object]:
    return {"out": "refused", "rule": "tifo/turn", "seat": 2, "zone": "seat2", "mend": "wait-turn", **keys}


class TestNarration:
    def test_a_refusal_says_who_what_why_and_how_to_mend_it(self) -> None:
        assert narrate(refused(card="greve#1"), TIFO) == (
            "Joueur 2 · GRÈVE · Pas ton tour · Chacun joue à son tour. Reprends la carte et attends ton tour."
        )

    def test_a_pose_is_a_count_and_a_value(self) -> None:
        pose = {"out": "move", "move": "pose", "seat": 1, "count": 2, "value": 8}
        assert narrate(pose, TIPOUIK) == f"2 × 8 · Joueur 1{NBSP}: 2 cartes 8."

    def test_russian_counts_cards_as_russian_does(self) -> None:
        take = {"out": "move", "move": "take", "seat": 1}
        told = [narrate({**take, "count": n}, Context("tipouik", 4, lang="ru")) for n in (1, 2, 5)]
        assert [t.split(" · ")[0] for t in told] == ["1 карта", "2 карты", "5 карт"]
        assert [t.split(" берёт ")[1] for t in told] == ["1 карту.", "2 карты.", "5 карт."]

    def test_scores_are_one_line(self) -> None:
        told = narrate({"out": "score", "scores": [0, 1, 12]}, TIFO)
        assert told == f"Points · Joueur 1{NBSP}: 0 point, Joueur 2{NBSP}: 1 point, Joueur 3{NBSP}: 12 points"

    def test_cards_of_the_52_have_ranks_of_the_language(self) -> None:
        spit = {"out": "move", "move": "spit", "seat": 1, "pile": 1, "card": "Qh"}
        assert [narrate(spit, Context("tfu", 2, lang=lang)).split(" ")[0] for lang in ("fr", "ru", "en")] == [
            "D♥",
            "Д♥",
            "Q♥",
        ]

    def test_a_private_message_names_its_seat(self) -> None:
        told = narrate({"out": "say", "to": 2, "text": "tifo/robbed-draw"}, TIFO)
        assert told.startswith(f"Joueur 2 · Pioche{NARROW}!")

    def test_a_tie_is_told(self) -> None:
        step = {"out": "refused", "rule": "tfu/step", "seat": 1, "zone": "centre1", "card": "2c", "tie": True}
        assert "Датчики не видят, кто был первым." in narrate({**step, "mend": "one-step"}, TFU)

    def test_an_output_of_another_version_is_told_by_its_id(self) -> None:
        assert "tifo/new-rule" in narrate(refused(rule="tifo/new-rule"), TIFO)
        assert "juggle" in narrate({"out": "juggle", "seat": 1}, TIFO)


class TestWhatIsHidden:
    @pytest.mark.parametrize("move", ["draw", "discard", "swap"])
    def test_a_move_without_its_card_is_told_without_one(self, move: str) -> None:
        shown = text_of({"out": "move", "seat": 1, "move": move}, TIFO, "fr")
        assert "{" not in shown.line()
        assert "joueur 1" in shown.text

    def test_a_public_refusal_without_its_card_names_the_player_only(self) -> None:
        assert text_of(refused(), TIFO, "fr").who == "Joueur 2"

    def test_an_undone_play_of_nobody_known(self) -> None:
        assert (
            text_of({"out": "undone", "seat": None, "move": "play"}, TFU, "fr").text == "Le dernier coup est annulé."
        )


class TestForWhom:
    def test_whose_turn_it_is_reads_otherwise_on_his_own_screen(self) -> None:
        turn = {"out": "turn", "seat": 3, "may": ["lay", "discard"]}
        assert text_of(turn, TIFO, "fr", 3) == Text(f"À toi{NARROW}!", f"poser{NBSP}· défausser")
        assert text_of(turn, TIFO, "fr", 1).head == "Joueur 3"

    def test_the_offender_is_not_told_his_own_name(self) -> None:
        assert text_of(refused(card="capo#1"), TIFO, "fr", 2).who == "CAPO"
        assert text_of(refused(card="capo#1"), TIFO, "fr", 1).who == "Joueur 2 · CAPO"

    def test_each_seat_may_have_its_language(self) -> None:
        assert [TIFO.lang_of(viewer) for viewer in (None, 1, 2)] == ["fr", "fr", "ru"]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_sample_is_filled_and_known(game: str, lang: str) -> None:
    for sample in samples(game):
        words = text(sample, game, lang)
        assert "" not in (words.head, words.text), sample.id
        line = words.line()
        assert not set("{}|") & set(line), sample.id
        assert sample.id.partition(":")[2] not in line, sample.id


def test_a_device_is_named_by_whom_it_belongs_to() -> None:
    told = [
        device_text("fr", what, device).text.partition(f"{NBSP}:")[0]
        for what, device in (
            ("button-stuck", "seat2.call"),
            ("button-stuck", "table.undo"),
            ("display-dead", "seat2"),
            ("display-dead", "all"),
            ("reader-dead", "seat2"),
            ("reader-dead", "seat12.col3"),
            ("separate", "discard-2"),
            ("separate", "r1"),
            ("separate", "drawer"),
        )
    ]
    assert told == [
        *("Joueur 2, CALL", "UNDO", "Joueur 2", "Pour tous"),
        *("Devant J2", "Colonne 3 de J12", "Défausse (discard-2)", "r1", "drawer"),
    ]


class TestHowToMendIt:
    """Whose card it is, where it lies, and the button where the table may not see that it was taken back."""

    def test_a_card_at_another_place_than_before_its_player_is_looked_for_there(self) -> None:
        attack = {**refused(card="greve#1", zone="seat3"), "rule": "tifo/attack-class", "mend": "other-target"}
        assert text_of(attack, TIFO, "fr").mend == f"Devant J3{NBSP}: reprends-la, attaque un autre joueur."
        assert text_of({**attack, "zone": "seat2"}, TIFO, "fr").mend == "Reprends-la, attaque un autre joueur."
        gone = {**refused(card="capo#1"), "rule": "tifo/laid-stays", "seat": None, "mend": "put-back"}
        assert text_of(gone, TIFO, "fr").mend == f"Devant J2{NBSP}: remets la carte à sa place."

    @pytest.mark.parametrize(
        ("kind", "tifo", "tfu"),
        [
            (ZoneKind.SPREAD, "", ""),
            (ZoneKind.PILE, f" Still{NBSP}here?{NBSP}OK.", f" Still{NBSP}here?{NBSP}UNDO."),
            (ZoneKind.PASS, f" Then{NBSP}OK.", f" Then{NBSP}UNDO."),
        ],
    )
    def test_by_kind_of_zone(self, kind: ZoneKind, tifo: str, tfu: str) -> None:
        placed = refused(card="capo#1", zone="discard")
        ctx = Context("tifo", 3, kinds=(("discard", kind),))
        assert text_of(placed, ctx, "en").mend == f"Discard: take it back and wait for your turn.{tifo}"
        step = {**refused(card="2c", zone="centre1", seat=None), "rule": "tfu/step", "mend": "one-step"}
        ctx = Context("tfu", 2, kinds=(("centre1", kind),))
        assert text_of(step, ctx, "en").mend == f"Pile 1: take it back, play a neighbour.{tfu}"

    def test_a_zone_has_its_usual_kind_where_nothing_else_is_said(self) -> None:
        placed = refused(card="capo#1", zone="discard")
        assert text_of(placed, Context("tifo", 3), "en").mend.endswith(f"Still{NBSP}here?{NBSP}OK.")
        assert text_of({**placed, "zone": "seat2"}, Context("tifo", 3), "en").mend.endswith("your turn.")

    def test_after_the_end_and_for_a_strange_tag_there_is_no_button(self) -> None:
        over = {**refused(card="capo#1", zone="discard"), "rule": "tifo/over", "mend": "game-over"}
        assert "OK" not in text_of(over, TIFO, "en").mend
        tag = {"out": "refused", "rule": "table/unknown-card", "seat": None, "zone": "discard", "uid": "04AA"}
        assert text_of({**tag, "mend": "remove-tag"}, TIFO, "en").mend == "Discard: take it away, or enrol it."

    def test_after_a_press_there_is_no_card_to_take_back(self) -> None:
        press = refused(zone=None, button="seat2.next")
        assert (text_of(press, TIFO, "en").who, text_of(press, TIFO, "en").mend) == (
            "Player 2 · NEXT",
            "Wait for your turn.",
        )
        spoken = {**refused(zone=None), "rule": "tipouik/turn"}
        assert text_of(spoken, TIPOUIK, "en").mend == "Wait for your turn."

    def test_a_rule_broken_in_another_way_has_another_sentence(self) -> None:
        spare = {**refused(card="2c", zone="centre1", seat=None), "rule": "tfu/spare"}
        told = {text_of({**spare, "mend": m}, TFU, "en").text for m in ("call-first", "owed-first", "open-pile")}
        assert len(told) == 3

    def test_the_values_and_counts_that_the_referee_gives_are_told(self) -> None:
        value = {**refused(zone=None), "rule": "tipouik/value", "mend": "say-same-or-next", "values": [10, 2]}
        assert text_of(value, TIPOUIK, "fr").mend == "Annonce 10 ou 2."
        count = {**refused(zone=None), "rule": "tipouik/count", "mend": "say-count", "laid": 3}
        assert text_of(count, TIPOUIK, "ru").mend == "Назови 3 карты."
        can = {**refused(zone=None, button="seat1.call"), "rule": "tfu/can-play", "mend": "play-on", "can": [2]}
        assert text_of(can, TFU, "fr").mend == "Le joueur 2 peut jouer."


def test_narrating_loads_nothing_that_draws() -> None:
    code = (
        "import sys; from firmware.stage import Context, narrate; "
        "narrate({'out': 'score', 'scores': [1]}, Context('tifo', 1)); "
        "print([m for m in sys.modules if m.split('.')[0] in ('PIL', 'luma', 'gpiozero', 'fontpkg_pt_sans_narrow')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert told.stdout.strip() == "[]"

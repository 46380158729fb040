"""What one screen shows when: notices, corrections, turns, ends, devices."""

from collections.abc import Mapping

import pytest

from firmware.languages import languages
from firmware.stage import Context
from firmware.stage.layout import Page, pages
from firmware.stage.scene import NOTICE_S, PAGE_S, QUICK_S, Scene, opens_correction
from firmware.stage.texts import title_text

CTX = Context("tifo", 3, lang="en")
Out = Mapping[str, object]
TURN: Out = {"out": "turn", "seat": 1, "may": ["lay"]}
LAY: Out = {"out": "move", "move": "lay", "seat": 1, "card": "capo#1"}


def refused(rule: str = "tifo/turn", **keys: object) -> dict[str, object]:
    return {"out": "refused", "rule": rule, "seat": 2, "zone": "seat2", "card": "mats#1", "mend": "wait-turn", **keys}


def take(scene: Scene, now: float, *outs: Out) -> None:
    scene.take(now, [(out, out.get("out") == "refused" and opens_correction(out)) for out in outs])


def head(scene: Scene, now: float) -> str:
    return " ".join(scene.page(now)[0].head)


def all_pages(scene: Scene, now: float, until: float) -> list[Page]:
    """Every page that is shown from now on, by following the wakes."""
    shown: list[Page] = []
    wake: float | None = now
    while wake is not None and wake < until:
        page, following = scene.page(wake)
        assert following is None or following > wake
        shown.append(page)
        wake = following
    return shown


class TestPlay:
    @pytest.mark.parametrize(
        ("game", "prompt"), [("tifo", "Player 2"), ("tipouik", "Who has the 1?"), ("tfu", "Ready?")]
    )
    def test_before_anything_has_happened_the_game_is_named_and_who_begins(self, game: str, prompt: str) -> None:
        scene = Scene(Context(game, 3, lang="en", first=2))
        title = " ".join(pages(title_text(scene.ctx, "en"))[0].head)
        assert [" ".join(p.head) for p in all_pages(scene, 0.0, 7.0)] == [title, prompt, title]
        silent = Scene(Context(game, 3, mode="referee", lang="en", first=2))
        assert [" ".join(p.head) for p in all_pages(silent, 0.0, 60.0)] == [title]

    def test_who_begins_is_told_so_on_his_own_screen(self) -> None:
        assert head(Scene(CTX, 1), PAGE_S) == "Your turn!"

    def test_a_move_is_a_notice_and_the_turn_returns(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, LAY, TURN)
        assert head(scene, 1.0) == "CAPO"
        assert scene.page(1.0)[1] == 1.0 + NOTICE_S
        assert head(scene, 1.0 + NOTICE_S) == "Player 1"

    def test_what_comes_at_once_is_shown_one_after_the_other(self) -> None:
        scene = Scene(Context("tipouik", 4, lang="en"))
        challenge = {"out": "move", "move": "challenge", "seat": 1, "target": 2}
        reveal = {"out": "reveal", "seat": 2, "cards": ["5#1"]}
        verdict = {"out": "move", "move": "verdict", "seat": 2, "result": "honest"}
        take(scene, 0.0, challenge, reveal, verdict)
        assert [" ".join(p.head) for p in all_pages(scene, 0.0, 20.0)] == [
            "PROVE\u00a0IT!",
            "Revealed",
            "Honest!",
            "Tipouik",
        ]

    def test_a_newer_move_replaces_the_notice_before(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, LAY)
        take(scene, 1.5, {**LAY, "card": "fumis#1"})
        assert [" ".join(p.head) for p in all_pages(scene, 1.5, 20.0)] == ["FLARES", "TIFO"]

    def test_the_end_stays_with_its_scores_until_the_next_game(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, {"out": "score", "scores": [2, 5, 0]}, {"out": "over", "winners": [2], "by": "points"})
        assert {" ".join(p.head) for p in all_pages(scene, 1.0, 40.0)} == {"Points", "On points"}
        take(scene, 50.0, TURN)
        assert head(scene, 60.0) == "Player 1"

    def test_over_then_score_are_both_shown_in_turns(self) -> None:
        scene = Scene(Context("tipouik", 3, lang="en"))
        take(scene, 1.0, {"out": "over", "winners": [2], "by": "empty-hand"})
        take(scene, 5.0, {"out": "score", "scores": [2, 0, 7]})
        assert {" ".join(p.head) for p in all_pages(scene, 5.0, 30.0)} == {"Finished!", "Points"}


class TestWhatIsOpen:
    def test_the_last_announcement_stands_beside_whose_turn_it_is(self) -> None:
        scene = Scene(Context("tipouik", 4, lang="en"))
        turn = {"out": "turn", "seat": 2, "may": ["same", "next", "pass"]}
        take(scene, 1.0, {"out": "move", "move": "pose", "seat": 1, "count": 2, "value": 8}, turn)
        (page,) = all_pages(scene, 10.0, 40.0)
        assert page.head == ("Player 2",)
        assert page.lines[0] == "2 × 8"
        take(scene, 20.0, {"out": "undone", "move": "pose", "seat": 1, "count": 2, "value": 8}, turn)
        assert "2 × 8" not in all_pages(scene, 30.0, 40.0)[0].lines

    @pytest.mark.parametrize("lang", languages())
    def test_whose_turn_what_is_open_and_the_last_announcement_stand_on_one_page(self, lang: str) -> None:
        for viewer in (None, 2):
            scene = Scene(Context("tipouik", 4, lang=lang), viewer)
            turn = {"out": "turn", "seat": 2, "may": ["same", "next", "pass"]}
            take(scene, 1.0, {"out": "move", "move": "pose", "seat": 1, "count": 11, "value": 12}, turn)
            assert len(all_pages(scene, 10.0, 40.0)) == 1

    def test_titles_follow_the_scores_and_then_stand_beside_their_holders_turn(self) -> None:
        ctx = Context("tipouik", 4, lang="en")
        table, king = Scene(ctx), Scene(ctx, 3)
        title = {"out": "move", "move": "title", "seat": 3, "king": 3, "abru": 1}
        turn = {"out": "turn", "seat": 1, "may": ["pass"]}
        for scene in (table, king):
            take(scene, 1.0, {"out": "over", "winners": [3], "by": "empty-hand"})
            take(scene, 2.0, {"out": "score", "scores": [9, 5, 0, 2]}, title)
            assert {" ".join(p.head) for p in all_pages(scene, 2.0, 30.0)} == {"Finished!", "Points", "Titles"}
            take(scene, 40.0, turn)
        assert table.page(60.0)[0].lines[0] == "AbruTipouik"  # whose turn it is
        assert king.page(60.0)[0].lines[0] == "TipouiKing"  # whose screen it is

    def test_a_shout_that_is_a_move_and_a_message_is_shown_once(self) -> None:
        scene = Scene(Context("tfu", 2, lang="ru"))
        take(scene, 1.0, {"out": "move", "move": "call", "seat": 1}, {"out": "say", "to": "all", "text": "tfu/spit"})
        assert len(scene.notices) == 1

    def test_between_plays_the_tops_of_the_piles_are_shown(self) -> None:
        scene = Scene(Context("tfu", 2, lang="en"))
        spit = {"out": "move", "move": "spit", "seat": 2, "pile": 2, "card": "10h"}
        take(scene, 1.0, spit, {**spit, "seat": 1, "pile": 1, "card": "Ac"})
        assert head(scene, 20.0) == "A♣ 10♥"
        take(scene, 21.0, {"out": "move", "move": "play", "seat": None, "pile": 1, "card": "2d", "column": None})
        assert head(scene, 40.0) == "2♦ 10♥"
        take(scene, 41.0, {"out": "undone", "move": "play", "seat": None, "pile": 1, "card": "2d"})
        assert head(scene, 60.0) == "10♥"


class TestRefereeMode:
    CTX = Context("tifo", 3, mode="referee", lang="en")

    def test_a_legal_play_is_not_spoken_of(self) -> None:
        scene = Scene(self.CTX)
        take(scene, 1.0, LAY)
        assert head(scene, 1.0) == "TIFO"

    def test_what_the_rules_announce_is(self) -> None:
        scene = Scene(self.CTX)
        take(scene, 1.0, {"out": "move", "move": "tifo", "seat": 1, "cards": ["capo#1"]})
        assert head(scene, 1.0) == "TIFOOO !!!"

    def test_what_is_illegal_is(self) -> None:
        scene = Scene(self.CTX)
        take(scene, 1.0, refused())
        assert head(scene, 1.0) == "Not your turn"


class TestCorrections:
    def test_a_refused_card_stays_on_the_screen_until_it_is_put_right(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, TURN, refused())
        assert head(scene, 600.0) == "Not your turn"
        take(scene, 601.0, {"out": "corrected", "rule": "tifo/turn", "seat": 2, "zone": "seat2", "card": "mats#1"})
        assert head(scene, 601.0) == "Put right"
        assert head(scene, 620.0) == "Player 1"

    def test_the_way_to_put_it_right_is_among_its_pages(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, refused())
        lines = [line for page in all_pages(scene, 1.0, 20.0) for line in page.lines]
        assert any(line.startswith("→ Take it back") for line in lines)

    def test_two_open_ones_are_shown_in_turns_with_their_number(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, refused())
        take(scene, 2.0, refused("table/correct-first", seat=1, zone="seat1", card="capo#2"))
        shown = all_pages(scene, 2.0, 40.0)
        assert {" ".join(p.head) for p in shown} == {"Put right first", "Not your turn"}
        assert {p.badge for p in shown} == {2}
        assert " ".join(shown[0].head) == "Put right first"

    def test_each_ends_by_its_own_correction(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, refused(), refused(seat=3, zone="seat3", card="capo#3"))
        take(scene, 2.0, {"out": "corrected", "rule": "tifo/turn", "seat": 2, "zone": "seat2", "card": "mats#1"})
        assert [p.out["seat"] for p in scene.pending] == [3]

    def test_of_like_ones_whose_cards_are_hidden_the_oldest_ends(self) -> None:
        scene = Scene(Context("tipouik", 3, lang="en"))
        hidden = {"out": "refused", "rule": "tipouik/turn", "seat": 2, "zone": "seat2", "mend": "wait-turn"}
        scene.take(1.0, [({**hidden, "t": 1.0}, True)])
        scene.take(2.0, [({**hidden, "t": 2.0}, True)])
        scene.take(3.0, [({"out": "corrected", "rule": "tipouik/turn", "seat": 2, "zone": "seat2"}, False)])
        assert [p.out["t"] for p in scene.pending] == [2.0]

    def test_the_end_of_the_game_ends_all(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, refused())
        take(scene, 2.0, {"out": "over", "winners": [1], "by": "tifo"})
        assert scene.pending == []

    def test_a_refused_press_passes_but_is_read_to_its_end(self) -> None:
        # Field report 23: a refusal reaches a screen, even when somebody plays on at once.
        scene = Scene(CTX)
        press = refused(button="seat2.call")
        del press["card"], press["zone"]
        take(scene, 1.0, press)
        take(scene, 1.2, LAY, TURN)
        heads = [" ".join(p.head) for p in all_pages(scene, 1.2, 30.0)]
        assert heads[0] == "Not your turn"
        assert heads[-2:] == ["CAPO", "Player 1"]

    @pytest.mark.parametrize(
        ("rule", "keys", "opens"),
        [
            ("tifo/turn", {}, True),
            ("tifo/turn", {"card": None, "button": "seat2.call"}, False),
            ("tifo/shout", {"button": "seat2.call"}, True),  # a given-up shout carries its last card
            ("table/unknown-card", {"card": None, "uid": "04AA"}, False),
            ("tipouik/over", {}, False),
            ("tifo/ola-ola", {}, False),  # at a lift: the OLA still waits
            ("tipouik/count", {"card": None}, False),
        ],
    )
    def test_which_refusals_leave_something_to_put_right(
        self, rule: str, keys: dict[str, object], opens: bool
    ) -> None:
        assert opens_correction(refused(rule, **keys)) is opens


SAY: Out = {"out": "say", "to": 2, "text": "tifo/robbed-draw", "args": {}}


class TestDecisions:
    """A challenge, its reveal and its verdict are read to their end: `ok` may be pressed at once."""

    def challenged(self) -> Scene:
        scene = Scene(Context("tipouik", 4, lang="en"))
        take(
            scene,
            0.0,
            {"out": "move", "move": "challenge", "seat": 1, "target": 2},
            {"out": "reveal", "seat": 2, "cards": ["5#1"]},
            {"out": "move", "move": "verdict", "seat": 2, "result": "honest"},
        )
        return scene

    def test_what_follows_waits_for_them(self) -> None:
        scene = self.challenged()
        taken: Out = {"out": "move", "move": "take", "seat": 1, "count": 1}
        take(scene, 0.3, taken, {"out": "turn", "seat": 3, "may": ["pass"]})
        heads = [" ".join(p.head) for p in all_pages(scene, 0.3, 30.0)]
        assert heads == ["PROVE\u00a0IT!", "Revealed", "Honest!", "1 card", "Player 3"]

    def test_when_something_waits_each_is_shown_for_a_second(self) -> None:
        scene = self.challenged()
        take(scene, 0.3, {"out": "move", "move": "take", "seat": 1, "count": 1})
        assert [scene.page(t)[1] for t in (0.3, 1.0, 2.0)] == [1.0, 2.0, 3.0]

    def test_a_newer_challenge_replaces_what_is_left_of_an_older_one(self) -> None:
        scene = self.challenged()
        reveal: Out = {"out": "reveal", "seat": 3, "cards": ["6#1"]}
        bluff: Out = {"out": "move", "move": "verdict", "seat": 3, "result": "bluff"}
        take(scene, 0.4, {"out": "move", "move": "challenge", "seat": 1, "target": 3}, reveal, bluff)
        heads = [" ".join(p.head) for p in all_pages(scene, 0.4, 30.0)]
        assert heads == ["PROVE\u00a0IT!", "Revealed", "Bluff!", "Tipouik"]

    def test_a_refusal_does_not(self) -> None:
        scene = self.challenged()
        take(scene, 0.3, refused("tipouik/take-back", card="5#2", mend="settle-first"))
        assert head(scene, 0.3) == "Not yet"
        scene = self.challenged()
        press = {"zone": None, "card": None, "button": "seat2.call", "mend": "wait-next-pose"}
        take(scene, 0.3, refused("tipouik/challenge-closed", **press))
        assert head(scene, 0.3) == "Too late"

    def test_a_move_that_comes_with_a_refused_card_does_not_hide_it(self) -> None:
        scene = Scene(CTX)
        take(scene, 1.0, refused(), LAY)
        assert head(scene, 1.0) == "Not your turn"


class TestForWhom:
    def test_what_is_said_to_a_seat_is_seen_there_alone(self) -> None:
        assert Scene(CTX, 2).sees(SAY, None) == SAY
        assert Scene(CTX, 1).sees(SAY, None) is None
        assert Scene(CTX, None).sees(SAY, None) is None

    def test_a_seat_sees_no_more_than_the_public_of_anything_else(self) -> None:
        full = refused()
        public = {k: v for k, v in full.items() if k != "card"}
        for viewer in (None, 1, 2, 3):
            assert Scene(CTX, viewer).sees(full, public) == public

    def test_what_the_table_waits_for_comes_soon_and_stays_until_it_is_done(self) -> None:
        scene = Scene(CTX, 2)
        take(scene, 1.0, {"out": "move", "move": "rob", "seat": 1, "target": 2}, SAY, TURN)
        assert head(scene, 1.0) == "Robbed!"
        assert scene.page(1.0)[1] == 1.0 + QUICK_S
        assert {" ".join(p.head) for p in all_pages(scene, 1.0 + QUICK_S, 40.0)} == {"Draw one!", "Player 1"}
        take(scene, 40.0, {"out": "move", "move": "draw", "seat": 2})
        assert {" ".join(p.head) for p in all_pages(scene, 40.0, 60.0)} == {"Player 1"}

    def test_counting_stays_on_the_screen_until_all_have_shown_their_hands(self) -> None:
        scene = Scene(Context("tipouik", 3, lang="en"))
        over: Out = {"out": "over", "winners": [2], "by": "empty-hand"}
        take(scene, 1.0, over, {"out": "say", "to": "all", "text": "tipouik/show-hands"})
        assert {" ".join(p.head) for p in all_pages(scene, 20.0, 40.0)} == {"Finished!", "Count"}
        start: Out = {"out": "say", "to": "all", "text": "tipouik/who-has-one"}
        take(scene, 40.0, {"out": "score", "scores": [1, 0, 3]}, start)
        assert {" ".join(p.head) for p in all_pages(scene, 40.0, 60.0)} == {"Who has the 1?", "Finished!", "Points"}

    def test_the_final_window_is_shown_while_it_lasts_and_nobody_is_in_turn(self) -> None:
        scene = Scene(Context("tipouik", 3, lang="en"))
        take(scene, 1.0, {"out": "turn", "seat": 2, "may": ["pass"]})
        window: Out = {"out": "say", "to": "all", "text": "tipouik/final-window", "args": {"seat": 2, "seconds": 5}}
        take(scene, 9.0, {"out": "move", "move": "pose", "seat": 2, "count": 1, "value": 8}, window)
        assert scene.page(9.0)[1] == 9.0 + QUICK_S
        assert [" ".join(p.head) for p in all_pages(scene, 9.0, 14.0)] == ["1 × 8", "Last card"]

    def test_spare_cards_that_are_owed_are_asked_for_until_all_are_down(self) -> None:
        scene = Scene(Context("tfu", 2, lang="en"))
        spit: Out = {"out": "move", "move": "spit", "seat": 1, "pile": 1, "card": "2c"}
        take(scene, 1.0, {"out": "move", "move": "call", "seat": 1}, {"out": "say", "to": "all", "text": "tfu/spit"})
        take(scene, 2.0, spit)
        assert [" ".join(p.head) for p in all_pages(scene, 2.0, 60.0)] == ["2♣", "Тьфу!"]
        take(scene, 60.0, {**spit, "pile": 2, "card": "3c"}, {"out": "say", "to": "all", "text": "tfu/go"})
        assert [" ".join(p.head) for p in all_pages(scene, 60.0, 90.0)] == ["3♣", "Go!", "2♣ 3♣"]

    def test_a_player_is_told_soon_that_it_is_his_turn(self) -> None:
        waits = []
        for viewer in (1, 2):
            scene = Scene(CTX, viewer)
            take(scene, 1.0, LAY, {**TURN, "seat": 2})
            waits.append(scene.page(1.0)[1])
        assert waits == [1.0 + NOTICE_S, 1.0 + QUICK_S]
        assert head(scene, 1.0 + QUICK_S) == "Your turn!"


class TestDevices:
    def test_a_dead_reader_has_a_page_until_it_is_back(self) -> None:
        # Field report 9.
        scene = Scene(CTX)
        take(scene, 0.0, TURN)
        scene.device(1.0, "reader-dead", "discard", up=False)
        assert {" ".join(p.head) for p in all_pages(scene, 1.0, 20.0)} == {"Player 1", "Reader down"}
        scene.device(30.0, "reader-back", "discard", up=True)
        assert [" ".join(p.head) for p in all_pages(scene, 30.0, 50.0)] == ["Reader back", "Player 1"]

    def test_a_dead_display_is_told_once(self) -> None:
        scene = Scene(CTX)
        take(scene, 0.0, LAY)
        scene.device(1.0, "display-dead", "seat2", up=False)
        assert [" ".join(p.head) for p in all_pages(scene, 1.0, 50.0)] == ["CAPO", "Screen down", "TIFO"]

    def test_pages_turn_at_the_pace_of_reading(self) -> None:
        scene = Scene(CTX)
        scene.device(0.0, "reader-dead", "discard", up=False)
        assert scene.page(0.0)[1] == PAGE_S


def test_a_page_turns_at_the_very_time_it_asked_for() -> None:
    # 1.1 + 3.0 - 1.1 is a rounding less than 3.0: the same wake must not be asked for again.
    for n in range(200):
        scene, begin = Scene(CTX), 0.3 + n / 7
        scene.device(begin, "reader-dead", "seat2/1", up=False)
        now = begin + 10.0
        for _ in range(20):
            _, wake = scene.page(now)
            assert wake is None or wake > now
            now = wake if wake is not None else now + 1.0

"""Every id of the engine has its sentences in every language, and no catalogue has one too many."""

import re

import pytest

import engine.ids
import engine.tfu.ids
import engine.tifo.ids
import engine.tipouik.ids
from engine.cards import TFU_RANKS, TIFO_COUNTS, TIPOUIK_SPECIALS
from engine.record.contract import MOVE_ARGS
from firmware.cli import main
from firmware.config import ConfigError
from firmware.config.parse import parse_table
from firmware.languages import languages, page_languages
from firmware.stage.catalogue import NARROW, NBSP, Message, catalogue
from firmware.stage.errors import StageError
from firmware.stage.plurals import FAMILIES
from firmware.stage.samples import REFUSALS
from firmware.web.strings import own
from hardware.buttons import Trouble
from hardware.display import Health

IDS = {"tifo": engine.tifo.ids, "tipouik": engine.tipouik.ids, "tfu": engine.tfu.ids}
OVERS = {
    "tifo": ("tifo", "points", "last-standing"),
    "tipouik": ("empty-hand", "all-passed"),
    "tfu": ("columns-empty", "no-cards", "blocked"),
}
EVENTS = {"table": ("corrected", "stood", "undone", "reveal"), "tifo": ("score",), "tipouik": ("score", "match")}
MAY = {
    "tifo": (*("draw", "concede", "rob", "swap", "let-go", "parry", "ola", "discard", "lay", "attack", "call"),),
    "tipouik": ("same", "next", "pass", "take-back", "give", "take", "draw"),
}
DEVICES = ("reader-dead", "reader-back", "separate", *(h.value for h in Health), *(t.value for t in Trouble))
WORDS = (
    *("seat", "seat-short", "for-all", "and", "or", "none", "points", "score-line", "tops", "tie"),
    *("at", "then-ok", "else-ok", "then-undo", "else-undo"),
)
WATCH = {
    "table": ("title", "can", "cannot", "no-game", "strangers", "commands"),
    "tifo": ("plays", "draw", "no-draw", "laid", "no-laid", "no-swap"),
    "tipouik": ("plays", "no-lifts"),
    "tfu": ("plays", "columns", "no-columns"),
}
"""What a table sees of a game and what it does not (`firmware.config.watched`)."""
PLACES = ("seat", "column", "centre", "discard", "draw")
WAYS = {
    "tifo/shout": ("lift-all",),
    "tipouik/start": ("king-gives-first",),
    "tipouik/nothing": ("wait-for-pose",),
    "tfu/over": ("new-match",),
    "tfu/spare": ("call-first", "open-pile", "spare-order"),
    "tfu/column": ("own-column",),
}
"""Rules that can be broken in several ways: the other ways, by how they are put right."""
PRESSED = {
    "tifo": (
        *("game-over", "wait-turn", "draw-first", "use-ola", "avocat-ola-or-concede"),
        *("parry-or-discard", "parry-locaux", "parry-fumis"),
    ),
    "tipouik": ("round-over", "settle-first", "wait-turn", "open-with-one", "king-gives-first"),
    "tfu": ("new-match",),
}
"""Mends that a placing and a press can both have: after a press there is no card to take back."""


def expected_messages() -> set[str]:
    found = {f"rule:{rule}" for rule in engine.ids.RULES} | {f"device:table/{d}" for d in DEVICES}
    for game, ids in IDS.items():
        found |= {f"rule:{rule}" for rule in ids.RULES} | {f"say:{text}" for text in ids.SAYS}
        found |= {f"move:{game}/{move}" for move in MOVE_ARGS[game] if move != "verdict"}
        found |= {f"over:{game}/{by}" for by in OVERS[game]} | {f"game:table/{game}"}
    found |= {f"move:tipouik/verdict-{r}" for r in ("bluff", "honest", "red")}
    found |= {f"event:{file}/{kind}" for file, kinds in EVENTS.items() for kind in kinds}
    found |= {f"rule:{rule}/{mend}" for rule, mends in WAYS.items() for mend in mends}
    return found | {"turn:tifo/tifo", "turn:tipouik/tipouik", "event:tfu/match", "start:tfu/tfu"}


def expected_words() -> set[str]:
    found = {f"mend:table/{m}" for m in engine.ids.MENDS} | {f"word:table/{w}" for w in WORDS}
    found |= {f"place:table/{p}" for p in PLACES}
    found |= {f"watch:{file}/{name}" for file, names in WATCH.items() for name in names}
    for game, ids in IDS.items():
        found |= {f"mend:{game}/{m}" for m in ids.MENDS} | {f"mend:{game}/{m}-press" for m in PRESSED[game]}
    found |= {f"card:tifo/{kind}" for kind in TIFO_COUNTS} | {f"card:tipouik/{k}" for k in TIPOUIK_SPECIALS}
    found |= {f"card:tfu/{rank}" for rank in TFU_RANKS if not rank.isdigit()}
    return found | {f"may:{game}/{m}" for game, names in MAY.items() for m in names}


@pytest.mark.parametrize("lang", languages())
class TestEveryLanguage:
    def test_has_each_message_and_none_that_nothing_says(self, lang: str) -> None:
        assert set(catalogue(lang).messages) == expected_messages()

    def test_has_each_word_and_none_that_nothing_uses(self, lang: str) -> None:
        assert set(catalogue(lang).words) == expected_words()

    def test_has_the_variants_that_the_first_language_has(self, lang: str) -> None:
        first = catalogue("en").messages
        assert {m.id: set(m.parts) for m in catalogue(lang).messages.values()} == {
            id_: set(message.parts) for id_, message in first.items()
        }

    def test_asks_for_the_same_things_as_the_first_language(self, lang: str) -> None:
        def slots(message: Message) -> dict[str, set[str]]:
            return {k: set(re.findall(r"\{([a-z_]+)", v)) - {"seats"} for k, v in message.parts.items()}

        mine = {m.id: slots(m) for m in catalogue(lang).messages.values()}
        # A count may be left out where the sentence needs no number of it, never another thing put in.
        for id_, message in catalogue("en").messages.items():
            for variant, wanted in slots(message).items():
                assert mine[id_][variant] - {"count"} == wanted - {"count"}, (id_, variant)

    def test_every_plural_has_the_forms_of_its_language(self, lang: str) -> None:
        cat = catalogue(lang)
        count = FAMILIES[cat.plural][0]
        templates = [t for m in cat.messages.values() for t in m.parts.values()] + list(cat.words.values())
        for template in templates:
            inner = re.sub(r"\{[a-z_]+\}", "x", template)
            for forms in re.findall(r"\{[a-z_]+\|([^{}]*)\}", inner):
                assert len(forms.split("|")) == count, template


def test_every_rule_and_mend_of_the_engine_is_on_a_contact_sheet() -> None:
    rules = {*engine.ids.RULES, *(rule for ids in IDS.values() for rule in ids.RULES)}
    assert set(REFUSALS) == rules
    for game, ids in (("table", engine.ids), *IDS.items()):
        mends = {m for rule, ms in REFUSALS.items() if rule.startswith(f"{game}/") for m in ms}
        assert mends == set(ids.MENDS), game


def test_every_other_way_to_break_a_rule_is_one_that_the_engine_has() -> None:
    assert all(mend in REFUSALS[rule] for rule, mends in WAYS.items() for mend in mends)
    assert all(set(names) <= set(IDS[game].MENDS) for game, names in PRESSED.items())


class TestPlurals:
    @pytest.mark.parametrize("number", range(122))
    def test_every_number_of_cards_and_points_up_to_121(self, number: int) -> None:
        # CLDR cardinal rules, written out once more in another way.
        tens = 10 <= number % 100 <= 20
        slavic = 2 if tens else {1: 0, 2: 1, 3: 1, 4: 1}.get(number % 10, 2)
        told = {lang: catalogue(lang).fill(form, {"n": number}) for lang, form in
                (("fr", "{n|a|b}"), ("en", "{n|a|b}"), ("ru", "{n|a|b|c}"))}  # fmt: skip
        assert told == {"fr": "ab"[number > 1], "en": "ab"[number != 1], "ru": "abc"[slavic]}

    @pytest.mark.parametrize(
        ("number", "told"),
        [(0, "карт"), (1, "карта"), (2, "карты"), (4, "карты"), (5, "карт"), (11, "карт"), (12, "карт"),
         (14, "карт"), (21, "карта"), (22, "карты"), (25, "карт"), (101, "карта"), (111, "карт"), (112, "карт")],
    )  # fmt: skip
    def test_russian(self, number: int, told: str) -> None:
        assert catalogue("ru").fill("{n|карта|карты|карт}", {"n": number}) == told

    @pytest.mark.parametrize(("number", "told"), [(0, "carte"), (1, "carte"), (2, "cartes"), (21, "cartes")])
    def test_french_has_no_plural_for_nought(self, number: int, told: str) -> None:
        assert catalogue("fr").fill("{n|carte|cartes}", {"n": number}) == told

    @pytest.mark.parametrize(("number", "told"), [(0, "cards"), (1, "card"), (2, "cards")])
    def test_english(self, number: int, told: str) -> None:
        assert catalogue("en").fill("{n|card|cards}", {"n": number}) == told


class TestTypography:
    def test_french_signs_never_stand_alone_on_a_line(self) -> None:
        cat = catalogue("fr")
        texts = [t for m in cat.messages.values() for t in m.parts.values()] + list(cat.words.values())
        assert [t for t in texts if re.search(r" [!?;:»]|« ", t)] == []

    def test_french_high_signs_have_their_space_before_them(self) -> None:
        cat = catalogue("fr")
        texts = [t for m in cat.messages.values() for t in m.parts.values()] + list(cat.words.values())
        # "Тьфу!" and "Вышел!" are Russian words and keep Russian spacing; "TIFOOO !!!" has one space for all.
        plain = [t.replace("Тьфу!", "").replace("Вышел!", "") for t in texts]
        assert [t for t in plain if re.search(rf"[^!?{NARROW}{NBSP}«][!?]|[^{NBSP}«]:", t)] == []
        assert [t for t in texts if "'" in t or '"' in t] == []

    def test_spaces(self) -> None:
        assert catalogue("fr").messages["move:tipouik/challenge"].parts["head"] == f"PROUVE-LE{NARROW}!"
        assert f"«{NBSP}PROUVE-LE{NARROW}!{NBSP}»" in catalogue("fr").messages["rule:tipouik/take-back"].parts["text"]

    def test_no_language_writes_typewriter_quotes(self) -> None:
        for lang in languages():
            cat = catalogue(lang)
            texts = [t for m in cat.messages.values() for t in m.parts.values()] + list(cat.words.values())
            assert [t for t in texts if "'" in t or '"' in t] == [], lang

    def test_signs_of_the_page_never_stand_alone_on_a_line(self) -> None:
        # The page's catalogues hold their no-break spaces themselves: a browser breaks at any other.
        for lang, loose in (("fr", r" [!?;:»%]|« |[^!?\u202f«][!?;]|[^\u00a0]:"), ("ru", r" [—%]"), ("en", r" [%—]")):
            texts = [t.replace("Тьфу!", "").replace("Вышел!", "") for t in own(lang).values()]
            assert [t for t in texts if re.search(loose, t)] == [], lang

    def test_the_page_writes_no_typewriter_quotes(self) -> None:
        for lang in page_languages():
            assert [t for t in own(lang).values() if "'" in t or '"' in t] == [], lang


class TestFilling:
    def test_a_name_that_ends_in_a_sign_of_its_own_takes_no_full_stop(self) -> None:
        assert catalogue("fr").fill("Le joueur 1 défausse {card}.", {"card": "OLA !"}).endswith("OLA !")
        assert catalogue("fr").fill("{card}.", {"card": "GRÈVE"}) == "GRÈVE."

    def test_a_value_is_never_read_as_a_template(self) -> None:
        assert catalogue("en").fill("{device} is down", {"device": "{seat}|{x"}) == "{seat}|{x is down"

    def test_a_plural_form_may_hold_slots(self) -> None:
        template = "{winners|Player {names} wins|Players {names} win}"
        assert catalogue("en").fill(template, {"winners": 2, "names": "1 and 3"}) == "Players 1 and 3 win"

    def test_what_is_missing_is_named(self) -> None:
        with pytest.raises(StageError, match=r"catalogue en: '\{seat\}' asks for \{seat\}, the event has \['card'\]"):
            catalogue("en").fill("{seat}", {"card": "x"})

    def test_a_plural_needs_a_number_and_all_forms(self) -> None:
        with pytest.raises(StageError, match="3 forms, has 'two' and 3"):
            catalogue("ru").fill("{n|a|b|c}", {"n": "two"})
        with pytest.raises(StageError, match="3 forms, has 2 and 2"):
            catalogue("ru").fill("{n|a|b}", {"n": 2})

    def test_a_language_without_a_catalogue_is_refused_with_those_there_are(self) -> None:
        with pytest.raises(StageError, match=f"no catalogue for language 'xx'; there are {', '.join(languages())}"):
            catalogue("xx")


def test_the_table_file_and_the_commands_take_every_language_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    for lang in languages():
        config = parse_table(f'[table]\nname = "t"\nlanguage = "{lang}"\n', "t")
        assert config.language.value == lang
    with pytest.raises(ConfigError, match=f'"{languages()[0]}"'):
        parse_table('[table]\nname = "t"\nlanguage = "xx"\n', "t")
    for command in (["replay", "x"], ["demo", "tifo"], ["table"]):
        with pytest.raises(SystemExit):
            main([*command, "--lang", "xx"])
        assert all(lang in capsys.readouterr().err for lang in languages()[:1])

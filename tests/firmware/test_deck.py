"""deck.toml: UID = card (field report 28)."""

from pathlib import Path

import pytest

from engine.cards import TIFO_DECK
from engine.games import SPECS
from firmware.config import ConfigError
from firmware.deck import emulated_deck, emulated_uid, read_deck, write_deck


def deck(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "deck.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_deck_ties_full_upper_case_uids_to_cards(tmp_path: Path) -> None:
    found = read_deck(deck(tmp_path, 'version = 1\n04A81D12DE5F80 = "capo#1"\nB0BB8904 = "10h"\n'))
    assert found.card("04A81D12DE5F80") == "capo#1"
    assert found.card("B0BB8904") == "10h"
    assert found.card("04A81D12DE5F81") is None  # a near-match is nobody


@pytest.mark.parametrize("button", ["table.undo", "table.accept", "table.rescan", "table.pile"])
def test_a_control_card_is_a_button_and_no_card(tmp_path: Path, button: str) -> None:
    found = read_deck(deck(tmp_path, f'04A81D12DE5F80 = "{button}"\n'))
    assert found.control("04A81D12DE5F80") == button
    assert found.card("04A81D12DE5F80") is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('04a81d12de5f80 = "capo#1"\n', 1, "upper-case hex without separators: 04A81D12DE5F80"),
        ('\n"04:A8:1D:12:DE:5F:80" = "capo#1"\n', 2, "upper-case hex without separators: 04A81D12DE5F80"),
        ('04A81D12DE5F = "capo#1"\n', 1, "8, 14 or 20 upper-case hex digits"),
        ('08A81D12 = "capo#1"\n', 1, "is a random one"),
        ('04A81D12DE5F80 = "capo#9"\n', 1, "a card such as capo#1"),
        ('04A81D12DE5F80 = "capo#1"\n04A81D12DE5F81 = "capo#1"\n', 2, "has two tags"),
        ("version = 2\n", 1, "version = 1"),
        ("version = true\n", 1, "version = 1"),
        ("cards = 1\n", 1, "'cards' is no table, expected [cards]"),
        ('04A81D12DE5F80 = "capo#1"\n[cards]\n04A81D12DE5F80 = "capo#2"\n', 3, "stands twice"),
        ('\ufeff04A81D12DE5F80 = "capo#1"\n', 1, "a byte order mark"),
        ("x = " + "[" * 100_000, 1, "nested too deep"),
        ("x = " + "9" * 5_000, 1, "too many digits"),
        ("04A81D12DE5F80 = 0x" + "f" * 5_000 + "\n", 1, "a card such as capo#1"),
        ('04A81D12DE5F80 = "a\\nb"\n', 1, r'"a\nb", expected a card'),
        ("04A81D12DE5F80 = capo\n", 1, "no TOML"),
    ],
)
def test_a_wrong_line_is_named_with_its_mend(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = deck(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_deck(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert words in str(caught.value)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    made = emulated_deck(TIFO_DECK)
    path = tmp_path / "deck.toml"
    write_deck(path, made.cards.items())
    assert read_deck(path) == made
    assert len(made.cards) == len(TIFO_DECK)


@pytest.mark.parametrize("game", ["tifo", "tipouik", "tfu"])
def test_no_emulated_tag_has_a_cascade_tag_within_its_uid(game: str) -> None:
    spec = SPECS[game]
    for seats in range(spec.min_seats, spec.max_seats + 1):
        pack = spec.pack(seats)
        uids = emulated_deck(pack).cards
        assert len(uids) == len(pack)
        assert [uid for uid in uids if uid[6:8] == "88"] == []


def test_emulated_uids_are_all_different_and_none_has_a_cascade_tag_in_its_middle() -> None:
    uids = [emulated_uid(n) for n in range(1, 5000)]
    assert len(set(uids)) == len(uids)
    assert not [uid for uid in uids if uid[6:8] == "88"]

"""The golden records of Tipouik: replayed to the letter, and one at least for every rule id and ruling."""

import json
import re
from pathlib import Path

import pytest

from engine.record import read_record
from engine.tipouik import ids
from firmware.replay import check, load

RECORDS = sorted((Path(__file__).resolve().parents[2] / "records" / "tipouik").glob("*.jsonl"))


def headers() -> list[dict[str, str]]:
    return [json.loads(path.read_text("utf-8").splitlines()[0]) for path in RECORDS]


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_a_golden_record_replays_to_the_letter(path: Path) -> None:
    assert check(load(path)) == []


def test_every_rule_is_refused_in_some_record() -> None:
    texts = [path.read_text("utf-8") for path in RECORDS]
    shown = {json.loads(line).get("rule") for text in texts for line in text.splitlines() if '"refused"' in line}
    assert set(ids.RULES) <= shown


def test_every_ruling_is_shown_by_some_record() -> None:
    named = {int(n) for header in headers() for n in re.findall(r"\bP(\d+)\b", header["x-ruling"])}
    assert named == set(range(1, 36))


def test_a_record_with_one_output_changed_differs() -> None:
    path = next(p for p in RECORDS if p.stem == "bluff")
    lines = path.read_bytes().replace(b'"result": "bluff"', b'"result": "honest"').splitlines()
    assert len(check(read_record(lines))) == 1

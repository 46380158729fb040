"""The golden records of Tipouik, one at least for every ruling (that they replay is tested for all games at once)."""

import json
import re
from pathlib import Path

RECORDS = sorted((Path(__file__).resolve().parents[2] / "records" / "tipouik").glob("*.jsonl"))


def test_every_ruling_is_shown_by_some_record() -> None:
    headers = [json.loads(path.read_text("utf-8").splitlines()[0]) for path in RECORDS]
    named = {int(n) for header in headers for n in re.findall(r"\bP(\d+)\b", header["x-ruling"])}
    assert named == set(range(1, 36))

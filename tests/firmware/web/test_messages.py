"""What a browser may say: exactly that."""

import json

import pytest

from firmware.web.errors import MessageError
from firmware.web.hands import Pace
from firmware.web.messages import (
    Fault,
    GiveCard,
    Hello,
    NewGame,
    Panel,
    Push,
    PutCard,
    Run,
    Step,
    TakeCard,
    read_hello,
    read_wish,
)


@pytest.mark.parametrize(
    ("raw", "wish"),
    [
        ('{"do":"put","card":"capo#1","zone":"seat1"}', PutCard("capo#1", "seat1")),
        ('{"do":"put","card":"spare","zone":"centre1"}', PutCard("spare", "centre1")),
        ('{"do":"take","card":"10h"}', TakeCard("10h")),
        ('{"do":"give","card":"5#2","to":3}', GiveCard("5#2", 3)),
        ('{"do":"push","button":"seat1.ok"}', Push("seat1.ok")),
        ('{"do":"run","speed":0.25,"pace":"step"}', Run(0.25, Pace.STEP)),
        ('{"do":"step","n":-1}', Step(-1)),
        ('{"do":"panel","open":true,"all":false}', Panel(True, False)),
        ('{"do":"fault","what":"drop","name":"","level":0.2}', Fault("drop", "", 0.2)),
        (
            '{"do":"new","game":"tfu","seats":2,"mode":"play","lang":"ru","seed":null,"play":true,"options":{}}',
            NewGame("tfu", 2, "play", "ru", None, True),
        ),
        (
            '{"do":"new","game":"tipouik","seats":3,"mode":"play","lang":"ru","seed":7,"play":false,'
            '"options":{"rounds":2,"titles":true,"final_window_s":2.5}}',
            NewGame("tipouik", 3, "play", "ru", 7, False, {"rounds": 2, "titles": True, "final_window_s": 2.5}),
        ),
    ],
)
def test_what_the_page_says_is_read(raw: str, wish: object) -> None:
    assert read_wish(raw) == wish


NEW = '{"do":"new","game":"tfu","seats":2,"mode":"play","lang":"fr","seed":1,"play":true,"options":'
RUBBISH = [
    "", "x", "[]", "null", "1", '"put"', "{}", "{" * 2000, "[" * 2000, '{"do":"put"}', '{"do":1}', '{"do":"hello"}',
    '{"do":"put","card":"capo#9","zone":"seat1"}', '{"do":"put","card":"capo#1","zone":"seat1","more":1}',
    '{"do":"put","card":["capo#1"],"zone":"seat1"}', '{"do":"put","card":"capo#1","zone":7}',
    '{"do":"put","card":"capo#1","zone":"' + "s" * 17 + '"}', '{"do":"take","card":"spare"}',
    '{"do":"give","card":"5#2","to":true}', '{"do":"give","card":"5#2","to":11}', '{"do":"step","n":1.5}',
    '{"do":"step","n":' + "9" * 1500 + "}", '{"do":"run","speed":NaN,"pace":"calm"}',
    '{"do":"run","speed":3,"pace":"calm"}', '{"do":"run","speed":1,"pace":"CALM"}',
    '{"do":"fault","what":"fire","name":"","level":1}', '{"do":"fault","what":"drop","name":"","level":2}',
    '{"do":"panel","open":1,"all":false}',
    '{"do":"new","game":"chess","seats":2,"mode":"play","lang":"fr","seed":1,"play":true,"options":{}}',
    '{"do":"new","game":"tfu","seats":2,"mode":"play","lang":"fr","seed":1,"play":true}', NEW + "[]}", NEW + "null}",
    NEW + '{"rounds":"2"}}', NEW + '{"rounds":NaN}}', NEW + '{"rounds":-1}}', NEW + '{"rounds":1e9}}',
    NEW + '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}}', NEW + '{"rounds":{}}}',
    '{"do":"put","card":"capo#1","zone":"seat1"}' + " " * 2048, b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize("raw", RUBBISH)
def test_anything_else_is_refused_with_what_was_expected(raw: str | bytes) -> None:
    with pytest.raises(MessageError, match="expected"):
        read_wish(raw)


def test_the_first_message_says_who_comes() -> None:
    said = {"do": "hello", "key": "", "seat": None, "lang": "en"}
    assert read_hello(json.dumps(said)) == Hello("", None, "en")
    for wrong in ({**said, "lang": "de"}, {**said, "seat": 0}, {**said, "key": "k" * 65}, {**said, "do": "step"}):
        with pytest.raises(MessageError):
            read_hello(json.dumps(wrong))

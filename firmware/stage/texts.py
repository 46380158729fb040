"""From one output of a table record to words: a headline, a sentence, how to put it right.

An output is the JSON object of the record contract. What it does not carry is not said: a public output
without its card gives the sentence without a card. Ids nobody has a sentence for are shown as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.setup import Setup
from engine.zones import ZoneKind, usual_kind
from firmware.stage.catalogue import NBSP, Catalogue, Filler, catalogue
from firmware.stage.words import button_name, card_name, device_name, listed, place_name, score_list, seat_name

Out = Mapping[str, object]

_NOT_PLACED: Final = frozenset({"tifo/ola-ola", "tifo/ola-empty"})
"""Refusals with a zone that no card was put on: the lift of the last discarded card, by OLA."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the stage knows of a table: game, seats, mode, the table's language and those of single seats.

    `first` is the seat that begins (TIFO); `kinds` are the zones whose kind is not the usual one.
    """

    game: str
    seats: int
    mode: str = "play"
    lang: str = "fr"
    seat_langs: tuple[tuple[int, str], ...] = ()
    first: int = 1
    kinds: tuple[tuple[str, ZoneKind], ...] = ()

    @classmethod
    def of(cls, setup: Setup, lang: str, seat_langs: tuple[tuple[int, str], ...] = ()) -> "Context":
        """That of a game as it was set up."""
        kinds = tuple((zone, kind) for zone, kind in setup.zones.items() if kind is not usual_kind(zone))
        return cls(setup.spec.id, setup.seats, setup.mode.value, lang, seat_langs, setup.first, kinds)

    def lang_of(self, viewer: int | None) -> str:
        """The language of a seat's screen; `None` is the screen for all."""
        return dict(self.seat_langs).get(viewer, self.lang) if viewer is not None else self.lang

    def kind_of(self, zone: str) -> ZoneKind:
        """What the readers of a zone can tell."""
        return dict(self.kinds).get(zone, usual_kind(zone))


@dataclass(frozen=True, slots=True)
class Text:
    """What to show: `head` big; `who` (player, card), `text`, `mend` below; `who` and `mend` may be empty.

    `short` is `who` for a line that is too narrow for it.
    """

    head: str
    text: str
    who: str = ""
    mend: str = ""
    short: str = ""

    def line(self) -> str:
        """All of it on one line."""
        rest = " ".join(part for part in (self.text, self.mend) if part)
        return " · ".join(part for part in (self.who, self.head, rest.replace("\n", ", ")) if part)


def text_of(out: Out, ctx: Context, lang: str, viewer: int | None = None) -> Text:
    """The words for one output. `viewer` is the seat whose screen it is for, `None` for everybody."""
    cat = catalogue(lang)
    match out.get("out"):
        case "move":
            return _move(cat, out, ctx)
        case "refused":
            return _refused(cat, out, ctx, viewer)
        case "corrected" | "stood" | "undone" | "reveal" as kind:
            return _plain(cat, f"event:table/{kind}", out)
        case "turn":
            return _turn(cat, out, ctx, viewer)
        case "score":
            return _plain(cat, f"event:{ctx.game}/score", out)
        case "match":
            return _plain(cat, f"event:{ctx.game}/match", out)
        case "over":
            return _plain(cat, f"over:{ctx.game}/{out.get('by')}", out)
        case "say":
            return _said(cat, out, ctx, viewer)
        case kind:
            return _plain(cat, f"event:table/{kind}", out)


def device_text(lang: str, what: str, device: str) -> Text:
    """The words for a device event: `reader-dead`, `reader-back`, `separate`, `display-dead`, ..."""
    cat = catalogue(lang)
    sensor = what.startswith("reader") or what == "separate"
    name = place_name(cat, device, told=True) if sensor else device_name(cat, device)
    return _plain(cat, f"device:table/{what}", {"device": name})


def title_text(ctx: Context, lang: str) -> Text:
    """What stands on a screen before anything has happened."""
    return _plain(catalogue(lang), f"game:table/{ctx.game}", {"seats": ctx.seats})


def start_text(ctx: Context, lang: str, viewer: int | None) -> Text:
    """What is open before anything has happened: who begins, and with what."""
    match ctx.game:
        case "tifo":
            return _turn(catalogue(lang), {"out": "turn", "seat": ctx.first}, ctx, viewer)
        case "tipouik":
            return _plain(catalogue(lang), "say:tipouik/who-has-one", {})
        case game:
            return _plain(catalogue(lang), f"start:{game}/{game}", {})


def tops_text(lang: str, cards: Sequence[str]) -> Text:
    """What lies on top of the piles of Тьфу!, in the order of the piles."""
    cat = catalogue(lang)
    return Text(" ".join(card_name(cat, card) for card in cards), cat.words["word:table/tops"])


def said(cat: Catalogue, game: str, id_: str) -> str:
    """The catalogue's message for a `say` id: of this game, or of every game."""
    name = id_.removeprefix(f"{game}/").removeprefix("table/")
    own = f"say:{game}/{name}"
    return own if own in cat.messages else f"say:table/{name}"


def mend_text(cat: Catalogue, game: str, id_: str, *, press: bool = False) -> str:
    """The sentence of a mend id: of this game, or of every game; the id itself where there is none.

    `press`: after a button or a spoken word, where no card has to be taken back.
    """
    name = id_.removeprefix(f"{game}/").removeprefix("table/")
    if press and f"mend:{game}/{name}-press" in cat.words:
        name = f"{name}-press"
    return cat.words.get(f"mend:{game}/{name}", cat.words.get(f"mend:table/{name}", id_))


def narrate(out: Out, ctx: Context) -> str:
    """One line for a terminal, without the time: `Joueur 2 · GRÈVE · Pas ton tour · Chacun joue ...`."""
    return text_of(out, ctx, ctx.lang).line()


def _move(cat: Catalogue, out: Out, ctx: Context) -> Text:
    name = str(out.get("move"))
    if name == "verdict":
        name = f"verdict-{out.get('result')}"
    return _plain(cat, f"move:{ctx.game}/{name}", out)


def _turn(cat: Catalogue, out: Out, ctx: Context, viewer: int | None) -> Text:
    own = viewer is not None and viewer == out.get("seat")
    text = _plain(cat, f"turn:{ctx.game}/{ctx.game}", out, own)
    may = out.get("may")
    names = [cat.words.get(f"may:{ctx.game}/{m}", str(m)) for m in may] if isinstance(may, Sequence) else []
    names = [name.replace(" ", NBSP) for name in names]  # each stays on one line
    return Text(text.head, f"{NBSP}· ".join(names) if names else text.text)


def _said(cat: Catalogue, out: Out, ctx: Context, viewer: int | None) -> Text:
    text = _plain(cat, said(cat, ctx.game, str(out.get("text"))), _inner(out))
    to = out.get("to")
    who = seat_name(cat, to) if isinstance(to, int) and to != viewer else ""
    return Text(text.head, text.text, who)


def _refused(cat: Catalogue, out: Out, ctx: Context, viewer: int | None) -> Text:
    # One rule may be broken in several ways: then the way to put it right tells which.
    id_, way = f"rule:{out.get('rule')}", f"rule:{out.get('rule')}/{out.get('mend')}"
    text = _plain(cat, way if way in cat.messages else id_, out)
    seat, card, button = out.get("seat"), out.get("card"), out.get("button")
    name = [card_name(cat, card)] if isinstance(card, str) else []
    if isinstance(button, str) and not name:
        name = [button_name(button)]
    who = short = name
    if isinstance(seat, int) and seat != viewer:
        who, short = [seat_name(cat, seat), *name], [seat_name(cat, seat, short=True), *name]
    sentence = f"{text.text} {cat.words['word:table/tie']}" if out.get("tie") is True else text.text
    return Text(text.head, sentence, " · ".join(who), _mend(cat, out, ctx), " · ".join(short))


def _mend(cat: Catalogue, out: Out, ctx: Context) -> str:
    """How to put a refusal right: where the card lies, what to do, and the button where a lift may go unseen."""
    mend, zone, seat, rule = out.get("mend"), out.get("zone"), out.get("seat"), str(out.get("rule"))
    if not isinstance(mend, str):
        return ""
    placed = isinstance(zone, str)
    told = cat.fill(mend_text(cat, ctx.game, mend, press=not placed), _args(cat, out))
    if not isinstance(zone, str) or rule in _NOT_PLACED:
        return told
    if zone != f"seat{seat}" and rule != "table/two-places":
        place = place_name(cat, zone)
        told = cat.fill(cat.words["word:table/at"], {"place": place, "mend": _after_colon(told)})
    if rule == "table/unknown-card" or rule.endswith("/over"):
        return told  # nothing waits for it
    match ctx.kind_of(zone):
        case ZoneKind.SPREAD:
            return told
        case ZoneKind.PILE:
            when = "else"
        case ZoneKind.PASS:
            when = "then"
    # In Тьфу! `ok` ends no correction: whose card it is may be unknown.
    button = "ok" if ctx.game != "tfu" and isinstance(seat, int) else "undo"
    return f"{told} {cat.words[f'word:table/{when}-{button}']}"


def _after_colon(sentence: str) -> str:
    """A sentence that goes on after a colon; a name in capitals stays as it is."""
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() else sentence


def _plain(cat: Catalogue, id_: str, out: Out, own: bool = False) -> Text:
    """Fill a message from an output: the variant that fits what the output carries."""
    message = cat.messages.get(id_)
    if message is None:
        return Text(id_.partition(":")[2], id_)
    args = _args(cat, out)
    parts = message.parts
    head, text = parts["head"], parts["text"]
    if own:
        head, text = parts.get("own_head", head), parts.get("own_text", text)
    if "card" not in args:
        head, text = parts.get("hidden_head", head), parts.get("hidden", text)
    if args.get("seat") is None and not args.get("winners"):
        text = parts.get("nobody", text)
    return Text(cat.fill(head, args), cat.fill(text, args))


def _args(cat: Catalogue, out: Out) -> dict[str, Filler]:
    """The values of an output in words. Keys that are null are left out."""
    args: dict[str, Filler] = {}
    for key, value in out.items():
        match key, value:
            case "card" | "attack", str():
                args[key] = card_name(cat, value)
            case "cards", [*cards]:
                args[key] = listed(cat, [card_name(cat, str(c)) for c in cards])
            case "scores", [*scores]:
                args[key] = score_list(cat, [int(str(s)) for s in scores])
            case "values", [*numbers]:
                args[key] = listed(cat, [str(n) for n in numbers], "or")
            case (("winners" | "can"), [*seats]):
                args[key], args["names"] = len(seats), listed(cat, [str(s) for s in seats])
            case _, str() | int():
                args[key] = value
            case _, float():
                args[key] = f"{value:g}"
            case _:
                pass
    return args


def _inner(out: Out) -> dict[str, object]:
    args = out.get("args")
    return dict(args) if isinstance(args, Mapping) else {}

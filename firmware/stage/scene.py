"""What one screen shows at a time: pure state over outputs and time.

Its rules: a notice (a move, a message) is shown for as long as it takes to read, then what lasts returns: the
plays still to be put right, newest first, their number in the corner; else what the table waits for (a prompt,
until it is done) and whose turn it is, or how the game ended and the scores. Newer outputs replace notices, but not
what is read to its end: a refused press, and a challenge with its reveal and verdict; a refusal waits for none but
another refusal. A reader that failed has a page of its own until it is back; a display that failed is told once.
Several pages follow each other every `PAGE_S`. A screen for all sees public outputs only, a seat's also what is
said to that seat.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from firmware.stage.layout import Page, pages
from firmware.stage.signals import ANNOUNCED
from firmware.stage.texts import Context, Out, Text, device_text, start_text, text_of, title_text, tops_text

PAGE_S: Final = 3.0
NOTICE_S: Final = 2.5
QUICK_S: Final = 1.2
LEAST_S: Final = 1.0
"""How long a page that is read to its end is shown at least, when something newer waits."""
REVEAL_S: Final = 2.0
_MOST_NOTICES: Final = 6
_ROUNDING_S: Final = 1e-6
"""A wake at exactly `begin + 3.0` may seem to come a rounding too early, and would then be asked for without end."""
_LASTING: Final = frozenset({"reader-dead", "button-stuck"})

_READ: Final = frozenset({"challenge", "verdict"})
"""Moves that are read to their end, like the reveal between them: they decide, and `ok` may follow at once."""
_PROMPTS: Final = frozenset(
    {
        *("tifo/robbed-draw", "tifo/play-again"),
        *("tipouik/who-has-one", "tipouik/king-gives", "tipouik/next-value", "tipouik/final-window"),
        *("tipouik/take-cards", "tipouik/give-card", "tipouik/draw-cards", "tipouik/show-hands"),
        *("tfu/spit", "tfu/fewest", "tfu/again", "tfu/deal"),
    }
)
"""What the table waits for: it stays until it is done."""

_NO_CORRECTION: Final = frozenset({"table/unknown-card", "tifo/ola-ola", "tifo/ola-empty"})
"""Refusals with a card that leave nothing to be put right (the rulings on OLA; unknown tags)."""


def opens_correction(full: Out) -> bool:
    """Whether a refusal leaves a card to be put right: a placing does, a press does not (but for a given-up
    shout); after the end nothing does."""
    rule = str(full.get("rule"))
    if rule in _NO_CORRECTION or rule.endswith("/over") or full.get("card") is None:
        return False
    return full.get("button") is None or rule == "tifo/shout"


@dataclass(frozen=True, slots=True)
class Pending:
    """A refusal that waits to be put right."""

    out: Out
    text: Text

    def ended_by(self, out: Out) -> bool:
        """Whether this `corrected` or `stood` is its own; a key that one of them lacks says nothing."""
        if self.out.get("rule") != out.get("rule"):
            return False
        told = [(self.out.get(k), out.get(k)) for k in ("seat", "zone", "card")]
        return all(mine == other for mine, other in told if mine is not None and other is not None)


class Hold(Enum):
    """What replaces a notice."""

    LIGHT = "light"  # whatever comes next
    READ = "read"  # a refusal
    REFUSAL = "refusal"  # nothing


@dataclass(frozen=True, slots=True)
class Notice:
    """Pages that pass."""

    shown: tuple[Page, ...]
    lasts_s: float
    hold: Hold = Hold.LIGHT

    def hurried(self) -> "Notice":
        """The same, for as long as it must be when something newer waits."""
        return replace(self, lasts_s=LEAST_S) if self.hold is Hold.READ and len(self.shown) == 1 else self


@dataclass(slots=True)
class Scene:
    """The state of one screen. `viewer` is a seat, or None for everybody."""

    ctx: Context
    viewer: int | None = None
    lasting: list[Text] = field(default_factory=list)
    prompts: list[Text] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    troubles: dict[str, Text] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    begun: bool = False
    ended: bool = False
    since: float = 0.0
    pressed: bool = False  # this seat's turn has come, or the table waits for something: tell it soon
    mended: bool = True  # nothing that came with this was refused
    pose: str = ""  # Tipouik: the last announcement, beside whose turn it is
    titles: dict[object, str] = field(default_factory=dict)  # Tipouik: seat -> its title
    tops: dict[int, str] = field(default_factory=dict)  # Тьфу!: pile -> the card on top of it

    @property
    def lang(self) -> str:
        """The language of this screen."""
        return self.ctx.lang_of(self.viewer)

    def sees(self, full: Out, public: Out | None) -> Out | None:
        """What of an output this screen may show."""
        return full if self._private(full) else public

    def take(self, now: float, seen: list[tuple[Out, bool]]) -> None:
        """Outputs that came at once; with each, whether it opened a correction."""
        self.page(now)  # what has been read by now is over
        # A refusal waits for no verdict, and of two challenges the newer one counts.
        hasty = any(out.get("out") in ("refused", "reveal") for out, _ in seen)
        keeps = (Hold.REFUSAL,) if hasty else (Hold.REFUSAL, Hold.READ)
        if not (self.notices and self.notices[0].hold in keeps):
            self.since = now
        self.notices = [notice.hurried() for notice in self.notices if notice.hold in keeps]
        if any(_ends_prompts(out, self.ctx.game) for out, _ in seen):
            self.prompts = []
        self.begun = self.begun or any(out.get("out") in ("move", "turn", "over") for out, _ in seen)
        self.mended = not any(opens for _, opens in seen)
        self.pressed = any(self._waits(out) for out, _ in seen)
        for out, opens in seen:
            text = text_of(out, self.ctx, self.lang, self.viewer)
            match out.get("out"):
                case "refused" if opens:
                    self.pending.insert(0, Pending(out, text))
                case "corrected" | "stood":
                    self._end(out)
                    self._notice(text, NOTICE_S)
                case "say" if out.get("text") in _PROMPTS:
                    self.prompts.append(text)
                    if out.get("text") == "tipouik/final-window":
                        self.lasting = []  # it is nobody's turn
                case "reveal":
                    self._notice(text, REVEAL_S, Hold.READ)
                case "turn":
                    self._start_over()
                    self.lasting = [replace(text, who=self._beside(out))]
                case "over":
                    self.pending = []
                    # TIFO on points gives its scores first; no move in between, so they belong to this end.
                    self.lasting = [text, *self.lasting] if self.ended else [text]
                    self.ended = True
                case "score" | "match":
                    self.lasting = [*self.lasting, text] if self.ended else [text]
                    self.ended = True
                case "move":
                    self._move(out, text)
                case "undone":
                    self._forget(out)
                    self._notice(text, NOTICE_S)
                case kind:
                    self._notice(text, NOTICE_S, Hold.REFUSAL if kind == "refused" else Hold.LIGHT)

    def device(self, now: float, what: str, device: str, *, up: bool) -> None:
        """A device failed (`what` says how) or is back."""
        self.since = now
        text = device_text(self.lang, what, device)
        if not up and what in _LASTING:
            self.troubles[device] = text
            return
        self.troubles.pop(device, None)
        self._notice(text, NOTICE_S)

    def page(self, now: float) -> tuple[Page, float | None]:
        """What to show now, and when that changes by itself."""
        while self.notices:
            notice = self.notices[0]
            end = self.since + notice.lasts_s
            if now < end:
                return _turning(notice.shown, now - self.since, self.since, until=end)
            self.notices.pop(0)
            self.since = end
        return _turning(self._lasting_pages(), now - self.since, self.since, until=None)

    def _lasting_pages(self) -> tuple[Page, ...]:
        badge = len(self.pending) if len(self.pending) > 1 else 0
        texts = [(p.text, badge) for p in self.pending]
        if not texts:
            texts = [(text, 0) for text in (self.prompts + self.lasting) or self._between()]
        texts += [(text, 0) for text in self.troubles.values()]
        return tuple(page for text, number in texts for page in pages(text, number))

    def _between(self) -> list[Text]:
        if self.tops:
            return [tops_text(self.lang, [self.tops[pile] for pile in sorted(self.tops)])]
        title = title_text(self.ctx, self.lang)
        if self.begun or self.ctx.mode != "play":
            return [title]
        return [title, start_text(self.ctx, self.lang, self.viewer)]

    def _private(self, out: Out) -> bool:
        return self.viewer is not None and out.get("out") == "say" and out.get("to") == self.viewer

    def _waits(self, out: Out) -> bool:
        """Whether the table waits for this seat now, or for somebody who may be anybody."""
        if out.get("out") == "turn":
            return out.get("seat") == self.viewer
        return out.get("out") == "say" and out.get("text") in _PROMPTS

    def _move(self, out: Out, text: Text) -> None:
        move = out.get("move")
        if move == "title":
            self._title(out, text)
            return
        self._start_over()
        self._remember(out, text)
        if self.ctx.mode == "referee" and move not in ANNOUNCED[self.ctx.game]:
            return
        if move == "draw" and self.ctx.game == "tifo":
            return  # the turn's own line says what comes next
        quick = self.pressed or move == "challenge" or (self.ctx.game == "tfu" and move == "play")
        lasts_s = NOTICE_S if move == "verdict" or not quick else QUICK_S
        self._notice(text, lasts_s, Hold.READ if move in _READ else Hold.LIGHT)

    def _remember(self, out: Out, text: Text) -> None:
        pile, card = out.get("pile"), out.get("card")
        match out.get("move"):
            case "pose" | "open":
                self.pose = text.head
            case "spit" | "play" if isinstance(pile, int) and isinstance(card, str):
                self.tops[pile] = card
            case "turn-over" if isinstance(pile, int):
                self.tops.pop(pile, None)
            case _:
                pass

    def _title(self, out: Out, text: Text) -> None:
        """Titles come after the scores of a round, or with a verdict that moves one."""
        self.titles = {out.get("king"): "TipouiKing", out.get("abru"): "AbruTipouik"}
        if self.ended:
            self.lasting = [*self.lasting, text]
        else:
            self._notice(text, NOTICE_S)

    def _beside(self, out: Out) -> str:
        """What stands beside whose turn it is: the last announcement, and the title of whom it concerns."""
        title = self.titles.get(self.viewer if self.viewer is not None else out.get("seat"), "")
        return " · ".join(part for part in (self.pose, title) if part)

    def _forget(self, out: Out) -> None:
        """A play was taken back: what it covered is not known here."""
        pile = out.get("pile")
        if isinstance(pile, int):
            self.tops.pop(pile, None)
        if out.get("move") in ("pose", "open"):
            self.pose = ""

    def _start_over(self) -> None:
        if self.ended:
            self.ended, self.lasting, self.pose, self.tops = False, [], "", {}

    def _end(self, out: Out) -> None:
        for pending in reversed(self.pending):  # the oldest of like ones ends first
            if pending.ended_by(out):
                self.pending.remove(pending)
                return

    def _notice(self, text: Text, least_s: float, hold: Hold = Hold.LIGHT) -> None:
        if hold is not Hold.REFUSAL and not self.mended:
            return  # what has to be put right comes at once
        shown = pages(text)
        lasts_s = max(least_s, PAGE_S * len(shown) if len(shown) > 1 else 0.0)
        self.notices.append(Notice(shown, lasts_s, hold))
        del self.notices[:-_MOST_NOTICES]


def _ends_prompts(out: Out, game: str) -> bool:
    """Whether what the table waited for is done. A spare card put down in Тьфу! leaves those of the others."""
    match out.get("out"):
        case "move":
            return not (game == "tfu" and out.get("move") in ("spit", "turn-over"))
        case "say":
            return out.get("text") == "tfu/go"
        case kind:
            return kind in ("over", "match", "score", "undone")


def _turning(
    shown: tuple[Page, ...], elapsed: float, begin: float, *, until: float | None
) -> tuple[Page, float | None]:
    turn = int((elapsed + _ROUNDING_S) // PAGE_S)
    following = begin + (turn + 1) * PAGE_S if len(shown) > 1 else None
    wakes = [t for t in (following, until) if t is not None]
    return shown[turn % len(shown)], min(wakes, default=None)

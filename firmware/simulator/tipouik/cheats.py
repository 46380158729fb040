"""Every way to break a rule of Tipouik that the table can tell from a legal play, and those it cannot."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from firmware.simulator.deeds import STRAY, Action, Cheat, Deed, Press, Put, Speak
from firmware.simulator.tipouik.board import Board
from firmware.simulator.tipouik.truth import DECK_ONE, Truth

SWAPPED = "cards swapped under the table"


@dataclass(frozen=True, slots=True)
class Scene:
    """What a cheat looks at: the true cards, what lies before whom."""

    truth: Truth
    board: Board
    rng: Random

    def free(self, seat: int) -> list[str]:
        """Cards a player holds in hand."""
        return [c for c in self.truth.hands[seat] if c not in self.board.laid[seat] and c not in self.board.lies]

    def other(self, *but: int | None) -> int | None:
        """Some seat that holds a card, none of those named."""
        seats = [n for n in self.truth.all_seats() if n not in but and self.free(n)]
        return self.rng.choice(seats) if seats else None

    def put(self, seat: int, card: str) -> Put:
        """The card put before that player, from where it lies."""
        return Put(seat, f"seat{seat}", card, self.board.lies.get(card))


def deed(kind: str, actions: tuple[Action, ...], *rules: str) -> Deed:
    """An illegal deed; without rules, one that no sensor can tell."""
    return Deed(actions, Cheat(kind, frozenset(r if "/" in r else f"tipouik/{r}" for r in rules)))


def all_cheats(s: Scene) -> Iterator[Deed]:
    """What may be tried at this moment."""
    match s.truth.phase:
        case "gift" | "deal":
            yield from _before_the_opening(s)
        case "count":
            yield from _while_counting(s)
        case "play" if s.truth.settle is not None:
            yield from _before_it_is_settled(s)
            yield from _calls(s)
        case "play" if s.truth.window is not None:
            yield from _in_the_window(s)
        case "play":
            yield from _out_of_turn(s)
            yield from _announcements(s)
            yield from _cards_from_elsewhere(s)
            yield from _calls(s)
        case _:
            return


def _before_the_opening(s: Scene) -> Iterator[Deed]:
    seat = s.rng.choice(s.truth.all_seats())
    card = s.rng.choice([c for c in s.free(seat) if c != DECK_ONE])
    yield deed("a round opened with another card", (s.put(seat, card),), "start")
    yield deed("a card of another game at the start", (Put(seat, f"seat{seat}", "crs#1"),), "table/foreign-card")
    yield deed("an announcement before the opening", (Press(f"seat{seat}.next"),), "start")
    yield deed("words before the opening", (Speak(seat, 1, 1),), "start")
    yield deed("a challenge before the opening", (Press(f"seat{seat}.call"),), "nothing")
    holder = s.truth.holder(DECK_ONE)
    if s.truth.phase == "gift" and holder is not None:
        yield deed("the 1 before the King's gift", (s.put(holder, DECK_ONE),), "start")
    if s.truth.phase == "deal" or seat != s.truth.king:
        yield deed("a pass before the opening", (Press(f"seat{seat}.ok"),), "start")


def _before_it_is_settled(s: Scene) -> Iterator[Deed]:
    settle, seat = s.truth.settle, s.other()
    assert settle is not None, "there is a challenge to settle"
    if seat is not None:
        card = s.rng.choice(s.free(seat))
        yield deed("a card laid before the challenge is settled", (s.put(seat, card),), "take-back")
    early = s.rng.choice([n for n in s.truth.all_seats() if n != settle.actor])
    yield deed("an ok before its time", (Press(f"seat{early}.ok"),), "take-back")
    yield deed("an announcement before the challenge is settled", (Press(f"seat{early}.next"),), "take-back")


def _in_the_window(s: Scene) -> Iterator[Deed]:
    poser = s.truth.window
    seat = s.other(poser)
    if seat is not None:
        yield deed("a card laid in the final window", (s.put(seat, s.rng.choice(s.free(seat))),), "turn")
        yield deed("an announcement in the final window", (Press(f"seat{seat}.next"),), "turn")
    yield deed("the poser declines his own last pose", (Press(f"seat{poser}.ok"),), "turn")
    yield deed("one's own last pose challenged", (Press(f"seat{poser}.call"),), "challenge-self")


def _out_of_turn(s: Scene) -> Iterator[Deed]:
    turn = s.truth.turn
    seat = s.other(turn)
    if seat is None:
        return
    cards = s.rng.sample(s.free(seat), min(2, len(s.free(seat))))
    yield deed("a card out of turn", (s.put(seat, cards[0]),), "turn")
    if len(cards) == 2:
        both = (s.put(seat, cards[0]), s.put(seat, cards[1]))
        yield deed("a second card before the first is put right", both, "table/correct-first")
    yield deed("an announcement out of turn", (Press(f"seat{seat}.next"),), "turn")
    yield deed("words out of turn", (Speak(seat, s.truth.following),), "turn")
    yield deed("a pass out of turn", (Press(f"seat{seat}.ok"),), "turn")


def _announcements(s: Scene) -> Iterator[Deed]:
    t, turn = s.truth, s.truth.turn
    lays: tuple[Action, ...] = ()
    if not s.board.laid[turn]:
        yield deed("an announcement without a card", (Press(f"seat{turn}.next"),), "nothing")
        yield deed("words without a card", (Speak(turn, t.following),), "nothing")
        if s.free(turn):
            lays = (s.put(turn, s.rng.choice(s.free(turn))),)
    count = len(s.board.laid[turn]) + len(lays)
    if count == 0:
        return
    wrong = s.rng.choice([v for v in range(1, 14) if v not in (t.value, t.following)])
    yield deed("a value that is not open", (*lays, Speak(turn, wrong)), "value")
    yield deed("another count than lies there", (*lays, Speak(turn, t.following, count + 1)), "count")
    if t.must_next:
        yield deed("the same value after a challenge", (*lays, Press(f"seat{turn}.ok")), "after-challenge")


def _cards_from_elsewhere(s: Scene) -> Iterator[Deed]:
    t, turn = s.truth, s.truth.turn
    if t.buried:
        yield deed("a buried card laid", (s.put(turn, s.rng.choice(t.buried)),), "table/card-elsewhere")
    if t.out:
        yield deed("a red laid that is out", (s.put(turn, s.rng.choice(t.out)),), "table/card-elsewhere")
    elsewhere = [c for c, n in t.known.items() if n != turn and c in s.free(n)]
    if elsewhere:
        put = s.put(turn, s.rng.choice(elsewhere))
        yield deed("a card known in another hand", (put,), "table/card-elsewhere")
    foreign = s.rng.choice([f"{t.top + 1}#1" if t.top < 12 else "mats#1", "capo#1", "Ah", "5h"])
    yield deed("a card of another deck", (Put(turn, f"seat{turn}", foreign),), "table/foreign-card")
    yield deed("a tag no deck knows", (Put(turn, f"seat{turn}", STRAY),), "table/unknown-card")
    other = s.other(turn)
    if s.board.laid[turn] and other is not None:
        card = s.rng.choice(list(s.board.laid[turn]))
        sensed = not s.board.passes(turn)
        rules = ["table/card-elsewhere", *(["table/two-places"] if sensed else [])]  # known in a hand, or not
        yield deed("a laid card seen before another", (Put(other, f"seat{other}", card),), *rules)
    elif other is not None:
        mine = [c for c in s.free(turn) if c not in s.board.touched]
        theirs = [c for c in s.free(other) if c not in s.board.touched]
        if mine and theirs:
            yield deed(SWAPPED, (s.put(turn, s.rng.choice(theirs)),))


def _calls(s: Scene) -> Iterator[Deed]:
    pose = s.truth.pose
    if pose is None:
        return
    others = [n for n in s.truth.all_seats() if n != pose.seat]
    if pose.opening:
        yield deed("the opening 1 challenged", (Press(f"seat{s.rng.choice(others)}.call"),), "challenge-opening")
        return
    yield deed("one's own pose challenged", (Press(f"seat{pose.seat}.call"),), "challenge-self")
    if pose.challenged:
        yield deed("a pose challenged twice", (Press(f"seat{s.rng.choice(others)}.call"),), "challenge-closed")


def _while_counting(s: Scene) -> Iterator[Deed]:
    t = s.truth
    anyone = s.rng.choice(t.all_seats())
    yield deed("a challenge after the end", (Press(f"seat{anyone}.call"),), "over")
    yield deed("an announcement after the end", (Press(f"seat{anyone}.next"),), "over")
    yield deed("words after the end", (Speak(anyone, 2),), "over")
    waiting = [n for n in t.all_seats() if n not in t.counted]
    for seat in waiting[:1]:
        free = s.free(seat)
        if free:
            shown = tuple(s.put(seat, c) for c in free[1:])
            yield deed("a hand shown short", (*shown, Press(f"seat{seat}.ok")), "hand-count")
        others = [c for n in waiting[1:] for c in s.free(n) if c not in s.board.touched]
        if others and not s.board.laid[seat]:
            shown = tuple(s.put(seat, c) for c in (*free, s.rng.choice(others)))
            yield deed("a hand shown with a card too many", (*shown, Press(f"seat{seat}.ok")), "hand-count")

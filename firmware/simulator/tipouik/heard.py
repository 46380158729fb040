"""Moves the truth along by what the referee announced, and notes where the cards say otherwise."""

from collections.abc import Mapping, Sequence
from copy import copy

from engine.rulings import Move, Over, Ruling, Score, Undone
from firmware.simulator.tipouik.truth import Pose, Settle, Truth, points, true_verdict

Laid = Mapping[int, Sequence[str]]


class Story:
    """A truth and its past, so that the arbiter may take moves back."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.gift: str | None = None
        """The card chosen to be given away, else one is drawn by lot."""
        self.disagreements: list[str] = []
        """Where verdict, score or winner did not fit the true cards: never, if the referee is right."""
        self._past: list[Truth] = []

    def can_undo(self) -> bool:
        """Whether this round has a move to take back; not into a final window, whose time may be up by then."""
        return bool(self._past) and self._past[-1].window is None

    def swap(self, one: int, card: str, other: int, card_for_it: str) -> None:
        """Two cards change hands under the table; no undo goes back behind that."""
        hands = self.truth.hands
        hands[one].remove(card)
        hands[other].remove(card_for_it)
        hands[one].append(card_for_it)
        hands[other].append(card)
        self._past.clear()

    def hear(self, rulings: Sequence[Ruling], laid: Laid) -> tuple[str, ...]:
        """All that one input brought; gives the cards of a pose that was taken back."""
        if any(isinstance(r, Undone) for r in rulings):
            gone = self.truth.pose
            self.truth = self._past.pop()
            pose = self.truth.pose
            same = gone is None or (
                pose is not None and (pose.seat, pose.cards, pose.value) == (gone.seat, gone.cards, gone.value)
            )
            return () if same or gone is None or gone.opening else gone.cards
        if any(isinstance(r, Move) for r in rulings):
            self._past.append(_clone(self.truth))
        for r in rulings:
            match r:
                case Move():
                    self._move(r, laid)
                case Over():
                    self._over(r)
                case Score():
                    self._score(r)
                case _:
                    pass
        return ()

    def _move(self, r: Move, laid: Laid) -> None:
        t, seat, args = self.truth, r.seat, dict(r.args)
        assert seat is not None, "every move of Tipouik is somebody's"
        match r.move:
            case "open":
                self._announce(Pose(seat, (str(args["card"]),), 1, opening=True))
            case "pose":
                self._announce(Pose(seat, tuple(laid[seat]), int(str(args["value"]))))
            case "pass":
                t.turn, t.passes = t.after(seat), t.passes + 1
            case "challenge" if t.pose is not None:
                t.pose.challenged = True
                t.turn, t.passes, t.must_next = t.after(t.pose.seat), 0, True
                t.settle = Settle("", t.pose.seat, seat)
            case "verdict":
                self._verdict(str(args["result"]))
            case "take" if t.pose is not None and t.settle is not None:
                t.buried = [c for c in t.buried if c not in t.pose.cards]
                t.hands[seat] += t.pose.cards
                t.known.update(dict.fromkeys(t.pose.cards, seat))
                t.settle = Settle("give", seat, t.settle.challenger) if t.settle.stage == "take-back" else None
            case "give":
                self._hand_over(seat, int(str(args["to"])), 1, laid)
                t.settle = None
                t.phase = "deal" if t.phase == "gift" else t.phase
            case "draw":
                self._hand_over(int(str(args["from"])), seat, int(str(args["count"])), laid)
                t.settle = None
            case "title":
                king, abru = args["king"], args["abru"]
                t.king = king if isinstance(king, int) else None
                t.abru = abru if isinstance(abru, int) else None

    def _announce(self, pose: Pose) -> None:
        t, seat = self.truth, pose.seat
        t.hands[seat] = [c for c in t.hands[seat] if c not in pose.cards]
        t.buried += pose.cards
        for card in pose.cards:
            t.known.pop(card, None)
        t.pose, t.value, t.turn = pose, pose.value, t.after(seat)
        t.phase, t.passes, t.must_next = "play", 0, False
        if not t.hands[seat]:
            t.window, t.declined = seat, set()

    def _verdict(self, result: str) -> None:
        t = self.truth
        assert t.pose is not None, "a verdict is about a pose"
        assert t.settle is not None, "a verdict follows a challenge"
        if result != true_verdict(t.pose.cards, t.pose.value):
            self.disagreements.append(f"{result} for {t.pose.cards} as {t.pose.value}")
        t.settle.stage = {"bluff": "take-back", "honest": "take", "red": "draw"}[result]
        t.window = None
        if result == "red":
            t.buried = [c for c in t.buried if c not in t.pose.cards]
            t.out += t.pose.cards

    def _hand_over(self, giver: int, taker: int, count: int, laid: Laid) -> None:
        t = self.truth
        free = [c for c in t.hands[giver] if c not in laid[giver]]
        chosen = [self.gift] if self.gift in free and count == 1 else t.rng.sample(free, min(count, len(free)))
        chosen += [c for c in t.hands[giver] if c not in chosen][: count - len(chosen)]
        for card in chosen:
            assert card is not None, "a card is chosen"
            t.hands[giver].remove(card)
            t.hands[taker].append(card)
        t.unsure(giver)
        self.gift = None

    def _over(self, r: Over) -> None:
        t = self.truth
        t.phase, t.settle, t.window, t.turn = "count", None, None, 0
        t.ended = r.by
        t.counted = {n for n in t.all_seats() if not t.hands[n]}
        empty = () if r.by == "all-passed" else tuple(sorted(t.counted))
        if r.winners != empty:
            self.disagreements.append(f"winners {r.winners}, but {empty} hold no card")

    def _score(self, r: Score) -> None:
        t = self.truth
        true = tuple(sum(map(points, t.hands[n])) for n in t.all_seats())
        if r.scores != true:
            self.disagreements.append(f"score {r.scores}, but the hands hold {true}")
        self._past.clear()
        if t.round == t.rounds:
            t.phase = "end"
            return
        t.round += 1
        t.phase = "deal-again"


def _clone(t: Truth) -> Truth:
    twin = copy(t)
    twin.hands = {n: list(c) for n, c in t.hands.items()}
    twin.buried, twin.out = list(t.buried), list(t.out)
    twin.pose, twin.settle = copy(t.pose), copy(t.settle)
    twin.declined, twin.counted = set(t.declined), set(t.counted)
    twin.known = dict(t.known)
    return twin

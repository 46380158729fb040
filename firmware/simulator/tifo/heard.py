"""Moves the truth along by what the referee announced: whose card went where, and what was drawn unseen."""

from collections.abc import Sequence
from copy import copy

from engine.rulings import Move, Over, Ruling, Undone
from firmware.simulator.tifo.truth import Truth

_PLAYS = ("lay", "attack", "parry", "discard", "ola")


class Story:
    """A truth and its past, so that the arbiter may take moves back."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self._past: list[Truth] = []

    def can_undo(self) -> bool:
        """Whether there is a move to take back."""
        return bool(self._past)

    def hear(self, rulings: Sequence[Ruling]) -> None:
        """All that one input brought."""
        moves = [r for r in rulings if isinstance(r, Move)]
        if any(isinstance(r, Undone) for r in rulings):
            self.truth = self._past.pop()
            return
        if moves:
            self._past.append(_clone(self.truth))
        truth = self.truth
        began = False
        for move in moves:
            if move.move == "pile":
                truth.reshuffle()
            else:
                began = self._one(truth, move) or began
        ended = next((r.by for r in rulings if isinstance(r, Over)), "")
        truth.ended = ended or truth.ended
        if began and not truth.ended:
            truth.begin_turn()
        for move in moves:
            if move.move == "rob":
                self._robbed_draws(truth, int(str(move.arg("target"))))

    def _one(self, truth: Truth, move: Move) -> bool:
        """One move; whether another turn begins with it."""
        seat, mine = int(str(move.seat)), move.seat == truth.turn
        args = dict(move.args)
        card = str(args.get("card", ""))
        truth.in_sight(card)
        if mine and truth.ola is not None and move.move in _PLAYS:
            truth.loose = False  # the OLA that waited is now what was discarded last
        match move.move:
            case "draw":
                truth.draw_seen(seat, card)
                return False
            case "lay":
                truth.hands[seat].remove(card)
                truth.laid[seat].append(card)
            case "tifo":
                for each in args["cards"]:  # type: ignore[union-attr]
                    truth.hands[seat].remove(str(each))
                    truth.laid[seat].append(str(each))
                    truth.in_sight(str(each))
                return False
            case "attack":
                truth.hands[seat].remove(card)
                truth.attacks[int(str(args["target"]))].append(card)
            case "parry":
                attack = str(args["attack"])
                truth.hands[seat].remove(card)
                truth.attacks[seat].remove(attack)
                truth.discard += [attack, card]
                truth.loose = False
            case "ola":
                truth.hands[seat].remove(card)
                truth.discard.append(card)
                truth.ola, truth.last_layer = card, None
                return False
            case "rob":
                robbed = int(str(args["target"]))
                target = truth.hands[robbed]
                truth.hands[seat].append(target.pop(truth.rng.randrange(len(target))))
                truth.known = {c: h | {seat} if robbed in h else h for c, h in truth.known.items()}
                truth.ola, truth.loose, truth.last_layer = None, False, None
                return False
            case "swap":
                if card in truth.discard:
                    truth.discard.remove(card)
                else:
                    truth.unread.remove(card)
                truth.hands[seat].append(card)
                truth.known[card] = frozenset({seat})
                truth.ola, truth.loose, truth.last_layer = None, False, None
                return False
            case "discard":
                if card in truth.hands[seat]:
                    truth.hands[seat].remove(card)
                    truth.discard.append(card)
                truth.ola, truth.loose = None, False
            case "eliminated":
                truth.eliminate(seat)
        truth.last_layer = seat if move.move == "lay" and mine else None
        if mine:
            truth.ola = None
            truth.owed = [n for n in truth.owed if n != seat]
            truth.robbed = [n for n in truth.robbed if n != seat]
            truth.pass_turn()
        return mine

    def _robbed_draws(self, truth: Truth, target: int) -> None:
        if truth.free():
            if truth.watches_draw:
                truth.owed.append(target)
                truth.robbed.append(target)
            else:
                truth.hands[target].append(truth.pile.pop())


def _clone(t: Truth) -> Truth:
    twin = copy(t)
    twin.hands = {n: list(c) for n, c in t.hands.items()}
    twin.laid = {n: list(c) for n, c in t.laid.items()}
    twin.attacks = {n: list(c) for n, c in t.attacks.items()}
    twin.pile, twin.discard = list(t.pile), list(t.discard)
    twin.unread, twin.hidden = list(t.unread), list(t.hidden)
    twin.out, twin.owed, twin.robbed = set(t.out), list(t.owed), list(t.robbed)
    twin.known, twin.drawn, twin.pairs = dict(t.known), list(t.drawn), list(t.pairs)
    return twin

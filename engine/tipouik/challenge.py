"""PROUVE-LE!: the verdict, and how the cards then change hands (P15-P27, titles P33 P34)."""

from dataclasses import replace
from enum import Enum

from engine.rulings import Move, Reveal, Ruling
from engine.tipouik.cards import fits, red_draw
from engine.tipouik.state import House, Pose, Settle, Stage, State
from engine.tipouik.turns import Step, end_round, then


class Verdict(Enum):
    """What the revealed cards are."""

    BLUFF = "bluff"
    HONEST = "honest"
    RED = "red"


def verdict_on(pose: Pose) -> Verdict:
    """A lone red is no bluff (P23); a red among others is one (P24); `any` fits (P20), `zero` never (P21)."""
    if red_draw(pose.cards):
        return Verdict.RED
    return Verdict.HONEST if all(fits(card, pose.value) for card in pose.cards) else Verdict.BLUFF


def challenge(s: State, house: House, seat: int, t: float) -> Step:
    """A legal challenge of the last pose: the cards are revealed and judged at once."""
    pose = s.pose
    assert pose is not None, "a challenge needs a pose"
    accused, result, count = pose.seat, verdict_on(pose), len(pose.cards)
    told: list[Ruling] = [
        Move(t, seat, "challenge", (("target", accused),)),
        Reveal(t, accused, pose.cards),
        Move(t, accused, "verdict", (("result", result.value),)),
    ]
    after = replace(
        s,
        turn=house.after(accused),
        must_next=True,
        passes=0,
        pose=replace(pose, challenged=True),
        seen=s.seen.forget(pose.cards),
        window=None,
    )
    match result:
        case Verdict.BLUFF:
            after, titles = _titles(after, seat, accused, t)
            return replace(after, settle=Settle(Stage.TAKE_BACK, accused, seat, count)), told + titles
        case Verdict.HONEST if s.window is not None:
            after, took = take(replace(after, settle=Settle(Stage.TAKE, accused, seat, count)), t)
            return then(told + took, end_round(after, accused, "empty-hand", t))
        case Verdict.HONEST:
            return replace(after, settle=Settle(Stage.TAKE, accused, seat, count)), told
        case Verdict.RED:
            card = frozenset(pose.cards)
            after = replace(after, buried=after.buried - card, out=after.out | card)
            if s.window is not None:  # an empty hand: the red draws nothing
                return then(told, end_round(after, accused, "empty-hand", t))
            draws = min(red_draw(pose.cards), s.hand(accused))
            return replace(after, settle=Settle(Stage.DRAW, accused, seat, draws)), told


def _titles(s: State, challenger: int, accused: int, t: float) -> Step:
    """An unmasked King loses his title to who did it (P33); an Abru gives his to the liar (P34)."""
    king = challenger if s.king == accused else s.king
    abru = accused if s.abru == challenger else s.abru
    if (king, abru) == (s.king, s.abru):
        return s, []
    return replace(s, king=king, abru=abru), [Move(t, challenger, "title", (("king", king), ("abru", abru)))]


def take(s: State, t: float) -> Step:
    """The revealed cards go to a hand: the bluffer's, who then awaits a gift, or the challenger's (P17, P18)."""
    settle, pose = s.settle, s.pose
    assert settle is not None, "cards are taken after a challenge"
    assert pose is not None, "a challenge has a pose"
    after = s.took(settle.actor, pose.cards)
    told: list[Ruling] = [Move(t, settle.actor, "take", (("count", settle.count),))]
    if settle.stage is Stage.TAKE_BACK:
        return replace(after, settle=Settle(Stage.GIVE, settle.accused, settle.challenger, 1)), told
    return replace(after, settle=None), told


def give(s: State, t: float) -> Step:
    """The challenger's gift to the bluffer, unseen; with his last card he wins (P18, P19)."""
    settle = s.settle
    assert settle is not None, "a gift follows a challenge"
    giver = settle.challenger
    after = replace(s.handed(giver, settle.accused, 1), settle=None)
    told: list[Ruling] = [Move(t, giver, "give", (("to", settle.accused),))]
    return then(told, end_round(after, giver, "empty-hand", t)) if after.hand(giver) == 0 else (after, told)


def draw(s: State, t: float) -> Step:
    """The challenger's blind draw from the accused, who wins when none is left to him (P23, P25)."""
    settle = s.settle
    assert settle is not None, "a draw follows a challenge"
    accused, count = settle.accused, settle.count
    after = replace(s.handed(accused, settle.challenger, count), settle=None)
    told: list[Ruling] = [Move(t, settle.challenger, "draw", (("from", accused), ("count", count)))]
    return then(told, end_round(after, accused, "empty-hand", t)) if after.hand(accused) == 0 else (after, told)

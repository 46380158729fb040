"""One tag heard in two places: the rules by which one of them wins (field report 5).

The old place is asked at once. The tag has moved when the old place stays silent; the new one was an echo,
or a card in passing, when the old place answers and the new one falls silent. Both hold it when they go on answering
in turn. Readers of one group hear each other's tags: there the one that answers only now and then, or weakly, is
the hearer, whichever was first, and where both answer always the first place keeps it.
"""

import math
from enum import Enum
from typing import assert_never

from firmware.presence.limits import Limits
from firmware.presence.tracks import Contest, Phase, Track


class Outcome(Enum):
    """How a contest stands."""

    OPEN = "open"
    MOVED = "moved"  # the old place has lost the tag
    STAYED = "stayed"  # the new place has lost it, or never had it
    ECHO = "echo"  # both answer, and their fields are known to touch
    BOTH = "both"  # both answer in turn, for long: a conflict


class Heard(Enum):
    """What came of one question."""

    PROMPT = "prompt"
    WEAK = "weak"  # an answer, after frames were lost
    SILENCE = "silence"


def note(contest: Contest, track: Track, heard: Heard, limits: Limits) -> None:
    """Count one answer or silence of one of the two places."""
    answered = heard is not Heard.SILENCE
    if track is contest.old:
        contest.old_silences = 0 if answered else contest.old_silences + 1
        contest.old_answers += answered
        contest.old_missed += heard is not Heard.PROMPT
        contest.odds -= _says(heard, limits)
        if answered and contest.new_spoke_last:
            contest.rounds += 1
            contest.new_spoke_last = False
    elif track is contest.new:
        contest.new_silences = 0 if answered else contest.new_silences + 1
        contest.new_answers += answered
        contest.new_missed += heard is not Heard.PROMPT
        contest.odds += _says(heard, limits)
        if answered:
            contest.new_spoke_last = True
        else:
            contest.rounds = 0  # in turn means without a gap: an echo that comes and goes is none


def _says(heard: Heard, limits: Limits) -> float:
    match heard:
        case Heard.PROMPT:
            return limits.prompt_says
        case Heard.WEAK:
            return limits.weak_says
        case Heard.SILENCE:
            return limits.silence_says
        case _:
            assert_never(heard)


def judge(
    contest: Contest, now: float, old_needs: int, limits: Limits, old_down: bool = False, new_down: bool = False
) -> Outcome:
    """The outcome at `now`; `old_needs`: silences in a row that are no chance at the old place's reader.

    `old_down`, `new_down`: that place's reader is dead, so that it can neither answer nor be silent.
    """
    if old_down or new_down:
        return _judge_one(contest, old_needs, limits, old_down)
    old, new = contest.old, contest.new
    old_silent = contest.old_silences >= old_needs
    new_silent = contest.new_silences >= limits.contest
    if old_silent and new_silent:
        return _judge_gone(contest, limits)
    if old_silent and contest.new_silences == 0 and new.seen > old.since:
        return Outcome.MOVED
    if new_silent and contest.old_answers and contest.old_silences == 0:
        return Outcome.STAYED
    if now - _proved(contest) >= limits.conflict_s:
        return Outcome.MOVED
    if _touch(contest):
        return _judge_grouped(contest, limits)
    long_enough = contest.rounds >= limits.rounds and now - contest.opened >= limits.conflict_s
    return Outcome.BOTH if long_enough else Outcome.OPEN


def _judge_grouped(contest: Contest, limits: Limits) -> Outcome:
    """Fields that touch: who misses the tag now and then only hears it.

    Their antennas are on by turns. Readers that are on at once spoil each other's answers; odds would mean nothing.
    """
    if contest.odds >= limits.sure and contest.old_missed > limits.weak and contest.new_silences == 0:
        return Outcome.MOVED
    if contest.odds <= -limits.sure and contest.new_missed >= limits.weak and contest.old_silences == 0:
        return Outcome.STAYED
    even = abs(contest.odds) < limits.sure / 2
    return Outcome.ECHO if even and contest.rounds >= limits.rounds_grouped else Outcome.OPEN


def _proved(contest: Contest) -> float:
    """Since when the old place's reader has said nothing at all, so that only the new one proved anything."""
    if contest.old_answers == 0:
        return contest.opened
    drowned = contest.old_silences == 0 and contest.new.seen > contest.old.seen
    return contest.old.seen if drowned else math.inf


def _judge_gone(contest: Contest, limits: Limits) -> Outcome:
    """Both have fallen silent: a card may cross a `pass` zone in no time, or an echo has ended with its source.

    Between a place where the tag rested and another, the crossing counts if the old place was silent all along, or
    spoke less and earlier. Where it rested in neither, the place that heard it better has it. Where fields touch, a
    single answer may be an echo, and more of them count by the odds before the silence.
    """
    old, new = contest.old, contest.new
    if old.phase is Phase.SIGHTED:
        moved = _hearing(new, limits) > _hearing(old, limits)
    elif _touch(contest):
        heard = contest.odds + (contest.old_silences - contest.new_silences) * limits.silence_says
        moved = heard >= limits.sure / 2 or (contest.old_answers == 0 and contest.new_answers > 1)
    else:
        moved = contest.old_answers == 0 or (new.seen > old.seen and contest.new_answers > contest.old_answers)
    return Outcome.MOVED if moved else Outcome.STAYED


def _hearing(track: Track, limits: Limits) -> float:
    """How much its whole time in a field speaks for a tag to lie there."""
    prompt = track.answers - track.weak
    return prompt * limits.prompt_says + track.weak * limits.weak_says + track.missed * limits.silence_says


def _touch(contest: Contest) -> bool:
    """Are the fields of the two known to touch, so that a single answer may be an echo?"""
    return contest.old.antenna.group is not None and contest.old.antenna.group == contest.new.antenna.group


def _judge_one(contest: Contest, old_needs: int, limits: Limits, old_down: bool) -> Outcome:
    """Only one of the readers is alive, and its word is all there is; a single answer may be an echo."""
    if old_down:
        if contest.new_answers > 1 and contest.new.dwelt:
            return Outcome.MOVED
        return Outcome.STAYED if contest.new_silences >= limits.contest else Outcome.OPEN
    if contest.old_silences >= old_needs:
        return Outcome.MOVED
    return Outcome.STAYED if contest.old_answers and contest.old_silences == 0 else Outcome.OPEN


def crossed(old: Track, new: Track) -> bool:
    """Whether a tag that was only sighted in its old place really was there before it came to the new one.

    It was if the new place was seen empty after that, or if the old one heard it well; else it heard an echo.
    """
    if not old.dwelt or old.seen >= new.contact:
        return False
    return old.answers >= 3 or (new.after is not None and new.after > old.contact)

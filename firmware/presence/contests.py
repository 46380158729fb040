"""One tag heard in two places: the rules by which one of them wins (field report 5).

The old place is asked at once. The tag has moved when the old place stays silent; the new one was an echo,
or a card in passing, when the old place answers and the new one falls silent; both hold it when they go on
answering in turn. Readers of one group hear each other's tags, so there the first place keeps it.
"""

from enum import Enum

from firmware.presence.limits import Limits
from firmware.presence.tracks import Contest, Track


class Outcome(Enum):
    """How a contest stands."""

    OPEN = "open"
    MOVED = "moved"  # the old place has lost the tag
    STAYED = "stayed"  # the new place has lost it, or never had it
    ECHO = "echo"  # both answer, and their fields are known to touch
    BOTH = "both"  # both answer in turn, for long: a conflict


def note(contest: Contest, track: Track, answered: bool) -> None:
    """Count one answer or silence of one of the two places."""
    if track is contest.old:
        contest.old_silences = 0 if answered else contest.old_silences + 1
        contest.old_answers += answered
        if answered and contest.new_spoke_last:
            contest.rounds += 1
            contest.new_spoke_last = False
    elif track is contest.new:
        contest.new_silences = 0 if answered else contest.new_silences + 1
        if answered:
            contest.new_answers += 1
            contest.new_spoke_last = True
        else:
            contest.rounds = 0  # in turn means without a gap: an echo that comes and goes is none


def judge(contest: Contest, now: float, old_needs: int, limits: Limits) -> Outcome:
    """The outcome at `now`; `old_needs`: silences in a row that are no chance at the old place's reader.

    The old place loses when it stays silent while the new one speaks. Where both have fallen silent (a card may
    cross a `pass` zone in no time), the crossing counts if the old place was silent all along, or spoke less and
    earlier; else the new place only heard what left the old one. An old place whose reader says nothing at all
    (dead, or drowned in noise) loses in the end: only the new place proved anything.
    """
    old, new = contest.old, contest.new
    old_silent = contest.old_silences >= old_needs
    new_silent = contest.new_silences >= limits.contest
    if old_silent and new_silent:
        later = new.seen > old.seen and contest.new_answers > contest.old_answers
        return Outcome.MOVED if contest.old_answers == 0 or later else Outcome.STAYED
    if old_silent and contest.new_silences == 0 and new.seen > old.since:
        return Outcome.MOVED
    if new_silent and contest.old_answers and contest.old_silences == 0:
        return Outcome.STAYED
    if contest.rounds >= limits.rounds:
        group = contest.old.antenna.group
        if group is not None and group == contest.new.antenna.group:
            return Outcome.ECHO
        if now - contest.opened >= limits.conflict_s:
            return Outcome.BOTH
    if contest.old_answers == 0 and now - contest.opened >= limits.conflict_s:
        return Outcome.MOVED
    return Outcome.OPEN

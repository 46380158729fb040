"""The numbers presence judges by, in one place, each with its reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often before something is believed. Times in seconds."""

    wakes_s: float = 0.005  # field that a tag may need before it answers (NTAG21x data sheet, start-up)
    gone_least: int = 5  # silences in a row before a resting tag is gone, however good its reader
    gone_most: int = 40  # however bad its reader
    gone_doubt: float = 1e-10  # an hour has some 4e5 looks: one false departure in 10,000 hours
    gone_s: float = 0.10  # a hand in the way for less than this takes nothing away
    covered: int = 3  # silences beneath an answering newer card before a card is covered
    deep: int = 4  # so many cards of a pile are asked together when its top has gone
    drag: int = 5  # silences in a row before a sighted, not yet placed tag is taken to have passed on
    contest: int = 3  # silences in a row that lose the new place a contest, and the least for the old one
    moved_doubt: float = 1e-6  # as gone_doubt, where the tag has already answered elsewhere
    rounds: int = 2  # answers in turn before one tag is in two places ("in turn, twice")
    rounds_grouped: int = 8  # ... and before the first place keeps it, where fields touch: the odds come first
    prompt_says: float = 1.1  # how much an answer at once speaks for a tag to lie there: it comes 90 times of 100
    weak_says: float = -1.5  # ... against 30 of a neighbour that hears it; one after lost frames: 7 against 30
    silence_says: float = -2.6  # ... and silence 3 against 40 (each a likelihood ratio, as a logarithm)
    sure: float = 6.0  # odds of 400 to 1 (as a logarithm) decide between the two ...
    weak: int = 2  # ... if the loser has missed it so many times, and the first to hear it once more
    group_s: float = 0.25  # at most this long is waited for what the readers of the same group say of a new tag
    proofs: int = 3  # looks in which a tag that no deck knows must answer: parts of two UIDs can make a third
    lost_doubt: float = 0.01  # chance that a tag lay there when its reader was taken to be empty
    conflict_s: float = 0.30  # ... and for how long, so that a weak echo is no conflict
    ask_gap_s: float = 0.008  # between two questions about a doubted tag
    contest_gap_s: float = 0.004  # between two questions of a contest
    answer_s: float = 0.060  # a question not answered by then is asked again
    sweep_s: float = 0.030  # at most this long is waited for the other readers
    doubt_s: float = 0.50  # a doubt older than this holds nobody up any more
    collided: int = 8  # looks with tags that cannot be told apart ...
    collided_s: float = 0.40  # ... and for how long, before the players are asked to separate the cards

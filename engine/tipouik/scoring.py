"""Counting the hands, titles, the next round, the end of a match (P28-P31)."""

from dataclasses import replace

from engine.cards import Card
from engine.rulings import Match, Move, Ruling, Score
from engine.tipouik.cards import points_of
from engine.tipouik.state import House, Phase, State, deal
from engine.tipouik.turns import Step


def count_hand(s: State, house: House, seat: int, cards: tuple[Card, ...], t: float) -> Step:
    """A hand is shown and counted; `score` comes with the last one needed."""
    points = sum(map(points_of, cards))
    counted = tuple(points if n == seat else p for n, p in enumerate(s.counted, 1))
    scores = tuple(p for p in counted if p is not None)
    after = replace(s, counted=counted)
    return (after, []) if len(scores) < house.seats else _score(after, house, scores, t)


def _score(s: State, house: House, scores: tuple[int, ...], t: float) -> Step:
    totals = tuple(a + b for a, b in zip(s.totals, scores, strict=True))
    after = replace(s, totals=totals, scores=scores)
    told: list[Ruling] = [Score(t, scores)]
    if s.round < house.rounds:
        if house.titles:
            after = titled(after, scores)
            holder = after.king if after.king is not None else after.abru
            assert holder is not None, "somebody scored the most"
            told.append(Move(t, holder, "title", (("king", after.king), ("abru", after.abru))))
        return deal(house, after), told
    if house.rounds > 1:
        least = min(totals)
        told.append(Match(t, tuple(n for n, p in enumerate(totals, 1) if p == least), totals))
    return replace(after, phase=Phase.END), told


def titled(s: State, scores: tuple[int, ...]) -> State:
    """The winner is King, else the King stays; the highest scorer but the King is Abru, a tie keeps him (P31)."""
    king = s.winner if s.winner is not None else s.king
    others = {seat: points for seat, points in enumerate(scores, 1) if seat != king}
    most = [seat for seat, points in others.items() if points == max(others.values())]
    return replace(s, king=king, abru=s.abru if s.abru in most else most[0])

"""Which plays of TIFO are legal and what they do. Pure: a position and a play in, a position and moves out.

Each check stands in the order of the rule table; the first that applies is given. `T` numbers are rulings.
"""

from dataclasses import dataclass
from typing import TypeVar

from engine.cards import Card
from engine.referee import Illegal
from engine.rulings import CARD, NONE, Move, Over, Ruling
from engine.tifo import ids
from engine.tifo.cards import ANSWERS, ATTACKS, Family, family_of, kind_of
from engine.tifo.piles import Step, begin_turn, by_points, end_turn, robbed_draw
from engine.tifo.state import BURIED, House, State, change, in_sight, with_hand

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lay:
    """A TIFO card before its owner."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack before another player (before oneself it is refused)."""

    seat: int
    card: Card
    target: int


@dataclass(frozen=True, slots=True)
class Parry:
    """A parade on one's own zone. `aside`: an attack the player lifted first to say which he answers (T14)."""

    seat: int
    card: Card
    aside: Card | None = None


@dataclass(frozen=True, slots=True)
class OlaBefore:
    """An OLA before a player: never legal."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Discard:
    """Any card on the discard; an OLA opens its choice there."""

    seat: int
    card: Card


Play = Lay | Attack | Parry | OlaBefore | Discard


def read_play(s: State, card: Card, zone_seat: int | None, aside: Card | None = None) -> Play:
    """What a card on a seat's zone (or the discard, None) means; an attack is always the player in turn's."""
    if zone_seat is None:
        return Discard(s.turn, card)
    family = family_of(card)
    if family in ATTACKS:
        return Attack(s.turn, card, zone_seat)
    if family is Family.TIFO:
        return Lay(zone_seat, card)
    if family is Family.OLA:
        return OlaBefore(zone_seat, card)
    return Parry(zone_seat, card, aside)


def why_not(s: State, play: Play) -> Illegal | None:
    """The first rule that a play of the player in turn breaks, or None."""
    seat = s.turn
    rule = _common(s, seat) or _barred(s, play)
    if rule is None:
        match play:
            case Lay():
                rule = _lay(s, play)
            case Attack():
                rule = _attack(s, play)
            case Parry():
                rule = None if answered(s, play) else (ids.PARADE_MATCH, ids.M_OTHER_CARD)
            case OlaBefore():
                rule = ids.OLA_PLACE, ids.M_TO_DISCARD
            case Discard():
                rule = None
    return None if rule is None else Illegal(*rule, seat)


def why_no_shout(s: State) -> Illegal | None:
    """Why the player in turn may not call (T15, T19, T36), or None."""
    seat = s.turn
    rule = _common(s, seat) or barred_from_shout(s, seat)
    return None if rule is None else Illegal(*rule, seat)


Broken = tuple[str, str]
"""A rule id and its mend."""


def _common(s: State, seat: int) -> Broken | None:
    if any(d.seat == seat for d in s.due):
        return ids.DRAW_FIRST, ids.M_DRAW  # T19, T20
    if s.ola is not None:
        return ids.OLA_OPEN, ids.M_USE_OLA
    return None


def _barred(s: State, play: Play) -> Broken | None:
    seat = s.turn
    if s.has_attack(seat, Family.INTERDIT):  # T10, T27
        avocat = isinstance(play, Parry) and kind_of(play.card) == "avocat"
        ola = isinstance(play, Discard) and family_of(play.card) is Family.OLA
        if not (avocat or ola):
            return ids.INTERDIT, ids.M_AVOCAT
    if s.has_attack(seat, Family.BLOCKING) and isinstance(play, Lay | Attack):  # T15
        return ids.BLOCKED, ids.M_PARRY_OR_DISCARD
    return None


def barred_from_shout(s: State, seat: int) -> Broken | None:
    """What attack forbids a shout (T15; T36: FUMIS INTERDITS only if FUMIS is still to lay)."""
    if s.has_attack(seat, Family.INTERDIT):
        return ids.INTERDIT, ids.M_AVOCAT
    if s.has_attack(seat, Family.BLOCKING):
        return ids.BLOCKED, ids.M_PARRY_OR_DISCARD
    if s.has_kind(seat, "locaux"):
        return ids.LOCAUX, ids.M_PARRY_LOCAUX
    if s.has_kind(seat, "fumis-interdits") and "fumis" in s.missing(seat):
        return ids.FUMIS, ids.M_PARRY_FUMIS
    return None


def _lay(s: State, play: Lay) -> Broken | None:
    if s.has_kind(play.seat, "locaux"):
        return ids.LOCAUX, ids.M_PARRY_LOCAUX
    if kind_of(play.card) == "fumis" and s.has_kind(play.seat, "fumis-interdits"):
        return ids.FUMIS, ids.M_PARRY_FUMIS
    if kind_of(play.card) not in s.missing(play.seat):
        return ids.LAY_ONCE, ids.M_OTHER_KIND  # T16
    return None


def _attack(s: State, play: Attack) -> Broken | None:
    family = family_of(play.card)
    if play.target == play.seat:
        return ids.ATTACK_SELF, ids.M_OTHER_TARGET
    if play.target in s.out:
        return ids.ATTACK_OUT, ids.M_OTHER_TARGET
    if family is not None and s.has_attack(play.target, family):
        return ids.ATTACK_CLASS, ids.M_OTHER_TARGET  # T7
    if len(s.attacks[play.target - 1]) >= 2:
        return ids.ATTACK_TWO, ids.M_OTHER_TARGET  # T8
    return None


def answered(s: State, play: Parry) -> Card | None:
    """The attack that a parade answers: the one set aside, else the blocking one first (T13, T14)."""
    fits = [a for a in s.attacks[play.seat - 1] if kind_of(a) in ANSWERS[kind_of(play.card)]]
    if play.aside in fits:
        return play.aside
    fits.sort(key=lambda a: family_of(a) is not Family.BLOCKING)
    return fits[0] if fits else None


def carry_out(s: State, house: House, play: Play, t: float) -> Step:
    """The position after a play and its moves; the turn passes where the player in turn made it."""
    mine = play.seat == s.turn
    s = in_sight(change(with_hand(s, play.seat, -1), slam=None), (play.card,))
    if mine:
        s = change(s, ola=None, loose=s.loose and s.ola is None)
    match play:
        case Lay(seat, card):
            s = change(s, laid=_add(s.laid, seat, card), slam=seat if mine else None)
            out: list[Ruling] = [Move(t, seat, "lay", (("card", card),))]
            if not s.missing(seat):
                return change(s, ended=True), [*out, Over(t, (seat,), "tifo")]  # T18
        case Attack(seat, card, target):
            s = change(s, attacks=_add(s.attacks, target, card))
            out = [Move(t, seat, "attack", (("card", card), ("target", target)))]
        case Parry(seat, card):
            attack = answered(s, play)
            if attack is None:
                raise ValueError(f"{card} answers nothing before seat {seat}, expected a legal parade")
            attacks = tuple(
                tuple(a for a in mine_ if a != attack) if n == seat else mine_ for n, mine_ in enumerate(s.attacks, 1)
            )
            s = change(s, attacks=attacks, discard=(*s.discard, attack, card), loose=False)  # T26
            out = [Move(t, seat, "parry", (("card", card), ("attack", attack)))]
        case Discard(seat, card):
            if family_of(card) is Family.OLA:
                s = change(s, discard=(*s.discard, card), ola=card)
                return s, [Move(t, seat, "ola", (("card", card),))]
            s = change(s, discard=(*s.discard, card), loose=False)
            out = [Move(t, seat, "discard", (("card", card),), CARD if house.hidden_discard else NONE)]
        case OlaBefore():
            raise ValueError("an OLA before a player cannot be carried out, expected it on the discard")
    if not mine:
        return s, out
    s, more = end_turn(_undrawn(s), house, t)
    return s, out + more


def _undrawn(s: State) -> State:
    """The arbiter let a play stand before its draw: what was due stays in the pile."""
    left = tuple(d for d in s.due if d.seat != s.turn)
    pile = s.pile + len(s.due) - len(left)
    return change(s, due=left, pile=pile, final=s.final and pile == 0)


def shout(s: State, house: House, seat: int, cards: tuple[Card, ...], t: float) -> Step:
    """The five kinds are complete: the game is won (T17)."""
    s = in_sight(change(with_hand(s, seat, -len(cards)), ended=True, slam=None), cards)
    for card in cards:
        s = change(s, laid=_add(s.laid, seat, card))
    return s, [Move(t, seat, "tifo", (("cards", cards),)), Over(t, (seat,), "tifo")]


def rob(s: State, house: House, target: int, t: float) -> Step:
    """OLA: a card from another's hand, who draws at once (T24, T25)."""
    s = change(s, ola=None, loose=False, slam=None, known=s.known.passed(target, s.turn))
    s = with_hand(with_hand(s, target, -1), s.turn, 1)
    s, more = robbed_draw(s, house, target, t)
    return s, [Move(t, s.turn, "rob", (("target", target),)), *more]


def why_no_rob(s: State, target: int) -> Illegal | None:
    """An eliminated player or an empty hand cannot be robbed (T23)."""
    if target in s.out or s.hands[target - 1] == 0:
        return Illegal(ids.OLA_TARGET, ids.M_ROB_OR_LET_GO, s.turn)
    return None


def why_no_swap(s: State, card: Card | None) -> Illegal | None:
    """Nothing (known) to take, or an OLA for an OLA (T22, T23, T30)."""
    if card is None:
        return Illegal(ids.OLA_EMPTY, ids.M_ROB_OR_LET_GO, s.turn)
    if family_of(card) is Family.OLA:
        return Illegal(ids.OLA_OLA, ids.M_ROB_OR_LET_GO, s.turn)
    return None


def swap(s: State, house: House, card: Card, t: float) -> Step:
    """OLA: the last discarded card comes to the hand; the OLA stays in the discard."""
    unread = s.unread if card in s.discard else max(0, s.unread - 1)
    s = in_sight(s, (card,))
    s = change(
        s,
        discard=tuple(c for c in s.discard if c != card),
        unread=unread,
        ola=None,
        loose=False,
        slam=None,
        known=s.known.seen([card], s.turn),
    )
    secret = CARD if house.hidden_discard else NONE
    return with_hand(s, s.turn, 1), [Move(t, s.turn, "swap", (("card", card),), secret)]


def let_go(s: State, house: House, t: float) -> Step:
    """The OLA is a plain discard; the turn passes."""
    card = s.ola or ""
    out: list[Ruling] = [Move(t, s.turn, "discard", (("card", card),), CARD if house.hidden_discard else NONE)]
    s, more = end_turn(_undrawn(change(s, ola=None, loose=False, slam=None)), house, t)
    return s, out + more


def concede(s: State, house: House, t: float) -> Step:
    """The player in turn gives up under INTERDIT (T28): all his cards go to the discard, order unknown (T30)."""
    seat = s.turn
    mine = tuple(d for d in s.due if d.seat == seat)
    pile = s.pile + len(mine)  # a card that was due and is not drawn stays in the pile
    known = s.known.moved(seat, BURIED)
    buried = s.unread + s.hands[seat - 1]
    # A play that the arbiter let stand may have come from outside: never more cards than there are.
    seen = known.surely(BURIED)[:buried]
    s = change(
        s,
        pile=pile,
        final=s.final and pile == 0,
        due=tuple(d for d in s.due if d.seat != seat),
        discard=(*s.discard, *s.laid[seat - 1], *s.attacks[seat - 1], *seen),
        loose=True,
        unread=buried - len(seen),
        hands=_set(s.hands, seat, 0),
        laid=_set(s.laid, seat, ()),
        attacks=_set(s.attacks, seat, ()),
        out=s.out | {seat},
        ola=None,
        slam=None,
        known=known.forget(known.surely(BURIED)),
    )
    out: list[Ruling] = [Move(t, seat, "eliminated")]
    alive = s.alive()
    if len(alive) == 1:
        return change(s, ended=True), [*out, Over(t, alive, "last-standing")]  # T31
    s, more = by_points(s, t) if s.final else begin_turn(s, house, s.next_seat(), t)
    return s, out + more


def _add(rows: tuple[tuple[Card, ...], ...], seat: int, card: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple((*row, card) if n == seat else row for n, row in enumerate(rows, 1))


def _set(rows: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return tuple(value if n == seat else row for n, row in enumerate(rows, 1))

"""Rule, mend and message ids of Tipouik. An id never changes once released."""

from typing import Final

OVER: Final = "tipouik/over"
TAKE_BACK: Final = "tipouik/take-back"
TURN: Final = "tipouik/turn"
START: Final = "tipouik/start"
NOTHING: Final = "tipouik/nothing"
VALUE: Final = "tipouik/value"
AFTER_CHALLENGE: Final = "tipouik/after-challenge"
COUNT: Final = "tipouik/count"
CHALLENGE_OPENING: Final = "tipouik/challenge-opening"
CHALLENGE_SELF: Final = "tipouik/challenge-self"
CHALLENGE_CLOSED: Final = "tipouik/challenge-closed"
HAND_COUNT: Final = "tipouik/hand-count"

RULES: Final = (
    OVER,
    TAKE_BACK,
    TURN,
    START,
    NOTHING,
    VALUE,
    AFTER_CHALLENGE,
    COUNT,
    CHALLENGE_OPENING,
    CHALLENGE_SELF,
    CHALLENGE_CLOSED,
    HAND_COUNT,
)

M_OVER: Final = "round-over"  # the round has ended: take the card back, count, wait for the next deal
M_SETTLE: Final = "settle-first"  # first the cards of the challenge are taken, given or drawn
M_WAIT: Final = "wait-turn"  # take back what you laid and wait for your turn
M_OPEN: Final = "open-with-one"  # take it back: whoever holds the 1 opens with it
M_KING: Final = "king-gives-first"  # first the TipouiKing gives the AbruTipouik a card and presses ok
M_LAY: Final = "lay-first"  # lay cards, then announce them
M_NO_POSE: Final = "wait-for-pose"  # there is nothing to challenge yet
M_VALUE: Final = "say-same-or-next"  # announce the last value or the next
M_NEXT: Final = "say-next"  # after a challenge: announce the next value, or pass
M_COUNT: Final = "say-count"  # say again, with the count that lies there
M_OPENING: Final = "opening-stands"  # the opening 1 is face up: play on
M_SELF: Final = "others-challenge"  # only the others may challenge this pose
M_CLOSED: Final = "wait-next-pose"  # this pose is settled: wait for the next
M_SHOW: Final = "show-hand"  # lay the whole hand and nothing else, then press ok

MENDS: Final = (
    M_OVER,
    M_SETTLE,
    M_WAIT,
    M_OPEN,
    M_KING,
    M_LAY,
    M_NO_POSE,
    M_VALUE,
    M_NEXT,
    M_COUNT,
    M_OPENING,
    M_SELF,
    M_CLOSED,
    M_SHOW,
)

SAY_START: Final = "tipouik/who-has-one"  # to all: whoever holds the 1 opens
SAY_KING: Final = "tipouik/king-gives"  # to the TipouiKing: give seat {to} a card, press ok
SAY_TAKE: Final = "tipouik/take-cards"  # to the one who takes them: {count} cards, lift them or press ok
SAY_GIVE: Final = "tipouik/give-card"  # to the challenger: give seat {to} a card, press ok
SAY_DRAW: Final = "tipouik/draw-cards"  # to the challenger: draw {count} from seat {from}, press ok
SAY_NEXT_VALUE: Final = "tipouik/next-value"  # to the seat in turn after a challenge: {value} or pass
SAY_WINDOW: Final = "tipouik/final-window"  # to all: seat {seat} laid the last card; {seconds} to challenge
SAY_SHOW: Final = "tipouik/show-hands"  # to all: lay your hand before you and press ok

SAYS: Final = (SAY_START, SAY_KING, SAY_TAKE, SAY_GIVE, SAY_DRAW, SAY_NEXT_VALUE, SAY_WINDOW, SAY_SHOW)

INEXPRESSIBLE: Final = frozenset(
    {"table/unknown-card", "table/foreign-card", "table/card-elsewhere", "table/two-places", START}
)
"""Refusals that the state cannot express: accepting them gives `stood` alone."""

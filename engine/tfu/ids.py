"""Rule, mend and message ids of Тьфу!. An id never changes once released."""

from typing import Final

OVER: Final = "tfu/over"
FROZEN: Final = "tfu/frozen"
LAYOUT: Final = "tfu/layout"
SPARE: Final = "tfu/spare"
COLUMN: Final = "tfu/column"
STEP: Final = "tfu/step"
CAN_PLAY: Final = "tfu/can-play"
NOT_OUT: Final = "tfu/not-out"

RULES: Final = (OVER, FROZEN, LAYOUT, SPARE, COLUMN, STEP, CAN_PLAY, NOT_OUT)

M_NEXT_ROUND: Final = "next-round"  # the round has ended: keep the card, deal the next round
M_NEW_MATCH: Final = "new-match"  # the match has ended: start another
M_CLEAR_PILE: Final = "clear-pile"  # take this card and the illegal ones beneath it off the pile
M_LAY_OUT: Final = "lay-out"  # lay the columns named in `columns` as the round needs them
M_CALL_FIRST: Final = "call-first"  # take the card back: somebody has to call first
M_OWED_FIRST: Final = "owed-first"  # take the card back: only the owed spare cards go down now
M_OPEN_PILE: Final = "open-pile"  # take the card back: this pile is closed, use another
M_SPARE_ORDER: Final = "spare-order"  # put the card back into the spare, in its order
M_OPEN_TOP: Final = "open-top"  # take the card back: only the open top of a column is played
M_OWN_COLUMN: Final = "own-column"  # put the card back on the column it came from
M_ONE_STEP: Final = "one-step"  # take the card back: play one above or below the pile's top
M_PLAY_ON: Final = "play-on"  # the seats in `can` have a card to play first
M_PLAY_OUT: Final = "play-out"  # play the rest of the columns first

MENDS: Final = (
    M_NEXT_ROUND,
    M_NEW_MATCH,
    M_CLEAR_PILE,
    M_LAY_OUT,
    M_CALL_FIRST,
    M_OWED_FIRST,
    M_OPEN_PILE,
    M_SPARE_ORDER,
    M_OPEN_TOP,
    M_OWN_COLUMN,
    M_ONE_STEP,
    M_PLAY_ON,
    M_PLAY_OUT,
)

SAY_SPIT: Final = "tfu/spit"  # after a call: `owed` spare cards are to be put down, each on its owner's pile
SAY_GO: Final = "tfu/go"  # all owed cards are down: play
SAY_CLOSED: Final = "tfu/closed"  # pile `pile` closes: its owner has no spare
SAY_SPARE_OUT: Final = "tfu/spare-out"  # player `seat` has put down the last spare card
SAY_FEWEST: Final = "tfu/fewest"  # nobody can go on: who has fewest cards presses ok; a call deals again (S14)
SAY_AGAIN: Final = "tfu/again"  # round `round` is dealt again with the same counts
SAY_DEAL: Final = "tfu/deal"  # to a seat: in round `round` it has `cards` cards, `spare` of them spare

SAYS: Final = (SAY_SPIT, SAY_GO, SAY_CLOSED, SAY_SPARE_OUT, SAY_FEWEST, SAY_AGAIN, SAY_DEAL)

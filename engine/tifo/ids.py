"""Rule, mend and message ids of TIFO. An id never changes once released."""

from typing import Final

OVER: Final = "tifo/over"
TURN: Final = "tifo/turn"
DRAW_FIRST: Final = "tifo/draw-first"
DRAW_TWICE: Final = "tifo/draw-twice"
OLA_OPEN: Final = "tifo/ola-open"
SHOUT: Final = "tifo/shout"
INTERDIT: Final = "tifo/interdit"
BLOCKED: Final = "tifo/blocked"
LOCAUX: Final = "tifo/locaux"
FUMIS: Final = "tifo/fumis"
LAY_ONCE: Final = "tifo/lay-once"
ATTACK_SELF: Final = "tifo/attack-self"
ATTACK_OUT: Final = "tifo/attack-out"
ATTACK_CLASS: Final = "tifo/attack-class"
ATTACK_TWO: Final = "tifo/attack-two"
PARADE_MATCH: Final = "tifo/parade-match"
OLA_PLACE: Final = "tifo/ola-place"
OLA_EMPTY: Final = "tifo/ola-empty"
OLA_TARGET: Final = "tifo/ola-target"
OLA_OLA: Final = "tifo/ola-ola"
LAID_STAYS: Final = "tifo/laid-stays"

RULES: Final = (
    OVER,
    TURN,
    DRAW_FIRST,
    DRAW_TWICE,
    OLA_OPEN,
    SHOUT,
    INTERDIT,
    BLOCKED,
    LOCAUX,
    FUMIS,
    LAY_ONCE,
    ATTACK_SELF,
    ATTACK_OUT,
    ATTACK_CLASS,
    ATTACK_TWO,
    PARADE_MATCH,
    OLA_PLACE,
    OLA_EMPTY,
    OLA_TARGET,
    OLA_OLA,
    LAID_STAYS,
)

M_OVER: Final = "game-over"  # the game has ended: take the card back, or start another
M_WAIT: Final = "wait-turn"  # take it back and wait for your turn
M_DRAW: Final = "draw-first"  # take it back and draw
M_RETURN_DRAW: Final = "return-draw"  # put the extra card back on the pile
M_USE_OLA: Final = "use-ola"  # finish the OLA: rob, swap or let it go
M_MISSING_ONLY: Final = "missing-kinds-only"  # only the missing kinds belong to a shout
M_LIFT_ALL: Final = "lift-all"  # take back all cards of the shout
M_AVOCAT: Final = "avocat-ola-or-concede"
M_PARRY_OR_DISCARD: Final = "parry-or-discard"
M_PARRY_LOCAUX: Final = "parry-locaux"
M_PARRY_FUMIS: Final = "parry-fumis"
M_OTHER_KIND: Final = "other-kind"  # lay another kind
M_OTHER_TARGET: Final = "other-target"  # attack somebody else
M_OTHER_CARD: Final = "other-card"  # this parade answers nothing here: another, or discard it
M_TO_DISCARD: Final = "to-discard"  # an OLA goes to the discard
M_ROB_OR_LET_GO: Final = "rob-or-let-go"
M_PUT_BACK: Final = "put-back"  # put the card back where it lay

MENDS: Final = (
    M_OVER,
    M_WAIT,
    M_DRAW,
    M_RETURN_DRAW,
    M_USE_OLA,
    M_MISSING_ONLY,
    M_LIFT_ALL,
    M_AVOCAT,
    M_PARRY_OR_DISCARD,
    M_PARRY_LOCAUX,
    M_PARRY_FUMIS,
    M_OTHER_KIND,
    M_OTHER_TARGET,
    M_OTHER_CARD,
    M_TO_DISCARD,
    M_ROB_OR_LET_GO,
    M_PUT_BACK,
)

SAY_FINAL: Final = "tifo/final-turn"  # the last card of the last pile is gone: this turn is the last
SAY_ROBBED: Final = "tifo/robbed-draw"  # to the robbed player: draw one
SAY_SHORT: Final = "tifo/robbed-short"  # to the robbed player: nothing is left to draw (T25)
SAY_AGAIN: Final = "tifo/play-again"  # to the player in turn: after OLA, still play a card

SAYS: Final = (SAY_FINAL, SAY_ROBBED, SAY_SHORT, SAY_AGAIN)

INEXPRESSIBLE: Final = frozenset(
    {
        "table/unknown-card",
        "table/foreign-card",
        "table/card-elsewhere",
        "table/two-places",
        ATTACK_SELF,
        ATTACK_OUT,
        PARADE_MATCH,
        OLA_PLACE,
        SHOUT,
        LAID_STAYS,
        DRAW_TWICE,
    }
)
"""Refusals that the state cannot express: accepting them gives `stood` alone."""

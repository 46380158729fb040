"""Rule, mend and message ids that every game shares. An id never changes once released."""

from typing import Final

UNKNOWN_CARD: Final = "table/unknown-card"
FOREIGN_CARD: Final = "table/foreign-card"
CARD_ELSEWHERE: Final = "table/card-elsewhere"
TWO_PLACES: Final = "table/two-places"
CORRECT_FIRST: Final = "table/correct-first"

RULES: Final = (UNKNOWN_CARD, FOREIGN_CARD, CARD_ELSEWHERE, TWO_PLACES, CORRECT_FIRST)

TAKE_BACK: Final = "take-back"  # lift the card again
REMOVE_TAG: Final = "remove-tag"  # take the unknown tag away, or enrol it
ONE_PLACE: Final = "one-place"  # leave the card in one of the two places
MEND_FIRST: Final = "mend-first"  # put the earlier card right, then play this one

MENDS: Final = (TAKE_BACK, REMOVE_TAG, ONE_PLACE, MEND_FIRST)
SAYS: Final[tuple[str, ...]] = ()

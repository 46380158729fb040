"""Which silence means anything: cards that cover each other, and doubts that keep others waiting.

A card is covered while a newer one answers: its silence then proves nothing, and its reappearance is no play.
When the top has gone, the next few cards are asked at once: one of them may be the top now, or have gone with it.
"""

from engine.zones import ZoneKind
from firmware.presence.limits import Limits
from firmware.presence.tracks import RESTS, Contest, Phase, ReaderState, Track


def newer(reader: ReaderState, track: Track) -> tuple[Track, ...]:
    """The cards above this one that may answer."""
    return tuple(
        other
        for other in reader.tracks.values()
        if other.layer > track.layer and other.phase in (Phase.SIGHTED, Phase.LAID)
    )


def beneath_answering(reader: ReaderState, track: Track) -> bool:
    """Has a newer card of the pile answered since this one fell silent? Then it is covered, not gone."""
    return any(other.silences == 0 and other.seen >= track.since for other in newer(reader, track))


def beneath_covered(reader: ReaderState, track: Track) -> bool:
    """Is a newer card of the pile covered itself, so that first what lies on that one must be judged?"""
    return any(other.layer > track.layer and other.phase is Phase.COVERED for other in reader.tracks.values())


def next_below(reader: ReaderState, gone: Track, deep: int) -> tuple[Track, ...]:
    """Those of the next `deep` cards of which nothing certain is known, the highest first."""
    below = sorted((other for other in reader.tracks.values() if other.layer < gone.layer), key=lambda o: -o.layer)
    return tuple(other for other in below[:deep] if other.phase is Phase.COVERED or other.silences)


def open_before(
    reader: ReaderState, track: Track, contest: Contest | None, key: float, now: float, limits: Limits
) -> bool:
    """May this tag still turn out to have come or gone before `key`? A doubt that lasts too long counts no more.

    A tag that is heard elsewhere too (`contest`) cannot have moved before the last answer of the place it lay in.
    """
    if track.phase is Phase.SIGHTED:
        since = track.after
        if since is not None and contest is not None and contest.new is track and contest.old.phase in RESTS:
            since = max(since, contest.old.seen)
        return now < track.contact + track.zone.dwell_s + limits.doubt_s and (since is None or since < key)
    if track.phase is not Phase.LAID or track.silences == 0 or track.zone.kind is ZoneKind.PASS:
        return False
    covered = track.zone.kind is ZoneKind.PILE and beneath_answering(reader, track)
    return now < track.since + limits.doubt_s and track.since < key and not covered

"""What the senses say of readers, brought to the stage."""

from typing import assert_never

from firmware.presence import Notice, ReaderBack, ReaderDown, Separate
from firmware.stage.stage import Stage


def tell(stage: Stage, now: float, notice: Notice) -> None:
    """A reader is down (a page of its own until it is back), back, or cannot tell cards apart (told once)."""
    match notice:
        case ReaderDown():
            stage.device(now, "reader-dead", notice.reader, up=False)
        case ReaderBack():
            stage.device(now, "reader-back", notice.reader, up=True)
        case Separate():
            stage.device(now, "separate", notice.reader, up=False)
        case _:
            assert_never(notice)

"""Between the stage and the workers of the display buses; and the pictures as PNG files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.stage.errors import StageError
from firmware.stage.layout import Page
from hardware.display import DisplayBus


@dataclass(frozen=True, slots=True)
class BusScreen:
    """One display on one bus, as the stage sees it."""

    bus: DisplayBus
    panel: str
    viewer: int | None

    def show(self, page: Page) -> None:
        """Leave a page; the bus's worker draws it when its turn comes, unless a newer one came before."""
        self.bus.offer(self.panel, lambda: _frame(page))

    def dim(self, level: int) -> None:
        """Leave a brightness."""
        self.bus.dim(self.panel, level)


def _frame(page: Page) -> bytes:
    from firmware.stage.picture import frame

    return frame(page)


class PngSink:
    """Writes every picture that a screen has completed: `DIR/0007_00012.340_seat2.png`.

    Hand `shown` to a display bus as `on_shown`; `source` gives, by display name, what a twin holds, so that
    the picture is the emulated chip's and not the one that was meant.
    """

    def __init__(self, folder: Path | str, *, scale: int = 4, source: Callable[[str], bytes] | None = None) -> None:
        self.folder = Path(folder)
        self.scale = scale
        self.source = source
        self.count = 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StageError(f"{folder}:1: cannot hold pictures ({error.strerror}), expected a folder") from error

    def shown(self, display: str, frame: bytes, now: float) -> None:
        """A display has completed a picture at `now`."""
        from PIL import Image

        from firmware.stage.picture import unpack

        self.count += 1
        picture = unpack(frame if self.source is None else self.source(display))
        size = picture.width * self.scale, picture.height * self.scale
        name = f"{self.count:04d}_{now:09.3f}_{display}.png"
        picture.resize(size, Image.Resampling.NEAREST).save(self.folder / name, optimize=True)

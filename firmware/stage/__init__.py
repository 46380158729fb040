"""The stage: one place turns rulings into texts, sounds and lamps for those they are meant for.

The engine speaks in ids; every sentence is here, in catalogues. Nothing is imported that draws until a screen
is opened, so that `arbitre replay` narrates without Pillow.
"""

from firmware.stage.texts import Context, Text, narrate, text_of

__all__ = ["Context", "Text", "narrate", "text_of"]

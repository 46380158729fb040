"""The one base of all errors of this package."""


class EngineError(Exception):
    """Something was asked of the engine that it cannot take."""


class SetupError(EngineError):
    """A game was set up that does not exist: seats, options or zones do not fit."""


class ObservationError(EngineError):
    """An observation that no table of this game could make (time going back, a zone it lacks)."""


class RecordError(EngineError):
    """A table record that cannot be read.

    `line` counts from 1 (0: the file as a whole). The message says what is wrong and what was expected.
    """

    def __init__(self, line: int, what: str, expected: str) -> None:
        super().__init__(f"{what}, expected {expected}")
        self.line = line
        self.what = what
        self.expected = expected

"""What can be wrong with the texts and screens of the stage."""


class StageError(Exception):
    """A catalogue or a screen is wrong. The message says where, what was expected, how to mend it."""

"""Changed copies of frozen dataclasses, quicker than `dataclasses.replace` for states with many fields.

`replace` looks at every field's definition on every call; a referee changes its state several times an
observation. `arbitre bench engine` shows what is left.
"""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def changer(cls: type[T]) -> Callable[..., T]:
    """`change(value, name=new, ...)` for one frozen dataclass; KeyError for a field it does not have."""
    names = [f.name for f in fields(cls)]  # type: ignore[arg-type]  # a dataclass; its type cannot say so
    get = attrgetter(*names)
    place = {name: n for n, name in enumerate(names)}

    def change(value: T, /, **changes: Any) -> T:
        values = list(get(value))
        for name, new in changes.items():
            values[place[name]] = new
        return cls(*values)

    return change

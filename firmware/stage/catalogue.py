"""Catalogues: every sentence of the product, one folder of TOML files for each language.

`catalogues/fr/tifo.toml`, `[rule.turn] head = ...` is the message `rule:tifo/turn`. The files of a folder are
the three games and `table` (what they share). Adding a language is adding a folder; nothing here names one.
Templates hold `{name}` and, after a number, its plural forms: `{count|карта|карты|карт}`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from firmware.languages import CATALOGUES, languages
from firmware.stage.errors import StageError
from firmware.stage.plurals import FAMILIES

FILES: Final = ("table", "tifo", "tipouik", "tfu")
VARIANTS: Final = ("head", "text", "own_head", "own_text", "hidden_head", "hidden", "nobody")
"""What a message may have: for everybody; for the seat it speaks of; without the card; without a seat."""

NBSP: Final = "\u00a0"
NARROW: Final = "\u202f"

_SPACING: Final[dict[str, tuple[tuple[re.Pattern[str], str], ...]]] = {
    "plain": (),
    # French: a narrow no-break space before ; ! ?, a no-break space before : and inside guillemets
    # (Lexique des règles typographiques, Imprimerie nationale). Signs that follow each other stay together.
    "french": (
        (re.compile(r" (?=[;!?])"), NARROW),
        (re.compile(r" (?=:)|(?<=«) | (?=»)|(?<=nº) "), NBSP),
    ),
    # Russian: the dash does not begin a line; № keeps its number.
    "russian": ((re.compile(r" (?=—)|(?<=№) "), NBSP),),
}

_DOUBLED: Final = re.compile(r"([!?])\.(?!\.)")
"""A sentence that ends in a name with a sign of its own ("OLA !") takes no full stop."""
_SLOT: Final = re.compile(r"\{([a-z_]+)((?:\|[^{}|]*)*)\}")
_INNER: Final = re.compile(r"\{([a-z_]+)\}")
Filler = str | int


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a catalogue: variant -> template."""

    id: str
    parts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All messages of one language."""

    lang: str
    name: str
    plural: str
    messages: Mapping[str, Message]
    words: Mapping[str, str]

    def fill(self, template: str, args: Mapping[str, Filler]) -> str:
        """Put `args` into a template. Raises `StageError` where the template asks for something not given.

        >>> catalogue("ru").fill("{count} {count|карта|карты|карт}", {"count": 5})
        '5 карт'
        """
        choices: dict[str, str] = {}

        def forms(match: re.Match[str]) -> str:
            name, tail = match[1], match[2]
            if not tail:
                return self._value(name, args, template)
            return self._form(name, tail[1:].split("|"), args, template)

        # Plural forms may hold slots of their own (`{winners|Le joueur {names}|...}`): inner ones first.
        text = template
        for round_ in range(3):
            if "{" not in text:
                break
            text = _INNER.sub(lambda m: self._hide(self._value(m[1], args, template), choices), text)
            text = _SLOT.sub(forms, text)
            if round_ == 2 and "{" in text:
                raise StageError(f"catalogue {self.lang}: braces do not match in {template!r}")
        for key, value in choices.items():
            text = text.replace(key, value)
        return _DOUBLED.sub(r"\1", text)

    @staticmethod
    def _hide(value: str, choices: dict[str, str]) -> str:
        key = f"\x00{len(choices)}\x00"  # values are put in last, so that they are never read as templates
        choices[key] = value
        return key

    def _value(self, name: str, args: Mapping[str, Filler], template: str) -> str:
        try:
            return str(args[name])
        except KeyError:
            raise StageError(
                f"catalogue {self.lang}: {template!r} asks for {{{name}}}, the event has {sorted(args)}"
            ) from None

    def _form(self, name: str, forms: list[str], args: Mapping[str, Filler], template: str) -> str:
        count, rule = FAMILIES[self.plural]
        number = args.get(name)
        if not isinstance(number, int) or len(forms) != count:
            raise StageError(
                f"catalogue {self.lang}: {template!r} needs a whole number {name} and {count} forms, "
                f"has {number!r} and {len(forms)}"
            )
        return forms[rule(number)]


@cache
def catalogue(lang: str) -> Catalogue:
    """The catalogue of a language. Raises `StageError` for one that does not exist or is ill-formed."""
    if lang not in languages():
        raise StageError(f"no catalogue for language {lang!r}; there are {', '.join(languages())}")
    tables = {name: _table(CATALOGUES / lang / f"{name}.toml") for name in FILES}
    meta = tables["table"].pop("meta", None)
    if not isinstance(meta, dict) or not {"name", "plural", "spacing"} <= set(meta):
        raise StageError(f"catalogue {lang}: table.toml needs [meta] with name, plural, spacing")
    if meta["plural"] not in FAMILIES or meta["spacing"] not in _SPACING:
        wrong = f"plural {meta['plural']!r} or spacing {meta['spacing']!r}"
        raise StageError(f"catalogue {lang}: table.toml: unknown {wrong}")
    messages: dict[str, Message] = {}
    words: dict[str, str] = {}
    for file, table in tables.items():
        for kind, entries in table.items():
            for key, value in _entries(lang, file, kind, entries):
                if isinstance(value, str):
                    words[f"{kind}:{file}/{key}"] = _space(value, str(meta["spacing"]))
                    continue
                parts = _parts(lang, file, f"{kind}.{key}", value)
                id_ = f"{kind}:{file}/{key}"
                messages[id_] = Message(id_, {k: _space(v, str(meta["spacing"])) for k, v in parts.items()})
    return Catalogue(lang, str(meta["name"]), str(meta["plural"]), messages, words)


def _table(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise StageError(f"{path.parent.name}/{path.name}: cannot be read as a catalogue: {error}") from error


def _entries(lang: str, file: str, kind: str, entries: object) -> list[tuple[str, object]]:
    if not isinstance(entries, dict):
        raise StageError(f"catalogue {lang}: {file}.toml: {kind} must be a table")
    return list(entries.items())


def _parts(lang: str, file: str, key: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not {"head", "text"} <= set(value) <= set(VARIANTS):
        raise StageError(f"catalogue {lang}: {file}.toml: {key} needs head and text, may have {VARIANTS[2:]}")
    return {str(k): str(v) for k, v in value.items()}


def _space(text: str, spacing: str) -> str:
    for pattern, sign in _SPACING[spacing]:
        text = pattern.sub(sign, text)
    return text

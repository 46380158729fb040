"""Reads a TOML file that people write, with every fault told as `FILE:LINE: what is wrong, expected ...`."""

import re
import tomllib
from pathlib import Path

from firmware.config.errors import ConfigError

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_BOM = "\ufeff"


def read_text(path: Path, wanted: str) -> str:
    """The text of a file. `wanted`: what it should be, for messages. Raises `ConfigError`."""
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ConfigError(str(path), 0, f"cannot be read ({e.strerror})", wanted) from e
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise ConfigError(str(path), line, f"byte {e.start + 1} of the file is not UTF-8", "UTF-8 text") from e


def parse_toml(text: str, file: str) -> dict[str, object]:
    """What a TOML text says; `file` is for messages. Raises `ConfigError`."""
    if text.startswith(_BOM):
        raise ConfigError(file, 1, "a byte order mark", "UTF-8 text without one (in the editor: UTF-8, no BOM)")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        words = str(e)
        found = _AT.search(words)
        last = max(1, len(text.splitlines()))
        line = int(found[1]) if found else last
        what = words[: found.start()].strip() if found else words.replace("(at end of document)", "at the end")
        raise ConfigError(file, line, f"no TOML: {what[:1].lower()}{what[1:]}", "TOML (key = value)") from e
    except RecursionError:
        raise ConfigError(file, 0, "brackets nested too deep", "TOML as in the examples") from None
    except ValueError:
        raise ConfigError(file, 0, "a number with too many digits", "numbers as in the examples") from None

"""table.toml: what is wired to what, checked before anything is opened."""

from firmware.config.errors import ConfigError
from firmware.config.model import TableConfig
from firmware.config.parse import parse_table, read_table

__all__ = ["ConfigError", "TableConfig", "parse_table", "read_table"]

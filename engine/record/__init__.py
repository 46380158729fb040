"""The table record: what PGN is to chess. JSON Lines; a header, then inputs in order of time, outputs between."""

from engine.record.reader import Entry, Output, Record, read_record
from engine.record.writer import header_line, input_line, output_line, public_output

__all__ = [
    "Entry",
    "Output",
    "Record",
    "header_line",
    "input_line",
    "output_line",
    "public_output",
    "read_record",
]

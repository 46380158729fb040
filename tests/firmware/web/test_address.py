"""By which names a table answers, and which links it gives."""

import socket

import pytest

from firmware.web.address import Address, host_of, listen
from firmware.web.errors import WebError


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("table:8137", "table"),
        ("TABLE.local", "table.local"),
        ("[::1]:80", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", ""),
    ],
)
def test_the_name_in_a_header_is_read(header: str, host: str) -> None:
    assert host_of(header) == host


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_the_loopback_answers_to_its_own_names_alone(address: str) -> None:
    at = Address(address, 8137)
    assert not at.is_open
    assert at.house == ""
    assert "127.0.0.1" in at.names
    assert "localhost" in at.names
    for name in ("rebound.example", "192.168.1.7", "", "localhost.rebound.example"):
        assert name not in at.names


def test_a_table_for_the_house_answers_to_addresses_and_its_own_name_but_to_no_rebound_one() -> None:
    at = Address("0.0.0.0", 8137)
    assert at.is_open
    for name in ("192.168.1.7", "fe80::1", "127.0.0.1", "localhost", socket.gethostname().lower()):
        assert name in at.names
    for name in ("rebound.example", "192.168.1.7.rebound.example", ""):
        assert name not in at.names
    assert at.here == "http://127.0.0.1:8137"
    assert at.house.startswith("http://")
    assert "0.0.0.0" not in at.house
    assert Address("::1", 80).here == "http://[::1]:80"
    assert Address("192.168.1.7", 80).house == Address("192.168.1.7", 80).here == "http://192.168.1.7:80"


def test_a_port_that_is_none_or_taken_is_told() -> None:
    with pytest.raises(WebError, match="--port 99999, expected 0 to 65535"):
        listen("127.0.0.1", 99999)
    with listen("127.0.0.1", 0) as taken, pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", taken.getsockname()[1])

"""The token file, and accepted hosts."""

from pathlib import Path

import pytest

from dehusk.base.errors import OutputError
from dehusk.server.guards import Listening, TokenFile


def test_a_token_is_made_once_and_is_long(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "folder" / "token")
    token = file.token()
    assert len(token) >= 43
    assert file.token() == token
    assert (file.path.stat().st_mode & 0o777, file.path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_token_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "token")
    token = file.token()
    file.path.chmod(0o640)
    assert file.token() != token
    assert file.path.stat().st_mode & 0o777 == 0o600


def test_an_empty_token_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("\n")
    (tmp_path / "token").chmod(0o600)
    assert len(TokenFile(tmp_path / "token").token()) >= 43


def test_a_token_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="file exists; set XDG_DATA_HOME"):
        TokenFile(tmp_path / "file" / "token").renew()


@pytest.mark.parametrize(
    ("host", "asked", "ours"),
    [
        ("127.0.0.1", "127.0.0.1:8377", True),
        ("127.0.0.1", "[::1]:8377", True),
        ("127.0.0.1", "192.168.0.7:8377", False),
        ("::1", "[::1]:8377", True),
        ("box.lan", "box.lan:8377", True),
        ("box.lan", "BOX.lan:8377", True),
        ("box.lan", "other.lan:8377", False),
        ("0.0.0.0", "192.168.0.7:8377", True),  # any IP address may belong to this machine
        ("0.0.0.0", "rebound.example:8377", False),  # a name may resolve to any address
        ("::", "[fe80::1]:8377", True),
        ("127.0.0.1", "", False),
        ("127.0.0.1", ":8377", False),
        ("127.0.0.1", "127.0.0.1:8377:8377", False),
        ("127.0.0.1", "127.0.0.1.:8377", False),
        ("127.0.0.1", "user@127.0.0.1:8377", False),
    ],
)
def test_a_host_is_accepted_by_its_name_and_port(host: str, asked: str, ours: bool) -> None:
    assert Listening(host, 8377).is_for_us(asked) is ours


def test_without_a_port_a_host_has_the_default_port() -> None:
    assert Listening("127.0.0.1", 80).is_for_us("localhost")
    assert Listening("127.0.0.1", 80).is_for_us("[::1]")
    assert not Listening("127.0.0.1", 8377).is_for_us("localhost")


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("box.lan", False)]
)
def test_loopback_addresses_are_recognized(host: str, local: bool) -> None:
    assert Listening(host, 8377).local is local

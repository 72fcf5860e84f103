"""The commands dehusk serve and dehusk mcp; the services themselves are tested in tests/server."""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(("command", "module"), [("serve", "fastapi"), ("serve", "uvicorn"), ("mcp", "mcp")])
def test_without_its_extra_a_command_says_how_to_install_it(tmp_path: Path, command: str, module: str) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from dehusk.cli import main; sys.exit(main([{command!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"XDG_DATA_HOME": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"pip install 'dehusk[{command}]'" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--port", "http"], "'http' is not a port"),
        (["--port", "65536"], "'65536' is not a port"),
        (["--snapshot-days", "-1"], "'-1' is not a number from 0"),
        (["--snapshot-megabytes", "nan"], "'nan' is not a number from 0"),
        (["nowhere"], "nowhere"),
    ],
)
def test_an_invalid_source_to_serve_gives_one_line(run: Run, tmp_path: Path, words: list[str], error: str) -> None:
    code, out, err = run("serve", "--store", tmp_path / "a.store", *words)
    assert code
    assert out == ""
    assert error in err.splitlines()[-1]


def test_a_file_that_is_not_a_store_gives_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("not a store, but a text that is long enough to be mistaken for a database file")
    for command in ("serve", "mcp"):
        code, _, err = run(command, "--store", tmp_path / "diary")
        assert code == 1
        assert "not a store of dehusk" in err


def test_a_service_that_cannot_print_its_address_ends_with_one_line(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m dehusk serve --port 0 --store a.store >&-"
    env = {"XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "dehusk: error: cannot write to standard output: bad file descriptor\n"


def test_a_new_token_replaces_the_old_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tokens = set()
    for _ in range(2):
        code, out, _ = run("serve", "--new-token", "--port", 9000)
        address, _, token = out.strip().partition("#token=")
        assert (code, address) == (0, "http://127.0.0.1:9000/")
        assert (tmp_path / "dehusk" / "token").read_text() == f"{token}\n"
        tokens.add(token)
    assert len(tokens) == 2


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_a_data_folder_that_cannot_be_written_is_one_line_that_says_what_to_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    code, out, err = run(command)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "set XDG_DATA_HOME" in err

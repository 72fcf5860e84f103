"""The installed command: how it starts, which clients it answers, how it stops."""

import hmac
import json
import random
import resource
import signal
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import demo_site
from served import Service, running, start

LARGE = 21_000_000
STYLED = (
    "<title>Styled</title><link rel=stylesheet href=style.css><link rel=stylesheet href=../secret.css>"
    "<main><h1>Styled</h1><p>A page with a style sheet, and a link to one that is none of its business.</main>"
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over the demo site in a folder."""
    folder = tmp_path_factory.mktemp("serve")
    for name, html in demo_site.pages().items():
        file = folder / "tidewater" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html, "utf-8")
    (folder / "tidewater" / "styled.html").write_text(STYLED, "utf-8")
    (folder / "tidewater" / "style.css").write_text("main { color: teal }", "utf-8")
    (folder / "secret.css").write_text("main { color: crimson }", "utf-8")
    with running(folder, folder / "tidewater", "-q") as service:
        yield service


def test_a_folder_is_learned_first_and_is_a_site_of_its_name(service: Service) -> None:
    _, _, (site,) = service.ask("GET", "/api/sites")
    assert (site["site"], site["pages"]) == ("tidewater", len(demo_site.pages()) + 1)


def test_pages_of_a_folder_have_its_style_sheets(service: Service) -> None:
    _, _, listed = service.ask("GET", "/api/sites/tidewater/pages?query=styled.html")
    _, _, view = service.ask("GET", f"/api/sites/tidewater/pages/{listed['pages'][0]['id']}")
    assert "teal" in view["tinted"]
    assert "crimson" not in view["tinted"]


def test_only_the_owner_can_read_the_files(service: Service) -> None:
    service.ask("POST", "/api/visit", {"html": "<p>Visited.", "url": "https://visited.example/"})
    folder = service.folder / "dehusk"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    names = ("dehusk.store", "dehusk.store.pages", "dehusk.store.snapshots", "token")
    assert files == dict.fromkeys(names, 0o600)
    assert (folder / "token").read_text().strip() == service.token


def test_the_service_proves_that_it_knows_the_token_at_the_address_that_was_reached(service: Service) -> None:
    nonce = "0123456789abcdef" * 2
    status, about, answer = service.ask("GET", f"/hello?nonce={nonce}", headers={"Authorization": ""})
    proved = f"dehusk 127.0.0.1:{service.port} {nonce}"
    assert (status, about["cache-control"]) == (200, "no-store")
    assert answer == {"proof": hmac.digest(service.token.encode(), proved.encode(), "sha256").hex()}
    # What the client says that it reached does not matter: it may pass on the question of another.
    for host in (f"localhost:{service.port}", f"[::1]:{service.port}"):
        assert service.ask("GET", f"/hello?nonce={nonce}", headers={"Authorization": "", "Host": host})[2] == answer


@pytest.mark.parametrize(
    "query", ["", "?nonce=", "?nonce=short", f"?nonce={'0' * 65}", "?nonce=%00", f"?nonce={'Z' * 32}"]
)
def test_no_proof_is_given_for_anything_but_a_number(service: Service, query: str) -> None:
    status, _, answer = service.ask("GET", f"/hello{query}", headers={"Authorization": ""})
    assert (status, "proof" in answer) == (422, False)


@pytest.mark.parametrize("given", ["", "Bearer wrong", "Bearer ", "Basic {token}", "{token}", "Bearer {token}x", "é"])
def test_a_wrong_token_is_refused(service: Service, given: str) -> None:
    headers = {"Authorization": given.format(token=service.token)}
    status, about, answer = service.ask("GET", "/api/status", headers=headers)
    assert (status, about["www-authenticate"]) == (401, "Bearer")
    assert "dehusk serve prints it" in answer["error"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "[::1"]
)
def test_a_wrong_host_is_refused(service: Service, host: str) -> None:
    status, _, answer = service.ask("GET", "/api/status", headers={"Host": host.format(port=service.port)})
    assert status == 403
    assert f"wrong Host header; use http://127.0.0.1:{service.port}/" in answer["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_every_name_of_this_machine_is_answered(service: Service, host: str) -> None:
    assert service.ask("GET", "/api/status", headers={"Host": host.format(port=service.port)})[0] == 200


@pytest.mark.parametrize("path", ["/api/status", "/", "/openapi.json", "/hello"])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_request_from_a_web_page_is_refused_even_with_the_token(service: Service, path: str, origin: str) -> None:
    status, about, answer = service.ask("GET", path, headers={"Origin": origin})
    assert status == 403
    assert "refused" in answer["error"]
    assert not [name for name in about if name.startswith("access-control")]


def test_preflight_requests_of_a_web_page_are_refused(service: Service) -> None:
    headers = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
        "Authorization": "",
    }
    status, about, _ = service.ask("OPTIONS", "/api/clean", headers=headers)
    assert status == 403
    assert not [name for name in about if name.startswith("access-control")]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_web_page_may_open_the_schema_and_not_load_it(service: Service, site: str) -> None:
    load = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    assert service.ask("GET", "/openapi.json", headers=load)[0] == 403
    opened = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert service.ask("GET", "/openapi.json", headers=opened)[0] == 200


@pytest.mark.parametrize("origin", ["chrome-extension://abc", "moz-extension://abc", "http://127.0.0.1:{port}"])
def test_the_extension_and_the_viewer_are_answered(service: Service, origin: str) -> None:
    headers = {"Origin": origin.format(port=service.port), "Sec-Fetch-Site": "cross-site"}
    assert service.ask("GET", "/api/status", headers=headers)[0] == 200


@pytest.mark.parametrize("path", ["/api/status", "/api/nothing", "/openapi.json", "/viewer/nothing"])
@pytest.mark.parametrize("token", ["", "{token}"])
def test_every_response_has_security_headers(service: Service, path: str, token: str) -> None:
    _, about, _ = service.ask("GET", path, headers={"Authorization": token and f"Bearer {service.token}"})
    assert about["x-content-type-options"] == "nosniff"
    assert about["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in about["content-security-policy"]
    assert "frame-ancestors 'none'" in about["content-security-policy"]


def test_a_body_that_declares_to_be_too_large_is_refused(service: Service) -> None:
    with closing(socket.create_connection(("127.0.0.1", service.port), timeout=30)) as client:
        client.sendall(head(service, "/api/clean", f"Content-Length: {LARGE}"))
        assert b" 413 " in client.recv(4096).partition(b"\r\n")[0]


def test_a_body_without_a_length_is_refused_when_it_gets_too_large(service: Service) -> None:
    chunk = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"
    with closing(socket.create_connection(("127.0.0.1", service.port), timeout=30)) as client:
        client.sendall(head(service, "/api/clean", "Transfer-Encoding: chunked"))
        for _ in range(LARGE // 0x100000 + 1):
            client.sendall(chunk)
        client.sendall(b"0\r\n\r\n")
        assert b" 413 " in client.recv(4096).partition(b"\r\n")[0]
    assert service.ask("GET", "/api/sites")[0] == 200


def test_a_client_that_sends_too_much_before_reading_gets_the_answer(service: Service) -> None:
    status, _, answer = service.ask("POST", "/api/clean", {"html": "a" * LARGE})
    assert status == 413
    assert "larger than 20 MB" in answer["error"]


def head(service: Service, path: str, *more: str) -> bytes:
    """A request without its body."""
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{service.port}",
        f"Authorization: Bearer {service.token}",
        "Content-Type: application/json",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def test_a_port_in_use_is_reported_before_anything_is_learned(service: Service, tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.html").write_text("<p>A page that need not be learned.")
    with start(tmp_path, tmp_path / "crawl", "--port", service.port) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.count("\n") == 1
    assert f"cannot listen on 127.0.0.1:{service.port}: address already in use" in err
    assert not (tmp_path / "dehusk").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux changes the limits of another process")
def test_a_disk_without_room_is_an_answer_and_the_service_goes_on(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(100_000).hex()
    visit = {"html": f"<main><p>The ferry leaves at seven. {noise}</main>", "url": "https://full.example/"}
    with running(tmp_path, "-q") as service:
        children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
        (worker,) = children.read_text().split()
        _, most = resource.prlimit(int(worker), resource.RLIMIT_FSIZE)
        resource.prlimit(int(worker), resource.RLIMIT_FSIZE, (60_000, most))
        for path, body in (("visit", visit), ("learn", {"pages": [visit]})):
            status, _, answer = service.ask("POST", f"/api/{path}", body)
            assert (status, "with space left" in answer["error"]) == (503, True)
        assert service.ask("POST", "/api/clean", visit)[0] == 200
        resource.prlimit(int(worker), resource.RLIMIT_FSIZE, (most, most))
        assert service.ask("POST", "/api/visit", visit)[2]["first"] is True
        service.process.terminate()
        assert service.process.communicate(timeout=60) == ("", "")


def test_a_new_token_is_valid_at_once_and_the_old_one_is_not(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        with start(tmp_path, "--new-token") as process:
            out, _ = process.communicate(timeout=60)
        token = out.strip().partition("#token=")[2]
        assert process.returncode == 0
        assert token != service.token
        assert service.ask("GET", "/api/status")[0] == 401
        assert service.ask("GET", "/api/status", headers={"Authorization": f"Bearer {token}"})[0] == 200


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_running_request_is_finished_before_the_service_stops(tmp_path: Path, how: signal.Signals) -> None:
    pages = [{"html": html, "url": f"https://stop.example/{name}"} for name, html in demo_site.pages().items()]
    body = json.dumps({"pages": pages}).encode()
    with running(tmp_path) as service, closing(socket.create_connection(("127.0.0.1", service.port))) as client:
        client.sendall(head(service, "/api/learn", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        assert client.recv(4096).startswith(b"HTTP/1.1 100 ")  # the service waits for the body: the request is running
        client.sendall(body)
        service.process.send_signal(how)
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        out, err = service.process.communicate(timeout=60)
        assert (service.process.returncode, out, err) == (0, "", "")


def test_the_processes_of_a_service_that_was_killed_end(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        service.ask("GET", "/api/sites")
        children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
        if not children.exists():
            pytest.skip("this system does not tell the children of a process")
        (worker,) = children.read_text().split()
        service.process.kill()
        for _ in range(3000):
            if not runs(worker):
                return
            time.sleep(0.02)
    pytest.fail("a worker still runs")


def runs(process: str) -> bool:
    """Whether a process is still running."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

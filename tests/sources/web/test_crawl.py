"""Polite and bounded fetching, against a misbehaving server."""

import re
import socket
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from dehusk.base.errors import FetchError, Skipped, UsageError
from dehusk.page import Page
from dehusk.sources.web import bodies, crawl
from dehusk.sources.web.crawl import Fetcher, fetch_all
from loopback import Answer, Server, answer, packed, redirect, serving, trickle

PAGE = "<html><title>Mug</title><p>A mug from the harbour.</p></html>"


@pytest.fixture(scope="module", autouse=True)
def _one_list_of_certificates() -> Iterator[None]:
    """Skips loading certificates, which takes longer than most of these tests."""
    once = httpx.create_ssl_context(trust_env=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx, "create_ssl_context", lambda **_: once)
        yield


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        started.routes["/"] = answer(PAGE)
        yield started


def fetcher(**options: Any) -> Fetcher:
    """A fetcher for loopback without delays."""
    return Fetcher(**{"allow_private": True, "delay": 0, "timeout": 5, **options})


def refused(server: Server, route: Answer, **options: Any) -> str:
    """The reason why a page is not fetched; checks that the next one is."""
    server.routes["/bad"] = route
    with fetcher(**options) as fetch:
        with pytest.raises(FetchError) as caught:
            fetch.fetch(server.url("/bad"))
        assert str(caught.value) == f"{server.url('/bad')}: {caught.value.reason}"
        assert "\n" not in str(caught.value)
        assert fetch.fetch(server.url("/")).html == PAGE.encode()
    return caught.value.reason


def resolve_to(monkeypatch: pytest.MonkeyPatch, table: dict[str, list[str]]) -> list[str]:
    """A fake name server: the answers for each name in turn, then the last one forever. Returns the queries."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        asked.append(host)
        if host not in table:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        address = table[host].pop(0) if len(table[host]) > 1 else table[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr("dehusk.sources.web._network.socket.getaddrinfo", getaddrinfo)
    return asked


def connect_to(monkeypatch: pytest.MonkeyPatch, server: Server) -> list[str]:
    """Redirects all connections to the server. Returns the addresses."""
    addresses: list[str] = []

    def connect(address: tuple[str, int], timeout: float | None = None, **_: object) -> socket.socket:
        addresses.append(address[0])
        connection = socket.socket()
        connection.settimeout(timeout)
        connection.connect(("127.0.0.1", server.port))
        return connection

    monkeypatch.setattr("socket.create_connection", connect)
    return addresses


def test_a_page_knows_where_it_came_from(server: Server) -> None:
    server.routes["/a"] = answer("<p>\xe9".encode("latin-1"), kind="text/html; charset=ISO-8859-1")
    with fetcher() as fetch:
        page = fetch.fetch(server.url("/a#part"))
    assert (page.url, page.name, page.encoding) == (server.url("/a"), server.url("/a#part"), "iso-8859-1")
    assert page.html == b"<p>\xe9"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", page.origin["date"])
    assert page.origin["record"].startswith("<urn:uuid:")


def test_redirects_are_followed_to_the_page(server: Server) -> None:
    server.routes |= {"/a": redirect("b/c?d#e"), "/b/c?d": redirect(server.url("/"))}
    with fetcher() as fetch:
        page = fetch.fetch(server.url("/a"))
    assert (page.name, page.url, page.html) == (server.url("/a"), server.url("/"), PAGE.encode())


def test_a_redirect_loop_is_named(server: Server) -> None:
    server.routes |= {"/a": redirect("/b"), "/b": redirect("/a")}
    a, b = server.url("/a"), server.url("/b")
    assert refused(server, redirect("/a")) == f"redirects in a loop: {a} -> {b} -> {a}"
    assert refused(server, redirect("/bad")).startswith("redirects in a loop")


def test_redirects_without_end_are_not_followed(server: Server) -> None:
    server.routes |= {f"/{n}": redirect(f"/{n + 1}") for n in range(9)}
    assert refused(server, redirect("/0"), max_redirects=3) == "more than 3 redirects"
    assert len(server.pages_asked) == 5


@pytest.mark.parametrize(
    ("location", "why"),
    [("ftp://h/", "only http and https"), ("http://h:1:2/", "not a valid URL")],
)
def test_a_redirect_to_an_unsupported_url_is_refused(server: Server, location: str, why: str) -> None:
    assert why in refused(server, redirect(location))


@pytest.mark.parametrize("head", [answer(Content_Length=900), b""], ids=["in the body", "in the headers"])
def test_a_server_that_sends_byte_after_byte_is_cut_off(server: Server, head: bytes) -> None:
    slow = trickle(b"HTTP/1.1 200 OK\r\n" * 50)

    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        slow(connection)

    assert refused(server, send, max_seconds=1) == "took longer than 1 s"


def test_a_silent_server_is_not_waited_for(server: Server) -> None:
    assert refused(server, trickle(b"..", 3), timeout=1) == "no answer within 1 s"


def test_a_server_that_stops_in_the_middle_is_waited_for_no_longer_than_allowed(server: Server) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(answer(Content_Length=900) + b"<p>")
        time.sleep(3)

    assert refused(server, send, max_seconds=1) == "took longer than 1 s"


def test_unpacking_ends_with_the_time_for_the_answer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(body: bytes, _: int) -> bytes:
        time.sleep(0.2)
        return body

    monkeypatch.setitem(bodies._DECODERS, "gzip", slow)  # no real decompression takes long enough
    sent = answer(Content_Encoding="gzip, gzip, gzip, gzip", Content_Length=4) + b"<p>x"
    assert refused(server, sent, max_seconds=0.5) == "took longer than 0.5 s"


def test_a_page_that_claims_2_gb_is_not_read(server: Server) -> None:
    head = answer(Content_Length=2_000_000_000)
    assert refused(server, server.endless(head, b"x" * 65536)) == "too large"
    assert server.sent < 20_000_000  # the buffers of two sockets hold some bytes


@pytest.mark.parametrize(
    "head",
    [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ids=["plain", "chunked"],
)
def test_a_page_without_end_is_read_up_to_the_limit(server: Server, head: bytes) -> None:
    piece = b"10000\r\n" + b"<" * 65536 + b"\r\n"
    assert refused(server, server.endless(head, piece), max_bytes=1_000_000) == "too large"
    assert server.sent < 20_000_000


def test_a_page_shorter_than_its_length_is_refused(server: Server) -> None:
    assert "broken answer" in refused(server, answer(PAGE, Content_Length=len(PAGE) + 1))


def test_bytes_beyond_the_length_do_not_spoil_the_next_page(server: Server) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(answer(PAGE + answer("poison").decode(), Content_Length=len(PAGE)))
        connection.settimeout(1)
        connection.recv(1)  # waits for another request, or for the client to disconnect

    server.routes["/a"] = send
    with fetcher() as fetch:
        assert [fetch.fetch(server.url(path)).html for path in ("/a", "/")] == [PAGE.encode()] * 2


def test_compressed_pages_are_unpacked(server: Server) -> None:
    server.routes["/a"] = answer(packed(PAGE), Content_Encoding="gzip")
    with fetcher() as fetch:
        assert fetch.fetch(server.url("/a")).html == PAGE.encode()


def test_plain_bytes_declared_as_gzip_are_read(server: Server) -> None:
    server.routes["/a"] = answer(PAGE, Content_Encoding="gzip")
    with fetcher() as fetch:
        assert fetch.fetch(server.url("/a")).html == PAGE.encode()


def test_a_compressed_page_that_is_cut_off_is_refused(server: Server) -> None:
    assert refused(server, answer(packed(PAGE)[:-12], Content_Encoding="gzip")) == "truncated"


def test_a_decompression_bomb_is_not_unpacked(server: Server) -> None:
    bomb = answer(packed(packed(b"\0" * 100_000_000)), Content_Encoding="gzip, gzip")
    tracemalloc.start()
    try:
        assert refused(server, bomb, max_bytes=2_000_000) == "too large"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("route", "why"),
    [
        (answer(b"\x89PNG", kind="image/png"), "not HTML (image/png)"),
        (answer("{}", kind="application/json; charset=utf-8"), "not HTML (application/json)"),
        (answer(b"%PDF-1.7 ..."), "a PDF, not HTML"),
        (answer(b""), "empty"),
        (answer(PAGE, "404 Not Found"), "HTTP 404"),
        (answer(PAGE, "500 Oops"), "HTTP 500"),
        (answer(PAGE, "302 Found"), "HTTP 302"),
        (b"nonsense\r\n\r\n", "broken answer: illegal status line"),
        (b"", "broken answer: Server disconnected without sending a response."),
    ],
)
def test_a_response_that_is_not_a_page_is_refused_with_the_reason(server: Server, route: bytes, why: str) -> None:
    assert refused(server, route).startswith(why)


def test_a_page_without_a_content_type_is_read(server: Server) -> None:
    server.routes["/a"] = answer(PAGE, kind=None)
    with fetcher() as fetch:
        assert fetch.fetch(server.url("/a")).html == PAGE.encode()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "only http and https are fetched"),
        ("file:///etc/passwd", "only http and https are fetched"),
        ("javascript:alert(1)", "only http and https are fetched"),
        ("about.html", "only http and https are fetched"),
        ("http://", "not a valid URL"),
        ("http://a:99999/", "not a valid URL"),
        ("http://[::1/", "not a valid URL"),
        ("http://a\n/", "not a valid URL"),
    ],
)
def test_only_web_addresses_are_fetched(url: str, why: str) -> None:
    with fetcher() as fetch, pytest.raises(FetchError, match=why):
        fetch.fetch(url)


def test_a_host_that_does_not_resolve_is_named(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, {})
    with fetcher() as fetch, pytest.raises(FetchError) as caught:
        fetch.fetch(server.url("/", "mug.invalid"))
    assert caught.value.reason == "host not found: mug.invalid"


def test_a_closed_port_gives_one_line(server: Server) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with fetcher() as fetch, pytest.raises(FetchError, match="cannot connect: Connection refused"):
            fetch.fetch(f"http://127.0.0.1:{unused.getsockname()[1]}/")
    with fetcher() as fetch, pytest.raises(FetchError, match=r"cannot connect: .*(SSL|ssl|reset)"):
        fetch.fetch(server.url("/").replace("http:", "https:"))


# ------------------------------------------------------------------------------------------ addresses


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_this_machine_is_contacted_only_if_allowed(server: Server, host: str) -> None:
    with fetcher(allow_private=False) as fetch, pytest.raises(FetchError, match=r"public address|host not found"):
        fetch.fetch(server.url("/", host))
    assert server.asked == []


def test_a_redirect_from_a_public_host_to_this_machine_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, {"mug.test": ["93.184.216.34"], "127.0.0.1": ["127.0.0.1"]})
    addresses = connect_to(monkeypatch, server)
    server.routes["/a"] = redirect(server.url("/secret"))
    with fetcher(allow_private=False) as fetch, pytest.raises(FetchError) as caught:
        fetch.fetch(server.url("/a", "mug.test"))
    assert caught.value.reason == (
        f"redirected to {server.url('/secret')}: 127.0.0.1 is not a public address; --allow-private permits it"
    )
    assert set(addresses) == {"93.184.216.34"}
    assert server.pages_asked == ["/a"]


def test_the_address_that_was_checked_is_the_one_connected_to(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"mug.test": ["93.184.216.34", "93.184.216.34", "127.0.0.1"]}
    asked = resolve_to(monkeypatch, names)
    addresses = connect_to(monkeypatch, server)
    server.routes["/b"] = answer(PAGE)
    with fetcher(allow_private=False) as fetch:
        assert fetch.fetch(server.url("/", "mug.test")).html == PAGE.encode()
        assert addresses == ["93.184.216.34"] * 2  # for robots.txt and for the page
        assert len(asked) == len(addresses)
        with pytest.raises(FetchError, match=r"127\.0\.0\.1 is not a public address"):
            fetch.fetch(server.url("/b", "mug.test"))
    assert server.pages_asked == ["/"]


def test_proxies_of_the_environment_are_not_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with fetcher() as fetch:
        assert fetch.fetch(server.url("/")).html == PAGE.encode()


# ------------------------------------------------------------------------------------------ politeness


def test_robots_txt_is_read_once_and_obeyed(server: Server) -> None:
    server.routes["/robots.txt"] = answer("User-agent: *\nDisallow: /private", kind="text/plain")
    server.routes["/a"] = answer(PAGE)
    with fetcher() as fetch:
        fetch.fetch(server.url("/"))
        fetch.fetch(server.url("/a"))
        with pytest.raises(FetchError) as caught:
            fetch.fetch(server.url("/private/a"))
    assert caught.value.reason == "robots.txt does not allow it"
    assert server.asked == ["/robots.txt", "/", "/a"]


def test_rules_for_our_user_agent_come_first(server: Server) -> None:
    server.routes["/robots.txt"] = answer("User-agent: *\nDisallow:\n\nUser-agent: dehusk\nDisallow: /", kind=None)
    with fetcher() as fetch, pytest.raises(FetchError, match="does not allow"):
        fetch.fetch(server.url("/"))
    with fetcher(user_agent="mugbot/1.0") as fetch:
        assert fetch.fetch(server.url("/")).html == PAGE.encode()
    assert "User-Agent: mugbot/1.0\r\n" in server.headers[-1]


def test_robots_txt_is_obeyed_along_redirects(server: Server) -> None:
    server.routes |= {"/robots.txt": answer("User-agent: *\nDisallow: /b", kind="text/plain"), "/a": redirect("/b")}
    with fetcher() as fetch, pytest.raises(FetchError, match=r"redirected to .*/b: robots\.txt does not allow it"):
        fetch.fetch(server.url("/a"))


@pytest.mark.parametrize(
    "robots",
    [
        answer("<!DOCTYPE html>\n<pre>\nUser-agent: *\nDisallow: /\n</pre>"),
        answer("\ufeff \n<html>User-agent: *\nDisallow: /", kind="text/plain"),
        answer("User-agent: *\nDisallow: /", "404 Not Found"),
        answer("User-agent: *\nDisallow: /", "403 Forbidden"),
        answer(b"\x00\xff\xfe" * 99, kind="image/png"),
        answer(),
    ],
    ids=["HTML", "HTML called text", "404", "403", "binary", "empty"],
)
def test_an_invalid_robots_txt_allows_everything(server: Server, robots: bytes) -> None:
    server.routes["/robots.txt"] = robots
    with fetcher() as fetch:
        assert fetch.fetch(server.url("/")).html == PAGE.encode()


@pytest.mark.parametrize(
    ("robots", "why"),
    [
        (answer("", "500 Oops"), "its robots.txt cannot be read (HTTP 500); try again later"),
        (answer("", "429 Slowly"), "its robots.txt cannot be read (HTTP 429); try again later"),
        (answer("a" * 1_000_001), "its robots.txt cannot be read (too large); try again later"),
        (redirect("/robots.txt"), "its robots.txt cannot be read (redirects in a loop"),
    ],
)
def test_nothing_is_fetched_from_a_site_whose_robots_txt_fails(server: Server, robots: bytes, why: str) -> None:
    server.routes["/robots.txt"] = robots
    with fetcher() as fetch, pytest.raises(FetchError) as caught:
        fetch.fetch(server.url("/"))
    assert caught.value.reason.startswith(why)
    assert server.pages_asked == []


def test_a_redirected_robots_txt_is_followed(server: Server) -> None:
    server.routes |= {"/robots.txt": redirect("/r"), "/r": answer("User-agent: *\nDisallow: /", kind="text/plain")}
    with fetcher() as fetch, pytest.raises(FetchError, match="does not allow"):
        fetch.fetch(server.url("/"))


@dataclass
class Clock:
    """A clock that advances only by sleeping, and records how long."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def monotonic(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Advances the clock at once."""
        self.now += seconds
        self.slept.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the fetchers of this test."""
    clock = Clock()
    monkeypatch.setattr(crawl, "time", clock)
    return clock


def rest(server: Server, clock: Clock, **options: Any) -> float:
    """The seconds between two requests to the host."""
    server.routes.setdefault("/a", answer(PAGE))
    with fetcher(**options) as fetch:
        list(fetch_all(fetch, [server.url("/a"), server.url("/")]))
    assert server.pages_asked[-2:] == ["/a", "/"]
    return clock.slept[-1]


def test_there_is_a_delay_between_two_pages_of_a_host(server: Server, clock: Clock) -> None:
    assert rest(server, clock, delay=0.3) == pytest.approx(0.3)
    assert rest(server, clock, delay=0) == 0


def test_a_crawl_delay_is_kept_within_bounds(server: Server, clock: Clock) -> None:
    server.routes["/robots.txt"] = answer("User-agent: *\nCrawl-delay: 0.3", kind="text/plain")
    assert rest(server, clock) == pytest.approx(0.3)
    server.routes["/robots.txt"] = answer("User-agent: *\nCrawl-delay: 86400", kind="text/plain")
    assert rest(server, clock) == crawl.MAX_DELAY


def test_the_retry_time_of_a_busy_server_is_kept_within_bounds(server: Server, clock: Clock) -> None:
    server.routes["/a"] = answer("", "503 Busy", Retry_After="7")
    assert rest(server, clock) == 7
    server.routes["/a"] = answer("", "503 Busy", Retry_After="3600")
    assert rest(server, clock) == crawl.MAX_DELAY


def test_requests_have_our_user_agent_and_no_cookies(server: Server) -> None:
    server.routes["/a"] = answer(PAGE, Set_Cookie="id=7")
    with fetcher() as fetch:
        fetch.fetch(server.url("/a"))
        assert fetch.fetch(server.url("/").replace("//", "//user:secret@")).url == server.url("/")
    assert re.search(r"\r\nUser-Agent: dehusk/\d", server.headers[-1])
    assert not re.search("(?i)cookie|authorization|secret|referer", server.headers[-1])


def test_an_invalid_user_agent_is_a_usage_error() -> None:
    for name in ("", "a\r\nb", "möwe"):
        with pytest.raises(UsageError, match="user agent"):
            Fetcher(user_agent=name)


# ------------------------------------------------------------------------------------------ a whole run


def test_a_failure_costs_one_page_and_is_not_tried_again(server: Server) -> None:
    server.routes |= {"/a": answer(PAGE, "500 Oops"), "/b": redirect("/")}
    urls = [server.url(path) for path in ("/", "/a", "/missing", "/b")] + ["mailto:x"]
    with fetcher() as fetch:
        first = list(fetch_all(fetch, urls))
        asked = len(server.asked)
        second = list(fetch_all(fetch, urls))
    assert first[1:] == [
        Skipped(urls[1], "HTTP 500"),
        Skipped(urls[2], "HTTP 404"),
        Skipped(urls[3], "redirects to a page already read"),
        Skipped("mailto:x", "only http and https are fetched"),
    ]
    assert isinstance(first[0], Page)
    assert second[1:] == first[1:]
    assert len(server.asked) == asked


def test_the_number_of_pages_is_limited(server: Server) -> None:
    server.routes |= {"/a": answer(PAGE), "/b": answer(PAGE)}
    urls = [server.url(path) for path in ("/missing", "/", "/a", "/b")]
    with fetcher(max_pages=2) as fetch:
        for _ in range(2):
            items = list(fetch_all(fetch, urls))
            assert [type(item) for item in items] == [Skipped, Page, Page, Skipped]
            assert items[3] == Skipped(urls[3], "not fetched: the limit of 2 pages is reached")
    assert server.pages_asked == ["/missing", "/", "/a"]


def test_downloads_are_bounded_and_obey_robots_txt_too(server: Server) -> None:
    server.routes |= {"/robots.txt": answer("User-agent: *\nDisallow: /b", kind="text/plain"), "/a": redirect("/c")}
    server.routes["/c"] = answer("x" * 100, kind="application/xml")
    with fetcher() as fetch:
        assert fetch.download(server.url("/a"), max_bytes=100) == b"x" * 100
        for path, why in (("/b", "robots"), ("/c", "too large"), ("/d", "HTTP 404")):
            with pytest.raises(FetchError, match=why):
                fetch.download(server.url(path), max_bytes=99)

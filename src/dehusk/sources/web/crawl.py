"""Polite fetching: robots.txt, delays and redirects, one page after the other."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path

import httpx
from protego import Protego

from dehusk.base.errors import FetchError, Skipped, UsageError
from dehusk.page import LARGEST, Page, unusable
from dehusk.sources.web._archive import Archive
from dehusk.sources.web._network import Answer, BadStatus, Network, Refused, Unreachable
from dehusk.sources.web.fetching import DELAY, MAX_PAGES, TIMEOUT

MAX_DELAY = 30.0
"""The longest delay, in seconds, that robots.txt or a busy server can ask for."""

MAX_SECONDS = 60.0
"""Maximum seconds for a whole response."""

MAX_REDIRECTS = 5
"""Maximum number of redirects to follow. RFC 9309 (2.3.1.2) asks for five."""

ROBOTS_BYTES = 1_000_000
"""The largest robots.txt. RFC 9309 (2.5) asks for at least 500 KiB."""

NOT_A_URL = "not a valid URL"

_SHOWN = 80  # characters of a redirect's target that a message shows


class Fetcher(AbstractContextManager["Fetcher"]):
    """Fetches pages for one run, in one thread.

    Fetched pages are stored, so that a source can be read twice: in `keep`, a `.warc.gz` file that later runs read
    too, or in a temporary file. A URL that failed is not tried again in this run.
    """

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        delay: float = DELAY,
        timeout: float = TIMEOUT,
        max_bytes: int = LARGEST,
        max_redirects: int = MAX_REDIRECTS,
        max_pages: int = MAX_PAGES,
        max_seconds: float = MAX_SECONDS,
        allow_private: bool = False,
        keep: Path | None = None,
    ) -> None:
        self.user_agent = f"dehusk/{version('dehusk')}" if user_agent is None else user_agent
        if not (self.user_agent.isascii() and self.user_agent.isprintable() and self.user_agent.strip()):
            raise UsageError(f"{self.user_agent!r} is not a user agent; give printable ASCII")
        self.max_pages = max_pages
        self._delay = delay
        self._max_bytes = max_bytes
        self._max_redirects = max_redirects
        self._given: set[str] = set()
        self._failed: dict[str, str] = {}
        self._robots: dict[str, Protego | str] = {}
        self._ready: dict[str, float] = {}
        self._archive = Archive(keep)
        self._network = Network(
            user_agent=self.user_agent, timeout=timeout, max_seconds=max_seconds, allow_private=allow_private
        )

    def __exit__(self, *exception: object) -> None:
        self._network.close()
        self._archive.close()

    def fetch(self, url: str) -> Page:
        """The page at a URL. Its `name` is the requested URL, its `url` the one after redirects."""
        asked = str(_parsed(url))
        if asked in self._failed:
            raise FetchError(url, self._failed[asked])
        if asked not in self._given and len(self._given) >= self.max_pages:
            raise FetchError(url, f"not fetched: the limit of {self.max_pages} pages is reached")
        try:
            answer = self._follow(url, self._page)
        except Refused as error:
            self._failed[asked] = str(error)
            raise FetchError(url, str(error)) from error
        self._given.add(asked)
        origin = {"record": answer.record, "date": answer.date}
        return Page(answer.body, url=answer.url, name=url, encoding=answer.charset, origin=origin)

    def download(self, url: str, *, max_bytes: int) -> bytes:
        """The bytes at a URL that is not a page. They are neither counted nor stored."""
        try:
            return self._follow(url, lambda target: self._ask(target, max_bytes=max_bytes)).body
        except Refused as error:
            raise FetchError(url, str(error)) from error

    def _page(self, url: httpx.URL) -> Answer:
        if answer := self._archive.get(str(url)):
            return answer
        answer = self._ask(url, max_bytes=self._max_bytes, html=True)
        if not answer.redirect and (why := unusable(answer.body)):
            raise Refused(why)
        self._archive.add(answer)
        return answer

    def _follow(self, url: str, get: Callable[[httpx.URL], Answer]) -> Answer:
        """The response after all redirects."""
        target = _parsed(url)
        passed: list[str] = []
        while True:
            try:
                answer = get(target)
            except Refused as error:
                if passed:
                    error.args = (f"redirected to {target}: {error}",)
                raise
            if not answer.redirect:
                return answer
            passed.append(str(target))
            target = _redirected(target, answer.redirect)
            if str(target) in passed:
                loop = [*passed[passed.index(str(target)) :], str(target)]
                raise Refused(f"redirects in a loop: {' -> '.join(loop)}")
            if len(passed) > self._max_redirects:
                raise Refused(f"more than {self._max_redirects} redirects")

    def _ask(self, url: httpx.URL, *, max_bytes: int, html: bool = False) -> Answer:
        """Sends one request, if robots.txt allows it, after the delay for the host."""
        rules = self._rules(url)
        if isinstance(rules, str):
            raise Refused(rules)
        if not rules.can_fetch(str(url), self.user_agent):
            raise Refused("robots.txt does not allow it")
        rest = max(self._delay, min(rules.crawl_delay(self.user_agent) or 0.0, MAX_DELAY))
        time.sleep(max(0.0, self._ready.get(url.host, 0.0) - time.monotonic()))
        try:
            return self._network.get(url, max_bytes=max_bytes, html=html)
        except BadStatus as error:
            rest = max(rest, min(error.retry_after, MAX_DELAY))
            raise
        finally:
            self._ready[url.host] = time.monotonic() + rest

    def _rules(self, url: httpx.URL) -> Protego | str:
        """The robots.txt of the host, read once; or the reason why nothing may be fetched from the host now."""
        robots = url.copy_with(raw_path=b"/robots.txt")
        if str(robots) not in self._robots:
            self._robots[str(robots)] = self._read_rules(robots)
        return self._robots[str(robots)]

    def _read_rules(self, robots: httpx.URL) -> Protego | str:
        """Follows RFC 9309: a host without robots.txt allows everything, a host that does not answer allows nothing."""
        try:
            answer = self._follow(str(robots), lambda url: self._network.get(url, max_bytes=ROBOTS_BYTES))
            text = answer.body.decode("utf-8", "replace")
        except Unreachable as error:
            return str(error)
        except Refused as error:
            if not (isinstance(error, BadStatus) and error.missing):
                return f"its robots.txt cannot be read ({error}); try again later"
            text = ""
        if text.lstrip("\ufeff \t\r\n").startswith("<"):  # some sites send a page instead of "not found"
            text = ""
        return Protego.parse(text)


def fetch_all(fetcher: Fetcher, urls: Iterable[str]) -> Iterator[Page | Skipped]:
    """Fetches all URLs in order; a URL that fails gives a Skipped. A page that several URLs redirect to comes once."""
    seen: set[str] = set()
    for url in urls:
        try:
            page = fetcher.fetch(url)
        except FetchError as error:
            yield Skipped(url, error.reason)
            continue
        if page.url in seen:
            yield Skipped(url, "redirects to a page already read")
            continue
        seen.add(page.url or url)
        yield page


def requested(address: str, base: httpx.URL | None = None) -> httpx.URL:
    """The URL to request for what a user, a page, a header or a file gives: without fragment and user name.

    Raises Refused for everything that cannot be requested, and nothing else.
    """
    try:
        url = base.join(address) if base else httpx.URL(address)
        if url.scheme not in ("http", "https"):
            raise Refused("only http and https are fetched")
        if not url.host or (url.port or 0) > 0xFFFF:
            raise Refused(NOT_A_URL)
        return url.copy_with(fragment=None, userinfo=b"", raw_path=url.raw_path)
    except (httpx.InvalidURL, ValueError) as error:
        raise Refused(NOT_A_URL) from error


def _parsed(url: str) -> httpx.URL:
    try:
        return requested(url)
    except Refused as error:
        raise FetchError(url, str(error)) from error


def _redirected(base: httpx.URL, location: str) -> httpx.URL:
    try:
        return requested(location, base)
    except Refused as error:
        raise Refused(f"redirects to {location[:_SHOWN]!r}: {error}") from error

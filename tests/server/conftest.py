"""A service with a store in a temporary folder, called without a network, and pages of the demo site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import demo_site
from dehusk.server.answers import ServiceFiles
from dehusk.server.app import ServiceSettings, service
from dehusk.server.guards import Limits, Listening, TokenFile
from dehusk.server.running import private_store
from dehusk.server.snapshots import Snapshots

SITE = "tidewater.example"
ADDRESS = "http://127.0.0.1:8377"

Sent = dict[str, str]


@pytest.fixture(scope="session")
def pages() -> list[Sent]:
    """The pages of the demo site, as sent by a client."""
    return [{"html": html, "url": f"https://{SITE}/{name}"} for name, html in demo_site.pages().items()]


@pytest.fixture(scope="session")
def lantern(pages: list[Sent]) -> Sent:
    """A page of the shop."""
    return next(page for page in pages if page["url"].endswith("/shop/pier-lantern.html"))


def settings_in(folder: Path, limits: Limits | None = None, workers: int = 1) -> ServiceSettings:
    """A service with its files in a folder."""
    store = private_store(folder / "dehusk.store")
    return ServiceSettings(
        ServiceFiles(store, Snapshots(folder / "dehusk.store.snapshots")),
        Listening("127.0.0.1", 8377),
        TokenFile(folder / "token"),
        limits or Limits(),
        workers,
    )


def client_of(settings: ServiceSettings) -> TestClient:
    """A client with the token."""
    token = settings.token.token()
    return TestClient(service(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {token}"})


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> ServiceSettings:
    """One service for all tests of a module."""
    return settings_in(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def client(settings: ServiceSettings) -> Iterator[TestClient]:
    """The client of this service."""
    with client_of(settings) as client:
        yield client


@pytest.fixture(scope="module")
def taught(client: TestClient, pages: list[Sent]) -> TestClient:
    """A client of a service that has learned the demo site."""
    client.post("/api/learn", json={"pages": pages}).raise_for_status()
    return client

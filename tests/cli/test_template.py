"""dehusk template: finds the template of a page through its links, in a folder and over HTTP."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import demo_site

Run = Callable[..., tuple[int, str, str]]
MENU = ("boats", "nets", "ropes", "bells")


def page(name: str, menu: tuple[str, ...] = MENU, more: str = "") -> str:
    """A page of a harbour site with a menu of its sections."""
    items = "".join(f'<li><a href="/{item}.html">All about {item}</a></li>' for item in menu)
    return (
        f"<title>{name}</title><body><ul id=menu>{items}</ul><main><h1>{name}</h1>"
        f"<p>What {name} alone has to say.</p>{more}</main><footer>The harbour office</footer>"
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Four sections that link to each other, and below one of them a page that links to all of them."""
    root = tmp_path / "site"
    (root / "boats").mkdir(parents=True)
    for name in MENU:
        (root / f"{name}.html").write_text(page(name))
    (root / "boats" / "cutter.html").write_text(page("the cutter", more='<a href="../../secret.html">more</a>'))
    (tmp_path / "secret.html").write_text(page("the secret"))
    return root


@pytest.fixture
def server(site: Path) -> Iterator[str]:
    """The site on a local HTTP server."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site))) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()


def one_line(err: str) -> bool:
    return err.startswith("dehusk: error: ") and err.count("\n") == 1


def test_a_file_and_its_neighbours_give_template_content_and_report(run: Run, site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, printed, err = run("template", site / "boats" / "cutter.html", "--root", site, "-o", out)
    assert (code, printed) == (0, "")
    assert err.startswith("4 pages loaded, 3 compared with the key page, ")
    assert err.count("\n") == 1
    assert {file.name for file in out.iterdir()} == {"template.html", "content.html", "report.html"}
    template, content = (out / "template.html").read_text(), (out / "content.html").read_text()
    assert "All about nets" in template
    assert "The harbour office" in template
    assert "the cutter alone" not in template
    assert "the cutter alone" in content
    assert "All about nets" not in content
    assert "The harbour office" not in content
    report = (out / "report.html").read_text()
    assert "boats/cutter.html" in report
    assert "husk-tinted" in report
    assert not any("folder.invalid" in text for text in (template, content, report))


def test_nothing_outside_the_root_is_read(run: Run, site: Path, tmp_path: Path) -> None:
    code, _, err = run("template", site / "boats" / "cutter.html", "--root", site, "-o", tmp_path / "out", "--size", 9)
    assert code == 0
    assert "5 pages loaded, 1 link failed" in err
    assert "the secret" not in (tmp_path / "out" / "report.html").read_text()


def test_without_a_root_the_folder_of_the_key_page_is_the_root(run: Run, site: Path, tmp_path: Path) -> None:
    assert run("template", site / "nets.html", "-o", tmp_path / "out")[0] == 0
    code, _, err = run("template", site / "boats" / "cutter.html", "-o", tmp_path / "out")
    assert code == 1
    assert one_line(err)
    assert "give the folder of the whole site with --root" in err


def test_a_smaller_subdigraph_than_requested_gives_a_warning(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "ropes.html").write_text(page("ropes", menu=("boats",)))
    (site / "bells.html").write_text(page("bells", menu=("boats",)))
    code, _, err = run("template", site / "boats" / "cutter.html", "--root", site, "-o", tmp_path / "out")
    assert code == 0
    warning, summary = err.splitlines()
    assert warning.startswith("warning: ")
    assert "only 2 pages that link to each other were found, not 3" in warning
    assert summary.startswith("5 pages loaded, 1 link failed, 2 compared")


def test_one_neighbour_is_better_than_none(run: Run, site: Path, tmp_path: Path) -> None:
    for name in MENU[1:]:
        (site / f"{name}.html").unlink()
    code, _, err = run("template", site / "boats" / "cutter.html", "--root", site, "-o", tmp_path / "out")
    assert code == 0
    assert "only 1 page was found, not 3" in err
    assert "All about nets" in (tmp_path / "out" / "template.html").read_text()


def test_votes_say_on_how_many_pages_template_is_found_again(run: Run, site: Path, tmp_path: Path) -> None:
    for name in ("boats/cutter", "nets"):
        (site / f"{name}.html").write_text(page(name, more="<p>Ask for the key.</p>"))
    templates = []
    for votes in (1, 3):
        out = tmp_path / f"out{votes}"
        words = ["--size", 4, "--votes", votes, "-q"]
        assert run("template", site / "boats" / "cutter.html", "--root", site, "-o", out, *words) == (0, "", "")
        templates.append("Ask for the key" in (out / "template.html").read_text())
    assert templates == [True, False]


def test_the_same_page_gives_the_same_files(run: Run, site: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run("template", site / "nets.html", "-o", tmp_path / name, "-q") == (0, "", "")
    files = ("template.html", "content.html", "report.html")
    assert all((tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes() for file in files)


@pytest.mark.parametrize("key", ["harbour-mug", "pier-lantern", "pebble-cushion", "harbour-bell"])
def test_the_shop_of_the_demo_site_works_from_any_of_its_products(run: Run, tmp_path: Path, key: str) -> None:
    for name, html in demo_site.pages().items():
        (tmp_path / "demo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "demo" / name).write_text(html, "utf-8")
    out = tmp_path / "out"
    code, _, err = run("template", tmp_path / "demo" / "shop" / f"{key}.html", "--root", tmp_path / "demo", "-o", out)
    assert code == 0
    assert "3 compared with the key page" in err
    assert "warning" not in err
    content, template = ((out / f"{name}.html").read_text("utf-8") for name in ("content", "template"))
    assert "Specification" in template
    assert "One letter a month" in template
    assert "One letter a month" not in content
    assert "You may also like" not in content
    assert demo_site.kernel(f"shop/{key}.html").splitlines()[1] in content  # the price


def test_the_blog_of_the_demo_site_works_from_any_of_its_posts(run: Run, tmp_path: Path) -> None:
    for name, html in demo_site.pages().items():
        (tmp_path / "demo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "demo" / name).write_text(html, "utf-8")
    key = tmp_path / "demo" / "blog" / "counting-gulls.html"
    code, _, err = run("template", key, "--root", tmp_path / "demo", "-o", tmp_path / "out")
    assert code == 0
    assert "pages loaded" in err
    assert "gulls" in (tmp_path / "out" / "content.html").read_text("utf-8")


def test_a_url_is_fetched_with_its_neighbours(run: Run, server: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    url = f"{server}/boats/cutter.html"
    code, _, err = run("template", url, "-o", out, "--allow-private", "--delay", 0, "--timeout", 5)
    assert code == 0
    assert err.startswith("4 pages loaded, 3 compared with the key page, ")
    assert "All about nets" in (out / "template.html").read_text()
    assert "All about nets" not in (out / "content.html").read_text()
    assert 'data-href="../../secret.html"' in (out / "content.html").read_text()  # links of a safe view do not work


def test_links_that_cannot_be_fetched_do_not_stop_the_search(run: Run, site: Path, server: str, tmp_path: Path) -> None:
    (site / "nets.html").unlink()
    url = f"{server}/boats/cutter.html"
    code, _, err = run("template", url, "-o", tmp_path / "out", "--allow-private", "--delay", 0)
    assert code == 0
    assert "4 pages loaded" in err
    assert "3 compared with the key page" in err


@pytest.mark.parametrize(("path", "more"), [("/boats/cutter.html", []), ("/none.html", ["--allow-private"])])
def test_a_key_page_that_cannot_be_fetched_ends_with_1(
    run: Run, server: str, tmp_path: Path, path: str, more: list[str]
) -> None:
    code, _, err = run("template", server + path, "-o", tmp_path / "out", "--delay", 0, *more)
    assert code == 1
    assert one_line(err)
    assert server + path in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "words"), [(None, "no such file"), (b"", "empty"), (b"%PDF-1.7", "a PDF"), (b"<p>alone", "no link")]
)
def test_an_invalid_key_page_or_one_without_links_ends_with_1(
    run: Run, tmp_path: Path, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "key.html").write_bytes(content)
    code, _, err = run("template", tmp_path / "key.html", "-o", tmp_path / "out")
    assert code == 1
    assert one_line(err)
    assert "key.html" in err
    assert words in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["SITE", "-o", "OUT"], "is a folder"),
        (["KEY", "-o", "SITE"], "choose another output"),
        (["KEY", "-o", "OUT", "--root", "SITE/boats"], "is not inside"),
        (["ftp://site.example/", "-o", "OUT"], "only http and https"),
        (["https://site.example/", "-o", "OUT", "--root", "SITE"], "--root is for files"),
        (["KEY", "-o", "OUT", "--size", "3", "--votes", "4"], "--votes 4 is more than --size 3"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(
    run: Run, site: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    places = {"SITE": str(site), "KEY": str(site / "nets.html"), "OUT": str(tmp_path / "out")}
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    code, _, err = run("template", *words)
    assert code == 2
    assert one_line(err)
    assert said in err


@pytest.mark.parametrize("words", [[], ["x"], ["x", "-o", "y", "--size", "0"], ["x", "-o", "y", "--delay", "nan"]])
def test_wrong_arguments_end_with_2(run: Run, words: list[str]) -> None:
    code, _, err = run("template", *words)
    assert code == 2
    assert err.splitlines()[-1].startswith("dehusk: error: ")


def test_an_output_under_a_file_ends_with_1(run: Run, site: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = run("template", site / "nets.html", "-o", tmp_path / "file" / "out")
    assert code == 1
    assert one_line(err)
    assert "a file is in the way" in err


def test_a_template_that_takes_too_long_fails_and_writes_nothing(run: Run, site: Path, tmp_path: Path) -> None:
    for file in site.rglob("*.html"):
        file.write_text(file.read_text("utf-8") + "<p>One more line</p>" * 20_000, "utf-8")
    code, _, err = run("template", site / "nets.html", "-o", tmp_path / "out", "--page-seconds", "0.001")
    assert code == 1
    assert "took more than" in err
    assert not (tmp_path / "out").exists()

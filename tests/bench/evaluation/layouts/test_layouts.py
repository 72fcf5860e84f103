"""Layouts of data sets are recognized by their folders and read with their gold; missing files are skipped."""

import gzip
import json
from pathlib import Path

import pytest

from dehusk.base.errors import Skipped, SourceError, UsageError
from dehusk.bench.evaluation.layouts import Data, open_data
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.page import Page
from gold_pages import WORDS, page, write


def read(data: Data) -> tuple[dict[str, GoldGroup], dict[str, str]]:
    items = list(data.read(data.entries))
    groups = {item.entry.name: item for item in items if isinstance(item, GoldGroup)}
    return groups, {item.name: item.reason for item in items if isinstance(item, Skipped)}


def test_swde_is_read_with_its_fields_by_site(tmp_path: Path) -> None:
    for number in range(3):
        write(
            tmp_path / f"webpages/auto/auto-aol(3)/000{number}.htm",
            '<base href="http://a.b/"/>' + page(f"Car {number}"),
        )
    write(
        tmp_path / "groundtruth/auto/auto-aol-model.txt",
        "auto\taol\tmodel\r\n3\t3\r\n0000\t1\tRed\u2028&amp; fast\r\n0001\t2\tA\tB\r\n\r\n",
    )
    write(tmp_path / "groundtruth/auto/auto-aol-price.txt", "auto\taol\tprice\n3\t1\n0000\t1\t$1\n0001\t1\t<NULL>\n")
    data = open_data(tmp_path)
    groups, skipped = read(data)
    assert data.layout == "swde"
    first, second = groups["auto/aol"].pages
    assert (first.fields, second.fields) == ({"model": ("Red\u2028& fast",), "price": ("$1",)}, {"model": ("A", "B")})
    assert (groups["auto/aol"].entry.category, groups["auto/aol"].entry.site) == ("auto", "aol")
    assert skipped == {"auto-aol(3)/0002.htm": "no gold for it"}


@pytest.mark.parametrize(("pages", "gold", "suffix"), [("orig", "clean", "-cleaned"), ("input", "GoldStandard", "")])
def test_the_wrapper_and_the_gold_marks_of_cleaneval_are_removed(
    tmp_path: Path, pages: str, gold: str, suffix: str
) -> None:
    for number, host in enumerate(("a.example", "a.example", None)):
        wrapped = f'<text id="{number}" title="x" encoding="utf-8">{page("T")}</text>'
        write(tmp_path / pages / f"{number}.html", wrapped)
        url = f"URL: http://{host}/{number}\n" if host else ""
        write(tmp_path / gold / f"{number}{suffix}.txt", f"{url}<h>Title\n\n<p>{WORDS}\n<l>item")
    write(tmp_path / pages / "9.html", page("no gold"))
    groups, skipped = read(open_data(tmp_path))
    assert {name: len(group.pages) for name, group in groups.items()} == {"a.example": 2, "2": 1}
    first = groups["a.example"].pages[0]
    assert first.html == page("T").encode()
    assert (first.text or "").split() == ["Title", *WORDS.split(), "item"]
    assert list(skipped) == [f"{pages}/9.html"]


def test_a_page_of_cleaneval_may_have_any_name(tmp_path: Path) -> None:
    write(tmp_path / "orig/a[1].html", page("T"))
    write(tmp_path / "clean/a[1].txt", f"<p>{WORDS}")
    groups, _ = read(open_data(tmp_path))
    assert [one.text for one in groups["a[1]"].pages] == [WORDS]


def test_cleanportaleval_is_a_set_of_its_own(tmp_path: Path) -> None:
    write(tmp_path / "CleanPortalEval/input/1.html", page("T"))
    write(tmp_path / "CleanPortalEval/GoldStandard/1.txt", "<p>T")
    assert [one.dataset for one in open_data(tmp_path / "CleanPortalEval").entries] == ["cleanportaleval"]


@pytest.mark.parametrize("folder", ["Corrected", "corrected/Corrected"])
def test_dragnet_gold_ends_where_its_comments_begin(tmp_path: Path, folder: str) -> None:
    write(tmp_path / "HTML/1.html", page("T"))
    write(tmp_path / "HTML/2.html", page("T"))
    write(tmp_path / folder / "1.html.corrected.txt", f"{WORDS}\n!@#$%^&*()\nFirst!")
    groups, skipped = read(open_data(tmp_path))
    assert [one.text for one in groups["1"].pages] == [WORDS]
    assert skipped == {"2.html": "no file 2.html.corrected.txt"}


def test_l3s_gold_is_what_the_innermost_span_of_content_says(tmp_path: Path) -> None:
    marked = (
        "<p>menu</p><span class='x-nc-sel1'>Head</span><div><span class='x-nc-sel2'>Body <b>bold</b>"
        "<span class='x-nc-sel4'>Related</span> end</span></div><span class='x-nc-sel5'>Comment</span>"
    )
    write(tmp_path / "original/a.html", page("Head"))
    write(tmp_path / "annotated/a.html", marked)
    write(tmp_path / "original/b.html", page("Head"))
    write(tmp_path / "annotated/b.html", page("Head"))
    groups, skipped = read(open_data(tmp_path))
    assert (groups["a"].pages[0].text or "").split() == ["Head", "Body", "bold", "end"]
    assert skipped == {"b.html": "damaged: the annotated page has no content spans"}


@pytest.mark.parametrize("part", [".", "dev"])
def test_wcxb_has_kind_snippets_and_metadata(tmp_path: Path, part: str) -> None:
    gold = {"main_content": WORDS, "with": ["word1"], "without": ["Home"], "title": "T", "publish_date": "2024-01-02"}
    said = {"url": "https://a.example/1", "_internal": {"page_type": {"primary": "article"}}, "ground_truth": gold}
    for stem in ("0001", "0002", "0003"):
        write(tmp_path / part / "html" / f"{stem}.html.gz", page("T"))
        write(tmp_path / part / "ground-truth" / f"{stem}.json", json.dumps(said))
    (tmp_path / part / "html/0002.html.gz").write_bytes(b"no gzip")
    write(tmp_path / part / "ground-truth/0003.json", "{")
    groups, skipped = read(open_data(tmp_path))
    (only,) = groups["a.example"].pages
    assert (only.kind, only.must, only.must_not, only.title, only.date) == (
        "article",
        ("word1",),
        ("Home",),
        "T",
        "2024-01-02",
    )
    assert only.html == page("T").encode()
    assert [name.rpartition("/")[2] for name in skipped] == ["0002", "0003"]


def test_the_article_benchmark_is_read_by_id(tmp_path: Path) -> None:
    write(tmp_path / "html/abc.html.gz", page("T"))
    write(
        tmp_path / "ground-truth.json",
        json.dumps({"abc": {"articleBody": WORDS, "url": "http://a"}, "def": {"articleBody": ""}}),
    )
    groups, skipped = read(open_data(tmp_path))
    assert [(name, one.pages[0].text) for name, one in groups.items()] == [("abc", WORDS)]
    assert skipped == {"def": "no file def.html.gz"}


@pytest.mark.parametrize(
    ("gold", "said"), [("{", "damaged"), ("[]", "not an object with gold"), (None, "no gold file")]
)
def test_the_article_benchmark_needs_its_file_of_gold(tmp_path: Path, gold: str | None, said: str) -> None:
    if gold is not None:
        write(tmp_path / "ground-truth.json", gold)
    with pytest.raises(SourceError, match=said):
        open_data(tmp_path, layout="articles")


@pytest.mark.parametrize("part", [".", "pl"])
def test_daniel_is_read_by_host_and_language(tmp_path: Path, part: str) -> None:
    for name in ("20120101_www.a.pl_1", "20120102_www.a.pl_2", "20120101_b_c.pl_x"):
        write(tmp_path / part / "html" / name, page("T"))
        write(tmp_path / part / "reference" / name, f"<p>{WORDS}</p>")
    (tmp_path / part / "reference/20120102_www.a.pl_2").unlink()
    groups, skipped = read(open_data(tmp_path))
    named = {name.rpartition("/")[2]: [one.text for one in group.pages] for name, group in groups.items()}
    assert named == {"b_c.pl": [WORDS], "www.a.pl": [WORDS]}
    assert {group.entry.language for group in groups.values()} == {None if part == "." else part}
    assert list(skipped) == ["html/20120102_www.a.pl_2"]


def test_teco_gives_the_key_page_without_its_marks_and_its_siblings(tmp_path: Path) -> None:
    marked = page("Key").replace("<main>", '<main class="wide TECO_notTemplate TECO_mainContent">')
    write(tmp_path / "a.example/index.html", marked)
    write(tmp_path / "a.example/deep/other.html", page("Other"))
    write(tmp_path / "b.example/index.html", page("no marks"))
    data = open_data(tmp_path)
    groups, skipped = read(data)
    key, other = groups["a.example"].pages
    assert data.layout == "teco"
    assert b"TECO" not in key.html
    assert "word1" in (key.text or "")
    assert not other.has_gold
    assert skipped == {"b.example": "no page has the class TECO_notTemplate"}
    tree = Page(key.html).tree
    found = key.template()
    assert found is not None
    assert {tree.tag[node] for node in found} == {"nav", "#text"}
    assert [tree.text[node] for node in sorted(found) if tree.text[node]] == ["Home News"]


def test_what_teco_marks_as_main_content_is_not_template(tmp_path: Path) -> None:
    write(tmp_path / "a/index.html", page("Key").replace("<main>", "<main class=TECO_mainContent>"))
    (key,) = read(open_data(tmp_path))[0]["a"].pages
    tree = Page(key.html).tree
    assert [tree.text[node] for node in sorted(key.template() or ()) if tree.text[node]] == ["Home News"]


def test_a_folder_of_pages_needs_a_selector(tmp_path: Path) -> None:
    write(tmp_path / "a.html", page("A"))
    write(tmp_path / "deep/b.html", page("B"))
    write(tmp_path / "c.html", "<p>nothing</p>")
    groups, skipped = read(open_data(tmp_path, selector="main"))
    (site,) = groups.values()
    assert [(one.name, (one.text or "").split()[0]) for one in site.pages] == [("a.html", "A"), ("deep/b.html", "B")]
    assert skipped == {"c.html": "damaged: the selector main matches nothing"}
    with pytest.raises(SourceError, match="unknown layout of a data set"):
        open_data(tmp_path)
    with pytest.raises(UsageError, match="is not a valid CSS selector"):
        open_data(tmp_path, selector="main[")


def test_our_own_layout_is_read_even_if_folders_are_missing(data: Path) -> None:
    (data / "news/dragnet-example.com/gold/3.txt").unlink()
    (data / "news/dragnet-example.com/pages/4.html").write_bytes(b"\x00\x01\x02binary\x00")
    (data / "products/auto/shop/pages/3.html").write_text("<p>new", "utf-8")
    write(data / "docs/broken/site.json", "{}")
    groups, skipped = read(open_data(data))
    assert {name: len(group.pages) for name, group in groups.items()} == {
        "manual": 2,
        "guide": 1,
        "dragnet-example.com": 5,
        "auto/shop": 2,
        "a.example": 1,
        "1.set.invalid": 1,
    }
    assert list(skipped) == ["docs broken", "dragnet-example.com/3.html", "dragnet-example.com/4.html", "shop/3.html"]
    single = groups["a.example"].pages[0]
    assert (single.kind, single.must, single.date) == ("article", ("word1",), "2024")


def test_manuals_are_a_set_of_their_own_and_recipes_are_single_pages_with_fields(recipes: Path) -> None:
    data = open_data(recipes)
    sets = {entry.dataset: entry.single for entry in data.entries}
    assert sets == {
        "docs": False,
        "manuals": False,
        "news-dragnet": False,
        "products": False,
        "pages-recipes": True,
        "pages-some": True,
    }
    groups, skipped = read(data)
    (guide,) = groups["guide"].pages
    assert (guide.name, guide.selector, (guide.text or "").split()[0]) == ("deep/c.htm", "main", "Title")
    first, _ = groups["kitchen.example"].golden
    assert (first.text, first.kind, first.fields["steps"]) == (None, "recipe", ("Boil the leeks.",))
    assert not skipped


def test_a_damaged_line_or_the_end_of_a_file_costs_no_other_page(data: Path) -> None:
    rows = [json.dumps({"url": f"https://{name}.example/", "html": page(name), "text": WORDS}) for name in "abc"]
    file = write(data / "pages/some.jsonl.gz", "\n".join([rows[0], "{broken", '{"html": "no url"}', *rows[1:]]))
    groups, skipped = read(open_data(data))
    assert {"a.example", "b.example", "c.example"} <= groups.keys()
    assert [name for name in skipped if "line" in name] == ["some.jsonl.gz line 2"]
    file.write_bytes(file.read_bytes()[:-20])
    assert "a.example" in read(open_data(data))[0]


def test_a_damaged_page_costs_no_other_page_of_its_host(data: Path) -> None:
    rows = [json.dumps({"url": f"https://x.example/{name}", "html": page(name), "text": WORDS}) for name in "ab"]
    write(data / "pages/some.jsonl.gz", f"{rows[0]}\n{rows[1][:-9]}\n")
    groups, skipped = read(open_data(data))
    assert [one.name for one in groups["x.example"].pages] == ["https://x.example/a"]
    assert "some.jsonl.gz line 2" in skipped


def test_a_missing_folder_or_an_unknown_layout_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such folder"):
        open_data(tmp_path / "none")
    with pytest.raises(UsageError, match=r"unknown layout 'sdwe'.*did you mean swde"):
        open_data(tmp_path, layout="sdwe")
    with pytest.raises(SourceError, match="no site or page in the layout swde"):
        open_data(tmp_path, layout="swde")


def segments_folder(root: Path) -> None:
    gold = {
        "https://a.example/1": {"file": "a(1).html", "with": ["word1  word2"], "without": ["Home"], "comments": []},
        "https://a.example/2": {"file": "a.2.html", "with": ["word3"], "without": None},
        "https://b.example/": {"file": "b.html", "with": [], "without": []},
        "https://c.example/": {"file": "none.html", "with": ["x"]},
        "https://d.example/": {"file": "../evaldata.json", "with": ["x"]},
        "https://e.example/": {"file": "b.html", "with": "word"},
        "https://f.example/": ["not an object"],
        "https://g.example/": {"with": ["x"]},
    }
    write(root / "evaldata.json", "\ufeff" + json.dumps(gold))
    write(root / "cache/a(1).html", page("T"))
    (root / "eval").mkdir()
    (root / "eval/a.2.html.gz").write_bytes(gzip.compress(page("U").encode()))
    write(root / "eval/b.html", page("B"))


def test_segments_of_trafilatura_are_read_from_both_folders_packed_or_not(tmp_path: Path) -> None:
    segments_folder(tmp_path)
    data = open_data(tmp_path)
    groups, skipped = read(data)
    assert data.layout == "segments"
    assert set(groups) == {"a.example"}
    first, second = groups["a.example"].pages
    assert (first.must, first.must_not, first.url) == (("word1  word2",), ("Home",), "https://a.example/1")
    assert (second.must, second.must_not, second.html) == (("word3",), (), page("U").encode())
    assert skipped == {
        "https://b.example/": "no gold for it",
        "https://c.example/": "no file none.html",
        "https://d.example/": "damaged: '../evaldata.json' is not the name of a file",
        "https://e.example/": "damaged: with is not a list of texts",
        "https://f.example/": "damaged: its gold is not an object",
        "https://g.example/": "damaged: no name of a file",
    }


@pytest.mark.parametrize("gold", ["{", "[]"])
def test_a_damaged_file_of_segments_is_named(tmp_path: Path, gold: str) -> None:
    write(tmp_path / "evaldata.json", gold)
    with pytest.raises(SourceError, match=r"evaldata\.json: (damaged|not an object)"):
        open_data(tmp_path)


@pytest.mark.parametrize("inside", ["", "test_data", "tests/test_data"])
def test_recipes_are_read_by_host_with_ingredients_and_steps(tmp_path: Path, inside: str) -> None:
    folder = tmp_path / inside / "cook.example"
    gold = {"ingredients": [" 1 egg ", "", None], "instructions_list": ["Beat it."], "title": "Egg"}
    write(folder / "egg [1].testhtml", page("Egg"))
    write(folder / "egg [1].json", "\ufeff" + json.dumps(gold))
    (folder / "packed.testhtml.gz").write_bytes(gzip.compress(page("Packed").encode()))
    write(folder / "packed.json", json.dumps({"instructions_list": ["Stir."]}))
    write(folder / "alone.testhtml", page("Alone"))
    write(folder / "empty.testhtml", page("Empty"))
    write(folder / "empty.json", "{}")
    write(folder / "text.testhtml", page("Text"))
    write(folder / "text.json", json.dumps({"ingredients": "1 egg"}))
    write(folder / "list.testhtml", page("List"))
    write(folder / "list.json", "[1]")
    write(tmp_path / inside / "other.example/notes.txt", "no page")
    data = open_data(tmp_path)
    groups, skipped = read(data)
    assert (data.layout, set(groups)) == ("recipes", {"cook.example"})
    egg, packed = groups["cook.example"].pages
    assert egg.fields == {"ingredients": ("1 egg",), "instructions_list": ("Beat it.",)}
    assert (packed.html, packed.fields) == (page("Packed").encode(), {"instructions_list": ("Stir.",)})
    assert skipped == {
        "cook.example/alone": "no file alone.json",
        "cook.example/empty": "no gold for it",
        "cook.example/list": "damaged: its gold is not an object",
        "cook.example/text": "damaged: a field is not a list of texts",
    }


@pytest.mark.parametrize("pages", ["movie", "webpages/movie"])
def test_expanded_swde_has_values_by_label(tmp_path: Path, pages: str) -> None:
    gold = {
        "0000.htm": {"Director:": ["Ann &amp; Co", " "], "topic": "A Film", "empty": []},
        "0001.htm": {"nothing": []},
        "0003.htm": {"not": ["there"]},
        "0004.htm": None,
    }
    (tmp_path / "movie").mkdir()
    (tmp_path / "movie/movie-imdb(3).json.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(gold).encode()))
    for number in (0, 1, 2, 4):
        write(tmp_path / pages / f"movie-imdb(3)/000{number}.htm", page(f"Film {number}"))
    write(tmp_path / "movie/movie-gone(1).json", "{}")
    write(tmp_path / "movie/notes.json", "{}")
    data = open_data(tmp_path)
    groups, skipped = read(data)
    assert (data.layout, set(groups)) == ("expanded-swde", {"movie/imdb"})
    assert groups["movie/imdb"].entry.category == "movie"
    assert [one.fields for one in groups["movie/imdb"].pages] == [{"Director:": ("Ann & Co",), "topic": ("A Film",)}]
    assert skipped == {
        "movie-imdb(3)/0001.htm": "no gold for it",
        "movie-imdb(3)/0002.htm": "no gold for it",
        "movie-imdb(3)/0004.htm": "damaged: its gold is not an object",
        "expanded-swde movie/gone": "damaged: no folder movie-gone(1) of pages",
    }

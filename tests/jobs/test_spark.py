"""Jobs on Spark give the same rows as on one machine, even if workers fail."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import UsageError
from dehusk.core import Learning
from dehusk.jobs import spark
from dehusk.outputs import parquet
from dehusk.page import Page
from dehusk.render.writing import Writing
from dehusk.templates.template import Template

pytest.importorskip("pyspark", reason="needs Spark: make test-spark brings it")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("needs Java 17 or newer", allow_module_level=True)

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import spark_partition_id

import demo_crawl
import spark_cluster
from faulty import OWN_DISKS, may_mount

pytestmark = pytest.mark.timeout(600)  # starting a cluster takes time on a busy machine

JOB = Path(__file__).parents[2] / "examples" / "spark_job.py"
WORDS = [
    "anchor", "bell", "cable", "deck", "ebb", "ferry", "gull", "harbour", "island", "jetty",
    "keel", "lantern", "mast", "net", "oar", "pier", "quay", "rope", "sail", "tide",
    "upwind", "vessel", "wharf", "yard", "zenith", "boat", "crew", "dock", "engine", "fog",
    "gale", "hull", "inlet", "knot", "ledge", "moor", "north", "oyster", "port", "reef",
]  # fmt: skip

Row = dict[str, object]


def prose(drawn: random.Random, words: int) -> str:
    return " ".join(drawn.choices(WORDS, k=words))


def page(site: int, number: int) -> str:
    """A page of a site: menu and footer around its own text. Every site has two kinds of pages."""
    style, drawn = random.Random(f"site {site}"), random.Random(f"page {site} {number}")
    menu = "".join(f"<li><a href='/{word}'>{word} {site}</a></li>" for word in style.sample(WORDS, 8))
    tag, name = style.choice(("div", "section", "article")), style.choice(WORDS)
    footer, aside = prose(style, 15), prose(style, 10)
    if number % 3 == 0:
        menu = "".join(f"<p><a href='/s/{word}'>{word} shop {site}</a></p>" for word in style.sample(WORDS, 9))
        footer = prose(style, 12)
    body = "".join(f"<p>{prose(drawn, 12)}.</p>" for _ in range(drawn.randint(2, 4)))
    return (
        f"<html lang=en><title>{prose(drawn, 3)}</title><body><nav><ul>{menu}</ul></nav>"
        f"<{tag} class={name}><h1>{prose(drawn, 4)}</h1>{body}</{tag}>"
        f"<aside>{aside}</aside><footer><p>{footer}</p></footer></body></html>"
    )


def crawl(sizes: Iterable[int]) -> list[tuple[str, str]]:
    """URLs and pages of sites of these sizes, shuffled. One page in fifty has a copy on its site."""
    pages = []
    for site, size in enumerate(sizes):
        for number in range(size):
            same = number - 7 if number % 50 == 49 else number
            pages.append((f"https://Site{site}.example/{number}", page(site, same)))
    random.Random(1).shuffle(pages)
    return pages


def on_one_machine(pages: Iterable[tuple[str, str | bytes]], **how: Any) -> dict[str, Row]:
    """The expected rows by URL: `dehusk.learn` for each host, and every page cleaned with its template."""
    sites: dict[str, list[Page]] = {}
    for url, html in pages:
        sites.setdefault(url.split("/")[2].lower(), []).append(Page(html, url=url, name=url))
    rows = {}
    for site, found in sites.items():
        learned = dehusk.learn(found, **how)
        for one in found:
            rows[str(one.url)] = {**learned.clean(one).to_dict(site=site), "skipped": None}
    return rows


def rows_of(result: DataFrame) -> dict[str, Row]:
    return {row["url"]: row.asDict() for row in result.collect()}


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in spark_cluster.environment().items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master("local[2]").config(map=spark_cluster.SETTINGS)
        running = builder.config("spark.log.level", "ERROR").getOrCreate()
        yield running
        running.stop()


SMALL = crawl([45, 6, 2, 1])


def test_every_column_is_as_on_one_machine(session: SparkSession) -> None:
    pages = session.createDataFrame([(html, url) for url, html in SMALL], "`the.html` string, address string")
    result = spark.clean_pages(pages, url="address", html="the.html", sample=3)
    rows = rows_of(result)
    assert rows == on_one_machine(SMALL, sample=3)  # 45 pages are more than the sample, so the hashes decide
    assert len(rows) == len(SMALL)
    assert any(row["share_removed"] for row in rows.values())
    assert session.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "64"


@pytest.fixture
def small_is_large(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets low limits: no template is sent to every machine, and a few kilobytes are too much for a partition."""
    monkeypatch.setattr(spark, "FEW_PAGES", 0)
    monkeypatch.setattr(spark, "FEW_TEMPLATES", 0)
    settings = {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "64kb",
        "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64kb",
    }
    for name, value in settings.items():
        session.conf.set(name, value)
    yield
    for name in settings:
        session.conf.unset(name)


@pytest.mark.usefixtures("small_is_large")
def test_a_huge_site_among_many_tiny_ones_is_joined_in_pieces(session: SparkSession) -> None:
    many = [*crawl([600]), *((f"http://tiny{number}.example/", page(number, 0)) for number in range(300))]
    pages = session.createDataFrame([(url, html.encode()) for url, html in many], "url string, html binary")
    result = spark.clean_pages(pages.repartition(8), sample=3).withColumn("piece", spark_partition_id())
    rows = rows_of(result)
    pieces = Counter((row["site"], row.pop("piece")) for row in rows.values())
    assert max(pieces.values()) < 400  # of the 600 pages of one site
    assert rows == on_one_machine(many, sample=3)


def test_a_row_that_is_not_a_page_is_skipped_with_its_reason(session: SparkSession) -> None:
    good = [(url, html.encode()) for url, html in crawl([4])]
    bad = [
        ("http://site0.example/empty", b" "),
        ("http://site0.example/null", None),
        ("http://site0.example/pdf", b"%PDF-1.4"),
        ("http://[broken/", b"<p>whose"),
        (None, b"<p>whose"),
    ]
    pages = session.createDataFrame([*good, *bad], "url string, html binary")
    rows = rows_of(spark.clean_pages(pages, format="markdown"))
    skipped = {url: row["skipped"] for url, row in rows.items() if row["skipped"]}
    assert skipped == {
        "http://site0.example/empty": "empty",
        "http://site0.example/null": "empty",
        "http://site0.example/pdf": "a PDF, not HTML",
        "http://[broken/": "no URL that tells its site",
        None: "no URL that tells its site",
    }
    assert len(rows) == len(good) + len(bad)
    learned = dehusk.learn(Page(html, url=url) for url, html in good)
    for url, html in good:
        assert rows[url]["markdown"] == learned.clean(Page(html, url=url)).markdown


def test_pages_without_addresses_are_one_site(session: SparkSession) -> None:
    raw = [*(page(0, number).encode() for number in range(8)), b"<p>caf\xe9"]
    pages = session.createDataFrame([(html,) for html in raw], "html binary")
    text = pages.selectExpr("cast(html as string) html")  # which may be invalid Unicode
    htmls = [html.decode("utf-8", "replace") for html in raw]
    learned = dehusk.learn(htmls)
    rows = spark.clean_pages(text, url=None).collect()
    assert sorted(row.text for row in rows) == sorted(learned.clean(html).text for html in htmls)
    assert {(row.site, row.url, row.skipped) for row in rows} == {("", None, None)}


def test_templates_can_be_kept_and_used_again(session: SparkSession, tmp_path: Path) -> None:
    pages = session.createDataFrame(SMALL, "url string, html string")
    learned = spark.learn_sites(pages)
    learned.write.parquet(str(tmp_path / "templates"))
    learned.unpersist()
    kept = session.read.parquet(str(tmp_path / "templates"))
    stranger = session.createDataFrame([("http://elsewhere.example/", "<p>Hello")], "url string, html string")
    rows = rows_of(spark.clean_pages(pages.union(stranger), templates=kept))
    assert rows.pop("http://elsewhere.example/")["skipped"] == "no template for elsewhere.example"
    assert rows == on_one_machine(SMALL)
    first = kept.where("site = 'site0.example'").first()
    assert dehusk.Template.from_json(json.loads(first.template)).site == "site0.example"
    with pytest.raises(UsageError, match="leave out sample"):
        spark.clean_pages(pages, templates=kept, sample=3)


def test_invalid_arguments_are_refused_before_the_cluster_is_used(session: SparkSession) -> None:
    pages = session.createDataFrame([("http://a.example/", "<p>", 1)], "url string, html string, number int")
    for options, message in (
        ({"html": "body"}, "no column body; there are url, html, number"),
        ({"html": "number"}, "column number is int; it has to be string or binary"),
        ({"format": "pdf"}, "unknown format 'pdf': choose one of text, markdown"),
        ({"method": "magic"}, "unknown method 'magic'"),
        ({"by": "colour"}, "host or domain"),
        ({"sample": None}, "sample=None"),
        ({"sample": 1}, "sample=1"),
        ({"depth": 3}, "has no option 'depth'"),
    ):
        with pytest.raises(UsageError, match=message):
            spark.clean_pages(pages, **options)


READING = spark._Reading("host", decoded=False, one_site=False)
TEXT = parquet.ParquetRow()


def test_a_site_that_cannot_be_learned_costs_only_its_own_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("too odd")

    monkeypatch.setattr(Learning, "learn", fail)
    batch = pa.table({"url": [b"http://a.example/"], "html": [b"<p>Hello"]})
    learned = spark._learn(("a.example",), batch.to_pandas(), reading=READING, learning=Learning())
    ((site, nothing, problem),) = learned.itertuples(index=False, name=None)
    assert (site, nothing) == ("a.example", None)
    (done,) = spark._clean(batch.to_batches(), reading=READING, row=TEXT, known={site: (nothing, problem)})
    (row,) = done.to_pylist()
    assert row["skipped"] == "the template of a.example could not be learned: ValueError: too odd"
    assert (row["name"], row["site"], row["text"]) == ("http://a.example/", "a.example", None)


def test_rows_have_parts_on_request_and_leave_out_dropped_roles() -> None:
    row = parquet.ParquetRow(parts=True)
    kinds = "role: string, text: string, markdown: string, path: string, kept: boolean, confidence: double"
    assert f"parts array<struct<{kinds}>>" in spark._columns(row)
    packed = spark._packed(json.dumps(Learning().learn([]).to_json()))
    batch = pa.table({"url": [b"http://a.example/"], "html": [b"<h1>Hello</h1><p>Well, hello."]}).to_batches()
    (done,) = spark._clean(
        batch, reading=READING, row=row, writing=Writing(drop=["title"]), known={"a.example": (packed, None)}
    )
    (found,) = done.to_pylist()
    assert found["text"] == "Well, hello.\n"
    assert [(part["role"], part["kept"]) for part in found["parts"]] == [("title", False), ("body", True)]


def test_a_page_that_cannot_be_cleaned_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("too odd")

    monkeypatch.setattr(Template, "clean", fail)
    packed = spark._packed(json.dumps(Learning().learn([]).to_json()))
    batch = pa.table({"url": [b"http://a.example/"], "html": [b"<p>Hello"]}).to_batches()
    (done,) = spark._clean(batch, reading=READING, row=TEXT, known={"a.example": (packed, None)})
    assert done.to_pylist()[0]["skipped"] == "could not be cleaned: ValueError: too odd"


def test_a_template_that_cannot_be_read_costs_only_its_own_pages() -> None:
    packed = spark._packed('{"dehusk": 99}')
    batch = pa.table({"url": [b"http://a.example/"], "html": [b"<p>Hello"]}).to_batches()
    (done,) = spark._clean(batch, reading=READING, row=TEXT, known={"a.example": (packed, None)})
    assert done.to_pylist()[0]["skipped"].startswith("the template of a.example cannot be read: written by a newer")


@pytest.mark.skipif(sys.platform != "linux", reason="memory of processes is read from /proc")
def test_a_cluster_that_loses_a_worker_gives_the_rows_of_one_machine(tmp_path: Path) -> None:
    """5,000 pages of 60 sites, 3,000 of them on one site; a worker is killed when the first part is written."""
    pages = crawl([3000, *(34 if number < 53 else 33 for number in range(59))])
    assert Counter(url.split("/")[2] for url, _ in pages)["Site0.example"] / len(pages) == 0.6
    assert len(pages) == 5000
    table = pa.table({"url": [url for url, _ in pages], "html": [html.encode() for _, html in pages]})
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source, row_group_size=200)

    def parts() -> int:
        return len(list(output.glob("_temporary/0/task_*/*.parquet")))

    peaks: dict[int, int] = {}
    with spark_cluster.cluster(tmp_path / "cluster") as cluster:
        job = [str(JOB), str(source), str(output)]

        def look() -> None:
            peaks.update(spark_cluster.peaks(cluster.processes()))

        with spark_cluster.submitted(cluster, tmp_path / "job.log", *job) as running:
            spark_cluster.until(parts, running, meanwhile=look)
            cluster.lose(cluster.workers[0])
            assert not (output / "_SUCCESS").exists(), "too late to be in the middle"
            spark_cluster.until(lambda: running.poll() is not None, meanwhile=look)
    log = (tmp_path / "job.log").read_text()
    assert running.returncode == 0, log[-3000:]
    assert "5000 pages read, 5000 cleaned, 0 skipped" in log
    assert re.search("Lost (task|executor)", log)
    assert len(peaks) > 2
    print(f"peak of {len(peaks)} Python workers: {max(peaks.values()) / 1e6:.0f} MB")  # noqa: T201  # for the developer
    assert max(peaks.values()) < 400e6
    found = pq.read_table(output).to_pylist()
    rows = {row["url"]: row | {"sources": dict(row["sources"])} for row in found}  # maps are read as pairs
    assert rows == on_one_machine((url, html.encode()) for url, html in pages)


def test_the_example_of_the_docs_runs_on_a_cluster(tmp_path: Path) -> None:
    demo_crawl.jsonl(tmp_path)
    (tmp_path / "first.py").write_text(demo_crawl.examples("spark")[0], "utf-8")
    settings = [word for pair in spark_cluster.SETTINGS.items() for word in ("--conf", "=".join(pair))]
    with spark_cluster.cluster(tmp_path / "cluster") as cluster:
        done = subprocess.run(
            [sys.executable, "first.py"],
            cwd=tmp_path,
            env={
                **spark_cluster.environment(),
                "PYSPARK_SUBMIT_ARGS": shlex.join(["--master", cluster.address, *settings, "pyspark-shell"]),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Row(url='https://tidewater.example/" in done.stdout
    rows = pq.read_table(tmp_path / "text").to_pylist()
    assert {row["url"]: row["text"] for row in rows} == demo_crawl.texts(tmp_path)


ON_A_SMALL_DISK = """mount -t tmpfs -o size=80k none "$0" && "$@"
code=$?
find "$0" -name "*.parquet" -type f
exit $code"""


@pytest.mark.skipif(not may_mount(), reason="needs Linux with user namespaces")
def test_a_full_disk_ends_the_job_with_its_reason_and_no_file_that_looks_complete(tmp_path: Path) -> None:
    """800 pages in many parts do not fit on a disk of 80 kB."""
    pages = crawl([800])
    table = pa.table({"url": [url for url, _ in pages], "html": [html.encode() for _, html in pages]})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=40)
    (tmp_path / "disk").mkdir()
    settings = [word for pair in spark_cluster.SETTINGS.items() for word in ("--conf", "=".join(pair))]
    submit = [str(spark_cluster.HOME / "bin" / "spark-submit"), "--master", "local[1]", *settings]
    job = [*submit, str(JOB), str(tmp_path / "in.parquet"), str(tmp_path / "disk" / "out")]
    words = [*OWN_DISKS, "sh", "-c", ON_A_SMALL_DISK, str(tmp_path / "disk"), *job]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=spark_cluster.environment())
    assert done.returncode == 1, done.stderr[-3000:]
    assert "No space left on device" in done.stderr
    assert "pages read" not in done.stdout
    left = [line for line in done.stdout.splitlines() if line.startswith(str(tmp_path))]
    assert all("/_temporary/" in line for line in left), left  # no part that a reader would take for a result

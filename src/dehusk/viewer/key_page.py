"""What was found out about one page, as files to look at: its template, its content, and a report on both."""

from pathlib import Path

from dehusk import render
from dehusk.files import written_whole
from dehusk.jobs.key_page import Found
from dehusk.viewer.report import Share, choose, report, shown


def write(found: Found, folder: Path) -> Path:
    """Writes template.html, content.html and report.html, and gives the path of the report.

    All of them are made before the first is written.
    """
    key, learned = found.key, found.template
    shares = [
        Share(page.name, None, sum(map(len, page.tree.text)), learned.mark(page).share_removed) for page in found.pages
    ]
    wanted = choose(shares)
    views = [shown(learned.clean(page)) for page in found.pages if page.name in wanted]
    files = {
        "template.html": render.template_html(learned.mark(key)),
        "content.html": render.content_html(learned.mark(key)),
        "report.html": report(key.name, learned, shares, views, learned.clean(key)),
    }
    for name, text in files.items():
        with written_whole(folder / name) as file:
            file.write(text)
    return folder / "report.html"

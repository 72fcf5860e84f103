"""What was found out about one page, as files to look at: its template, its content, and a report on both."""

from pathlib import Path

from dehusk import render
from dehusk.base.files import written_whole
from dehusk.jobs.key_pages import KeyTemplate
from dehusk.server.viewer.report import ShownSite, report_on


def write(found: KeyTemplate, folder: Path) -> Path:
    """Writes template.html, content.html and report.html, and gives the path of the report.

    All of them are made before the first is written. None of them loads anything when it is opened.
    """
    key, learned = found.key, found.template
    marked = learned.mark(key)
    files = {
        "template.html": render.template_html(marked),
        "content.html": render.content_html(marked),
        "report.html": report_on(found.pages, ShownSite(name=key.name, templates=[learned])).html,
    }
    for name, text in files.items():
        with written_whole(folder / name) as file:
            file.write(text)
    return folder / "report.html"

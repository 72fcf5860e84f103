"""An example for each public name of dehusk, for the reference of the Python API. Tests run all of them.

`pages` are pages of a site with URLs, `html` and `old` are two versions of one of them, and the folder crawl/ has the
pages as files.
"""

EXAMPLES = {
    "table": """
table = dehusk.table(pages)  # what differs between the pages
print([column.name for column in table.columns])
print(table.rows[0])
""",
    "Table": """
table = dehusk.table(pages)
table.to_csv("table.csv")
print(len(table), len(table.others))
""",
    "Chunk": """
for chunk in dehusk.clean(html).chunks(size=800):
    print(chunk.path, chunk.size, chunk.text)
""",
    "Link": """
for link in dehusk.clean(html).links:
    print(link.role, link.pagination, link.url)
""",
    "learn": """
template = dehusk.learn(pages)  # or Path("crawl/"), or a list of HTML
print(template)
""",
    "clean": """
cleaned = dehusk.clean(html)  # one page, without others of its site
print(cleaned.text)
""",
    "load": """
dehusk.learn(pages).save("site.husk")
template = dehusk.load("site.husk")
print(template.method, template.pages)
""",
    "diff": """
diff = dehusk.diff(old, html, dehusk.learn(pages))
print(diff.verdict, diff.summary)
""",
    "time_limit": """
with dehusk.time_limit(10):  # seconds of processor time
    print(dehusk.clean(html).metadata.title)
""",
    "Job": """
result = dehusk.Job("crawl/", "text.jsonl", jobs=1).run()
print(result.cleaned, result.skipped)
""",
    "Store": """
with dehusk.Store("sites.store") as store:
    store.add(pages)
    for site in store.sites():
        print(site, store.template(site))
""",
    "Template": """
template = dehusk.learn(pages)
for cleaned in template.clean_many(pages):
    print(cleaned.page.name, round(template.fit(cleaned.page), 2))
""",
    "Cleaned": """
cleaned = dehusk.learn(pages).clean(html)
print(cleaned.kind, cleaned.quality, cleaned.share_removed)
print(cleaned.markdown)
""",
    "Page": """
page = dehusk.Page(html, url="https://site.example/lamp")
print(dehusk.clean(page).url)
""",
    "Part": """
for part in dehusk.clean(html).parts:
    if part.kept:
        print(part.role, part.text)
""",
    "Removed": """
for gone in dehusk.learn(pages).clean(html).removed:
    print(gone.path, gone.reason, gone.confidence)
""",
    "Marking": """
marking = dehusk.learn(pages).mark(html)
print(marking.share_removed, marking.warnings)
""",
    "Metadata": """
metadata = dehusk.clean(html).metadata
print(metadata.title, metadata.authors, metadata.date, metadata.sources)
""",
    "Role": """
for role in dehusk.Role:
    print(role, "-", role.meaning)
""",
    "Writing": """
writing = dehusk.Writing(keep=["comment"], images="drop", base_url="https://site.example/")
print(dehusk.clean(html, writing=writing).markdown)
""",
    "Edit": """
edit = dehusk.Edit.new("body > nav.crumbs", keep=True, why="readers want to see where they are")
print(dehusk.learn(pages).edited(edit).clean(html).text)
""",
    "Diff": """
diff = dehusk.diff(old, html)
print(diff.headline)
print(diff.json)
""",
    "Change": """
for change in dehusk.diff(old, html).changes:
    print(change.kind, change.path, change.before, change.after)
print("that is all")
""",
    "Verdict": """
verdict = dehusk.diff(old, html).verdict
print("nothing has changed" if verdict is dehusk.Verdict.NOTHING else verdict)
""",
    "PageWarning": """
cleaned = dehusk.clean(html)
if dehusk.PageWarning.ONE_PAGE in cleaned.warnings:
    print("give it more pages of the site")
""",
    "DehuskError": """
try:
    dehusk.load("missing.husk")
except dehusk.DehuskError as error:
    print(error)
""",
    "UsageError": """
try:
    dehusk.learn(pages, method="magic")
except dehusk.UsageError as error:
    print(error)
""",
    "SourceError": """
try:
    dehusk.Job("empty.warc.gz", "text.jsonl").run()
except dehusk.SourceError as error:
    print(error)
""",
    "TemplateError": """
try:
    dehusk.load("missing.husk")
except dehusk.TemplateError as error:
    print(error)
""",
    "OutputError": """
try:
    dehusk.learn(pages).save("crawl/")
except dehusk.OutputError as error:
    print(error)
""",
    "FetchError": """
try:
    dehusk.clean(url="http://127.0.0.1/")  # private addresses are not fetched
except dehusk.FetchError as error:
    print(error.url, error.reason)
""",
    "SlowError": """
try:
    with dehusk.time_limit(0.001):
        while True:
            dehusk.clean(html).text
except dehusk.SlowError as error:
    print(error)
""",
}

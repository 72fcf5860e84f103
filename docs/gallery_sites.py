"""Ten small sites of different kinds, written for the gallery: each has one template and a few pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_PAGE = """<!DOCTYPE html><html lang="{lang}" dir="{dir}"><head><meta charset="utf-8"><title>{title} - {name}</title>
<style>body{{margin:0;font:15px/1.5 {font};color:#222;background:#fff}}header,footer{{background:{dark};color:#fff;padding:14px 24px}}
header b{{font-size:20px;margin-inline-end:24px}}a{{color:{dark}}}header a,footer a{{color:#fff;margin-inline-end:14px}}.cols{{display:flex;gap:28px;padding:18px 24px}}
main{{flex:1;min-width:0}}aside{{width:210px;background:{pale};padding:10px 16px;font-size:14px}}aside ul{{padding-inline-start:18px}}
table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;padding:4px 10px;text-align:start}}pre{{background:#f3f3f3;padding:10px;overflow:auto}}
.ad{{background:#fff4c2;border:1px dashed #c90;padding:10px;margin:14px 0;text-align:center}}.post{{border:1px solid #ddd;padding:8px 14px;margin:10px 0}}.post small{{color:#777}}
.crumbs{{font-size:13px;padding:8px 24px 0}}</style></head><body>
<header><b>{name}</b><nav style="display:inline">{menu}</nav></header>
<nav class="crumbs"><a href="/">{home}</a> / <a href="/all">{section}</a></nav>
<div class="cols">{left}<main><h1>{title}</h1>{body}</main>{right}</div>
<footer>{footer} <a href="/imprint">{legal}</a></footer></body></html>"""


@dataclass(frozen=True, slots=True)
class GallerySite:
    """A site: its look, what its pages share, and the title and content of each page."""

    kind: str
    name: str
    menu: Sequence[str]
    side: Sequence[str]
    pages: Mapping[str, str]
    colours: tuple[str, str] = ("#234", "#eef2f6")
    extra: str = ""
    """What every page has between its content and the end, such as an advertisement."""
    sides: str = "right"
    lang: str = "en"
    words: tuple[str, str, str, str] = ("Home", "All pages", "Most read", "Imprint and privacy")
    font: str = "system-ui, sans-serif"

    def html(self) -> dict[str, str]:
        """The pages as HTML, by name."""
        home, section, most, legal = self.words
        items = "".join(f'<li><a href="/side/{n}">{escape(item)}</a></li>' for n, item in enumerate(self.side))
        aside = f"<aside><h3>{most}</h3><ul>{items}</ul></aside>"
        shared = {
            "lang": self.lang,
            "dir": "rtl" if self.lang == "ar" else "ltr",
            "name": self.name,
            "font": self.font,
            "dark": self.colours[0],
            "pale": self.colours[1],
            "menu": "".join(f'<a href="/menu/{n}">{escape(item)}</a>' for n, item in enumerate(self.menu)),
            "home": home,
            "section": section,
            "legal": legal,
            "left": aside if self.sides == "left" else "",
            "right": aside if self.sides == "right" else "",
            "footer": f"© {self.name}.",
        }
        return {
            f"page-{number}.html": _PAGE.format(**shared, title=title, body=body + self.extra)
            for number, (title, body) in enumerate(self.pages.items())
        }


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def _table(rows: Mapping[str, str]) -> str:
    return f"<table>{''.join(f'<tr><th>{key}</th><td>{value}</td></tr>' for key, value in rows.items())}</table>"


def _list(tag: str, *items: str) -> str:
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"


def _post(who: str, text: str) -> str:
    return f'<div class="post"><small>{who} wrote:</small><p>{text}</p></div>'


_AD = '<div class="ad">Advertisement: sail to the islands for half the price. <a href="/ad">Book now</a></div>'
_COMMENTS = '<section class="comments"><h2>Comments</h2><p><b>{}</b>: {}</p></section>'

NEWS = GallerySite(
    "article",
    "The Harbour Times",
    ["Town", "Sea", "Weather", "Sports", "Opinion"],
    ["Ferry late again", "New bells for the tower", "Five walks along the quay", "Subscribe for a month"],
    {
        "The old lighthouse gets a new lamp": _paragraphs(
            "The lamp of the old lighthouse was replaced on Tuesday, after ninety years. Two keepers carried the glass up the stairs, piece by piece, because the lift of the tower is too small.",
            "The new lamp needs a tenth of the power, and its light can be seen from a distance of thirty miles. Fishermen had asked for it since the fog of last winter.",
            "The old lamp will be shown in the museum. Its glass was made by hand, and no workshop in the country could make another one today.",
        )
        + _COMMENTS.format("Ann", "I will miss the old light."),
        "A seal moves into the inner harbour": _paragraphs(
            "A young seal has lived between the fishing boats for a week now. It sleeps on the slipway in the morning and follows the boats out when they leave at noon.",
            "The harbour master has closed the slipway until the end of the month. He asks visitors to keep thirty steps away, and not to feed the animal.",
            "Biologists of the station think that it was separated from its mother by the storm, and that it will leave when the herring do.",
        )
        + _COMMENTS.format("Ben", "Saw it on Sunday, so nice."),
        "Council votes for a roof over the fish market": _paragraphs(
            "The fish market will have a roof of wood and glass by next summer. The council decided on Monday, with nine votes against four, after a debate of three hours.",
            "Opponents feared for the view of the church. The architect moved the roof back by two metres, and drew it lower than the houses behind it.",
            "Until then the market will be held in the old net loft, which the fishermen offered for nothing.",
        )
        + _COMMENTS.format("Cleo", "About time, it always rains."),
        "Regatta ends with a rare tie": _paragraphs(
            "Two boats crossed the line in the same second at the end of the autumn regatta. The judges looked at the film for an hour and then gave both of them the cup.",
            "The crews will keep it for six months each. It is the first tie since the race began, and the rules did not say what to do.",
            "In third place came a boat that the pupils of the sailing school had built themselves, in two winters.",
        )
        + _COMMENTS.format("Dan", "What a race!"),
    },
    ("#16324f", "#e8eef4"),
    _AD,
)
SHOP = GallerySite(
    "product",
    "Slipway Shop",
    ["Boats", "Ropes", "Lamps", "Sale"],
    ["Basket: 0 items", "Free returns", "Gift cards", "Newsletter: five percent off"],
    {
        name: _paragraphs(text)
        + _table({"Price": price, "Maker": maker, "Weight": weight, "Delivery": days})
        + '<p><button>Add to basket</button></p><h3>Others bought</h3><ul><li><a href="/p/7">Brass hook</a></li><li><a href="/p/8">Tar soap</a></li></ul>'
        for name, text, price, maker, weight, days in (
            (
                "Anchor of forged iron",
                "A small anchor for open boats, forged in one piece. It holds well in sand and mud, and folds flat.",
                "£64.00",
                "Hollis and Daughter",
                "4.2 kg",
                "two days",
            ),
            (
                "Rope of Manila hemp",
                "Three strands of Manila hemp, laid by hand on a walk of two hundred metres. It swells when wet, and grips.",
                "£18.50",
                "The Old Ropewalk",
                "1.1 kg",
                "one day",
            ),
            (
                "Signal lamp",
                "A lamp with a shutter for signals, as pilots used it until the sixties. It burns paraffin for nine hours.",
                "£112.00",
                "Quay Works",
                "2.8 kg",
                "one week",
            ),
            (
                "Oilskin coat",
                "A long coat of waxed cotton with a collar that closes over the chin. The seams are sewn twice and taped.",
                "£149.00",
                "Northerly",
                "1.9 kg",
                "three days",
            ),
        )
    },
    ("#5b2333", "#f6eef0"),
)
FORUM = GallerySite(
    "forum",
    "Boat Builders' Forum",
    ["New posts", "Members", "Search", "Log in"],
    ["Rules of the forum", "Who is online: 14 guests", "Wooden boats", "Engines"],
    {
        "How to seal a leaking plank?": _post(
            "oakum",
            "My dinghy leaks at the third plank, about a cup in an hour. The wood is sound, I think. Should I caulk it or wait until it swells?",
        )
        + _post(
            "marlin",
            "Leave it in the water for two days first. A dry plank always leaks, and if you caulk it too hard it will crack when it swells.",
        )
        + _post("oakum", "Two days it was. Not a drop any more, thank you!"),
        "Which paint below the waterline?": _post(
            "tarpot",
            "I have an old cutter with red lead below the waterline. What do you use now that it is not sold any more?",
        )
        + _post(
            "marlin",
            "A grey primer on bare wood, then two coats of whatever the fishermen of your harbour use. They know what grows there.",
        )
        + _post("keel", "And do not sand red lead without a mask, please."),
        "Bent frames broke in the steam box": _post(
            "keel",
            "Three of eight frames broke at the turn of the bilge. Green oak, an hour for each inch. What did I do wrong?",
        )
        + _post(
            "oakum",
            "Look at the grain: if it runs out at the side, it will always break there. Choose straight pieces and bend faster, you have ten seconds.",
        )
        + _post("keel", "The second lot came out fine. It was the grain."),
        "Is a two stroke engine worth repairing?": _post(
            "spark", "My engine of 1978 starts only when it is warm. Is it worth the trouble, or shall I buy a new one?"
        )
        + _post(
            "tarpot", "Clean the points and change the coil first, that costs nothing. Mine ran for ten more years."
        )
        + _post("spark", "It was the coil. It starts on the first pull now."),
    },
    ("#2d4a22", "#eff4ec"),
    "<form><textarea>Write a reply</textarea><button>Send</button></form>",
    "left",
)
MANUAL = GallerySite(
    "documentation",
    "tide 2.4 manual",
    ["Guide", "Reference", "Download"],
    ["Installing", "Stations", "Tables", "Moon", "Errors", "Index"],
    {
        f"tide.{name}": _paragraphs(text)
        + f"<pre>{code}</pre>"
        + f"<h2>Arguments</h2>{_table(arguments)}"
        + f"<h2>See also</h2><p>{also}</p>"
        for name, text, code, arguments, also in (
            (
                "heights",
                "Returns the heights of the water at a station for one day, as a list with a value for each hour.",
                "heights = tide.heights(&quot;quay&quot;, day=12)\nprint(max(heights))",
                {"station": "the name of a station", "day": "the day of the year, from 1"},
                "The function <code>tide.highs</code> returns the highest values only.",
            ),
            (
                "highs",
                "Returns the times of high water at a station. A day has one or two of them.",
                "for time in tide.highs(&quot;quay&quot;):\n    print(time)",
                {"station": "the name of a station", "zone": "the time zone, else that of the station"},
                "The moon explains why the times move: see <code>tide.moon</code>.",
            ),
            (
                "moon",
                "Returns the phase of the moon as a number from 0 (new) to 1 (new again).",
                "if tide.moon(day=200) == 0.5:\n    print(&quot;full moon&quot;)",
                {"day": "the day of the year, from 1", "year": "the year, else this year"},
                "Spring tides follow the full moon by two days.",
            ),
            (
                "station",
                "Loads a station from a file with its constants. Raises an error if the file is damaged.",
                "quay = tide.station(&quot;quay.json&quot;)\nprint(quay.latitude)",
                {"path": "the file", "strict": "whether unknown constants are errors"},
                "The chapter on tables has the format of the file.",
            ),
        )
    },
    ("#3a3a6a", "#efeff7"),
    '<p><a href="/prev">Previous</a> | <a href="/next">Next</a></p>',
    "left",
)
RECIPES = GallerySite(
    "recipe",
    "Galley Kitchen",
    ["Soups", "Fish", "Bread", "Sweets"],
    ["Our cookery course", "Ten soups for winter", "Follow us", "Cook books"],
    {
        name: _paragraphs(text)
        + "<h2>Ingredients</h2>"
        + _list("ul", *things)
        + "<h2>Steps</h2>"
        + _list("ol", *steps)
        + '<p><a href="/print">Print</a> <a href="/share">Share</a> <a href="/rate">Rate this recipe</a></p>'
        for name, text, things, steps in (
            (
                "Harbour soup",
                "A soup of what the boats bring in, with fennel and a little saffron.",
                ("500 g white fish", "1 bulb of fennel", "2 potatoes", "1 pinch of saffron"),
                (
                    "Cut the fennel and the potatoes into small cubes.",
                    "Simmer them in a litre of water for twenty minutes.",
                    "Add fish and saffron, and wait for five minutes more.",
                ),
            ),
            (
                "Rye bread with seeds",
                "A dark bread that keeps for two weeks on board.",
                ("400 g rye flour", "100 g sunflower seeds", "350 ml water", "150 g sour dough"),
                (
                    "Stir everything together in the evening.",
                    "Leave the dough in its tin for the night.",
                    "Bake it for an hour and let it rest for a day.",
                ),
            ),
            (
                "Herring with apples",
                "Salted herring, sweetened with apples and cream.",
                ("4 salted herrings", "2 apples", "1 onion", "200 ml cream"),
                (
                    "Soak the herrings in water for an hour.",
                    "Cut apples and onion into thin slices.",
                    "Mix all with the cream and leave it in the cold.",
                ),
            ),
            (
                "Plum duff",
                "A pudding that was boiled in a cloth, and still is.",
                ("250 g flour", "150 g dried plums", "100 g suet", "2 eggs"),
                (
                    "Knead everything to a soft dough.",
                    "Tie it into a floured cloth.",
                    "Boil it for three hours, and serve it hot.",
                ),
            ),
        )
    },
    ("#8a3b12", "#fbf1ea"),
    _AD,
)
BLOG = GallerySite(
    "blog",
    "Letters from a small boat",
    ["Home", "Archive", "About me"],
    ["A week without wind", "My favourite knots", "Recent comments", "Feeds"],
    {
        "The night watch": _paragraphs(
            "I like the watch from two to four best. Nobody speaks, the compass glows, and the coast is a row of lights that move so slowly that I count them twice.",
            "Last night a bird sat on the boom until the morning. It looked at me, I looked at it, and at sunrise it was gone.",
        ),
        "Mending a sail by hand": _paragraphs(
            "The tear ran from the second reef to the leech, as long as my arm. I sewed it with the flat stitch that my aunt taught me, forty stitches to a hand.",
            "It took the whole afternoon. The sail will not win a prize, but it held in the squall this morning.",
        ),
        "An island that is not on the chart": _paragraphs(
            "At low water there is a bank of sand west of the point, white and flat, with a dozen seals on it. The chart has three metres of water there.",
            "I wrote to the office that makes the charts. They answered with a form of nine pages.",
        ),
        "What I eat when it rolls": _paragraphs(
            "Rice, an egg, and the pickles from the blue jar. One bowl, one spoon, and the pot stays in the sink.",
            "On calm days I bake. On days like today I am glad that I can hold the bowl.",
        ),
    },
    ("#444", "#f4f4f0"),
    "",
    "right",
    font="Georgia, serif",
)
LISTING = GallerySite(
    "listing",
    "Quay Jobs",
    ["Find a job", "For employers", "Advice"],
    ["Set a job alert", "Upload your CV", "Salary calculator"],
    {
        f"Jobs in {town}": "".join(
            f'<div class="post"><h3><a href="/job/{n}">{job}</a></h3><p>{text}</p></div>'
            for n, (job, text) in enumerate(jobs)
        )
        + '<p><a href="?page=2">Next page</a></p>'
        for town, jobs in {
            "Port Arrin": (
                ("Rigger", "Splice, measure and fit rigging for boats up to twenty metres."),
                ("Net maker", "Mend trawls in a team of six, with the harbour in front of the window."),
                ("Cook on a ferry", "Two hundred meals a day, and every night at home."),
            ),
            "Saltholm": (
                ("Lock keeper", "Open and close the lock for forty boats a day, and keep the book."),
                ("Boat builder", "Build dinghies of larch on oak, from the lofting to the paint."),
            ),
            "Northquay": (
                ("Pilot", "Bring ships of any size through the narrows, in all weathers."),
                ("Crane driver", "Load timber and grain with the big crane of the east pier."),
                ("Teacher of navigation", "Teach adults in the evening, with chart, compass and patience."),
            ),
            "Eelmouth": (
                ("Diver", "Inspect piles and hulls down to thirty metres."),
                ("Smoker of fish", "Keep three ovens at the right heat from four in the morning."),
            ),
        }.items()
    },
    ("#0b5d66", "#e9f3f4"),
)
WIKI = GallerySite(
    "encyclopedia",
    "Knotpedia",
    ["Random article", "Recent changes", "Help", "Log in"],
    ["Main page", "All articles", "Tools", "What links here", "Cite this page"],
    {
        name: f"<table style='float:right;margin:0 0 8px 16px'><tr><th colspan=2>{name}</th></tr><tr><th>Kind</th><td>{kind}</td></tr><tr><th>Strength</th><td>{strength}</td></tr></table>"
        + _paragraphs(first)
        + f"<h2>Use</h2>{_paragraphs(use)}"
        for name, kind, strength, first, use in (
            (
                "Bowline",
                "loop",
                "65 percent",
                "The bowline is a knot that makes a fixed loop at the end of a rope. It is easy to tie and untie, also after a heavy load.",
                "Sailors tie it into the clew of a sail and around a bollard. Climbers have largely replaced it by the figure of eight, which is easier to check.",
            ),
            (
                "Clove hitch",
                "hitch",
                "60 percent",
                "The clove hitch is two turns around a pole, the second crossed over the first. It holds under a steady pull.",
                "Fenders are hung with it. It may slip on a smooth pole, and jams when it is wet.",
            ),
            (
                "Sheet bend",
                "bend",
                "55 percent",
                "The sheet bend joins two ropes of different thickness. The thicker rope makes the bight, the thinner one passes around it.",
                "Nets are made of it, knot by knot: then it is called the mesh knot.",
            ),
            (
                "Reef knot",
                "binding",
                "45 percent",
                "The reef knot binds a rope around something. It consists of two overhand knots, of opposite hands.",
                "It ties reefed sails, parcels and bandages. It must never be used to join two ropes that carry a load.",
            ),
        )
    },
    ("#5a5a5a", "#f6f6f6"),
    "",
    "left",
    font="Georgia, serif",
)
ARABIC = GallerySite(
    "article in Arabic",
    "أخبار الميناء",
    ["المدينة", "البحر", "الطقس", "الرياضة"],
    ["العبارة تتأخر مرة أخرى", "أجراس جديدة للبرج", "اشترك في النشرة"],
    {
        "مصباح جديد للمنارة القديمة": _paragraphs(
            "تم استبدال مصباح المنارة القديمة يوم الثلاثاء بعد تسعين عاما من الخدمة، وحمل حارسان الزجاج قطعة قطعة على الدرج.",
            "يحتاج المصباح الجديد إلى عشر الطاقة فقط، ويمكن رؤية ضوئه من مسافة ثلاثين ميلا.",
        ),
        "فقمة صغيرة في الميناء الداخلي": _paragraphs(
            "تعيش فقمة صغيرة بين قوارب الصيد منذ أسبوع، وتنام في الصباح على المنحدر وتتبع القوارب عند الظهر.",
            "أغلق مدير الميناء المنحدر حتى نهاية الشهر، ويطلب من الزوار عدم إطعام الحيوان.",
        ),
        "سقف جديد لسوق السمك": _paragraphs(
            "سيكون لسوق السمك سقف من الخشب والزجاج في الصيف القادم، هكذا قرر المجلس يوم الاثنين بعد نقاش طويل.",
            "حتى ذلك الحين يقام السوق في مخزن الشباك القديم الذي قدمه الصيادون مجانا.",
        ),
        "تعادل نادر في سباق القوارب": _paragraphs(
            "عبر قاربان خط النهاية في الثانية نفسها، وشاهد الحكام الفيلم لمدة ساعة ثم منحوا الكأس لكليهما.",
            "سيحتفظ كل فريق بالكأس ستة أشهر، وهذا أول تعادل منذ بداية السباق.",
        ),
    },
    ("#6b4e16", "#f8f3e8"),
    "",
    "right",
    "ar",
    ("الرئيسية", "كل الصفحات", "الأكثر قراءة", "حقوق النشر والخصوصية"),
)
SERVICE = GallerySite(
    "service",
    "Port Authority",
    ["Permits", "Berths", "Fees", "Contact"],
    ["Opening hours", "Forms", "Careers", "Accessibility"],
    {
        name: _paragraphs(text)
        + "<h2>What you need</h2>"
        + _list("ul", *needs)
        + f"<h2>What it costs</h2>{_paragraphs(cost)}"
        for name, text, needs, cost in (
            (
                "Apply for a berth",
                "Boats that stay for more than three nights need a berth. You can apply for one at any time; the list is public.",
                ("the papers of the boat", "an insurance", "a photograph"),
                "A berth costs four pounds a day for each metre. Pupils pay half.",
            ),
            (
                "Register a boat",
                "Boats of more than five metres, and all boats with an engine, are registered. You get a number and a plate.",
                ("proof that the boat is yours", "the number of the engine"),
                "The registration costs thirty pounds, and is valid for ten years.",
            ),
            (
                "Report a wreck",
                "Tell us when you see a wreck, a drifting net or a container. We mark the place and warn all ships.",
                ("the position", "the time", "a telephone number"),
                "A report costs nothing. If you recover something, half of its value is yours.",
            ),
            (
                "Rent the slipway",
                "The slipway can be rented for half a day. A crane lifts boats of up to twelve tons.",
                ("the weight of the boat", "two helpers"),
                "Half a day costs sixty pounds, and the crane twenty more.",
            ),
        )
    },
    ("#1f3d7a", "#eaeff8"),
)
SITES = (NEWS, BLOG, SHOP, RECIPES, FORUM, MANUAL, LISTING, WIKI, ARABIC, SERVICE)
"""All sites of the gallery, in its order."""

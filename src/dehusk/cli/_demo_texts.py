"""The words, drawings and style sheets of the demo site: a shop and a blog of an invented town.

Everything here is data.  Post bodies and product descriptions are written in a very small markup that
`demo_site` turns into HTML; blocks are separated by blank lines, and an indented line continues an item:

* `## heading`, `- bullet`, `1. step`, `> quotation`;
* `| cell | cell |`, the first row being the head of the table;
* a fenced code block (without blank lines inside);
* `!scene | alternative text | caption` for a picture;
* anything else is a paragraph, with `*emphasis*`, `` `code` `` and `[text](path from the site's root)`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Product:
    """One article of the shop."""

    slug: str
    name: str
    category: str
    price: str
    maker: str
    material: str
    rating: str
    tint: str
    specs: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Author:
    """Someone who writes for the blog."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Post:
    """One post of the blog."""

    slug: str
    title: str
    section: str
    author: str
    published: str
    tags: tuple[str, ...]
    teaser: str
    text: str
    lang: str = "en"
    direction: str = "ltr"


CATEGORIES = {
    "galley": "Galley & Table",
    "wool": "Wool & Linen",
    "light": "Lamps & Candles",
    "deck": "Deck & Garden",
}

# Pairs of categories that go together, in both directions.
COMPANIONS = {"galley": "light", "light": "galley", "wool": "deck", "deck": "wool"}

SECTIONS = {
    "crafts": "Crafts",
    "kitchen": "Kitchen",
    "harbour": "Harbour life",
    "notebook": "Notebook",
}

SPEC_LABELS = ("Material", "Weight", "Size", "Care", "Made in", "Ships within")

POTTERY = "Hollin Strand Pottery"
BOATHOUSE = "Number Nine Boathouse"
IRONWORKS = "Old Slip Ironworks"
WEAVERS = "Ropewalk Row Weavers"
CHANDLER = "Cask Lane Candleworks"

PRODUCTS = (
    Product(
        slug="harbour-mug",
        name="Harbour Mug",
        category="galley",
        price="€18.00",
        maker=POTTERY,
        material="Stoneware",
        rating="4.7",
        tint="#2f7f86",
        specs=("Stoneware, lead-free glaze", "380 g", "9 × 10 cm", "Dishwasher safe", "Tidewater", "2 days"),
        text="""
A mug with a low centre of gravity, first thrown for a ferry crew who were tired of mopping up. The base is
twice as thick as the rim, so it stays where you put it even when the table does not.

The glaze is mixed from local clay and copper filings and comes out of the kiln a slightly different green
every time. Holds a generous three hundred millilitres and fits two cold hands.
""",
    ),
    Product(
        slug="galley-bowls",
        name="Nesting Galley Bowls",
        category="galley",
        price="€54.00",
        maker=POTTERY,
        material="Stoneware",
        rating="4.9",
        tint="#b5683c",
        specs=("Stoneware, matt glaze", "1.9 kg", "12 to 20 cm", "Dishwasher safe", "Tidewater", "4 days"),
        text="""
Three bowls that live inside one another and take up the room of a single one. The small bowl is right for
olives, the middle one for porridge, and the large one for a salad that has to feed whoever turns up.

Each foot is left unglazed and sanded smooth, so nothing scratches when you stack them in a hurry.
""",
    ),
    Product(
        slug="half-tide-board",
        name="Half-Tide Bread Board",
        category="galley",
        price="€39.50",
        maker=BOATHOUSE,
        material="Ash",
        rating="4.5",
        tint="#c08a4a",
        specs=("Ash, oiled", "1.2 kg", "42 × 24 × 2 cm", "Wipe and oil twice a year", "Tidewater", "3 days"),
        text="""
Cut from planks that were too short for a dinghy and too good for the stove. A shallow curve along one side
catches the crumbs, and a hole at the end lets the board hang from any hook in the kitchen.

One side carries a burnt line at the height of half tide in the boathouse, for no better reason than that the
carpenter likes it there.
""",
    ),
    Product(
        slug="quayside-kettle",
        name="Quayside Kettle",
        category="galley",
        price="€72.00",
        maker=IRONWORKS,
        material="Enamelled steel",
        rating="4.4",
        tint="#c2452d",
        specs=("Steel, double enamel", "1.1 kg", "1.8 litres", "Rinse and dry", "Port Arrin", "1 week"),
        text="""
Broad at the bottom, narrow at the top and quick on any flame. The whistle has two notes, a third apart, and
can be tilted away if somebody is still asleep.

The handle stays cool because it is wound with the same tarred cord the ironworks uses for its tools. Chips
in the enamel are repaired free of charge for as long as the foundry stands.
""",
    ),
    Product(
        slug="fog-bank-blanket",
        name="Fog Bank Blanket",
        category="wool",
        price="€128.00",
        maker=WEAVERS,
        material="Lambswool",
        rating="4.8",
        tint="#7b8fa1",
        specs=("Lambswool, undyed", "1.4 kg", "140 × 200 cm", "Wash cold, dry flat", "Tidewater", "1 week"),
        text="""
Six natural greys run into each other without a visible seam, the way the morning does in November. The yarn
is spun loosely and brushed once, which traps plenty of air and keeps the weight down.

Long enough for a tall sleeper, wide enough for two on a bench. The fringe is knotted by hand on the last
Friday of the month, when the looms are quiet.
""",
    ),
    Product(
        slug="swimmers-towel",
        name="Swimmer's Towel",
        category="wool",
        price="€34.00",
        maker=WEAVERS,
        material="Linen",
        rating="4.6",
        tint="#3b6ea5",
        specs=("Linen, waffle weave", "420 g", "90 × 160 cm", "Machine wash warm", "Tidewater", "2 days"),
        text="""
A towel for people who walk to the water and back. It rolls up to the size of a loaf, dries on a railing
within the hour and does not carry half the beach home with it.

A loop in each corner means it can be tied to a fence as a windbreak. New linen is a little stiff; after five
washes it turns soft, and after fifty you will not lend it to anyone.
""",
    ),
    Product(
        slug="net-loft-apron",
        name="Net Loft Apron",
        category="wool",
        price="€46.00",
        maker=WEAVERS,
        material="Cotton canvas",
        rating="4.3",
        tint="#44624a",
        specs=("Cotton canvas, waxed", "510 g", "One size", "Brush, do not wash", "Tidewater", "3 days"),
        text="""
Copied, with permission, from the aprons worn by the last net menders in the loft above the market. Two deep
pockets for twine, one narrow one for a needle or a pencil, and straps that cross at the back so that nothing
pulls on the neck.

The wax keeps out fish scales, paint and rain. Where it wears thin, rub in a little more and warm it with a
hair dryer.
""",
    ),
    Product(
        slug="pebble-cushion",
        name="Pebble Cushion",
        category="wool",
        price="€42.00",
        maker=WEAVERS,
        material="Felted wool",
        rating="4.1",
        tint="#8d7f78",
        specs=("Felted wool, spelt husk", "900 g", "45 × 38 cm", "Spot clean only", "Tidewater", "5 days"),
        text="""
From across the room it looks like a boulder; from close by it looks like a boulder somebody has been kind to.
The cover is felted in one piece over a wooden form, so there is no seam to sit on.

Inside are spelt husks, which rustle softly and take the shape of whatever leans on them. No two cushions have
the same outline, and we cannot reserve a particular one.
""",
    ),
    Product(
        slug="pier-lantern",
        name="Pier Lantern",
        category="light",
        price="€89.00",
        maker=IRONWORKS,
        material="Galvanised steel",
        rating="4.8",
        tint="#d39a2d",
        specs=("Steel, glass panes", "1.6 kg", "16 × 34 cm", "Dust with a cloth", "Port Arrin", "1 week"),
        text="""
The lantern that hangs on every third post of the long pier, made a size smaller for the garden table. It
burns lamp oil or, with the insert provided, an ordinary tea light.

The glass slides upward for lighting and locks with a quarter turn. Wind from any side is led around the
flame by two collars, so it leans a little and then stands up again.
""",
    ),
    Product(
        slug="low-water-candle",
        name="Low Water Candle",
        category="light",
        price="€16.50",
        maker=CHANDLER,
        material="Rapeseed wax",
        rating="4.2",
        tint="#5f9e8f",
        specs=("Rapeseed wax, cotton wick", "310 g", "8 × 9 cm", "Trim wick to 5 mm", "Tidewater", "2 days"),
        text="""
Smells of wet stone, samphire and the inside of an old boat shed, which is more pleasant than it sounds. The
scent is faint on purpose and never wins against dinner.

Burns for about forty hours. When it is finished, pour warm water into the glass, lift out the metal foot and
use what remains as a tumbler.
""",
    ),
    Product(
        slug="beacon-night-light",
        name="Beacon Night Light",
        category="light",
        price="€58.00",
        maker=BOATHOUSE,
        material="Lime wood",
        rating="4.7",
        tint="#d0563f",
        specs=("Lime wood, milk paint", "640 g", "11 × 26 cm", "Dust with a cloth", "Tidewater", "5 days"),
        text="""
A small turned lighthouse for people who are afraid of the dark and for those who have to get up and comfort
them. Twist the roof and the lamp comes on; twist further and it dims itself over twenty minutes.

It charges from any telephone plug and runs for nine nights. The stripes are painted freehand, so please
expect the occasional wobble.
""",
    ),
    Product(
        slug="ropewalk-doormat",
        name="Ropewalk Doormat",
        category="deck",
        price="€64.00",
        maker=WEAVERS,
        material="Manila rope",
        rating="4.6",
        tint="#a9824f",
        specs=("Manila rope, tarred twine", "3.2 kg", "75 × 45 cm", "Hose down", "Tidewater", "1 week"),
        text="""
Forty metres of mooring line, retired from the ferry after ten winters and knotted into a mat that shrugs off
mud. The pattern is an ocean plait, worked around a frame of nails that has not moved since the workshop
opened.

Heavy enough to stay put in a gale. It smells faintly of tar for the first month, and visitors tend to ask
about it.
""",
    ),
    Product(
        slug="cockle-basket",
        name="Cockle Basket",
        category="deck",
        price="€48.00",
        maker=BOATHOUSE,
        material="Willow",
        rating="4.5",
        tint="#8a6d3b",
        specs=("Willow, ash handle", "850 g", "38 × 28 × 22 cm", "Rinse and dry", "Tidewater", "4 days"),
        text="""
Woven open at the bottom so that sand and water fall through, and tight at the sides so that nothing else
does. Cocklers carry it on the hip; everyone else uses it for windfalls, laundry or logs.

The handle is steamed ash and turns on two wooden pins. Should one break, we post you a new pin and a drawing
of how to fit it.
""",
    ),
    Product(
        slug="harbour-bell",
        name="Harbour Bell",
        category="deck",
        price="€95.00",
        maker=IRONWORKS,
        material="Brass",
        rating="4.9",
        tint="#b8892b",
        specs=("Cast brass", "2.3 kg", "14 × 18 cm", "Polish, or let it darken", "Port Arrin", "2 weeks"),
        text="""
Cast in sand from the mould of the bell that opens the Sunday market. It sounds a clear, slightly flat A,
carries across two gardens and brings children home from further than that.

Supplied with a bracket, four screws and a short lanyard finished in a star knot. Leave it outdoors: salt air
turns the brass brown in a year and green in ten.
""",
    ),
)

AUTHORS = {
    "quill": Author("Mara Quillfeather", "Mara keeps the net loft open and writes about work done by hand."),
    "pennant": Author("Odo Pennant", "Odo cooks for the ferry crew and measures nothing he can taste."),
    "tarrow": Author("Ines Tarrow", "Ines looks after the town archive and its two leaking skylights."),
    "sedge": Author("Bram Sedgeling", "Bram repairs radios, counts birds and writes short programs."),
}

POSTS = (
    Post(
        slug="tarring-a-fence",
        title="Tarring a fence the harbour way",
        section="crafts",
        author="quill",
        published="2022-04-09",
        tags=("wood", "spring", "outdoors"),
        teaser="One dry weekend, one old brush and a fence that will outlast its owner.",
        text="""
A fence near salt water has two enemies: the wind, which you cannot do much about, and the damp, which you
can. Our grandparents answered the damp with pine tar, and so far nobody in town has found a better reply.

!boat | A small boat with a red sail passing a calm shore | Tar weather: dry, still and not too warm.

## What you need

- two litres of pine tar for every ten metres of fence
- one litre of raw linseed oil
- a stiff brush that you will never use for anything else
- old clothes, and a neighbour who does not mind the smell

## Steps

1. Wait for three dry days in a row. Tar on wet wood peels within the year.
2. Brush off moss and loose fibres, working from the top down.
3. Warm the tar in a bucket of hot water and stir in the oil until it runs like syrup.
4. Paint thinly along the grain, and pay attention to the cut ends.
5. Come back after a week and do it again.

## Notes

The first summer the fence will be brown and sticky, and cats will avoid it. By autumn it turns a soft black.
Plan to repeat the work every six years, or whenever rain stops forming beads on the rails.
""",
    ),
    Post(
        slug="mending-a-net-bag",
        title="Mending a net bag in ten minutes",
        section="crafts",
        author="quill",
        published="2022-06-18",
        tags=("twine", "repair"),
        teaser="A hole in a shopping net is a small sorrow and an easy repair.",
        text="""
Nets tear where they are loved most: at the bottom, under the potatoes. Do not throw the bag away. The knot
that closes the hole is the same one that made the bag, and your hands will remember it after the third try.

## What you need

- cotton twine of the same thickness
- a netting needle, or a flat stick with a notch at each end
- small scissors

## Steps

1. Trim the hole until every broken loop ends in a whole knot.
2. Tie the twine to the upper left knot and lead it down to the next loop.
3. Pinch the loop, throw the twine over to the left, pass the needle behind and pull tight.
4. Work across, then back, keeping every mesh as wide as two fingers.
5. Finish on a whole knot and leave a tail as long as your thumb.

> A good mend is not invisible. It is merely in no hurry to be noticed.

## Notes

If the bag is beyond saving, keep its handles: they make an excellent pair of curtain ties. For heavier loads
a [cockle basket](shop/cockle-basket.html) is the wiser choice.
""",
    ),
    Post(
        slug="tide-table-in-five-lines",
        title="A tide table in five lines",
        section="notebook",
        author="sedge",
        published="2022-09-03",
        tags=("python", "tides", "arithmetic"),
        teaser="The sea is complicated, but a cosine gets you surprisingly far.",
        text="""
The printed tide table costs as much as a loaf of bread and is always in the other coat. For planning a walk
on the sands I use five lines of Python instead. They know nothing of storms or of the moon's finer moods,
yet they are rarely wrong by more than a hand's breadth.

```
from math import cos, pi
def height(hours: float, mean: float = 2.4, swing: float = 1.9) -> float:
    return mean + swing * cos(2 * pi * hours / 12.42)
for hour in range(0, 24, 2):
    print(f"{hour:02}:00 {height(hour):4.1f} m")
```

The number `12.42` is the time in hours between one high water and the next. `mean` is the middle level on the
harbour gauge, and `swing` is half the difference between high and low.

## Steps

1. Read the gauge at high water and note the time.
2. Read it again at low water, six hours and a bit later.
3. Put the average into `mean` and half the difference into `swing`.
4. Count the hours from your high water, not from midnight.

## Notes

Correct the starting time once a week. *Never* use this for a boat with a keel: the sands forgive a wet sock,
but the bar at the harbour mouth forgives nothing.
""",
    ),
    Post(
        slug="reading-the-mast",
        title="Reading the signal mast",
        section="harbour",
        author="tarrow",
        published="2022-11-12",
        tags=("signals", "weather", "history"),
        teaser="Four baskets, two lamps and a town that still looks up before going out.",
        text="""
On the knoll behind the customs house stands a mast with two yards and no ship. It has told the town about
the weather since before there was a newspaper, and although everybody now owns a telephone, everybody still
looks.

The code is older than the mast. A page in the archive, stained with what I hope is tea, lists the signals
much as they are given today:

| Signal | By day | By night | Meaning |
| Calm | One basket, low | White lamp | Go where you like |
| Fresh wind | One basket, high | White over white | Small boats stay inside |
| Gale | Two baskets | Red lamp | Nobody leaves |
| Fog | Basket and drum | Red over white | Ring the bell |

The drum is a wicker cylinder covered with sailcloth. It was added after a winter in which fog and gale were
mistaken for each other twice in one week, with the loss of a good deal of paint and one engagement.

> When both lamps are dark, the keeper has gone to bed, and so should you.

## Notes

The mast can be visited on the first Saturday of the month. Children may hoist a basket under supervision,
which explains the unusual number of gale warnings on those afternoons.
""",
    ),
    Post(
        slug="the-ferry-that-stayed",
        title="The ferry that stayed",
        section="harbour",
        author="tarrow",
        published="2023-01-21",
        tags=("ferry", "history"),
        teaser="How a worn-out boat became the town's favourite waiting room.",
        text="""
When the new ferry arrived, painted and punctual, the old one was sold for scrap to a yard across the bay.
On the morning of her departure she would not start. A mechanic was called, then a second one, and then the
entire engineering class of the evening school. The engine turned over politely and did nothing else.

By the end of the week the yard had lost patience and sent back the papers. The council, which had already
spent the money on benches, decided to put the benches inside.

> She carried us for fifty years. The least we can do is to sit in her for a while.

So the mayor spoke, or so the minutes claim; others remember a shorter sentence and a longer sigh. In any
case the boat has been the waiting room ever since. There is a stove in the wheelhouse, a shelf of swollen
paperbacks along the port side, and a visitors' book in which travellers record how long they waited and
whether they minded.

Last spring an apprentice cleaned a fuel line for practice and, without thinking, pressed the starter. The
engine caught at once. He let it run for a minute, switched it off, told nobody but me, and asked me to keep
it quiet. I have changed the season, so I think I may print it.
""",
    ),
    Post(
        slug="mackerel-on-rye",
        title="Smoked mackerel on rye",
        section="kitchen",
        author="pennant",
        published="2023-03-04",
        tags=("fish", "bread", "quick"),
        teaser="The crew's favourite breakfast, ready before the ramp is down.",
        text="""
The first crossing leaves at a quarter to six, and nobody wants to see a frying pan at that hour. This is
what the crew eats instead, standing up, out of one hand, with the other hand on the rail.

## What you need

- two smoked mackerel fillets, skin removed
- four slices of dark rye bread, a day old
- three spoonfuls of thick yoghurt
- one sharp apple and half a lemon
- a bunch of dill and some black pepper

## Steps

1. Flake the fish with a fork and pull out any bones you meet.
2. Grate the apple coarsely and squeeze the lemon over it at once, so that it stays pale.
3. Fold apple, yoghurt and chopped dill into the fish. Stop before it turns into a paste.
4. Toast the bread on one side only and pile the mixture on the soft side.
5. Grind pepper over the top until somebody tells you to stop.

## Notes

The mixture keeps for two days in a closed bowl. It is also good in a baked potato, but then you will need
both hands. Serve with strong tea in a [mug that stays put](shop/harbour-mug.html).
""",
    ),
    Post(
        slug="the-lamp-stairs",
        title="Two hundred and eleven steps",
        section="harbour",
        author="tarrow",
        published="2023-05-27",
        tags=("lighthouse", "walks"),
        teaser="What you pass on the way up the lighthouse, counted and explained.",
        text="""
The lighthouse has two hundred and eleven steps. The guidebook says two hundred and ten, but its author
skipped the one outside the door, which is worn so deep that it holds a puddle until June.

!lighthouse | A striped lighthouse on a green headland at sunset | The tower from the east path, an hour
  before dusk.

Up to step forty the wall is whitewashed and covered with pencil marks. Each mark is the height of a
keeper's child, with a date; the tallest belongs to a girl who later joined the merchant fleet and signed on
as a boy.

At step ninety there is a window the size of a book. On clear days it frames the ruined jetty exactly, and
it is said that the builder's sweetheart lived there. The accounts mention only that a bigger pane was too
expensive.

Between one hundred and thirty and one hundred and fifty the stairs are made of iron, because a barrel of
oil once rolled down and took the stone ones with it. Walk softly here. The iron hums, and the hum can be
heard in the lamp room, where the keeper uses it to judge how many cups to put out.

The last step is painted red. Beyond it there is nothing to explain: you simply look.
""",
    ),
    Post(
        slug="counting-gulls",
        title="Counting gulls with a text file",
        section="notebook",
        author="sedge",
        published="2023-07-15",
        tags=("birds", "shell", "records"),
        teaser="Six years of sea birds, one comma at a time.",
        text="""
I have counted birds from the end of the long pier since I was given a pair of binoculars instead of a
bicycle. The first years are in pencil. The last six are in a text file, one sighting per line: date, time,
species, number.

```
2023-05-02,06:40,herring gull,14
2023-05-02,06:55,oystercatcher,3
2023-05-02,07:10,sandwich tern,9
```

Such a file asks for no program and will still open when I am old. To see which species turns up most often,
one line in the shell is enough:

```
cut -d, -f3 birds.csv | sort | uniq -c | sort -rn | head -5
```

The result for last year was no surprise to anyone who has ever eaten chips out of doors:

| Species | Sightings | Best month |
| Herring gull | 212 | August |
| Oystercatcher | 147 | March |
| Sandwich tern | 96 | May |
| Turnstone | 61 | October |

## Notes

Write down the days on which you saw nothing, too. An empty line looks like laziness, but it is the only way
to tell an absent bird from an absent observer.
""",
    ),
    Post(
        slug="market-hall-in-winter",
        title="The market hall in winter",
        section="harbour",
        author="pennant",
        published="2023-10-28",
        tags=("market", "winter", "food"),
        teaser="Who sells what, where the warm pipe runs, and when to come for soup.",
        text="""
From November on, the stalls move indoors. The hall is as cold as a cellar and twice as loud, and I would
not miss it for the world. Regulars know that a heating pipe runs along the north wall; that is why the
cheese is in the south and the conversation in the north.

!market | Market stalls with striped awnings beside the water | The outdoor stalls on their last Sunday of
  the year.

## What you need

- a basket with a lid, since the roof drips
- small change, since nobody will thank you for a banknote
- gloves without fingers

## When to come

| Day | Hours | Best for |
| Tuesday | 8 to 12 | Roots, cabbages, gossip |
| Thursday | 14 to 18 | Bread from the second oven |
| Sunday | 7 to 13 | Fish, soup, music |

The soup stands at the end of row C and changes every week. Last Sunday it was parsnip with smoked eel,
ladled by two brothers who have not spoken to each other for years and work together perfectly.

## Notes

Bring your own bowl and the second helping is free. If the doors are frozen, knock at the side entrance and
say that you have come about the draught.
""",
    ),
    Post(
        slug="uha-na-prichale",
        title="Уха на причале",
        section="kitchen",
        author="pennant",
        published="2023-11-18",
        tags=("fish", "soup", "Russian"),
        teaser="Рыбный суп с дымком, который варят прямо у воды.",
        lang="ru",
        text="""
В Тайдуотере уху варят не дома, а прямо на причале, в закопчённом котелке, который помнит ещё деда нынешнего
смотрителя. Считается, что без запаха дыма и смолы это просто рыбный бульон, и спорить с этим здесь не
принято.

## Что понадобится

- полтора килограмма мелкой рыбы для навара и большой кусок трески
- три картофелины, две луковицы и морковь
- лавровый лист, десять горошин перца и соль
- сухие дрова и немного терпения

## Как готовить

1. Мелкую рыбу выпотрошите, залейте холодной водой и варите на слабом огне сорок минут, не давая бульону
   бурлить.
2. Процедите бульон, а рыбью мелочь отдайте кошкам: они уже ждут у лестницы.
3. Положите крупно нарезанный картофель, целую луковицу и морковь кружочками.
4. Через десять минут добавьте куски трески, лавровый лист и перец и варите ещё четверть часа.
5. Снимите котелок с огня, посолите и на секунду опустите в уху тлеющую головешку.

## Заметки

Не мешайте уху ложкой: рыба развалится, и бульон помутнеет. Лучше слегка покачать котелок за дужку.

Едят её тут же, сидя на перевёрнутых ящиках, с чёрным хлебом и зелёным луком. Если начинается дождь, никто
не уходит: котелок накрывают крышкой, люди надевают капюшоны, и разговор продолжается. Говорят, самые важные
решения в городе были приняты именно так, с миской в руках и с мокрыми коленями.
""",
    ),
    Post(
        slug="sabah-fi-suq-al-samak",
        title="صباح في سوق السمك",
        section="harbour",
        author="tarrow",
        published="2024-02-10",
        tags=("market", "fish", "Arabic"),
        teaser="كيف يبدأ يوم الميناء قبل أن يستيقظ أهل البلدة.",
        lang="ar",
        direction="rtl",
        text="""
يبدأ السوق قبل شروق الشمس بساعة كاملة. تصل القوارب واحدًا بعد الآخر، وتُطفأ محركاتها عند مدخل الميناء، ثم
تُسحب بالحبال إلى الرصيف حتى لا يستيقظ سكان البيوت القريبة. هذه عادة قديمة لم يكتبها أحد، لكن الجميع يلتزم
بها.

على الرصيف تُرتَّب الصناديق بحسب الحجم لا بحسب النوع، فيجاور السردين الروبيان، وتنام سرطانات البحر تحت قطعة
قماش مبللة. يمرّ المشترون بصمت، وينظرون إلى عيون السمك قبل أن ينظروا إلى أسعاره.

## كيف تختار سمكة طازجة

- العين صافية وبارزة، لا غائرة ولا معتمة.
- الخياشيم حمراء زاهية ورطبة.
- اللحم متماسك يعود إلى مكانه بعد الضغط عليه بالإصبع.
- الرائحة رائحة بحر، لا رائحة سمك.

> قالت لي البائعة العجوز: «من يساوم قبل أن يقول صباح الخير يدفع الثمن مرتين».

في السابعة تمامًا يُقرع الجرس النحاسي مرة واحدة، فينتهي البيع بالجملة ويبدأ دور أهل البلدة. عندئذ يتغيّر صوت
السوق كله: تُسمع ضحكات الأطفال، ورنين فناجين القهوة، ونداء بائع الخبز الساخن. وقبل التاسعة لا يبقى على
الرصيف سوى الماء والملح وبعض القطط التي تعرف مواعيد السوق أفضل من الجميع.

## ملاحظات

السوق مفتوح كل يوم ما عدا يوم الاثنين. أحضر معك سلة متينة ونقودًا صغيرة، وتعال باكرًا، فأفضل الصيد يُباع قبل
أن تجفّ الحبال.
""",
    ),
    Post(
        slug="wutian-de-dengta",
        title="雾天的灯塔",
        section="harbour",
        author="tarrow",
        published="2024-04-06",
        tags=("lighthouse", "fog", "Chinese"),
        teaser="海雾来的时候，守塔人在做什么？",
        lang="zh",
        text="""
每年十一月，海雾都会准时来到这座小镇。早晨推开窗，码头不见了，渔船不见了，
连街对面的面包房也只剩下一股香味。只有灯塔的光还在，每隔十秒转过来一次，
像有人在雾里慢慢地眨眼。

## 守塔人的一天

守塔人今年六十八岁，在塔上住了四十一年。他每天清晨五点起床，先擦玻璃，
再给齿轮上油，最后在本子上记下风向、气温和能见度。他说这些事情机器也会做，
但是机器不会注意到，今天的海鸥比昨天叫得早。

> 雾不是墙。雾是一间很大的屋子，你得学会在里面走路。

这是他常说的一句话，镇上的孩子都会背。学校的老师甚至把它写在黑板上，
让大家用自己的方式画出来。有的孩子画了一扇门，有的孩子画了一盏灯，
还有一个孩子交了一张白纸，得了满分。

## 雾中行船的三条规矩

1. 宁可慢，不可停：船一停，就会被潮水带走。
2. 每两分钟鸣一次笛，然后安静地听一分钟。
3. 看不见灯塔的时候，先相信罗盘，再相信自己。

去年冬天，一条外地来的小帆船在雾里迷了路。守塔人听见笛声不对，
便敲响了塔下那口旧钟，一下接一下，敲了整整两个小时。
小船顺着钟声进了港，船上的人上岸后第一句话是：“请问，这里有热汤吗？”

当然有。在这个镇上，大雾天里家家户户的炉子都不熄火。
""",
    ),
    Post(
        slug="asaichi-wo-aruku",
        title="港町の朝市を歩く",
        section="harbour",
        author="pennant",
        published="2024-06-22",
        tags=("market", "walks", "Japanese"),
        teaser="日曜日の朝、桟橋に並ぶ屋台の楽しみ方。",
        lang="ja",
        text="""
タイドウォーターの朝市は、日曜日の午前六時に始まります。港の鐘が一度だけ鳴ると、
桟橋に並んだ屋台がいっせいに布の覆いを外します。
まだ薄暗い海の上を、カモメが低く飛んでいきます。

## 持ち物

- 丈夫なかごか布の袋
- 小銭
- 温かい飲み物を入れた水筒

## 歩き方

まずは何も買わずに、端から端まで一度歩いてみてください。魚屋は桟橋の先、
野菜と花は倉庫の前、焼きたてのパンは灯台へ続く坂の下にあります。
二周目に入るころには、どの店で何を買うか、自然に決まっているはずです。

私がいつも最初に寄るのは、古い漁船をそのまま店にした干物屋です。
店主は口数の少ない人ですが、焼き方を尋ねると急に話が長くなります。
「皮から焼いて、あとは触らないこと」。
教えはいつも同じなのに、なぜか毎週聞きたくなります。

| 屋台 | 場所 | おすすめ |
| 干物屋 | 桟橋の中ほど | あじの開き |
| パン屋 | 坂の下 | 黒パン |
| 花屋 | 倉庫の前 | 季節の小さな花束 |

## メモ

雨の日でも市は開きますが、風の強い日は休みになります。
桟橋の入り口に青い旗が出ていたら開催、赤い旗なら中止です。
帰りには波止場のベンチに座って、買ったばかりのパンを半分だけ食べるのがおすすめです。
残りの半分は、待っている家族のために取っておきましょう。
""",
    ),
    Post(
        slug="sonntag-im-trockendock",
        title="Ein Sonntag im Trockendock",
        section="crafts",
        author="quill",
        published="2024-10-05",
        tags=("boats", "shipyard", "German"),
        teaser="Einmal im Jahr darf man ein Schiff von unten betrachten.",
        lang="de",
        text="""
Einmal im Jahr, am letzten Sonntag im September, öffnet die kleine Werft am Ende der Seilergasse ihr
Trockendock. Dann darf jeder hinuntersteigen, mit der flachen Hand über einen Schiffsrumpf streichen und
sich wundern, wie groß ein Boot ist, wenn kein Wasser mehr davor liegt.

In diesem Jahr lag dort die alte Lotsenbarkasse, frisch vom Bewuchs befreit und erst zur Hälfte gestrichen.
Zwei Lehrlinge erklärten geduldig, warum man niemals bei Ostwind streicht: Der Staub vom Kohlenkai klebt
sonst in der Farbe, und die Arbeit beginnt von vorn.

## Was man sehen kann

- die Schmiede, in der noch Beschläge von Hand gefertigt werden
- den Schnürboden mit Rissen aus hundert Jahren
- das Pumpenhaus, dessen Maschine pünktlich um zwölf Uhr anläuft

> Ein Schiff wird nie fertig, es wird nur zu Wasser gelassen.

Diesen Satz hat jemand mit Kreide an die Tür der Malerwerkstatt geschrieben, und niemand wischt ihn weg.

Gegen vier Uhr gab es Pflaumenkuchen vom Blech und Kaffee aus einer Kanne, die so groß war, dass zwei Leute
sie halten mussten. Danach wurde das Tor einen Spaltbreit geöffnet, und das Wasser kam leise zurück. Die
Kinder standen am Rand und zählten die Stufen, die verschwanden; bei der zwanzigsten hörten sie auf.

## Hinweise

Der Eintritt ist frei, feste Schuhe sind Pflicht. Wer mit dem Rad kommt, stellt es am besten vor der
Seilerei ab, denn auf der Rampe ist es glatt.
""",
    ),
)

HOME_TITLE = "Welcome to Tidewater"

HOME_TEXT = """
Tidewater is a harbour town with one long pier, two bakeries and a lighthouse that has more steps than the
guidebook admits. The shop sells what the town makes; the journal tells what it talks about.
"""

PLAIN_TITLE = "About this place"

# Paragraphs of the page without a template, by the anchor that the footers of the two templates link to.
PLAIN_TEXTS = {
    "about": """
Tidewater began as a landing place for flat boats and has never quite decided to become anything else. Some
nine hundred people live here, most of them within sight of the water. The shop in the former customs house
was opened by five workshops that wanted to stop competing for the same three market stalls.
""",
    "delivery": """
Parcels leave on the morning ferry, every day except Monday. Small things travel in paper, large things in
straw, and bells travel in both. If the harbour is closed by fog, so is the parcel office, and we will write
to tell you.
""",
    "returns": """
You may send anything back within forty days, which is how long it once took a letter to reach the outer
islands and return. Enclose a line saying what was wrong. We read these lines aloud in the workshop.
""",
    "privacy": """
We keep your address until your parcel has arrived and your name only if you ask us to. The visitors' book
on the old ferry is public, of course, so think before you write in it. Read [its
story](blog/the-ferry-that-stayed.html) or go back to the [front page](index.html).
""",
}

# What is drawn on the picture of a product, in a box of 200 by 200; C stands for the product's colour.
DRAWINGS = {
    "harbour-mug": """
<path d="M130 85h18a22 22 0 0 1 0 44h-18" fill="none" stroke="C" stroke-width="12"/>
<path d="M56 62h80v62q0 24-24 24H80q-24 0-24-24z" fill="C"/>
""",
    "galley-bowls": """
<path d="M72 66h56q0 28-28 28t-28-28z" fill="#e9b98f"/>
<path d="M56 86h88q0 40-44 40t-44-40z" fill="#d08c5b"/>
<path d="M38 106h124q0 50-62 50t-62-50z" fill="C"/>
""",
    "half-tide-board": """
<g transform="rotate(-18 100 100)">
<rect x="34" y="62" width="132" height="78" rx="16" fill="C"/>
<circle cx="150" cy="101" r="8" fill="#fff"/>
<path d="M50 90h80" stroke="#fff6" stroke-width="4"/>
</g>
""",
    "quayside-kettle": """
<path d="M62 80a38 34 0 0 1 76 0" fill="none" stroke="#333" stroke-width="8"/>
<path d="M142 98l28-22 6 8-26 44z" fill="C"/>
<path d="M54 82h92l14 74H40z" fill="C"/>
""",
    "fog-bank-blanket": """
<rect x="44" y="52" width="112" height="96" rx="8" fill="C"/>
<path d="M44 76h112M44 100h112M44 124h112" stroke="#fff8" stroke-width="9"/>
<path d="M50 148v14m20-14v14m20-14v14m20-14v14m20-14v14m20-14v14" stroke="C" stroke-width="5"/>
""",
    "swimmers-towel": """
<path d="M36 58h128" stroke="#555" stroke-width="7" stroke-linecap="round"/>
<path d="M60 56h80v98H60z" fill="C"/>
<path d="M60 128h80M60 140h80" stroke="#fff" stroke-width="5"/>
""",
    "net-loft-apron": """
<path d="M83 48q17-36 34 0" fill="none" stroke="C" stroke-width="6"/>
<path d="M80 46h40l8 40 28 10v62H44V96l28-10z" fill="C"/>
<path d="M74 116h52v26H74z" fill="#fff5"/>
""",
    "pebble-cushion": """
<path d="M40 112c-2-40 38-62 74-54s56 40 46 66-36 30-66 30-52-10-54-42z" fill="C"/>
<path d="M66 92q30-24 62-8" fill="none" stroke="#fff6" stroke-width="6" stroke-linecap="round"/>
""",
    "pier-lantern": """
<circle cx="100" cy="48" r="14" fill="none" stroke="#444" stroke-width="6"/>
<path d="M66 78l34-20 34 20zM66 150h68v12H66z" fill="#444"/>
<path d="M72 80h56v68H72z" fill="#fff"/>
<path d="M100 92q22 28 0 48-22-20 0-48z" fill="C"/>
""",
    "low-water-candle": """
<path d="M62 84h76v64q0 10-10 10H72q-10 0-10-10z" fill="C"/>
<path d="M100 84V70" stroke="#333" stroke-width="4"/>
<path d="M100 38q16 20 0 34-16-14 0-34z" fill="#f2b33d"/>
""",
    "beacon-night-light": """
<path d="M82 74h36l12 86H70z" fill="#fff"/>
<path d="M79 96h42l3 20H76zM73 138h54l3 22H70zM76 54l24-18 24 18z" fill="C"/>
<path d="M84 54h32v20H84z" fill="#f8d66d"/>
""",
    "ropewalk-doormat": """
<g fill="none" stroke="C" stroke-width="11">
<ellipse cx="78" cy="100" rx="40" ry="34"/>
<ellipse cx="122" cy="100" rx="40" ry="34"/>
<ellipse cx="100" cy="100" rx="66" ry="44"/>
</g>
""",
    "cockle-basket": """
<path d="M58 98a42 50 0 0 1 84 0" fill="none" stroke="C" stroke-width="8"/>
<path d="M42 96h116l-16 60H58z" fill="C"/>
<path d="M50 114h100M54 132h92" stroke="#fff7" stroke-width="5" stroke-dasharray="9 6"/>
""",
    "harbour-bell": """
<path d="M100 44q34 4 36 56 2 26 18 40H46q16-14 18-40 2-52 36-56z" fill="C"/>
<circle cx="100" cy="152" r="12" fill="#6b4f16"/>
<path d="M92 34h16v14H92z" fill="#6b4f16"/>
""",
}

# What is drawn on the picture of a post, in a box of 640 by 280, above the waves.
SCENES = {
    "lighthouse": """
<path d="M380 230q60-60 130-56t130 20v60H380z" fill="#4b7a54"/>
<path d="M486 70h38l12 112h-62z" fill="#fff"/>
<path d="M482 100h46l3 26h-52zM477 152h56l3 30h-62zM480 50l25-20 25 20z" fill="#c8412b"/>
<path d="M488 50h34v20h-34z" fill="#ffe08a"/>
<path d="M488 60L-20 -40v170z" fill="#fff3"/>
""",
    "boat": """
<path d="M330 60v130h92q-20-90-92-130z" fill="#c8412b"/>
<path d="M322 76v114h-62q10-70 62-114z" fill="#fff"/>
<path d="M236 198h210q-14 42-60 42h-90q-46 0-60-42z" fill="#17233f"/>
""",
    "market": """
<path d="M90 120h460v110H90z" fill="#6b4a32"/>
<path d="M110 150h120v60H110zM260 150h120v60H260zM410 150h120v60H410z" fill="#f8e7c4"/>
<path d="M80 120l24-44h432l24 44q-20 24-40 0-20 24-40 0-20 24-40 0-20 24-40 0-20 24-40 0-20 24-40 0-20
  24-40 0-20 24-40 0-20 24-40 0-20 24-40 0-20 24-40 0-20 24-40 0z" fill="#c8412b"/>
""",
}

# The style sheets of the two templates and of the home page.

SHOP_CSS = """
:root { --ink: #12302f; --sea: #0f766e; --foam: #e8f4f1; --sand: #faf8f4; --coral: #e4572e; --line: #dde6e3 }
* { box-sizing: border-box }
body { margin: 0; background: var(--sand); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
a { color: var(--sea); text-decoration: none }
a:hover { text-decoration: underline }
.top { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; padding: 16px 5vw;
  background: #fff; border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 1 }
.logo { display: flex; gap: 10px; align-items: center; font-weight: 800; font-size: 20px; color: var(--ink) }
.logo svg { width: 34px; height: 34px }
.search { flex: 1; display: flex; max-width: 320px }
.search input { flex: 1; min-width: 0; padding: 9px 16px; border: 1px solid var(--line);
  border-radius: 99px 0 0 99px; font: inherit }
.search button { padding: 0 18px; border: 0; border-radius: 0 99px 99px 0; background: var(--ink);
  color: #fff; font: inherit }
.top nav { margin-left: auto }
.menu { margin: 0; padding: 0; list-style: none; display: flex; gap: 22px; font-weight: 600 }
.menu .active a { color: var(--coral) }
.basket { padding: 7px 16px; border-radius: 99px; background: var(--foam); font-weight: 600 }
.crumbs { padding: 20px 5vw 0; font-size: 14px; color: #62807c }
.columns { display: grid; grid-template-columns: 220px 1fr; gap: 40px; padding: 20px 5vw 64px;
  max-width: 1320px; margin: auto }
.side h2 { font-size: 13px; letter-spacing: .08em; text-transform: uppercase; color: #62807c }
.side ul { margin: 0 0 28px; padding: 0; list-style: none }
.side li a { display: block; padding: 8px 14px; border-radius: 10px; color: var(--ink) }
.side .active a { background: var(--sea); color: #fff }
.side p { padding: 16px; border-radius: 14px; background: var(--foam); font-size: 14px }
.product { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 44px; padding: 36px;
  background: #fff; border-radius: 24px; box-shadow: 0 12px 40px #12302f12 }
.product img { width: 100%; height: auto; border-radius: 18px; display: block }
h1 { margin: 0; font-size: 38px; line-height: 1.15; letter-spacing: -.02em }
.price { margin: 8px 0 14px; font-size: 26px; font-weight: 700; color: var(--coral) }
.facts { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 20px; font-size: 14px }
.facts div { padding: 5px 14px; border: 1px solid var(--line); border-radius: 99px }
.facts dt, .facts dd { display: inline; margin: 0 }
.facts dt { color: #62807c; margin-right: 4px }
.buy { margin: 12px 0 0; padding: 13px 30px; border: 0; border-radius: 99px; background: var(--sea);
  color: #fff; font: inherit; font-weight: 700; cursor: pointer }
.specs { grid-column: 1 / -1 }
.specs h2 { margin: 0 0 10px; font-size: 20px }
table { width: 100%; border-collapse: collapse }
th, td { padding: 11px 16px; text-align: left; border-top: 1px solid var(--line) }
th { width: 32%; font-weight: 600; color: #62807c }
.related { padding: 0 5vw 48px; max-width: 1320px; margin: auto }
.related h2 { font-size: 20px }
.related ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 12px }
.related a { display: block; padding: 10px 18px; border: 1px solid var(--line); border-radius: 14px; background: #fff }
.foot { padding: 48px 5vw 28px; background: var(--ink); color: #cfe3df }
.foot a { color: #fff }
.news { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; margin-bottom: 28px }
.news strong { color: #fff; font-size: 20px }
.news input { padding: 10px 16px; border: 0; border-radius: 99px; font: inherit }
.news button { padding: 10px 22px; border: 0; border-radius: 99px; background: var(--coral); color: #fff;
  font: inherit }
.legal { display: flex; gap: 24px; margin: 0; padding: 20px 0 0; list-style: none;
  border-top: 1px solid #2b4f4c }
@media (max-width: 820px) {
  .columns, .product { grid-template-columns: minmax(0, 1fr) } .top nav { margin: 0 }
}
"""

BLOG_CSS = """
html { background: #fffdf7; color: #22273b; font: 19px/1.7 "Iowan Old Style", Palatino, Georgia, serif }
body { margin: 0 }
a { color: #b3402a; text-underline-offset: .2em; text-decoration-thickness: 1px }
#masthead { background: #17233f; color: #f3e9d2; text-align: center }
#masthead .name { padding: 44px 20px 0; font-size: 46px; font-style: italic; line-height: 1.1 }
#masthead .name a { color: inherit; text-decoration: none }
#masthead .motto { margin: 6px 0 20px; font-size: 16px; color: #aab4cc }
#sections a { display: inline-block; margin: 0 14px; padding-bottom: 4px; color: #f3e9d2;
  font: 15px sans-serif; letter-spacing: .04em; text-decoration: none; border-bottom: 2px solid transparent }
#sections a.current { border-color: #f0a35e; color: #f0a35e }
#masthead svg { display: block; width: 100%; height: 56px; margin-top: 18px }
#sheet { max-width: 700px; margin: 0 auto; padding: 28px 24px 56px }
.post h1 { margin: 0 0 8px; font-size: 46px; line-height: 1.15; font-weight: 600; letter-spacing: -.01em }
.byline { margin: 0 0 32px; color: #7a7466; font: 15px sans-serif }
.entry h2 { margin: 44px 0 8px; font-size: 26px; color: #17233f }
.entry > p:first-child { font-size: 22px; line-height: 1.6 }
.entry li { margin: 6px 0 }
.entry li::marker { color: #f0a35e; font-weight: 700 }
.entry blockquote { margin: 36px 0; padding: 4px 28px; border-inline-start: 4px solid #f0a35e;
  font-size: 24px; font-style: italic }
.entry pre { padding: 20px 24px; overflow-x: auto; border-radius: 10px; background: #17233f; color: #f3e9d2;
  font: 15px/1.6 ui-monospace, Menlo, Consolas, monospace }
.entry p code, .entry li code { padding: 2px 6px; border-radius: 4px; background: #f3e9d2; font-size: .82em }
.entry table { width: 100%; border-collapse: collapse; font-size: 17px }
.entry th, .entry td { padding: 8px 12px 8px 0; text-align: start; border-bottom: 1px solid #e4dcc8 }
.entry figure { margin: 32px 0 }
.entry img { width: 100%; display: block; border-radius: 10px }
.entry figcaption { margin-top: 8px; color: #7a7466; font-size: 16px; font-style: italic }
:lang(zh) .entry blockquote, :lang(ja) .entry blockquote, :lang(ar) .entry blockquote { font-style: normal }
[dir=rtl] .byline, [dir=rtl] .tags { text-align: right }
.tags { margin: 44px 0 0; padding: 0; list-style: none; font: 14px sans-serif }
.tags li { display: inline-block; margin: 0 8px 8px 0 }
.tags a { padding: 5px 14px; border: 1px solid #d8cdb2; border-radius: 4px; text-decoration: none }
.author { display: grid; grid-template-columns: 64px 1fr; gap: 4px 20px; margin: 32px 0; padding: 24px;
  background: #f7f0df; border-radius: 10px; font-size: 17px }
.author i { grid-row: 1 / 4; width: 64px; height: 64px; border-radius: 50%;
  background: radial-gradient(circle at 50% 38%, #f3e9d2 0 19%, #0000 20%),
    radial-gradient(circle at 50% 100%, #f3e9d2 0 36%, #b3402a 37%) }
.author h2, .author p { margin: 0 }
.author h2 { font: 700 13px sans-serif; letter-spacing: .08em; text-transform: uppercase; color: #7a7466 }
#related { padding: 40px 24px; background: #f3e9d2 }
#related h2 { margin: 0 0 20px; text-align: center; font-style: italic; font-size: 28px }
#related .cards { display: flex; flex-wrap: wrap; gap: 20px; max-width: 1020px; margin: auto }
#related .cards > div { flex: 1 1 240px; padding: 22px; border-top: 4px solid #b3402a; background: #fffdf7 }
#related h3, #related p { margin: 0 0 6px; line-height: 1.4; font-size: 17px }
#related h3 { font-size: 21px }
#colophon { padding: 36px 24px; background: #17233f; color: #aab4cc; text-align: center; font-size: 16px }
#colophon a { margin: 0 10px; color: #f3e9d2 }
"""

HOME_CSS = """
body { margin: 0; background: #fdf6e9 linear-gradient(#cfe8ea, #fdf6e9 420px) no-repeat; color: #17303a;
  font: 18px/1.6 system-ui, sans-serif }
main { max-width: 960px; margin: auto; padding: 64px 24px }
h1 { margin: 0; font-size: 60px; line-height: 1.05; letter-spacing: -.03em }
p { max-width: 620px; font-size: 21px }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 0 32px }
h2 { margin: 40px 0 0; font-size: 32px }
h3 { margin: 16px 0 4px; color: #0f766e }
ul { margin: 0; padding: 0; list-style: none }
a { color: inherit; text-decoration-color: #e4572e; text-underline-offset: .2em }
"""

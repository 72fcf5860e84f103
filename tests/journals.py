"""Small made-up journals, one per language: articles with a menu, breadcrumbs, teasers, comments and a footer."""

import re
from dataclasses import dataclass
from functools import cached_property
from string import Template

PAGE = Template("""<!DOCTYPE html>
<html lang="$lang" dir="$direction">
<head><meta charset="utf-8"><title>$title - $name</title></head>
<body>
<div class="cookie-banner" id="cookies"><p>$cookies</p><button>$accept</button></div>
<header class="site-header"><a href="/">$name</a>
<nav class="menu"><ul>$menu</ul></nav></header>
<nav class="breadcrumbs"><a href="/">$name</a> / <a href="/0">$section</a> / <span>$title</span></nav>
<main>
<article>
<h1>$title</h1>
<div class="toc"><ul>$contents</ul></div>
<div class="body">$text</div>
</article>
<section class="related"><h2>$related</h2><ul>$links</ul></section>
<section class="comments"><h2>$comments</h2>$thread</section>
</main>
<aside class="sidebar"><h2>$also</h2>$teasers</aside>
<footer class="footer"><p>$imprint</p></footer>
</body>
</html>
""")


@dataclass(frozen=True, slots=True)
class Story:
    """An article: its title, paragraphs with headings, and a reader's comment."""

    title: str
    parts: tuple[tuple[str, str], ...]
    comment: str

    @property
    def said(self) -> list[str]:
        """The paragraphs of the article."""
        return [self.title, *(piece for part in self.parts for piece in part)]


@dataclass(frozen=True)
class Journal:
    """A journal: the words of its template, and its articles."""

    lang: str
    name: str
    menu: tuple[str, ...]
    cookies: str
    accept: str
    related: str
    comments: str
    also: str
    imprint: str
    text: str
    direction: str = "ltr"

    @cached_property
    def stories(self) -> list[Story]:
        """Parses articles: `#` begins a title, `##` a heading, `>` a comment."""
        glue = "" if self.lang in ("ja", "zh") else " "
        found = []
        for article in re.split(r"^# ", self.text.strip(), flags=re.MULTILINE)[1:]:
            title, *blocks = [glue.join(block.split("\n")) for block in article.strip().split("\n\n")]
            *parts, comment = blocks
            headings = [part.removeprefix("## ") for part in parts[::2]]
            found.append(Story(title, tuple(zip(headings, parts[1::2], strict=True)), comment.removeprefix("> ")))
        return found

    @property
    def frame(self) -> list[str]:
        """The texts of every page."""
        return [self.name, *self.menu, self.cookies, self.accept, self.related, self.comments, self.also, self.imprint]

    def pages(self) -> list[str]:
        """One page per story."""
        return [self.page(number) for number in range(len(self.stories))]

    def page(self, number: int) -> str:
        """The page of a story."""
        story = self.stories[number]
        others = [self.stories[(number + step) % len(self.stories)] for step in range(1, 4)]
        return PAGE.substitute(
            lang=self.lang,
            direction=self.direction,
            name=self.name,
            title=story.title,
            cookies=self.cookies,
            accept=self.accept,
            menu="".join(f'<li><a href="/{k}">{word}</a></li>' for k, word in enumerate(self.menu)),
            section=self.menu[0],
            contents="".join(f'<li><a href="#p{k}">{part[0]}</a></li>' for k, part in enumerate(story.parts)),
            text="".join(f'<h2 id="p{k}">{part[0]}</h2><p>{part[1]}</p>' for k, part in enumerate(story.parts)),
            related=self.related,
            links="".join(f'<li><a href="{other.title}">{other.title}</a></li>' for other in others[:2]),
            comments=self.comments,
            thread=f'<div class="comment"><p>{story.comment}</p></div>',
            also=self.also,
            teasers="".join(
                f'<div class="teaser"><h3><a href="{other.title}">{other.title}</a></h3><p>{teaser(other)}</p></div>'
                for other in others[1:]
            ),
            imprint=self.imprint,
        )


def teaser(story: Story) -> str:
    """The teaser of a story on other pages."""
    return f"{story.parts[0][1][:40]} …"


ENGLISH = Journal(
    "en",
    "Island Post",
    ("News", "The sea", "People", "Letters"),
    "We use cookies to remember your visit.",
    "Accept all",
    "Related stories",
    "What readers say",
    "Also in the Post",
    "© Island Post, printed on the quay",
    """
# The ferry runs again

## Eleven weeks in the dock

The ferry between the two islands began its service on Monday after eleven weeks in the dock. Engineers replaced the
shaft and most of the wiring, and the harbour master calls her quiet.

## Tickets and times

Passengers who bought tickets for the bus may use them until the end of May. The first crossing leaves at six in the
morning, and the last returns at nine.

> I stood on the quay when she left, and my boots are still wet, but it was a good day.

# A lighthouse for sale

## What is on offer

The old lighthouse at Skerry Point is for sale, with its lamp, its keeper's cottage and a quarter of an acre of heather.
The council will favour those who keep the lamp burning.

## Who should think twice

Nobody has lived there since the light was automated. The roof is sound, said the surveyor, but the stairs will need
somebody patient.

> My aunt was the last keeper's daughter, and she says that the stairs were never any good.

# Herring in the bay

## Boats low in the water

Herring came into the bay in numbers that nobody remembers seeing since the war. Boats that had gone out for crab
returned full, and the ice house ran out of ice before noon.

## Why they came

Biologists think that the warm winter moved the shoals closer to the shore. They ask the crews to keep a record of each
catch.

> We ate nothing else for a week, and the cat has not been seen to move since Thursday.

# The bakery moves uphill

## Salt in the ovens

After forty years by the slipway the bakery is moving to the old school on the hill. Salt water reached the ovens three
times last winter, and the insurer would not pay for a fourth.

## The counter stays

A van will bring the bread down each morning, so that nobody has to climb for breakfast. The sourdough, says the baker,
will not notice.

> As long as the rye comes down the hill before eight I have no complaint to make.

# Seals close the beach

## Forty pups

The north beach is closed until the end of the month because forty seals have had their pups there. Wardens have put up
a rope and ask walkers to take the upper path.

## Leave them be

Pups that seem to be abandoned rarely are. Their mothers fish at high water and come back, and nobody should carry one
home.

> Last year one of them followed our dog to the car park, and both were surprised.
""",
)

GERMAN = Journal(
    "de",
    "Hafenblatt",
    ("Nachrichten", "Fischerei", "Menschen", "Leserbriefe"),
    "Wir verwenden Cookies, um Ihren Besuch angenehmer zu gestalten.",
    "Alle annehmen",
    "Ähnliche Beiträge",
    "Meinungen unserer Leser",
    "Außerdem im Blatt",
    "© Hafenblatt, gedruckt in der Alten Werft",
    """
# Die Fähre fährt wieder

## Elf Wochen in der Werft

Am Montag hat die Fähre zwischen den beiden Inseln nach elf Wochen in der Werft ihren Dienst wieder aufgenommen. Die
Mechaniker haben die Welle und den größten Teil der Kabel erneuert.

## Fahrkarten und Zeiten

Wer eine Karte für den Ersatzbus gekauft hat, kann sie bis Ende Mai auf dem Schiff benutzen. Die erste Überfahrt beginnt
um sechs Uhr morgens.

> Ich stand am Kai, als sie ablegte, und meine Stiefel sind immer noch nass.

# Ein Leuchtturm zu verkaufen

## Was angeboten wird

Der alte Leuchtturm auf der Landspitze steht zum Verkauf, mitsamt der Lampe, dem Wärterhaus und einem Stück Heide. Die
Gemeinde bevorzugt Käufer, die das Licht brennen lassen.

## Wer es sich überlegen sollte

Seit das Licht von selbst angeht, hat dort niemand mehr gewohnt. Das Dach ist dicht, sagt der Gutachter, doch die Treppe
verlangt Geduld.

> Meine Tante ist dort aufgewachsen und sagt, die Treppe habe nie etwas getaugt.

# Heringe in der Bucht

## Volle Boote

So viele Heringe wie in dieser Woche hat seit dem Krieg niemand mehr in der Bucht gesehen. Boote, die für Krabben
ausgelaufen waren, kamen schwer beladen zurück.

## Warum sie kamen

Biologen vermuten, dass der milde Winter die Schwärme näher an die Küste getrieben hat. Sie bitten die Mannschaften,
jeden Fang aufzuschreiben.

> Wir haben eine Woche lang nichts anderes gegessen, und die Katze liegt nur noch da.

# Die Bäckerei zieht um

## Salz in den Öfen

Nach vierzig Jahren am Hafen zieht die Bäckerei in die alte Schule auf dem Hügel. Dreimal ist im letzten Winter
Salzwasser in die Öfen gelaufen.

## Der Laden bleibt

Ein Wagen bringt das Brot jeden Morgen herunter, damit niemand zum Frühstück bergauf gehen muss. Der Sauerteig wird
nichts davon merken.

> Solange das Roggenbrot vor acht Uhr unten ist, habe ich nichts dagegen.
""",
)

RUSSIAN = Journal(
    "ru",
    "Портовый листок",
    ("Новости", "Море", "Люди", "Письма"),
    "Мы используем файлы cookie, чтобы запомнить ваш визит.",
    "Принять все",
    "Похожие статьи",
    "Что говорят читатели",
    "Ещё в номере",
    "© Портовый листок, отпечатано на набережной",
    """
# Паром снова ходит

## Одиннадцать недель в доке

В понедельник паром между двумя островами вернулся на линию после одиннадцати недель в доке. Механики заменили вал и
почти всю проводку, и теперь он идёт гораздо тише.

## Билеты и расписание

Пассажиры, купившие билеты на автобус, могут пользоваться ими до конца мая. Первый рейс отходит в шесть утра, последний
возвращается в девять вечера.

> Я стоял на причале, когда он отошёл, и сапоги у меня до сих пор мокрые.

# Продаётся маяк

## Что предлагают

Старый маяк на мысу выставлен на продажу вместе с лампой, домом смотрителя и участком вереска. Совет отдаст предпочтение
тем, кто сохранит огонь.

## Кому стоит подумать

С тех пор как свет стал автоматическим, там никто не жил. Крыша цела, говорит оценщик, но лестница потребует терпеливого
хозяина.

> Моя тётя выросла на этом маяке и говорит, что лестница никогда не была хорошей.

# Сельдь в заливе

## Полные лодки

Такого количества сельди в заливе никто не помнит с самой войны. Лодки, вышедшие за крабами, возвращались с полными
трюмами, а лёд кончился ещё до полудня.

## Почему она пришла

Биологи думают, что тёплая зима подвела косяки ближе к берегу. Они просят команды записывать каждый улов и место, где
его взяли.

> Мы неделю не ели ничего другого, и кот с четверга лежит без движения.

# Пекарня переезжает на холм

## Соль в печах

После сорока лет у воды пекарня переезжает в старую школу на холме. Прошлой зимой солёная вода трижды доходила до печей,
и страховщик отказался платить.

## Прилавок остаётся

Фургон будет привозить хлеб вниз каждое утро, чтобы никому не пришлось подниматься к завтраку. Закваска, говорит пекарь,
ничего не заметит.

> Пока ржаной хлеб привозят до восьми часов, жаловаться мне не на что.
""",
)

ARABIC = Journal(
    "ar",
    "جريدة الميناء",
    ("الأخبار", "البحر", "الناس", "رسائل القراء"),
    "نستخدم ملفات تعريف الارتباط لتحسين زيارتكم.",
    "أوافق",
    "مقالات ذات صلة",
    "ماذا يقول القراء",
    "أيضا في الجريدة",
    "© جريدة الميناء، تطبع على الرصيف",
    """
# العبارة تعود إلى العمل

## أحد عشر أسبوعا في الحوض

عادت العبارة بين الجزيرتين إلى العمل يوم الاثنين بعد أحد عشر أسبوعا في حوض الإصلاح. استبدل المهندسون العمود ومعظم
الأسلاك، ويقول مدير الميناء إنها صارت أهدأ من قبل.

## التذاكر والمواعيد

يمكن للركاب الذين اشتروا تذاكر الحافلة أن يستعملوها حتى نهاية الشهر. تنطلق أول رحلة في السادسة صباحا، وتعود الأخيرة في
التاسعة مساء.

> كنت واقفا على الرصيف حين أبحرت، وما زال حذائي مبتلا حتى الآن.

# منارة للبيع

## ما المعروض

المنارة القديمة عند رأس الصخور معروضة للبيع مع مصباحها وبيت حارسها وقطعة من الأرض. وسيفضل المجلس من يتعهد بأن يبقى
الضوء مشتعلا كل ليلة.

## من عليه أن يفكر

لم يسكن أحد هناك منذ صار الضوء يعمل وحده. السقف سليم، كما قال الخبير، لكن الدرج يحتاج إلى شخص صبور يصلحه درجة بعد درجة.

> عمتي كبرت في تلك المنارة، وتقول إن الدرج لم يكن جيدا يوما.

# السردين في الخليج

## قوارب ممتلئة

دخل السردين إلى الخليج بأعداد لا يذكر أحد مثلها منذ سنوات طويلة. عادت القوارب ثقيلة بحمولتها، ونفد الثلج من المخزن قبل
الظهر في اليومين الماضيين.

## لماذا جاء

يظن العلماء أن الشتاء الدافئ قرب الأسماك من الشاطئ. وهم يطلبون من البحارة أن يسجلوا كل صيد، ومكانه، والساعة التي رفعوا
فيها الشباك.

> لم نأكل شيئا آخر طوال أسبوع، والقطة لم تتحرك منذ الخميس.

# المخبز ينتقل إلى التل

## ملح في الأفران

بعد أربعين عاما قرب الماء ينتقل المخبز إلى المدرسة القديمة فوق التل. فقد وصل ماء البحر إلى الأفران ثلاث مرات في الشتاء
الماضي، ورفضت الشركة أن تدفع.

## الدكان باق

ستحمل سيارة صغيرة الخبز إلى الأسفل كل صباح، حتى لا يضطر أحد إلى الصعود قبل الفطور. أما العجين، كما يقول الخباز، فلن
يلاحظ شيئا.

> ما دام الخبز يصل قبل الثامنة فليس عندي ما أشكو منه.
""",
    direction="rtl",
)

CHINESE = Journal(
    "zh",
    "海岛邮报",
    ("新闻", "大海", "人物", "来信"),
    "本站使用小型文本文件来记住您的访问。",
    "全部接受",
    "相关文章",
    "读者的话",
    "本期还有",
    "© 海岛邮报，印于码头旁",
    """
# 渡轮恢复通航

## 船坞里的十一周

往返两座海岛之间的渡轮在船坞里停了十一周，星期一终于重新开航。
工程师更换了主轴和大部分线路，港务长说，如今的船比从前安静得多。

## 船票与时刻

此前购买了公共汽车票的乘客，可以把车票用到五月底。
头班船早上六点离港，末班船晚上九点返回，星期日的班次照旧。

> 开船的时候我就站在码头上，靴子到现在还是湿的，但那天真好。

# 灯塔出售

## 出售的是什么

岩石岬上的老灯塔正在出售，连同它的灯、看守人的小屋和一片石南地。
镇议会希望在夏天以前收到报价，并会优先考虑愿意让灯继续亮着的人。

## 谁该三思

自从灯改成自动以后，那里就没有人住过。
测量员说屋顶还很结实，不过楼梯需要一位有耐心的人来慢慢修理。

> 我姨妈就在那座灯塔里长大，她说那楼梯从来没有好过。

# 鲱鱼进了海湾

## 满载而归

涌进海湾的鲱鱼多得惊人，老人们说战后再也没有见过这样的景象。
出海捕蟹的船都满载着鱼回来，冰库里的冰不到中午就用完了。

## 鱼为何而来

生物学家认为，温暖的冬天让鱼群更靠近海岸。
他们请各船的船员把每一次捕捞的数量、地点和时间都记录下来。

> 我们整整一周没有吃别的东西，家里的猫从星期四起就没动过。

# 面包店搬上山

## 烤炉里的盐

在码头边开了四十年的面包店，就要搬到山上的老学校里去了。
去年冬天海水三次漫进烤炉，保险公司不肯再赔第四次。

## 柜台还在

每天早晨会有一辆小货车把面包送下山来，谁也不必为了早饭爬坡。
面包师傅笑着说，酵母是不会察觉的。

> 只要黑麦面包八点以前能送到山下，我就没有什么可抱怨的。
""",
)

JAPANESE = Journal(
    "ja",
    "みなと新聞",
    ("ニュース", "海のこと", "人びと", "お便り"),
    "このサイトでは、次の訪問のためにクッキーを使っています。",
    "すべて同意する",
    "関連する記事",
    "読者の声",
    "今号のほかの記事",
    "© みなと新聞、桟橋のそばで印刷",
    """
# 渡し船がまた動き出す

## ドックでの十一週間

二つの島を結ぶ渡し船が、十一週間の修理を終えて月曜日に運航を再開した。
技師たちは軸と配線のほとんどを取り替え、港長は前よりずっと静かになったと話している。

## 切符と時刻

代わりのバスの切符を買った人は、五月の終わりまで船でも使うことができる。
始発は朝の六時に出て、最後の便は夜の九時に戻ってくる。

> 船が出るとき桟橋に立っていました。長靴はまだ濡れていますが、良い日でした。

# 灯台売ります

## 売りに出たもの

岬の古い灯台が、ランプと灯台守の家、それに小さな野原ごと売りに出された。
町の議会は夏までに申し出を受け付け、明かりをともし続ける人を優先するという。

## よく考えたほうがよい人

明かりが自動になってから、そこには誰も住んでいない。
屋根はしっかりしていると調査の人は言うが、階段には気の長い住人が必要だ。

> おばはあの灯台で育ちました。階段は昔から良くなかったそうです。

# 湾に入ったニシン

## 満杯の船

戦後は誰も見たことがないほどのニシンの群れが湾に入ってきた。
カニをとりに出た船はどれも重くなって帰り、氷室の氷は昼前になくなってしまった。

## なぜ来たのか

暖かい冬のために群れが岸に近づいたのだろうと、生物学者たちは考えている。
船の人たちには、とれた量と場所を毎回書きとめるように頼んでいる。

> 一週間ほかのものは食べませんでした。猫は木曜日から動きません。

# パン屋が丘の上へ

## かまどに入った塩

桟橋のそばで四十年続いたパン屋が、丘の上の古い学校へ引っ越す。
昨年の冬は海の水が三度もかまどまで届き、保険会社は四度目を払わないと言った。

## 売り場はそのまま

毎朝小さな車がパンを下まで運ぶので、朝ごはんのために坂を登る必要はない。
パン種は引っ越しに気づかないだろうと、店の主人は笑っている。

> ライ麦のパンが八時までに下に届くなら、何も言うことはありません。
""",
)

JOURNALS = {journal.lang: journal for journal in (ENGLISH, GERMAN, RUSSIAN, ARABIC, CHINESE, JAPANESE)}

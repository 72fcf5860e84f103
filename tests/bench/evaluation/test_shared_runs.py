"""mdream's rule: runs of words that half of the pages of a site share are dropped."""

from dehusk.bench.evaluation._shared_runs import without_shared_runs

MENU = "Home News Shop Prices Help Contact Imprint Terms Privacy Jobs Press Search"  # 12 words


def test_a_run_on_half_of_the_pages_is_dropped_and_the_rest_stays_as_it_is() -> None:
    texts = [f"{MENU}\n\nFirst  page.", f"Second page.\n{MENU}", "Third page.", "Fourth page."]
    assert without_shared_runs(texts) == ["\n\nFirst  page.", "Second page.\n", "Third page.", "Fourth page."]


def test_a_run_on_fewer_pages_stays() -> None:
    texts = [f"{MENU} {number}" if number < 2 else f"{number}" for number in range(5)]
    assert without_shared_runs(texts) == texts


def test_a_shorter_run_stays() -> None:
    short = MENU.rpartition(" ")[0]
    texts = [f"{short} {own}" for own in ("one", "two", "three")]
    assert without_shared_runs(texts) == texts


def test_two_pages_are_too_few() -> None:
    assert without_shared_runs([MENU, MENU]) == [MENU, MENU]


def test_words_between_two_runs_stay() -> None:
    texts = [f"{MENU} {own} {MENU.lower()}" for own in ("one", "two", "three")]
    assert [text.strip() for text in without_shared_runs(texts)] == ["one", "two", "three"]

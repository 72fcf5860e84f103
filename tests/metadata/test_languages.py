"""The language of pages that do not state one, and languages that are asked for."""

from typing import Any

import pytest

import dehusk
from dehusk import UsageError
from dehusk.metadata import languages

NEEDS_EXTRA = pytest.mark.skipif(
    languages.detector_version() is None, reason=f"languages are not detected without the extra: {languages.EXTRA}"
)
GERMAN = "Das Wasser steigt und fällt zweimal am Tag, weil der Mond um die Erde geht und es an sich zieht."
POLISH = "Woda podnosi się i opada dwa razy dziennie, ponieważ Księżyc krąży wokół Ziemi i ją przyciąga."
GREEK = "Το νερό ανεβαίνει και κατεβαίνει δύο φορές την ημέρα, επειδή η Σελήνη γυρίζει γύρω από τη Γη."


class Detector:
    """Answers what it was made with, and remembers what it was asked."""

    def __init__(self, lang: str, score: float) -> None:
        self.answer, self.asked = {"lang": lang, "score": score}, ""

    def detect(self, text: str, model: str) -> list[dict[str, Any]]:
        """The answer, as the library gives it."""
        assert model == "lite"  # another one would be downloaded
        self.asked = text
        return [self.answer]


def use(monkeypatch: pytest.MonkeyPatch, detector: Detector | None) -> None:
    monkeypatch.setattr(languages, "_detector", lambda: detector)
    monkeypatch.setattr(languages, "detector_version", lambda: "1.0" if detector else None)


@NEEDS_EXTRA
@pytest.mark.parametrize(("text", "tag"), [(GERMAN, "de"), (POLISH, "pl"), (GREEK, "el")])
def test_the_language_of_a_text_is_detected(text: str, tag: str) -> None:
    assert languages.detected(text) == tag
    found = dehusk.clean(f"<main><h1>{text[:20]}</h1><p>{text}</p></main>").metadata
    assert (found.language, found.sources["language"]) == (tag, "text")


def test_a_stated_language_is_not_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Detector("pl", 1.0))
    found = dehusk.clean(f"<html lang=de-AT><body><p>{GERMAN}</p></body></html>").metadata
    assert (found.language, found.sources["language"]) == ("de-AT", "html")
    assert dehusk.clean(f"<p>{GERMAN}</p>").metadata.language == "pl"


def test_the_start_of_the_text_is_looked_at_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = Detector("de", languages.SURE)
    use(monkeypatch, detector)
    assert languages.detected("Ebbe\nund " * 1000) == "de"
    assert "\n" not in detector.asked
    assert len(detector.asked) <= languages.LENGTH


def test_an_unsure_answer_and_a_short_text_have_no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Detector("de", languages.SURE - 0.01))
    assert languages.detected(GERMAN) is None
    use(monkeypatch, Detector("de", 1.0))
    assert languages.detected("x" * (languages.SHORTEST - 1)) is None


def test_without_the_extra_nothing_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)
    assert languages.detected(GERMAN) is None
    assert dehusk.clean(f"<p>{GERMAN}</p>").metadata.language is None


@pytest.mark.parametrize(
    ("language", "asked", "why"),
    [
        ("de", ["de"], None),
        ("de-AT", ["fr", "de"], None),
        ("pt-BR", ["pt-br"], None),
        ("pt", ["pt-br"], "its language is pt"),
        ("den", ["de"], "its language is den"),
        ("EN-us", ["de"], "its language is en"),
        (None, ["de"], "its language is not known"),
    ],
)
def test_a_language_includes_its_regions(
    monkeypatch: pytest.MonkeyPatch, language: str | None, asked: list[str], why: str | None
) -> None:
    use(monkeypatch, Detector("de", 1.0))
    assert languages.not_asked_for(language, asked) == why


def test_an_unknown_language_says_what_detects_it(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, None)
    assert "dehusk[language]" in (languages.not_asked_for(None, ["de"]) or "")


def test_tags_are_checked() -> None:
    assert languages.checked(["de", " pt_BR"]) == ("de", "pt-br")
    for wrong in ("german", "d", "", "de fr"):
        with pytest.raises(UsageError, match="not a language"):
            languages.checked([wrong])
    with pytest.raises(UsageError, match="list of languages"):
        languages.checked("de")

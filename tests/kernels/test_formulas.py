"""Powers, indexes and formulas as text: the same from both versions of the kernel."""

from types import ModuleType

import pytest

from conftest import kernel_versions
from dehusk.page import Page
from dehusk.page.elements import first

RAISED = {
    ("2", "n - 1"): "ⁿ⁻¹",
    ("10", "15"): "¹⁵",
    ("e", "x"): "^x",
    ("e", "x + y"): "^(x + y)",
    ("e", "(x)"): "^(x)",
    ("Na", "+"): "⁺",
    ("word", "1,2"): "^1,2",
    ("word", "[1]"): "",
    ("word", "(1)"): "",
    ("1", "st"): "",
    ("2", "e"): "",
    ("N", "o"): "",
    ("Kiln", "®"): "",
    ("Kiln", "max 2 words"): "^(max 2 words)",
    ("Kiln", "some words"): "",
    ("Kiln", "1" * 21): "",
    ("Kiln", " "): "",
    ("", "2"): "",
    ("a ", "2"): "",
    ("$19", "99"): ".99",
    ("$19", ".99"): "",
    ("19", "99"): "⁹⁹",
}
LOWERED = {
    ("H", "2"): "₂",
    ("x", "i"): "ᵢ",
    ("x", "n-1"): "ₙ₋₁",
    ("V", "max"): "_max",
    ("a", "b"): "_b",
    ("a", "some words"): "",
    ("1/", "2"): "",
    ("1¹/", "2"): "₂",
}
FORMULAS = {
    "<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi><mo>&#x2062;</mo><mi>b</mi></mrow></mfrac>": "x = 1/ab",
    "<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>": "x² + yᵢ",
    "<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>k</mi></msup>": "(a + b)^k",
    "<msup><mi>e</mi><mrow><mo>-</mo><mi>x</mi></mrow></msup>": "e^(-x)",
    "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>": "∑ᵢ₌₁ⁿi",
    "<msqrt><mi>a</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>": "√(a + 1)√[3]x",
    "<mover><mi>x</mi><mo>¯</mo></mover><mspace/><mphantom><mi>h</mi></mphantom><mtext>if</mtext>": "x¯ if",
    "<mfenced><mi>a</mi><mi>b</mi></mfenced>": "(a, b)",
    "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>": "a, b; c",
    "<semantics><mi>x</mi><annotation-xml><ci>x</ci></annotation-xml></semantics>": "x",
    "<mi>x</mi>stray": None,
    "<mi>x</mi><other>y</other>": None,
    "<mrow>" * 50 + "<mi>x</mi>": None,
    "": "",
}


@pytest.mark.parametrize("kernel", kernel_versions("formulas"))
def test_powers_and_indexes_have_characters_or_a_sign(kernel: ModuleType) -> None:
    assert {key: kernel.scripted(key[1], key[0], raised=True) for key in RAISED} == RAISED
    assert {key: kernel.scripted(key[1], key[0], raised=False) for key in LOWERED} == LOWERED


@pytest.mark.parametrize("kernel", kernel_versions("formulas"))
def test_formulas_are_on_one_line(kernel: ModuleType) -> None:
    assert {html: kernel.linear(first(Page(f"<math>{html}").body, "math")) for html in FORMULAS} == FORMULAS


@pytest.mark.parametrize("kernel", kernel_versions("formulas"))
@pytest.mark.parametrize(("encoding", "tex"), [("application/x-tex", "x^2"), ("LaTeX", "x^2"), ("text/plain", "")])
def test_the_tex_of_a_formula_is_its_annotation(kernel: ModuleType, encoding: str, tex: str) -> None:
    note = f"<annotation encoding='{encoding}'>{{\\displaystyle x^2}}</annotation>"
    assert kernel.tex_of(first(Page(f"<math><semantics><mi>x</mi>{note}").body, "math")) == tex

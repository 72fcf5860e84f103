"""Prints how the time of the parser alone grows with hostile HTML, shape by shape, as an exponent: 1 is linear.

Usage: `python benchmarks/parser.py [SECONDS]`. Sizes are doubled until a parse takes that long (0.12 by default), or
up to 1.5 MB. Stars mark exponents above 1.15; below a tenth of a second, most of them come from caches.
"""

import math
import sys
import time

import turbohtml

REPEATED = """
<b>|<p><b>|<b><i></b></i>|<b><p></b>|<a><p></a></p>|<a><div></a>|<font><table>|<nobr>|<a href=x>|<table><tr><td><a>
<b><i><u><s><em><strong><tt><big><small><code><font><nobr><p>|</p>|<li><div>|<dd><span>|<h1><span>|<button><span>|<form>|<form><div>
<template>|<template><p></template>|<template><tr><td>|<select>|<select><div>|<select><option>x|<table><select>|<select></table>
<svg>|<svg><p>|<svg><desc>|<math><mi>|<math><mi><p>|<svg><foreignObject><div>|<svg><![CDATA[|<table>|<table>x|<table><td>|<table><div>|<table><b>x
<table><caption>|<table><colgroup><col>|<frameset>|</body>x|</html>x|</body><!--x-->|<head>|</head><meta>|<noscript>|<title>|<script>
<script><!--|<style>|<textarea>|<!--|<!--x|<?|<!doctype a>|&amp|&notit|&zzzzzz;|&|<|</|<a |<a b='|<a b|<ruby><rt>
<p><table>|<iframe>|<object>|<marquee><b>|<image>|<pre>|<body a=x>|<html a=x>
""".replace("\n", "|").strip("|")

NUMBERED = "<body a%=x>|<html a%=x>|<body a%=x><p>|<svg><g a%=x>|<x%>|<x%></x%>|<p><b a=%>|<font c=%>x<p>"

HALVES = (
    *(
        "<b> </b>",
        "<x> </y>",
        "<div><span> </div>",
        "<span> </p>",
        "<template> </template>",
        "<svg><g> </x>",
        "<g> </z>",
    ),
    *(
        "<table><tr><td> </td>",
        "<table><tr><td> </table>",
        "<span> <dd>",
        "<span> <p>",
        "<span> </h1>",
        "<span> </body>",
    ),
    *("<span> <body>", "<span> </select>", "<span> </template>", "<span> </a>", "<span> <a>", "<div> <table></table>"),
    *("<div> <template></template>", "<span> <svg></svg>", "<span> <rt>", "<b> <object></object>", "<p>x <table>x<tr>"),
)
LARGEST = 1_500_000
MANY = 1.15


def made(shape: str, count: int) -> str:
    """A page that repeats a shape: numbered if it has a "%", each half by itself if it has a space between tags."""
    if "%" in shape:
        return "".join(shape.replace("%", str(number)) for number in range(count))
    first, space, then = shape.partition("> ")
    return (f"{first}>" * count + then * count) if space else shape * count


def main() -> int:
    """Prints a row for each shape."""
    longest = float(sys.argv[1]) if sys.argv[1:] else 0.12
    print("| shape | kB | s | exponent |\n|---|---|---|---|")
    for shape in (*REPEATED.split("|"), *NUMBERED.split("|"), *HALVES):
        taken: list[tuple[int, float]] = []
        count, size = 500, 0
        while not taken or (taken[-1][1] < longest and size < LARGEST):
            html = made(shape, count)
            size = len(html)
            start = time.process_time()
            turbohtml.parse(html, positions=False)
            taken.append((count, time.process_time() - start))
            count *= 2
        (small, before), (large, after) = taken[max(0, len(taken) - 3)], taken[-1]
        exponent = math.log(max(after, 1e-4) / max(before, 1e-4)) / math.log(max(large / small, 2))
        star = " *" * (exponent > MANY)
        print(f"| `{shape}` | {size // 1000:,} | {after:.3f} | {exponent:.2f}{star} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

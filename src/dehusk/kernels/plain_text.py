"""Writes blocks as plain text: empty lines between paragraphs, a line for each item and row, indented quotations."""

from typing import Any

from dehusk.kernels import blocks as kinds
from dehusk.kernels.blocks import (
    ENDS,
    Block,
    Line,
    blocks,
    full_cells,
    is_glossary,
    is_headed,
    is_label,
    is_line,
    is_value,
)

# C numbers when compiled.
_HEADING, _LIST, _ITEM, _TABLE, _ROW = kinds.HEADING, kinds.LIST, kinds.ITEM, kinds.TABLE, kinds.ROW
_QUOTATION, _DEFINITIONS, _RULE = kinds.QUOTATION, kinds.DEFINITIONS, kinds.RULE

_QUOTED = "    "


def write(block: Block) -> str:
    """Returns the text of a block, with an empty line between its parts."""
    text = "\n\n".join(parts_of(block)).strip()
    return f"{text}\n" if text else ""


def parts_of(block: Block) -> list[str]:
    """Returns the parts of a block. Consecutive lists are one part, and so are consecutive rows."""
    parts: list[str] = []
    run: list[str] = []  # the lists or rows that are to be joined
    before = 0
    part: Any
    for part in block.inside:
        kind = part.kind if type(part) is Block else 0
        written = parts_of_block(kind, part) if kind else [part.text]
        if not written and kind != _RULE:
            continue
        if run and (kind != before or len(written) > 1):
            if kind == before:
                run.append(written.pop(0))
            parts.append("\n".join(run))
            run = []
        if kind == _LIST or kind == _ROW:
            run.extend(written[len(written) - 1 :])
            parts.extend(written[: len(written) - 1])
        else:
            parts.extend(written)
        before = kind
    if run:
        parts.append("\n".join(run))
    return parts


def parts_of_block(kind: int, block: Block) -> list[str]:
    """Returns the parts of a block of this kind."""
    if kind == _LIST:
        return items_of(block)
    if kind == _ROW:
        return [row_text(blocks(block))]
    if kind == _TABLE:
        return rows_of(block)
    if kind == _QUOTATION:
        quoted = "\n\n".join(parts_of(block))
        return [indented(quoted, _QUOTED, _QUOTED)] if quoted else []
    if kind == _DEFINITIONS:
        return definitions_of(block)
    return parts_of(block) if kind != _RULE else []


def definitions_of(block: Block) -> list[str]:
    """Returns terms and definitions: each pair on one line in a glossary; else only a label and its value."""
    if is_glossary(block):
        texts = ["".join(parts_of(part)) for part in blocks(block)]
        return ["\n".join([defined(texts[number], texts[number + 1]) for number in range(0, len(texts), 2)])]
    parts: list[str] = []
    label = False
    part: Any
    for part in block.inside:
        written = [part.text] if type(part) is Line else parts_of(part)
        if label and len(written) == 1 and is_value(written[0]):
            parts[len(parts) - 1] += f" {written[0]}"
            label = False
        else:
            parts.extend(written)
            label = len(written) == 1 and is_label(written[0])
    return parts


def defined(term: str, meaning: str) -> str:
    """Returns a term and its definition on one line."""
    return f"{term}{'' if term.endswith(ENDS) else ':'} {meaning}".strip()


def items_of(items: Block) -> list[str]:
    """Returns the parts of a list: a line for each item. Text outside items becomes separate parts."""
    numbered = items.number > 0
    number = items.number
    parts: list[str] = []
    lines: list[str] = []
    item: Any
    for item in items.inside:
        if type(item) is Block and item.kind == _ITEM:
            text = "\n".join(parts_of(item))
            mark = f"{number}. " if numbered else "- "
            number += 1
            if text:
                # An item that is only a list needs no mark of its own.
                first = item.inside[0]
                nested = type(first) is Block and first.kind == _LIST
                lines.append(text if nested else indented(text, mark, " " * len(mark)))
        else:
            if lines:
                parts.append("\n".join(lines))
                lines = []
            if type(item) is Line:
                parts.append(item.text)
            else:
                parts.extend(parts_of_block(item.kind, item))
    if lines:
        parts.append("\n".join(lines))
    return parts


def indented(text: str, first: str, others: str) -> str:
    """Returns a text with `first` before its first line, and `others` before all other lines that are not empty."""
    if "\n" not in text:
        return first + text
    lines = text.split("\n")
    return first + "\n".join([others + line if line and number else line for number, line in enumerate(lines)])


def rows_of(table: Block) -> list[str]:
    """Returns a table: a line for each row with short cells or if there is a header. Other cells are paragraphs."""
    rows = blocks(table)
    headed = is_headed(rows)
    parts: list[str] = []
    lines: list[str] = []
    for row in rows:
        cells = full_cells(row)
        if headed or is_line(cells):
            lines.append(row_text(cells))
        else:
            if lines:
                parts.append("\n".join(lines))
                lines = []
            for cell in cells:
                parts.extend(parts_of(cell))
    if lines:
        parts.append("\n".join(lines))
    return parts


def row_text(cells: list[Block]) -> str:
    """Returns the cells on one line."""
    texts: list[str] = []
    for cell in cells:
        text = " ".join(parts_of(cell))
        texts.append(" ".join(text.split()) if "\n" in text else text)
    return "  ".join(texts)

"""A page as a list of blocks, written as one self-contained HTML file or as Markdown."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #1a1a1a; }
h1, h2, h3 { line-height: 1.2; margin: 1.6em 0 .5em; }
h2 { border-top: 1px solid #ccc; padding-top: 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
th, td { padding: .2em .7em; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th { border-bottom: 2px solid #888; }
.text { text-align: left; white-space: normal; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
pre { background: #f4f4f4; padding: .7em; overflow-x: auto; white-space: pre-wrap; }
.warning { background: #fff3d6; border-left: 4px solid #e69f00; padding: .5em .8em; }
"""
THUMBNAIL_WIDTH = 150  # pixels


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the page's title."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Plain text, highlighted if it is a warning."""

    text: str
    warning: bool = False


@dataclass(frozen=True)
class Code:
    """A block of code."""

    text: str


@dataclass(frozen=True)
class Thumbnail:
    """A small picture in a table, linked to its file."""

    name: str
    words: str

    @property
    def html(self) -> str:
        """HTML of the thumbnail, also used in Markdown, which cannot scale pictures."""
        name, words = escape(self.name, quote=True), escape(self.words, quote=True).replace("|", "&#124;")
        return f'<a href="{name}"><img src="{name}" alt="{words}" width="{THUMBNAIL_WIDTH}"></a>'


Cell = str | Thumbnail


@dataclass(frozen=True)
class Table:
    """A table; the first ``texts`` columns are text, the others numbers (aligned right)."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    texts: int = 1


@dataclass(frozen=True)
class Picture:
    """A PNG with its file name and alternative text."""

    name: str
    png: bytes
    alt: str


@dataclass(frozen=True)
class Details:
    """Blocks folded behind a summary line."""

    text: str
    blocks: Sequence[Block]


Block = Heading | Paragraph | Code | Table | Picture | Details


def flat(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield all blocks, including those inside Details."""
    for block in blocks:
        yield block
        if isinstance(block, Details):
            yield from flat(block.blocks)


def as_html(blocks: Iterable[Block], title: str) -> str:
    """Render a page with embedded pictures."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def as_markdown(blocks: Iterable[Block]) -> str:
    """Render a page that refers to its pictures as files."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, warning):
            return f'<p class="warning">{escape(text)}</p>' if warning else f"<p>{escape(text)}</p>"
        case Code(text):
            return f"<pre>{escape(text)}</pre>"
        case Table(headings, rows, texts):
            head = _html_row("th", headings, texts)
            body = "\n".join(_html_row("td", row, texts) for row in rows)
            return f'<div class="wide"><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
        case Picture(_, png, words):
            data = b64encode(png).decode()
            return f'<p><img alt="{escape(words, quote=True)}" src="data:image/png;base64,{data}"></p>'
        case Details(text, blocks):
            inner = "\n".join(_html(one) for one in blocks)
            return f"<details>\n<summary>{escape(text)}</summary>\n{inner}\n</details>"


def _html_row(tag: str, cells: Sequence[Cell], texts: int) -> str:
    inner = "".join(
        f'<{tag} class="text">{_html_cell(cell)}</{tag}>' if place < texts else f"<{tag}>{_html_cell(cell)}</{tag}>"
        for place, cell in enumerate(cells)
    )
    return f"<tr>{inner}</tr>"


def _html_cell(cell: Cell) -> str:
    return cell.html if isinstance(cell, Thumbnail) else escape(cell)


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_safe(text)}"
        case Paragraph(text, warning):
            return f"**{_safe(text)}**" if warning else _safe(text)
        case Code(text):
            return f"```\n{text}\n```"
        case Table(headings, rows, texts):
            rule = ["---" if place < texts else "---:" for place in range(len(headings))]
            lines = [
                [_safe(cell) for cell in headings],
                rule,
                *([_markdown_cell(cell) for cell in row] for row in rows),
            ]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case Picture(name, _, words):
            return f"![{_safe(words).replace('[', '(').replace(']', ')')}]({name})"
        case Details(text, blocks):
            # MkDocs needs the attribute to render Markdown inside HTML
            inner = "\n\n".join(_markdown(one) for one in blocks)
            return f'<details markdown="1">\n<summary>{escape(text)}</summary>\n\n{inner}\n\n</details>'


def _markdown_cell(cell: Cell) -> str:
    return cell.html if isinstance(cell, Thumbnail) else _safe(cell)


def _safe(text: str) -> str:
    """Escape Markdown's special characters."""
    for sign in ("\\", "|", "*", "_", "<", "`"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())

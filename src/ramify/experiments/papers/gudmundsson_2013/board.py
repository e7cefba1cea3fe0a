"""Draws a Breakthrough position as a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ramify.arena.reports.png import BLUE, GREY, ORANGE, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

COLOURS = {"w": "white", "b": "black"}
SIZE = 4.6  # inches


@picture
def board(figure: Figure, text: str, best: str, others: Mapping[str, str], title: str) -> None:
    """Draw the position ``text`` with an arrow for the move ``best`` and for ``others``, with their labels."""
    rows = text.split(maxsplit=1)[0].split("/")
    figure.set_size_inches(SIZE, SIZE)
    axes = figure.subplots()
    for y, row in enumerate(reversed(rows)):
        for x, piece in enumerate(row):
            axes.add_patch(_square(x, y))
            if piece in COLOURS:
                axes.plot(x, y, "o", markersize=17, color=COLOURS[piece], markeredgecolor="black")
    for move, label in {best: "wins", **others}.items():
        start, end = _place(move[:2]), _place(move[2:])
        colour = BLUE if move == best else ORANGE
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.5})
        axes.plot([], [], color=colour, linewidth=2.5, label=f"{move}: {label}")
    axes.set_xticks(range(len(rows[0])), "abcdefgh"[: len(rows[0])])
    axes.set_yticks(range(len(rows)), [str(y + 1) for y in range(len(rows))])
    axes.set_aspect("equal")
    axes.set_title(title)
    axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=3)


def _square(x: int, y: int) -> Rectangle:
    from matplotlib.patches import Rectangle  # noqa: PLC0415  (slow to import)

    return Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="#d9d9d9" if (x + y) % 2 == 0 else "#f2f2f2", edgecolor=GREY)


def _place(square: str) -> tuple[int, int]:
    return "abcdefgh".index(square[0]), int(square[1]) - 1

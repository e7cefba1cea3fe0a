"""Decorator that turns drawing functions into functions that return a PNG. It imports matplotlib on the first call.

No pyplot: no global state, no windows. Colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), safe
for colour-blind readers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import numpy as np

from ramify.output_files import PICTURE_MARK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#777777"
STYLE: Any = {  # matplotlib's type has literal key names
    "text.parse_math": False,  # labels may contain dollar signs
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
}
DPI = 110
SHADES = 256  # colours per file: a third of the size, without a visible difference

P = ParamSpec("P")


def picture(draw: Callable[Concatenate[Figure, P], None]) -> Callable[P, bytes]:
    """Turn a function that draws on a figure into one that returns a PNG."""

    @wraps(draw)
    def png(*args: P.args, **named: P.kwargs) -> bytes:
        import matplotlib as mpl  # noqa: PLC0415  (slow to import)
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
        from PIL import Image  # noqa: PLC0415
        from PIL.PngImagePlugin import PngInfo  # noqa: PLC0415

        with mpl.rc_context(STYLE), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)  # characters that the font lacks
            figure = Figure(layout="constrained")
            figure.set_dpi(DPI)
            canvas: Any = FigureCanvasAgg(figure)  # untyped
            draw(figure, *args, **named)
            canvas.draw()
            if _wrap_titles(figure, canvas.get_renderer()):
                canvas.draw()
        out = BytesIO()
        drawn = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        info = PngInfo()
        for key, text in PICTURE_MARK.items():
            info.add_text(key, text)
        drawn.quantize(SHADES).save(out, format="png", optimize=True, pnginfo=info)
        return out.getvalue()

    return png


def _wrap_titles(figure: Figure, renderer: Any) -> bool:
    """Wrap titles that are wider than their axes. Return whether there were any."""
    wrapped = False
    for axes in figure.axes:
        text = axes.get_title()
        letters = len(text)
        longest_word = max(map(len, text.split()), default=0)
        while letters > longest_word and axes.title.get_window_extent(renderer).width > axes.bbox.width:
            letters -= 1
            axes.title.set_text(fill(text, letters))
            wrapped = True
    return wrapped

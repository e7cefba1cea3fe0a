"""Plots of a tuning: a curve for one parameter, a map for two, one panel per parameter for more."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ramify.arena.tuning.response_surface import ResponseSurface
from ramify.arena.tuning.result import TuneResult
from ramify.arena.tuning.space import CategoricalRange, Parameter, Range
from ramify.errors import RamifyError, os_error_text
from ramify.grammar import format_value
from ramify.output_files import PICTURE_MARK, check_replaceable, is_our_picture, write_output
from ramify.statistics.inference import normal_quantile
from ramify.statistics.pairs import Floats

POINTS = 101
PICTURE = "tune.png"


def draw(result: TuneResult, folder: str | Path) -> Path:
    """Write ``tune.png`` into ``folder``. Return its path."""
    from matplotlib.figure import Figure  # noqa: PLC0415  (slow to import)

    if not result.trials:
        raise RamifyError("no finished trial to draw yet")
    parameters = result.space.parameters
    both = len(parameters) == 2 and all(isinstance(one, Range) for one in parameters)
    panels = 1 if both else len(parameters)
    figure = Figure(figsize=(6.4 * min(panels, 3), 4.4 * -(-panels // 3)), layout="constrained")
    axes = figure.subplots(-(-panels // 3), min(panels, 3), squeeze=False).ravel()
    if both:
        _map(figure, axes[0], result)
    else:
        for panel, parameter in zip(axes, parameters, strict=False):
            _panel(panel, result, parameter, curve=len(parameters) == 1 and isinstance(parameter, Range))
        for panel in axes[panels:]:
            panel.set_axis_off()
    pairing = result.pairing
    budget = "" if pairing.handicap else f", {pairing.first.limits}"
    title = f"{pairing.label_of(pairing.first)} against {pairing.label_of(pairing.second)}\n{pairing.game}{budget}"
    figure.suptitle(title, size=10, wrap=True)
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=120, metadata=PICTURE_MARK)
    path = Path(folder) / PICTURE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_output(path, drawn.getvalue(), is_our_picture)
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None
    return path


def check_picture(folder: str | Path) -> None:
    """Raise if ``draw`` would replace a picture that is not of Ramify."""
    path = Path(folder) / PICTURE
    try:
        check_replaceable(path, is_our_picture)
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None


def _surface(result: TuneResult) -> ResponseSurface:
    points = [result.space.coordinates(trial.values) for trial in result.trials]
    return ResponseSurface(points, [trial.standing.results for trial in result.trials])


def _values(parameter: Range) -> Floats:
    space = np.geomspace if parameter.log else np.linspace
    values: Floats = space(parameter.low, parameter.high, POINTS)
    return values


def _panel(panel: Any, result: TuneResult, parameter: Parameter, *, curve: bool) -> None:
    """Draw each trial with its interval; with ``curve``, also the response surface and its 95 % band."""
    values = [trial.values[parameter.name] for trial in result.trials]
    intervals = [trial.standing.interval for trial in result.trials]
    x = [parameter.values.index(value) for value in values] if isinstance(parameter, CategoricalRange) else values
    errors = [[one.estimate - one.low for one in intervals], [one.high - one.estimate for one in intervals]]
    scores = [one.estimate for one in intervals]
    panel.errorbar(x, scores, np.maximum(errors, 0), fmt="o", ms=4, lw=0.7, color="tab:blue", alpha=0.6, label="trials")
    if isinstance(parameter, CategoricalRange):
        panel.set_xticks(range(len(parameter.values)), [format_value(value) for value in parameter.values])
    elif parameter.log:
        panel.set_xscale("log")
    if curve and isinstance(parameter, Range):
        grid = _values(parameter)
        means, deviations = _surface(result)([parameter.coordinate(value) for value in grid])
        half = normal_quantile(0.95) * deviations
        panel.plot(grid, means, color="tab:orange", label="response surface, 95%")
        panel.fill_between(grid, means - half, means + half, color="tab:orange", alpha=0.2, lw=0)
    best = result.best
    at = best.values[parameter.name]
    place: Any = parameter.values.index(at) if isinstance(parameter, CategoricalRange) else at
    panel.axvline(place, color="tab:red", lw=0.8, label="best")
    if result.confirmation is not None:
        fresh = result.confirmation.interval
        bars = [[fresh.estimate - fresh.low], [fresh.high - fresh.estimate]]
        panel.errorbar([place], [fresh.estimate], bars, fmt="s", color="tab:red", capsize=4, label="fresh games")
    panel.axhline(0.5, color="grey", lw=0.8, ls=":")
    panel.set(xlabel=parameter.name, ylabel="score", ylim=(0, 1))
    panel.legend(fontsize=7, loc="lower right")


def _map(figure: Any, panel: Any, result: TuneResult) -> None:
    """Draw the response surface over two parameters, lighter for higher scores, as in figure 2 of Perick et al. 2012.

    Source: P. Perick et al., "Comparison of different selection strategies in Monte-Carlo tree search for the game of
    Tron", CIG 2012.
    """
    first, second = (one for one in result.space.parameters if isinstance(one, Range))
    xs, ys = _values(first), _values(second)
    points = [(*first.coordinate(x), *second.coordinate(y)) for y in ys for x in xs]
    means = _surface(result)(points)[0].reshape(len(ys), len(xs))
    drawn = panel.contourf(xs, ys, means, levels=15, cmap="gray")
    figure.colorbar(drawn, ax=panel, label="score by the response surface")
    scores = [trial.standing.results.pair_score for trial in result.trials]
    x, y = ([trial.values[one.name] for trial in result.trials] for one in (first, second))
    panel.scatter(x, y, c=scores, cmap="viridis", s=18, edgecolors="white", linewidths=0.5, label="trials")
    best = result.best
    panel.plot([best.values[first.name]], [best.values[second.name]], "r*", ms=12, label="best")
    panel.set(xlabel=first.name, ylabel=second.name)
    panel.set_xscale("log" if first.log else "linear")
    panel.set_yscale("log" if second.log else "linear")
    panel.legend(fontsize=7)

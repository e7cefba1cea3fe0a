"""Finding experiments: ours by scanning ``catalogue``, a user's by the path of a file."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from ramify.contract.registry import import_file, is_path
from ramify.errors import RamifyError, nearest
from ramify.experiments import catalogue
from ramify.experiments.experiment import Experiment


@cache
def experiments() -> dict[str, Experiment]:
    """All experiments of ours by their ids, those of a file in its order."""
    found: dict[str, Experiment] = {}
    for path in sorted(Path(str(catalogue.__file__)).parent.glob("*.py")):
        if path.stem == "__init__":
            continue
        module = importlib.import_module(f"ramify.experiments.catalogue.{path.stem}")
        for one in _of(vars(module)):
            found[one.id] = one
    return found


def _of(names: dict[str, object]) -> list[Experiment]:
    """The experiments a module offers: ``EXPERIMENT``, or several as ``EXPERIMENTS``."""
    given = names.get("EXPERIMENTS", names.get("EXPERIMENT"))
    together = given if isinstance(given, list | tuple) else [given]
    return [one for one in together if isinstance(one, Experiment)]


LISTING = "`ramify reproduce --list` shows them all"


def experiment(name: str) -> Experiment:
    """The experiment of that id, or the one in that file; ``FILE.py:ID`` where a file has several."""
    if not isinstance(name, str):
        raise RamifyError(f"an experiment is known by its id, a text, not by {name!r}")
    path, _, wanted = name.partition(":")
    if not is_path(path):
        if name not in experiments():
            raise RamifyError(f"there is no experiment '{name}'; {nearest(name, experiments(), LISTING)}")
        return experiments()[name]
    offered = {one.id: replace(one, home=path) for one in _of(vars(import_file(path)))}
    if not offered:
        raise RamifyError(f"{path} is not an experiment: it has no EXPERIMENT = Experiment(...)")
    if not wanted and len(offered) > 1:
        raise RamifyError(f"{path} has several experiments; name one: " + ", ".join(f"{path}:{one}" for one in offered))
    if wanted and wanted not in offered:
        raise RamifyError(f"{path} has no experiment '{wanted}'; {nearest(wanted, offered)}")
    return offered[wanted] if wanted else next(iter(offered.values()))

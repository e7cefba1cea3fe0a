"""Finding experiments: ours by the names of the files in ``papers``, a user's by the path of a file.

The file of ``rave-tuning`` is ``rave_tuning.py`` in the folder of its paper. A file of several experiments is that of
all ids that begin with its name: ``sos.py`` has ``sos`` and ``sos-5.7``. So finding one imports no other.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from ramify.contract.registry import import_file, is_path
from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.experiment import Experiment

PAPERS = Path(__file__).parents[1] / "papers"


@cache
def _modules() -> dict[str, str]:
    """The module of each file with experiments, by the id that its name stands for."""
    paths = [path for path in PAPERS.glob("*/*.py") if "\nEXPERIMENT" in path.read_text(encoding="utf-8")]
    return {
        path.stem.replace("_", "-"): f"ramify.experiments.papers.{path.parent.name}.{path.stem}"
        for path in sorted(paths, key=lambda path: path.name)
    }


@cache
def _offered(module: str) -> dict[str, Experiment]:
    """The experiments of a module by their ids."""
    return {one.id: one for one in _of(vars(importlib.import_module(module)))}


def experiments() -> dict[str, Experiment]:
    """All experiments of ours by their ids, in the order of their files' names, those of a file in its order."""
    return {name: one for module in _modules().values() for name, one in _offered(module).items()}


def _ours(name: str) -> Experiment | None:
    """The experiment of that id; imports its file only."""
    starts = [start for start in _modules() if name == start or name.startswith(f"{start}-")]
    return _offered(_modules()[max(starts, key=len)]).get(name) if starts else None


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
        ours = _ours(name)
        if ours is None:
            raise RamifyError(f"there is no experiment '{name}'; {suggestion(name, experiments(), LISTING)}")
        return ours
    offered = {one.id: replace(one, file=path) for one in _of(vars(import_file(path)))}
    if not offered:
        raise RamifyError(f"{path} is not an experiment: it has no EXPERIMENT = Experiment(...)")
    if not wanted and len(offered) > 1:
        raise RamifyError(f"{path} has several experiments; name one: " + ", ".join(f"{path}:{one}" for one in offered))
    if wanted and wanted not in offered:
        raise RamifyError(f"{path} has no experiment '{wanted}'; {suggestion(wanted, offered)}")
    return offered[wanted] if wanted else next(iter(offered.values()))

"""Find experiments: built-in ones by their file name in ``papers``, users' experiments by the path of their file.

The file of ``rave-tuning`` is ``rave_tuning.py`` in the folder of its paper. A file with several experiments has all
ids that begin with its name: ``sos.py`` has ``sos`` and ``sos-5.7``. So only the file that is asked for is imported.
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
    """Modules with experiments, by the experiment id in their file name."""
    paths = [path for path in PAPERS.glob("*/*.py") if "\nEXPERIMENT" in path.read_text(encoding="utf-8")]
    return {
        path.stem.replace("_", "-"): f"ramify.experiments.papers.{path.parent.name}.{path.stem}"
        for path in sorted(paths, key=lambda path: path.name)
    }


@cache
def _offered(module: str) -> dict[str, Experiment]:
    """Experiments of a module, by id."""
    return {one.id: one for one in _of(vars(importlib.import_module(module)))}


def experiments() -> dict[str, Experiment]:
    """Return all built-in experiments by id, in the order of their files' names."""
    return {name: one for module in _modules().values() for name, one in _offered(module).items()}


def _built_in(name: str) -> Experiment | None:
    """Find a built-in experiment by its id, importing only its own file."""
    starts = [start for start in _modules() if name == start or name.startswith(f"{start}-")]
    return _offered(_modules()[max(starts, key=len)]).get(name) if starts else None


def _of(names: dict[str, object]) -> list[Experiment]:
    """Return a module's ``EXPERIMENTS``, or its one ``EXPERIMENT``."""
    value = names.get("EXPERIMENTS", names.get("EXPERIMENT"))
    values = value if isinstance(value, list | tuple) else [value]
    return [one for one in values if isinstance(one, Experiment)]


LISTING = "run `ramify reproduce --list` for all of them"


def experiment(name: str) -> Experiment:
    """Find an experiment by id, or by file: ``FILE.py``, or ``FILE.py:ID`` if the file has several."""
    if not isinstance(name, str):
        raise RamifyError(f"an experiment id must be a string, not {name!r}")
    path, _, wanted = name.partition(":")
    if not is_path(path):
        found = _built_in(name)
        if found is None:
            raise RamifyError(f"unknown experiment '{name}': {suggestion(name, experiments(), LISTING)}")
        return found
    offered = {one.id: replace(one, file=path) for one in _of(vars(import_file(path)))}
    if not offered:
        raise RamifyError(f"no experiment in {path}: define EXPERIMENT = Experiment(...)")
    if not wanted and len(offered) > 1:
        raise RamifyError(f"{path} has several experiments: use " + " or ".join(f"{path}:{one}" for one in offered))
    if wanted and wanted not in offered:
        raise RamifyError(f"unknown experiment '{wanted}' in {path}: {suggestion(wanted, offered)}")
    return offered[wanted] if wanted else next(iter(offered.values()))

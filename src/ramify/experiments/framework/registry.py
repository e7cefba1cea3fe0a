"""Find experiments: built-in ones by their file name in ``papers``, users' experiments by the path of their file.

The file of ``rave-tuning`` is ``rave_tuning.py`` in the folder of its paper. A file with several experiments has all
ids that begin with its name: ``sos.py`` has ``sos`` and ``sos-5.7``. So only the file that is asked for is imported.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from ramify.contract.registry import import_file, is_path
from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.experiment import Experiment

MAX_NAMED = 5  # matches that an error names
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
    """Experiments of a module by id, each followed by its parts."""
    return _by_id(_of(vars(importlib.import_module(module))))


def _by_id(given: Iterable[Experiment]) -> dict[str, Experiment]:
    return {one.id: one for whole in given for one in (whole, *whole.all_parts())}


def experiments(parts: bool = False) -> dict[str, Experiment]:
    """Return all built-in experiments by id, in the order of their files' names; with ``parts``, these too."""
    offered = (item for module in _modules().values() for item in _offered(module).items())
    return {name: one for name, one in offered if parts or one.whole is None}


def matching(words: str) -> list[Experiment]:
    """Return the built-in experiments whose id, paper and part have all these words.

    Where a part and its whole experiment match, the part is returned.
    """
    wanted = _words(words)
    found = [
        one
        for one in experiments(parts=True).values()
        if wanted and wanted <= _words(f"{one.id} {one.paper} {one.part}")
    ]
    wholes = {one.whole.id for one in found if one.whole}
    return [one for one in found if one.id not in wholes]


def _words(text: str) -> set[str]:
    """Return the words of a text in lower case, without the plural's s. Ids such as 'sos-5.7' are several words."""
    return {word.removesuffix("s") or word for word in re.findall(r"\d+(?:\.\d+)*|[^\W\d]+", text.lower())}


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
    """Find an experiment by id, by words that only it matches, or by file.

    Words are those of an author, a year, a table or a figure: ``pepels table 3``. A file is ``FILE.py``, or
    ``FILE.py:ID`` if it has several.
    """
    if not isinstance(name, str):
        raise RamifyError(f"an experiment id must be a string, not {name!r}")
    path, _, wanted = name.partition(":")
    if not is_path(path):
        return _built_in(name) or _only_match(name)
    offered = _by_id(replace(one, file=path) for one in _of(vars(import_file(path))))
    if not offered:
        raise RamifyError(f"no experiment in {path}: define EXPERIMENT = Experiment(...)")
    wholes = [name for name, one in offered.items() if one.whole is None]
    if not wanted and len(wholes) > 1:
        raise RamifyError(f"{path} has several experiments: use " + " or ".join(f"{path}:{one}" for one in wholes))
    if wanted and wanted not in offered:
        raise RamifyError(f"unknown experiment '{wanted}' in {path}: {suggestion(wanted, offered)}")
    return offered[wanted] if wanted else next(iter(offered.values()))


def _only_match(words: str) -> Experiment:
    found = matching(words)
    if not found:
        raise RamifyError(f"unknown experiment '{words}': {suggestion(words, experiments(parts=True), LISTING)}")
    if len(found) > 1:
        names = ", ".join(one.id for one in found[:MAX_NAMED]) + (", ..." if len(found) > MAX_NAMED else "")
        raise RamifyError(f"{len(found)} experiments match '{words}' ({names}): name one of them, or add a word")
    return found[0]

"""Users' files that import modules by older names still work, and are told the new ones at their own line."""

import importlib
import re
from pathlib import Path

import pytest

from ramify.moved import EMPTIED, MOVED
from ramify.old_names import SPLIT
from tests import processes
from tests.processes import PACKAGE, ROOT

EVERY_NAME = """
import importlib, sys
import ramify
from ramify.moved import EMPTIED, MOVED
from ramify.old_names import SPLIT
for old, new in MOVED.items():
    assert importlib.import_module(old) is sys.modules[new], old
    assert sys.modules[new].__spec__.name == new, new
for package in EMPTIED:
    importlib.import_module(package)
for package, names in SPLIT.items():
    for name, new in names.items():
        assert getattr(importlib.import_module(package), name) is getattr(sys.modules[new], name), name
"""
OLD_FILE = """
from ramify.experiments import published
from ramify.experiments.claims import OURS, Claim
from ramify.experiments.matches import PairedGames
from ramify.experiments.robins.decisive import DecisiveGames
from ramify.experiments.trials import PositionTrials, powers
from ramify.core.engine.episode import EPISODE
import ramify.arena.statistics.pairs as pairs

from ramify.core.search import episode
from ramify.experiments.papers.perick_2012 import decisive
from ramify.experiments.trials import position
assert DecisiveGames is decisive.DecisiveGames
assert PositionTrials is position.PositionTrials
assert EPISODE is episode.EPISODE
assert pairs.__name__ == "ramify.statistics.pairs"
try:
    from ramify.experiments.trials import nothing
except ImportError:
    print(published.tables()[0], powers(1, 3))
"""
# What documents and examples told users to import when the modules had these names.
DOCUMENTED = {
    "ramify.agents.budget": ["Budget"],
    "ramify.agents.clock": ["Clock"],
    "ramify.agents.searcher": ["Search"],
    "ramify.agents.side_limits": ["SideLimits"],
    "ramify.agents.survey": ["survey"],
    "ramify.arena.statistics.bootstrap": ["bootstrap_mean"],
    "ramify.arena.statistics.inference": ["holm", "score_interval"],
    "ramify.arena.statistics.pairs": ["PairedResults"],
    "ramify.arena.statistics.ratings": ["bradley_terry"],
    "ramify.arena.statistics.sprt": ["Sprt"],
    "ramify.core.engine.amaf": ["NONE"],
    "ramify.core.engine.episode": ["EPISODE"],
    "ramify.core.engine.plan": ["COUNTERS"],
    "ramify.core.engine.tree": ["CHANCE", "EVERYBODY"],
    "ramify.experiments.claims": ["OURS", "Claim", "above", "judged", "rising"],
    "ramify.experiments.curves": ["Curve", "Panel", "panels"],
    "ramify.experiments.estimates": ["share", "share_difference", "shown"],
    "ramify.experiments.experiment": ["Experiment", "Point", "Scale"],
    "ramify.experiments.findings": ["Drawing", "Exhibit", "Findings", "Numbers"],
    "ramify.experiments.matches": ["GamesByProcessorTime", "score_estimate"],
    "ramify.experiments.position": ["FACTS", "GAME", "POSITION"],
    "ramify.experiments.published_cells": ["mean_of"],
    "ramify.experiments.simulation_quality.correlations": ["SimulationTrials"],
}
OURS = [*PACKAGE.rglob("*.py"), *(ROOT / "src").rglob("*.md"), ROOT / "README.md"] + [
    file
    for folder in ("tests", "docs", "examples", "benchmarks")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in {".py", ".md", ".toml", ".txt"}
]


def told(source):
    """What a process prints, and the warnings that it gets."""
    return processes.finish(processes.start("-c", source, PYTHONWARNINGS="default::DeprecationWarning"))


def test_every_old_name_is_the_module_of_the_new_one():
    _, warned = told(EVERY_NAME)
    names = {f"{package}.{name}": f"{new}.{name}" for package, homes in SPLIT.items() for name, new in homes.items()}
    assert dict(re.findall(r"DeprecationWarning: (\S+) is now (\S+)", warned)) == MOVED | names


def test_a_file_with_old_names():
    printed, warned = told(OLD_FILE)
    assert printed == "quality_table1 (2, 4, 8)\n"
    places = [line.partition(": DeprecationWarning: ")[0] for line in warned.splitlines() if "is now" in line]
    assert places == [f"<string>:{line}" for line in (2, 3, 4, 5, 6, 6, 7, 8)]
    assert "ramify.experiments.trials.powers is now ramify.experiments.trials.position.powers" in warned


@pytest.mark.parametrize("old", DOCUMENTED)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_documented_names_are_still_in_the_module(old):
    module = importlib.import_module(MOVED[old])
    assert [name for name in DOCUMENTED[old] if not hasattr(module, name)] == []


def test_old_names_are_of_modules_that_are_gone():
    for name in [*MOVED, *EMPTIED]:
        path = PACKAGE.parent.joinpath(*name.split("."))
        assert not path.with_suffix(".py").exists(), name
        assert not path.joinpath("__init__.py").exists(), name


def test_no_file_of_ours_uses_an_old_name():
    old = re.compile(rf"\b({'|'.join(map(re.escape, [*MOVED, *EMPTIED]))})\b(?!\.md)")
    split = re.compile(r"^ *from (ramify[\w.]*) import ([^#\n(]+|\([^)]+\))", re.MULTILINE)
    here = Path(__file__).parent  # users' files written in old names, to show that they still run
    users_files = {here / "strategies/old_own_strategies.txt", here / "experiments/framework/old_names.txt"}
    own = {Path(__file__), PACKAGE / "moved.py", *users_files}
    for file in set(OURS) - own:
        text = file.read_text(encoding="utf-8")
        imported = {f"{origin}.{name}" for origin, names in split.findall(text) for name in re.findall(r"\w+", names)}
        used = set(old.findall(text)) | imported & (MOVED.keys() | EMPTIED)
        assert not used, f"{file} uses {sorted(used)}"

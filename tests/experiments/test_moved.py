"""Users' files that import modules by older names still work, and are told the new ones at their own line."""

import re

from ramify.experiments.moved import MOVED
from tests import processes

EVERY_NAME = """
import importlib, sys
from ramify.experiments.moved import MOVED
for old, new in MOVED.items():
    assert importlib.import_module(old) is sys.modules[new], old
    assert sys.modules[new].__spec__.name == new, new
"""
OLD_FILE = """
from ramify.experiments import published
from ramify.experiments.claims import OURS, Claim
from ramify.experiments.matches import PairedGames
from ramify.experiments.robins.decisive import DecisiveGames
from ramify.experiments.trials import PositionTrials, powers

from ramify.experiments.papers.perick_2012 import decisive
from ramify.experiments.trials import position
assert DecisiveGames is decisive.DecisiveGames
assert PositionTrials is position.PositionTrials
try:
    from ramify.experiments.trials import nothing
except ImportError:
    print(published.tables()[0], powers(1, 3))
"""


def told(source):
    """What a process prints, and the warnings that it gets."""
    return processes.finish(processes.start("-c", source, PYTHONWARNINGS="default::DeprecationWarning"))


def test_every_old_name_is_the_module_of_the_new_one():
    _, warned = told(EVERY_NAME)
    assert set(re.findall(r"DeprecationWarning: (\S+) is now (\S+)", warned)) == set(MOVED.items())


def test_a_file_with_old_names():
    printed, warned = told(OLD_FILE)
    assert printed == "quality_table1 (2, 4, 8)\n"
    places = [line.partition(": DeprecationWarning: ")[0] for line in warned.splitlines() if "is now" in line]
    assert places == ["<string>:2", "<string>:3", "<string>:4", "<string>:5", "<string>:5", "<string>:6", "<string>:6"]
    assert "ramify.experiments.trials.powers is now ramify.experiments.trials.position.powers" in warned

"""An experiment is found by the name of its file: no other experiment is imported, and nothing that draws."""

import pytest

from ramify.errors import RamifyError
from ramify.experiments.framework.registry import _modules, _offered, experiment, experiments, matching
from tests import processes

FINDING = """
import sys
from ramify.experiments.framework.registry import experiment
known = set({known!r})
assert not known & set(sys.modules)
for name in {names!r}:
    before = known & set(sys.modules)
    assert experiment(name).id == name
    print(name, *sorted(known & set(sys.modules) - before))
assert "matplotlib" not in sys.modules
"""
LISTING = """
import sys
from ramify.cli.main import app
app(["reproduce", "--list"], standalone_mode=False)
assert "matplotlib" not in sys.modules
"""


@pytest.mark.parametrize("backwards", [False, True])
def test_finding_one_imports_no_other(backwards):
    """What one imports of another shows in the order in which it comes first."""
    names = sorted(_modules(), reverse=backwards)
    told = processes.run("-c", FINDING.format(known=list(_modules().values()), names=names))
    assert told.splitlines() == [f"{name} {_modules()[name]}" for name in names]


def test_listing_all_draws_nothing():
    assert "rave-tuning" in processes.run("-c", LISTING)


def test_files_are_named_after_their_experiments():
    for name, module in _modules().items():
        offered = list(_offered(module))
        assert offered[0] == name
        assert all(one.startswith(f"{name}-") for one in offered[1:])
    assert len(experiments(parts=True)) == sum(len(_offered(module)) for module in _modules().values())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("sos-5.35", "did you mean"),
        ("quality-gg", "'quality-ggp'"),
        ("players", "unknown experiment"),
        ("perick 1999", "unknown experiment"),
        ("tom", "experiments match 'tom' .*: name one of them, or add a word"),
        ("", "unknown experiment"),
    ],
)
def test_unknown_ids_get_a_sentence(name, sentence):
    with pytest.raises(RamifyError, match=sentence):
        experiment(name)


@pytest.mark.parametrize(
    ("words", "found"),
    [("Tom figure 5.7", "sos-5.7"), ("putrich 2023 table 1", "boxes"), ("Pepels TABLES 2", "quality-ggp")],
)
def test_words_find_experiments(words, found):
    one = experiment(words)
    assert (one.whole or one).id == found


def test_a_part_is_preferred_to_its_whole():
    for one in experiments(parts=True).values():
        if one.whole is not None:
            assert matching(one.id)[0].id == one.id
            assert one.whole not in matching(one.id)

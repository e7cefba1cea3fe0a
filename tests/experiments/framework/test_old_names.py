"""Users' experiment files that are written in old names still run."""

import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve
from ramify.experiments.framework import claims, estimates, experiment, findings, work
from ramify.experiments.framework.digest_keys import digest_key
from ramify.experiments.framework.experiment import Point, PointResult
from ramify.experiments.framework.plan import ExperimentPlan
from ramify.experiments.framework.registry import experiment as find
from ramify.experiments.trials import paired_games
from tests.docs.test_experiments_page import PAGE, source_of

# The example of docs/experiments.md, as it was before the names changed.
OLD_FILE = Path(__file__).with_name("old_names.txt").read_text(encoding="utf-8")
OLD_NAMES = {
    claims: {
        "agrees": claims.matches_published,
        "corrected": claims.judge_family,
        "judged": claims.judge,
        "nothing": claims.no_gain,
        "together": claims.all_hold,
    },
    estimates: {"shown": estimates.format_interval},
    experiment: {"Measured": PointResult},
    findings: {"Drawing": findings.FigureSpec, "Numbers": findings.DataTable},
    paired_games: {"GamesWonOrLost": paired_games.WinLossGames},
    work: {"Chunk": work.TrialChunk},
}
HALF = estimates.share(50, 100)


@contextmanager
def noted():
    """Collect warnings, all of which must be about old names."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        yield notes
    assert {note.category for note in notes} == {DeprecationWarning}


def reproduced(source, folder):
    file = folder / "doubling.py"
    file.write_text(source, encoding="utf-8")
    return ramify.reproduce(str(file), scale="smoke", out=folder / "out", workers=0)


def test_a_file_in_old_names_gives_the_same_results(tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    new = reproduced(source_of(PAGE), tmp_path / "new")
    with noted() as notes:
        old = reproduced(OLD_FILE, tmp_path / "old")
    assert old.findings.claims == new.findings.claims
    assert old.findings.tables == new.findings.tables
    assert {key: one.chunks for key, one in old.results.items()} == {
        key: one.chunks for key, one in new.results.items()
    }
    texts = [str(note.message) for note in notes]
    for name in ("judged", "shown", "Drawing", "Numbers", "Curve.of"):
        assert any(f"{name}'" in text for text in texts), name
    assert {note.filename for note in notes if "Curve.of" in str(note.message)} == {
        str(tmp_path / "old" / "doubling.py")
    }


def test_a_run_of_a_file_in_old_names_resumes(tmp_path):
    """The digest of the points does not depend on the names."""
    file = tmp_path / "doubling.py"
    digests = []
    with noted():
        for source in (OLD_FILE, source_of(PAGE)):
            file.write_text(source, encoding="utf-8")
            digests.append(ExperimentPlan.from_experiment(find(str(file)), "smoke").description()["points"])
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("module", "old"), [(module, old) for module, names in OLD_NAMES.items() for old in names], ids=str
)
def test_old_names_of_modules(module, old):
    with pytest.warns(DeprecationWarning, match=f"{old}' is now called"):
        assert getattr(module, old) is OLD_NAMES[module][old]


def test_old_names_of_members():
    test = claims.above(HALF, what="the share")
    claim = claims.Claim("it is", None, claims.judge(test))
    table = findings.DataTable("A", ["a"], [["1"]])
    found = findings.Findings([findings.Exhibit("A", "a", [claim], [table])])
    result = PointResult(Point("a", Coin(0.5), 2), {0: {"heads": 1}, 1: {"heads": 0}}, 2)
    with noted() as notes:
        assert test.told() == test.result_text()
        assert test.asked == test.claimed_text
        assert test.what == "the share"
        assert claim.data() == claim.to_dict()
        assert table.data() == table.to_dict()
        assert found.data() == found.to_dict()
        assert result.each("heads").tolist() == result.by_chunk("heads").tolist() == [1.0, 0.0]
        curve = Curve.of("a", [1], [HALF])
        assert np.array_equal(curve.low, Curve.from_intervals("a", [1], [HALF]).low)
        assert estimates.Estimate.of(HALF.at) == HALF
    assert len(notes) == 9
    assert {note.filename for note in notes} == {__file__}


def test_old_keywords():
    verdict = claims.Verdict(False, "no")
    with noted() as notes:
        assert claims.Claim("it is", None, verdict, tried="all") == claims.Claim("it is", None, verdict, attempts="all")
        assert findings.Exhibit("A", "a", guessed="c").assumed_settings == "c"
        assert claims.Test(what="it", estimate=HALF, claimed=(0.0, 1.0)).quantity == "it"
    assert [str(note.message) for note in notes] == [
        "'Claim(tried=...)' is now called 'attempts'",
        "'Exhibit(guessed=...)' is now called 'assumed_settings'",
        "'Test(what=...)' is now called 'quantity'",
    ]
    with pytest.raises(TypeError, match="unexpected keyword argument 'mistake'"):
        claims.Claim("it is", None, verdict, mistake="all")


@dataclass(frozen=True)
class Coin(work.Work):
    chance: float

    def run(self, seed, first, count):
        return {}


def test_works_under_old_names_keep_their_digests():
    with noted():
        kind = paired_games.GamesWonOrLost
    given = ("hex", "uct", "uct", PlayerLimits(5))
    assert digest_key(kind(*given)).startswith("GamesWonOrLost(")

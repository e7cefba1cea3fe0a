"""The study of Sum of Switches: its figures, its statements, its trials."""

import re

import pytest

import ramify
from ramify.experiments.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from ramify.experiments.experiment import Measured, Results
from ramify.experiments.registry import experiments
from ramify.experiments.switches import judging
from ramify.experiments.switches.figures import FIGURES, MODELS, misled
from ramify.experiments.switches.settings import INDISCRIMINATE, LOWER_BEST, RAVE, UCT, SwitchTrials, point
from ramify.experiments.switches.statements import STATEMENTS, Statement
from ramify.experiments.switches.view import View
from ramify.runs.seeds import derive

ONE_BY_ONE = [name for name in experiments() if name.startswith("sos-")]


def test_every_figure_is_there_and_spoken_of():
    assert list(FIGURES) == list(range(1, 35))
    assert [f"sos-5.{k}" for k in range(1, 35)] == ONE_BY_ONE
    assert {statement.figure for statement in STATEMENTS} == set(range(1, 35))


@pytest.mark.parametrize("name", ["sos", *ONE_BY_ONE])
def test_what_figures_and_claims_ask_for_is_measured(name):
    one = experiments()[name]
    numbers = set(FIGURES) if name == "sos" else {int(name.rpartition(".")[2])}
    keys = {point.key for point in one.points_of("paper")}
    for number in numbers:
        assert {setting.key for setting in FIGURES[number].settings} <= keys
    for statement in STATEMENTS:
        if statement.figure in numbers:
            assert {setting.key for setting in statement.settings} <= keys


def test_settings_are_agents():
    for graph in FIGURES.values():
        for setting in graph.settings:
            assert ramify.agent(setting.agent)
    assert misled(INDISCRIMINATE, 0.0) is RAVE
    assert misled(LOWER_BEST, 0.2).agent == (
        "mcts(select=rave(c=0.7, final=32768), recommend=max, updates=false_updates(kind=lower, target=9, mu=0.2))"
    )
    assert len(MODELS) == 7


def test_a_figure_alone(tmp_path):
    """One that looks at single moves and one that compares, run by themselves."""
    for name in ("sos-5.10", "sos-5.33"):
        result = ramify.reproduce(name, scale="smoke", out=tmp_path, workers=0)
        assert result.complete
        page = (tmp_path / f"{name}-smoke.md").read_text(encoding="utf-8")
        [picture] = re.findall(r"\]\((.*\.png)\)", page)
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


def test_trials_add_up_and_do_not_depend_on_chunks():
    work = point(misled(LOWER_BEST, 0.5), 6, 5).work
    assert isinstance(work, SwitchTrials)
    whole, parts = work.run(7, 0, 6), [work.run(7, 0, 2), work.run(7, 2, 4)]
    for place, budget in enumerate(work.budgets):
        assert sum(whole["visits"][str(move)][place] for move in range(10)) == 6 * budget
        assert whole["hits"][place] == sum(part["hits"][place] for part in parts)
    search = ramify.Search(ramify.load("sos").initial(), work.agent, seed=derive(7, 0))
    report = search.run(ramify.Budget(simulations=32))
    first = work.run(7, 0, 1)
    for child in report.children:
        assert first["visits"][child.move.name][4] == child.visits
        assert first["estimates"][child.move.name][4] == pytest.approx(child.estimate)
    assert first["hits"][4] == (report.move.name == "9")


def view_of(last=6, trials=100, **settings) -> View:
    """Results made by hand: for each of RAVE and UCT the hits, and estimates of moves 8 and 9."""
    measured = {}
    for setting, sums in ((RAVE, settings.get("rave")), (UCT, settings.get("uct"))):
        if sums:
            measured[setting.key] = Measured(point(setting, trials, last), {0: sums}, trials)
    return View(Results(measured, {"last": last}, "quick", 1))


def sums(hits, eight, nine):
    return {
        "hits": hits,
        "visits": {"8": eight, "9": nine},
        "estimates": {"8": eight, "9": nine},
        "known": {"8": [100] * 6, "9": [100] * 6},
    }


VIEW = view_of(
    rave=sums([0, 0, 10, 50, 90, 100], [50, 60, 60, 60, 60, 60], [50, 50, 50, 70, 70, 70]),
    uct=sums([0, 0, 5, 20, 40, 55], [50] * 6, [50] * 6),
)


def status(test, view=VIEW):
    return Statement(1, "a sentence", "5", test).claim(view).verdict.status


def test_judging_shares():
    assert status(judging.better(RAVE, UCT, 5)) == REPRODUCED
    assert status(judging.worse(RAVE, UCT, 5)) == NOT_REPRODUCED
    assert status(judging.better(RAVE, UCT, 3)) == UNDECIDED
    assert status(judging.better(RAVE, UCT, 7)) == UNDECIDED  # beyond this scale
    assert "needs 2^7" in Statement(1, "", "", judging.better(RAVE, UCT, 7)).claim(VIEW).verdict.reason
    assert status(judging.same(RAVE, UCT, 1)) == REPRODUCED
    assert status(judging.same(RAVE, UCT, 6)) == NOT_REPRODUCED
    assert status(judging.no_better(UCT, RAVE, 6)) == REPRODUCED
    assert status(judging.little_worse(UCT, RAVE, 1)) == REPRODUCED
    assert status(judging.little_worse(UCT, RAVE, 6)) == NOT_REPRODUCED
    assert status(judging.about(UCT, 6, 0.55)) == REPRODUCED
    assert status(judging.stays_below(UCT)) == REPRODUCED
    assert status(judging.stays_below(UCT, 0.1)) == NOT_REPRODUCED
    assert status(judging.not_converged(RAVE, 4)) == REPRODUCED
    assert status(judging.converged(UCT, 6)) == NOT_REPRODUCED
    assert status(judging.rises(UCT, 3)) == REPRODUCED
    assert status(judging.recovers(UCT, 3, 6, 0.8)) == NOT_REPRODUCED
    assert status(judging.each(judging.better(RAVE, UCT, 5), judging.better(UCT, RAVE, 5))) == NOT_REPRODUCED


def test_judging_moves():
    assert status(judging.overtakes(RAVE, 9, 8, 3, 5)) == REPRODUCED
    assert status(judging.overtakes(RAVE, 9, 8, 5, 6)) == NOT_REPRODUCED
    assert status(judging.overtakes(RAVE, 9, 8, 3, 5, "visits")) == REPRODUCED
    assert status(judging.overtakes(UCT, 9, 8, 1, 6)) == NOT_REPRODUCED  # never
    assert status(judging.overtakes(RAVE, 9, 8, 3, 7)) == UNDECIDED
    assert status(judging.leads(RAVE, 9, (8,), 4, 6)) == REPRODUCED
    assert status(judging.leads(RAVE, 9, (8,), 3, 6)) == NOT_REPRODUCED
    assert status(judging.close(RAVE, 9, 8, 1, 0.01)) == REPRODUCED
    assert status(judging.close(RAVE, 9, 8, 4, 0.05)) == NOT_REPRODUCED

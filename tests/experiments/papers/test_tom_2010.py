"""The study of Sum of Switches: its figures, its statements, its trials."""

import re
from dataclasses import replace

import pytest

import ramify
from ramify.experiments.framework.experiment import PointResult, Results
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.tom_2010.claims import claim_tests
from ramify.experiments.papers.tom_2010.claims.statement import Statement
from ramify.experiments.papers.tom_2010.claims.statements import STATEMENTS
from ramify.experiments.papers.tom_2010.figures import FIGURES, MODELS, graphs, with_false_updates
from ramify.experiments.papers.tom_2010.settings import INDISCRIMINATE, LOWER_BEST, RAVE, UCT, SwitchTrials, point
from ramify.experiments.papers.tom_2010.view import ResultView
from ramify.runs.seeds import derive
from tests.experiments.papers.made_up import Switches

ONE_BY_ONE = [name for name in experiments() if name.startswith("sos-")]


def test_every_figure_is_there_and_spoken_of():
    assert [place for place in FIGURES if isinstance(place, int)] == list(range(1, 35))
    assert {f"sos-5.{k}" for k in range(1, 35)} < set(ONE_BY_ONE)
    theirs = {statement.place for statement in STATEMENTS if statement.source}
    assert set(FIGURES) - theirs == {21, 23, 27}  # of these the text says nothing
    assert {statement.place for statement in STATEMENTS if not statement.source} == {23, 27}


@pytest.mark.parametrize("name", ["sos", *ONE_BY_ONE])
def test_what_figures_and_claims_ask_for_is_measured(name):
    one = experiments()[name]
    alone = {f"sos-5.{place}" if isinstance(place, int) else f"sos-section-{place}": place for place in FIGURES}
    places = set(FIGURES) if name == "sos" else {alone[name]}
    keys = {point.key for point in one.points_of("paper")}
    for place in places:
        assert {setting.key for graph in graphs(place) for setting in graph.settings} <= keys
    for statement in STATEMENTS:
        if statement.place in places:
            assert {setting.key for setting in statement.settings} <= keys


def test_the_quick_scale_takes_less_than_fifteen_minutes():
    """By its own estimate, 3.2 s a point on two cores."""
    assert experiments()["sos"].scales["quick"].seconds < 900


def test_exploration_constants_with_rave_off():
    """Figure 5.5 does not say whether RAVE is on. The same claim is tested without it, and counts once."""
    main, off = (one for one in STATEMENTS if one.id == "figure-5.5-different-exploration")
    assert (main.reading, off.reading) == ("", "RAVE off")
    assert main.tested == off.tested
    assert [one.c for one in off.settings] == [one.c for one in main.settings] == [0.0, 0.7, 0.25, 0.5, 1.0, 1.4, 2.0]
    assert {one.select for one in off.settings} == {"uct_fuego"}
    keys = {point.key for point in experiments()["sos"].points_of("quick")}
    assert {setting.key for setting in off.settings} < keys


READ = {
    "errors drawn at every node": "draw=node",
    "errors at the root only": "nodes=root",
    "own moves credited truly": "own=false",
}


@pytest.mark.parametrize(("place", "count"), [(9, 2), (12, 4), (20, 1), (24, 2)])
def test_readings_of_the_error_models(place, count):
    """Statements about these figures are tested by all readings, in the same way; the first is the main."""
    by_id = {}
    for one in STATEMENTS:
        if one.place == place and one.id != "figure-5.9-every-mu":  # compares with errors in all moves
            by_id.setdefault(one.id, []).append(one)
    assert len(by_id) == count
    for main, *others in by_id.values():
        assert main.reading == ""
        assert [one.reading for one in others] == list(READ)
        for one in others:
            assert one.tested == main.tested
            assert [part.claimed for part in one.tests] == [part.claimed for part in main.tests]
            read = [
                f"{setting.agent[:-2]}, {READ[one.reading]}))" if setting.errors else setting.agent
                for setting in main.settings
            ]
            assert [setting.agent for setting in one.settings] == read
            assert all(ramify.agent(setting.agent) for setting in one.settings)


def test_pictures_of_other_readings_have_names_of_their_own():
    drawn = [one for place in FIGURES for one in graphs(place)]
    assert len({one.file for one in drawn}) == len(drawn) == len(FIGURES) + 4
    assert [one.file for one in graphs(5)] == ["05", "05-rave-off"]


def test_tables_of_other_readings_have_the_doubling_in_which_they_differ():
    main, other = graphs(24)
    view = ResultView(Switches({}).results([*main.settings, *other.settings]))
    assert "2^15" not in main.table(view).headings
    assert "2^15" in other.table(view).headings
    assert [row[0] for row in other.table(view).rows] == ["main reading", *READ]


def test_settings_are_agents():
    for graph in FIGURES.values():
        for setting in graph.settings:
            assert ramify.agent(setting.agent)
    assert with_false_updates(INDISCRIMINATE, 0.0) is RAVE
    assert with_false_updates(LOWER_BEST, 0.2).agent == (
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
    work = point(with_false_updates(LOWER_BEST, 0.5), 6, 5).work
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


def view_of(last=6, trials=100, chunks=5, **given) -> ResultView:
    """Results made by hand: for each of RAVE and UCT the hits, and what moves 8 and 9 have, the same in every chunk.

    From chunk to chunk the estimate of move 9 differs by up to ``noise``.
    """
    measured = {}
    for setting, sums in ((RAVE, given.get("rave")), (UCT, given.get("uct"))):
        if sums:
            size = trials // chunks
            one = replace(point(setting, trials, last), chunk=size)
            parts = {size * k: shifted(sums, k, chunks) for k in range(chunks)}
            measured[setting.key] = PointResult(one, parts, trials)
    return ResultView(Results(measured, {"last": last}, "quick", 1))


def shifted(sums, chunk, chunks):
    noise = sums["noise"] * (chunk - (chunks - 1) / 2)
    nine = [value + 20 * noise for value in sums["nine"]]
    return {
        "hits": [hit // chunks for hit in sums["hits"]],
        "visits": {"8": sums["eight"], "9": sums["nine"]},
        "estimates": {"8": sums["eight"], "9": nine},
        "known": {"8": [20] * 6, "9": [20] * 6},
    }


# Sums over 20 trials a chunk: estimates of 0.5 are sums of 10.
VIEW = view_of(
    rave={
        "hits": [0, 0, 10, 50, 90, 100],
        "eight": [10, 12, 12, 12, 12, 12],
        "nine": [10, 10, 10, 14, 14, 14],
        "noise": 0.01,
    },
    uct={"hits": [0, 0, 5, 20, 40, 55], "eight": [10] * 6, "nine": [10] * 6, "noise": 0.01},
)


def outcome(asking, view=VIEW):
    return Statement(1, "figure-5.1-interval", "tested", asking).claim(view).verdict.holds


def test_judging_shares():
    assert outcome(claim_tests.better(RAVE, UCT, 5)) is True
    assert outcome(claim_tests.better(RAVE, UCT, 5, 0.7)) is False
    assert outcome(claim_tests.worse(RAVE, UCT, 5)) is False
    assert outcome(claim_tests.better(RAVE, UCT, 3)) is None
    assert outcome(claim_tests.same(RAVE, UCT, 1)) is True
    assert outcome(claim_tests.same(RAVE, UCT, 6)) is False
    assert outcome(claim_tests.no_better(UCT, RAVE, 6)) is True
    assert outcome(claim_tests.no_better(RAVE, UCT, 6)) is False
    assert outcome(claim_tests.little_worse(UCT, RAVE, 1)) is True
    assert outcome(claim_tests.little_worse(UCT, RAVE, 6)) is False
    assert outcome(claim_tests.about(UCT, 6, 0.55, 0.12)) is True
    assert outcome(claim_tests.not_converged(RAVE, 4)) is True
    assert outcome(claim_tests.converged(UCT, 6)) is False
    assert outcome(claim_tests.rises(UCT, 3, 6)) is True
    assert outcome(claim_tests.rises(UCT, 3, 6, 0.8)) is False
    assert outcome(claim_tests.each(claim_tests.better(RAVE, UCT, 5), claim_tests.better(UCT, RAVE, 5))) is False


def test_what_needs_more_simulations_than_a_scale_has_is_undecided():
    claim = Statement(1, "figure-5.1-interval", "tested", claim_tests.better(RAVE, UCT, 7)).claim(VIEW)
    assert claim.status == "undecided"
    assert claim.reason == "needs 2^7 simulations, and this scale ends at 2^6"
    late = [one for one in STATEMENTS if any(asked.quantity.last == 16 for asked in one.tests)]
    assert any("16" in one.tested for one in late)
    assert len(late) > 5


def test_judging_moves():
    assert outcome(claim_tests.ahead(RAVE, 9, 8, (4, 5, 6))) is True
    assert outcome(claim_tests.ahead(RAVE, 9, 8, (3, 4))) is False
    assert outcome(claim_tests.ahead(RAVE, 9, 8, (1,))) is None  # alike but for the noise
    assert outcome(claim_tests.behind(RAVE, 9, 8, (2, 3))) is True
    assert outcome(claim_tests.ahead(RAVE, 9, 8, (4,), "visits")) is True
    assert outcome(claim_tests.close(UCT, 9, 8, (1, 2), 0.05)) is True
    assert outcome(claim_tests.close(RAVE, 9, 8, (4,), 0.05)) is False
    assert outcome(claim_tests.falls_below(RAVE, 9, 0.6, 3)) is True
    assert outcome(claim_tests.falls_below(RAVE, 9, 0.6, 4)) is False


def test_the_share_of_a_doubling():
    """Move 9 has 14 of 20 * 16 simulations at 2^4 and 14 of 20 * 32 at 2^5, so none of those between."""
    assert outcome(claim_tests.spent_on(RAVE, 9, 5, 0.001)) is False
    assert outcome(claim_tests.spent_more(RAVE, 9, 4, 5)) is False
    view = view_of(rave={"hits": [0] * 6, "eight": [0] * 6, "nine": [20 * 2**k for k in range(1, 7)], "noise": 0.0})
    assert outcome(claim_tests.spent_on(RAVE, 9, 5, 0.9), view) is True
    assert outcome(claim_tests.spent_rather(RAVE, 9, 8, 5), view) is True


def test_uct_at_eight_simulations():
    """Each move but two was tried once, ties among the winners are drawn: a bit better than a random player."""
    work = SwitchTrials("sos(n=10)", "", UCT.agent, ("9",), (8,))
    hits = work.run(derive(1, UCT.key), 0, 3000)["hits"][0]
    assert 0.14 < hits / 3000 < 0.21

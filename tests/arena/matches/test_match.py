import random

import pytest

import ramify
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GAME_TABLE
from ramify.arena.matches.schedule import Pairing
from ramify.arena.matches.tally import Tally, sprt_tests_after
from ramify.errors import RamifyError
from ramify.statistics.sprt import Sprt
from tests.arena.games_for_tests import COUNTDOWN, DICE, short_plan, timeless
from tests.trusting import trust_all

SHORT = {"simulations": 20, "seed": 3, "workers": 0}


def short_match(**more):
    return ramify.match("tictactoe", "uct(c=0.7)", "uct(c=1.4)", **(SHORT | {"games": 10} | more))


def test_a_match_has_a_score_an_interval_and_rows():
    result = short_match()
    assert result.games == len(result.rows) == 10
    assert result.score == pytest.approx(sum(row.score for row in result.rows) / 10)
    assert 0 <= result.interval.low <= result.score <= result.interval.high <= 1
    assert result.stopped == "games"
    assert [row.number for row in result.rows] == list(range(1, 11))
    assert result.standing.wins + result.standing.draws + result.standing.losses == 10
    assert "10 in 5 pairs" in str(result)
    assert result.to_dict()["games"] == 10


@pytest.mark.alone
def test_workers_make_no_difference():
    assert timeless(short_match(workers=2).records) == timeless(short_match().records)


def test_games_are_rounded_up_to_whole_pairs():
    assert short_match(games=3).games == 4


def test_a_match_goes_on_where_it_was_interrupted(tmp_path):
    whole = short_match()

    def interrupt(driver):
        if driver.played >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short_match(run=tmp_path / "run.db", progress=interrupt)
    with ramify.runs.store.Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert len(reader.numbers()) == 3
    seen = []
    result = short_match(run=tmp_path / "run.db", progress=lambda driver: seen.append(driver.played))
    assert seen[-1] == 7
    assert timeless(result.records) == timeless(whole.records)


def test_finished_games_are_not_played_again(tmp_path):
    first = short_match(run=tmp_path / "run.db")
    again = short_match(run=tmp_path / "run.db", progress=lambda _: pytest.fail("nothing was to be played"))
    assert again.records == first.records


def test_more_games_may_be_added(tmp_path):
    few = short_match(run=tmp_path / "run.db")
    many = short_match(run=tmp_path / "run.db", games=16)
    assert many.records[:10] == few.records
    assert timeless(many.records) == timeless(short_match(games=16).records)


def test_without_a_seed_the_run_keeps_its_own(tmp_path):
    first = short_match(run=tmp_path / "run.db", seed=None)
    assert short_match(run=tmp_path / "run.db", seed=None, games=12).seed == first.seed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"simulations": 30}, "its budget is 20 simulations per move, not 30 simulations per move"),
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"opening_plies": 1}, "its number of opening plies is 2, not 1"),
        ({"sprt": (0, 10)}, "its sequential test is none, not 0 to 10 normalized Elo"),
    ],
)
def test_another_match_in_the_same_file_is_refused(tmp_path, change, sentence):
    short_match(run=tmp_path / "run.db")
    with pytest.raises(RamifyError, match=f"holds another run: {sentence}; use another file"):
        short_match(run=tmp_path / "run.db", **change)


def test_other_agents_and_games_are_refused(tmp_path):
    short_match(run=tmp_path / "run.db")
    with pytest.raises(RamifyError, match=r"its agents are uct\(c=0.7\) and uct\(c=1.4\), not uct and uct\(c=1.4\)"):
        ramify.match("tictactoe", "uct", "uct(c=1.4)", games=10, run=tmp_path / "run.db", **SHORT)
    with pytest.raises(RamifyError, match="its games are tictactoe, not connect4"):
        ramify.match("connect4", "uct(c=0.7)", "uct(c=1.4)", games=10, run=tmp_path / "run.db", **SHORT)


def test_a_changed_file_of_rules_is_refused(tmp_path):
    rules = tmp_path / "dice.py"
    rules.write_text(DICE)
    arguments = {"games": 6, "run": tmp_path / "run.db", "simulations": 5, "workers": 0}
    ramify.match(str(rules), "uct", "uct(c=1)", **arguments)
    ramify.match(str(rules), "uct", "uct(c=1)", **arguments)
    rules.write_text(DICE.replace("def ", "def other_") + DICE)
    for accept in (False, True):
        with pytest.raises(RamifyError, match=r"dice\.py was edited since .*run\.db was started, and not only in comm"):
            ramify.match(str(rules), "uct", "uct(c=1)", **arguments, accept_change=accept)
    rules.write_text(DICE + "\n# changed\n")
    with pytest.raises(RamifyError, match="but only in comments, docstrings or layout: pass --accept-edits to resume"):
        ramify.match(str(rules), "uct", "uct(c=1)", **arguments)
    accepted = ramify.match(str(rules), "uct", "uct(c=1)", **arguments | {"games": 12}, accept_change=True)
    assert len(accepted.rows) == 12
    ramify.match(str(rules), "uct", "uct(c=1)", **arguments)  # it does not ask again


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"simulations": None}, "the agents need a budget"),
        ({"games": 0}, "invalid number of games 0"),
        ({"workers": -1}, "workers must be a whole number from 0"),
        ({"seed": "x"}, "invalid seed 'x'"),
        ({"opening_plies": -1}, "invalid number of opening plies -1"),
        ({"opening_plies": 9}, "all ended the game: use fewer"),
        ({"sprt": (10, 0)}, "elo0 must be less"),
    ],
)
def test_bad_arguments_are_refused(arguments, sentence):
    with pytest.raises(RamifyError, match=sentence):
        short_match(**arguments)


def test_an_agent_against_itself_scores_about_a_half():
    result = ramify.match("tictactoe", "uct", "uct", games=40, **SHORT)
    assert result.interval.low < 0.5 < result.interval.high
    assert result.standing.pairing.second.label == "uct #2"


def test_a_test_stops_the_match():
    weak = "mcts(fpu=-5)"  # never tries a second move
    result = ramify.match("connect4", "uct", weak, simulations=40, seed=1, sprt=(0, 200), games=400, workers=0)
    assert result.stopped == "test"
    assert result.standing.test.decision == "H1"
    assert result.games < 400
    assert "accepts H1" in str(result)


def test_the_end_of_a_test_does_not_depend_on_the_order_of_the_games():
    plan = short_plan(games=120, simulations=10)
    records = [play(spec).record() for spec in plan.schedule().games(plan.pairs)]
    test = Sprt(-40, 0, alpha=0.3, beta=0.3)
    pairing: Pairing = plan.pairings[0]

    def standing(order):
        tally = Tally(pairing, test)
        for record in order:
            tally.add(record)
        assert tally.decided
        return tally.standing()

    straight = standing(records)
    assert straight.results.pairs < 60
    for seed in range(5):
        assert standing(random.Random(seed).sample(records, len(records))) == straight


def test_a_test_looks_at_every_pair_first_and_then_more_rarely():
    looks = [pairs for pairs in range(1, 1025) if sprt_tests_after(pairs)]
    assert looks[:128] == list(range(1, 129))
    assert looks[128:131] == [130, 132, 134]
    assert looks[-1] == 1024
    assert len(looks) == 128 + 64 * 3


def test_without_a_test_every_finished_game_counts_in_the_plain_score():
    plan = short_plan(games=6)
    records = [play(spec).record() for spec in plan.schedule().games(plan.pairs)]
    tally = Tally(plan.pairings[0])
    for record in records[:5]:
        tally.add(record)
    standing = tally.standing()
    assert (standing.games, standing.results.pairs) == (5, 2)
    assert standing.wins + standing.draws + standing.losses == 5


def test_what_goes_wrong_in_a_game_is_told(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    rules = tmp_path / "countdown.py"
    rules.write_text(COUNTDOWN.format(trouble="raise IndexError('no such stone')"))
    with pytest.raises(RamifyError, match=r"game 1 cannot be played: .*raised IndexError.*: no such stone"):
        ramify.match(str(rules), "uct", "uct(c=1)", games=2, opening_plies=0, **SHORT)


def test_rules_that_changed_are_read_again(tmp_path):
    rules = tmp_path / "dice.py"
    for rounds in (1, 2):
        rules.write_text(DICE.replace("rounds=2", f"rounds={rounds}"))
        result = ramify.match(str(rules), "uct", "uct(c=1)", games=6, simulations=5, seed=1, workers=0)
        assert {row.plies for row in result.rows} == {6 * rounds}

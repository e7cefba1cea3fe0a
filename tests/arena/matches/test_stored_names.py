"""Runs that were stored with old names in their agents' texts: they resume with the old text and with the new one."""

import sqlite3
import warnings

import pytest

import ramify
from ramify.arena.kilothon.kilothon_plan import KilothonSession, plan_kilothon
from ramify.arena.kilothon.result import KilothonResult
from ramify.arena.matches.session import MatchSession
from ramify.arena.matches.tournament import plan_tournament
from ramify.arena.tuning.tune import plan_tune
from ramify.errors import RamifyError
from ramify.old_names import stored_text
from ramify.runs.pools.factory import pool_factory
from tests.runs.old_files import without_digests

NEW = "mcts(batch_size=1, chance=open_loop)"
OLD = "mcts(lanes=1, chance=open)"
SHORT = {"simulations": 10, "seed": 3, "workers": 0}


def in_old_names(path, *columns):
    """Rewrite a run as it was stored before the names changed: its description, and columns of its table."""
    without_digests(path)
    with sqlite3.connect(path) as database:
        for key, text in database.execute("SELECT key, value FROM run").fetchall():
            database.execute("UPDATE run SET value = ? WHERE key = ?", (stored_text(text), key))
        for table, column in columns or [("games", "agents")]:
            rows = database.execute(f"SELECT number, {column} FROM {table}").fetchall()
            for number, text in rows:
                database.execute(
                    f"UPDATE {table} SET {column} = ? WHERE number = ?",
                    (stored_text(text), number),
                )
    database.close()


def everything(path):
    with sqlite3.connect(path) as database:
        found = "\n".join(database.iterdump())
    database.close()
    return found


def as_old(path):
    assert NEW in everything(path)
    in_old_names(path)
    text = everything(path)
    assert OLD in text
    assert NEW not in text


def quietly(function, *given, **named):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* is now called ", category=DeprecationWarning)
        return function(*given, **named)


def test_the_names_are_old_ones():
    assert stored_text(NEW) == OLD
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        assert ramify.agent(OLD).chance == "open_loop"
    assert {str(one.message) for one in noted} == {
        "'lanes' is now called 'batch_size'",
        "'open' is now called 'open_loop'",
    }


@pytest.mark.parametrize("text", [OLD, NEW])
def test_a_match_resumes(tmp_path, text):
    path = tmp_path / "run.db"
    ramify.match("tictactoe", NEW, "uct", games=4, run=path, **SHORT)
    as_old(path)
    more = quietly(ramify.match, "tictactoe", text, "uct", games=6, run=path, **SHORT)
    assert more.games == 6
    plain = ramify.match("tictactoe", NEW, "uct", games=6, **SHORT)
    assert [row.moves for row in more.rows] == [row.moves for row in plain.rows]
    assert more.to_dict()["pair_scores"] == plain.to_dict()["pair_scores"]
    assert more.rows[0].agents == (OLD, "uct")  # what is stored stays as it is


@pytest.mark.parametrize("text", [OLD, NEW])
def test_a_tournament_resumes(tmp_path, text):
    path = tmp_path / "run.db"
    ramify.tournament("tictactoe", [NEW, "uct", "uct(c=1)"], games_each=2, run=path, **SHORT)
    as_old(path)
    more = quietly(ramify.tournament, "tictactoe", [text, "uct", "uct(c=1)"], games_each=4, run=path, **SHORT)
    assert [standing.games for standing in more.standings] == [4, 4, 4]
    plain = ramify.tournament("tictactoe", [NEW, "uct", "uct(c=1)"], games_each=4, **SHORT)
    assert [row.moves for row in more.rows] == [row.moves for row in plain.rows]
    assert more.ratings.keys() == plain.ratings.keys()
    assert [standing.score for standing in more.standings] == [standing.score for standing in plain.standings]


def test_other_agents_are_still_another_run(tmp_path):
    path = tmp_path / "run.db"
    ramify.match("tictactoe", NEW, "uct", games=2, run=path, **SHORT)
    as_old(path)
    with pytest.raises(
        RamifyError, match=r"holds another run: its agents are mcts\(lanes=1, chance=open\) and uct, not"
    ):
        ramify.match("tictactoe", NEW.replace("1", "0"), "uct", games=2, run=path, **SHORT)


def test_rows_in_old_names_belong_to_the_plan(tmp_path):
    path = tmp_path / "run.db"
    limits = ramify.match("tictactoe", NEW, "uct", games=2, run=path, **SHORT).rows[0].limits[0]
    as_old(path)
    plan = plan_tournament(["tictactoe"], [NEW, "uct"], limits=limits, seed=3, count=2)
    other = plan_tournament(["tictactoe"], ["uct(c=1)", "uct"], limits=limits, seed=3, count=2)
    records = ramify.match("tictactoe", NEW, "uct", games=2, run=path, **SHORT).records
    assert all(plan.contains(record) for record in records)
    assert not any(other.contains(record) for record in records)
    assert MatchSession(plan).plan.seed == 3


def test_a_tuning_resumes(tmp_path):
    path = tmp_path / "run.db"
    ranges = "mcts(batch_size=0..1, chance=open_loop, select=ucb1(c=0.1..2.0))"
    arguments = {"games": 2, "confirm": 0, **SHORT}
    ramify.tune("tictactoe", ranges, "uct", trials=2, run=path, **arguments)
    in_old_names(path)
    assert "lanes=" in everything(path)
    more = quietly(ramify.tune, "tictactoe", stored_text(ranges), "uct", trials=3, run=path, **arguments)
    again = ramify.tune("tictactoe", ranges, "uct", trials=3, run=path, **arguments)
    texts = [[stored_text(trial.agent) for trial in result.trials] for result in (more, again)]
    assert texts[0] == texts[1]
    assert len(again.trials) == 3
    assert plan_tune("tictactoe", ranges, "uct", games=2, limits=more.pairing.first.limits).kind.startswith("tune")


def test_a_kilothon_resumes(tmp_path):
    path = tmp_path / "run.db"

    def result(agent, games):
        plan = plan_kilothon([agent], sources=["native"], games=games, minute=0.1, seed=3)
        with KilothonSession(plan, path) as session:
            session.run(pool_factory(0))
            assert all(plan.contains(row.record()) for row in session.driver.aggregator.rows)
            return KilothonResult(session.plan, session.driver.aggregator.rows, session.store.name)

    assert result(NEW, ["nim"]).standings[0].by_game.keys() == {"nim"}
    in_old_names(path, ("kilothon_games", "agent"))
    assert NEW not in everything(path)
    for agent in (OLD, NEW):
        assert quietly(result, agent, ["nim"]).standings[0].by_game.keys() == {"nim"}

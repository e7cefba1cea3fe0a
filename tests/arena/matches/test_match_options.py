"""The keywords that match, tournament, scale and tune share."""

import inspect

import pytest

import ramify
from ramify.arena.matches.match_options import BudgetOptions, RunOptions, ScheduleOptions, only
from ramify.arena.matches.rows import GAME_TABLE, GameRow
from ramify.runs.store import Reader

BUDGET = {"simulations", "seconds", "calls", "clock"}
SCHEDULE = {"opening_plies", "openings", "seed"}
RUN = SCHEDULE | {"run", "accept_change", "workers", "cluster", "progress"}
KEYWORDS = {
    "match": BUDGET | RUN | {"games", "on_time", "sprt", "alpha", "beta", "model"},
    "tournament": BUDGET | RUN | {"form", "games_each", "on_time"},
    "scale": RUN | {"simulations", "doublings", "games"},
    "tune": BUDGET | RUN | {"trials", "games", "confirm"},
}
PLAYERS = {
    "match": ("tictactoe", "uct", "uct(c=1)"),
    "tournament": ("tictactoe", ["uct", "uct(c=1)"]),
    "scale": ("tictactoe", "uct"),
    "tune": ("tictactoe", "uct(c=0.1..2.0)", "uct"),
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_the_signature_lists_every_keyword(name):
    signature = inspect.signature(getattr(ramify, name))
    keywords = {one.name: one for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY}
    assert set(keywords) == KEYWORDS[name]
    assert not any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
    assert keywords["accept_change"].default is False
    assert all(keywords[one].default is None for one in RUN - {"accept_change"})
    assert keywords["seed"].annotation == keywords["games_each" if name == "tournament" else "games"].annotation


@pytest.mark.parametrize("name", KEYWORDS)
def test_an_unknown_keyword_is_rejected(name):
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'simulation'$"):
        getattr(ramify, name)(*PLAYERS[name], simulation=5)


@pytest.mark.parametrize("name", KEYWORDS)
def test_shared_keywords_reach_the_run(name, tmp_path):
    seen = []
    sizes = {"match": {"games": 2}, "tournament": {"games_each": 2}, "scale": {"games": 2, "doublings": 1}}
    sizes["tune"] = {"games": 2, "trials": 1, "confirm": 0}
    (tmp_path / "openings.txt").write_text("moves a1\n")
    result = getattr(ramify, name)(
        *PLAYERS[name],
        **sizes[name],
        simulations=5,
        openings=tmp_path / "openings.txt",
        seed=3,
        run=tmp_path / "run.db",
        workers=0,
        progress=seen.append,
    )
    assert result.seed == 3
    assert result.run == str(tmp_path / "run.db")
    assert seen[-1].done == 2
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert {GameRow.from_record(record).start for record in reader.records()} == {"moves a1"}


def test_only_the_options_of_one_kind():
    given = {"seed": 1, "run": "a.db", "simulations": 5}
    assert only(BudgetOptions, given) == {"simulations": 5}
    assert only(ScheduleOptions, given) == {"seed": 1}
    assert only(RunOptions, given) == {"seed": 1, "run": "a.db"}

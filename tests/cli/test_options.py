"""Options that commands share."""

import inspect
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from ramify.cli import match, scale, tournament, tune
from ramify.cli.options import BudgetOptions, GamesOptions, with_groups
from ramify.errors import RamifyError


def test_a_group_becomes_its_options_in_its_place():
    seen = []

    @with_groups
    def command(*, first: int = 1, budget: BudgetOptions, options: GamesOptions, last: bool = False) -> None:
        """Do it."""
        seen.append((first, budget, options, last))

    names = list(inspect.signature(command).parameters)
    assert names[:5] == ["first", "simulations", "seconds", "calls", "clock"]
    assert names[-2:] == ["cluster", "last"]
    app = Typer()
    app.command()(command)
    assert CliRunner().invoke(app, ["--calls", "7", "--run", "a.db", "--last"]).exit_code == 0
    assert seen == [(1, BudgetOptions(calls=7), GamesOptions(run=Path("a.db")), True)]


@pytest.mark.parametrize("command", [match, tournament, tune, scale])
def test_commands_that_play_games_share_their_options(command):
    names = set(inspect.signature(command.command).parameters)
    assert set(GamesOptions.__dataclass_fields__) <= names
    assert not {"options", "budget"} & names


def test_what_the_options_make():
    assert str(BudgetOptions(simulations=10, clock="2").limits()) == "10 simulations per move, 2 s per game"
    assert str(BudgetOptions(clock="2+0.5").limits()) == "2 s per game, increment 0.5 s"
    assert BudgetOptions().limits() is None
    assert GamesOptions(seed=3, workers=1).plan_arguments() == {"opening_plies": None, "openings": None, "seed": 3}
    with pytest.raises(RamifyError, match="workers and cluster cannot be combined"):
        GamesOptions(workers=1, cluster="tcp://127.0.0.1:9").pool()

"""``ramify match``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.options import BudgetOptions, GamesOptions, with_groups
from ramify.cli.run_session import print_result, run_games
from ramify.cli.shared_options import GameArgument, JsonOption, OnTimeOption
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.arena.matches.match_plan import MatchPlan


@with_groups
def command(
    *,
    game: GameArgument,
    a: Annotated[str, typer.Argument(metavar="A", help="The first agent, e.g. 'uct(c=0.7)'.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second agent.")],
    games: Annotated[
        int | None,
        typer.Option(help="Number of games, rounded up to whole pairs. (default: 100; with --sprt at most 20000)"),
    ] = None,
    budget: BudgetOptions,
    on_time: OnTimeOption = None,
    options: GamesOptions,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop early by a sequential test of ELO0 against ELO1."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Probability of accepting ELO1 if ELO0 is true. (default: 0.05)")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(help="Probability of accepting ELO0 if ELO1 is true. (default: 0.05)")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Elo model of the test: normalized or logistic. (default: normalized)")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play a match between two agents. Games come in pairs that share an opening and swap seats.

    Example: ramify match connect4 'uct(c=0.4)' 'uct(c=1.4)' --games 200 --simulations 1000 --run match.db

    With a clock: ramify match connect4 uct 'uct(timing=bonus)' --games 20 --clock 10+0.1

    Different budgets: ramify match connect4 'uct(simulations=500)' 'mcts(select=rave, seconds=0.01)'
    """
    from ramify.arena.matches.match import MatchResult, plan_match
    from ramify.arena.matches.session import MatchSession
    from ramify.statistics.sprt import Sprt

    details = {"alpha": alpha, "beta": beta, "model": model}
    given = {name: value for name, value in details.items() if value is not None}
    if given and sprt is None:
        raise RamifyError(f"--{next(iter(given))} needs --sprt")

    def plan() -> MatchPlan:
        test = None if sprt is None else Sprt.between(sprt, **given)
        return plan_match(
            game, a, b, limits=budget.limits(), on_time=on_time, games=games, test=test, **options.plan_arguments()
        )

    with run_games(MatchSession, plan, options) as session:
        print_result(MatchResult.from_session(session), session, json, gap=False)

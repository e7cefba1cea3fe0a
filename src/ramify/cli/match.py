"""``ramify match``: two agents against each other."""

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
    a: Annotated[str, typer.Argument(metavar="A", help="The first agent, for example 'uct(c=0.7)'.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second agent.")],
    games: Annotated[
        int | None, typer.Option(help="Games, rounded up to whole pairs; 100, or 20000 with --sprt.")
    ] = None,
    budget: BudgetOptions,
    on_time: OnTimeOption = None,
    options: GamesOptions,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop when a sequential test accepts one of the two differences."),
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="Probability of accepting ELO1 where ELO0 is true; 0.05.")] = None,
    beta: Annotated[float | None, typer.Option(help="Probability of accepting ELO0 where ELO1 is true; 0.05.")] = None,
    model: Annotated[
        str | None, typer.Option(help="Scale of the test: normalized or logistic Elo; normalized.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play two agents against each other, in pairs of games with swapped seats and a shared opening.

    Example: ramify match connect4 'uct(c=0.4)' 'uct(c=1.4)' --games 200 --simulations 1000 --run match.db

    With a clock: ramify match connect4 uct 'uct(timing=bonus)' --games 20 --clock 10+0.1

    Budgets of their own: ramify match connect4 'uct(simulations=500)' 'mcts(select=rave, seconds=0.01)'
    """
    from ramify.arena.matches.match import MatchResult, plan_match
    from ramify.arena.matches.session import MatchSession
    from ramify.statistics.sprt import Sprt

    details = {"alpha": alpha, "beta": beta, "model": model}
    given = {name: value for name, value in details.items() if value is not None}
    if given and sprt is None:
        raise RamifyError(f"--{next(iter(given))} is about a sequential test: give --sprt, too, or leave it out")

    def plan() -> MatchPlan:
        test = None if sprt is None else Sprt.between(sprt, **given)
        return plan_match(
            game, a, b, limits=budget.limits(), on_time=on_time, games=games, test=test, **options.plan_arguments()
        )

    with run_games(MatchSession, plan, options) as sitting:
        print_result(MatchResult.from_session(sitting), sitting, json, gap=False)

"""``ramify check-policy``."""

from typing import Annotated

import typer

from ramify.cli.shared_options import JsonOption, announcing_compilation, print_json


def command(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="FILE:NAME", help="Your function, e.g. ./mine.py:my_rule or './mine.py:my_rule(c=1.0)'."
        ),
    ],
    simulations: Annotated[int, typer.Option(help="Simulations per small search, in plain Python.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 0,
    json: JsonOption = False,
) -> None:
    """Check a selection policy and report what is wrong. Exits with 1 if there are errors.

    Example: ramify check-policy ./mine.py:my_rule
    """
    from ramify.agents.checking.check import check_policy

    with announcing_compilation():
        checked = check_policy(policy, simulations=simulations, seed=seed)
    if json:
        print_json(checked.to_dict())
    else:
        print(checked)
    if not checked.ok:
        raise typer.Exit(1)

"""``ramify play``: a person against an agent in the terminal."""

from __future__ import annotations

import random
import secrets
from dataclasses import replace
from typing import Annotated

import typer

from ramify.cli.shared_options import (
    AgentOption,
    ClockOption,
    GameArgument,
    PositionOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    announcing_compilation,
)
from ramify.errors import RamifyError


def command(
    game: GameArgument,
    agent: AgentOption = "uct",
    seat: Annotated[int, typer.Option(help="Which player you are, from 1; 0 lets the agent play all.")] = 1,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    clock: ClockOption = None,
    position: PositionOption = None,
    seed: SeedOption = None,
) -> None:
    """Play against an agent or another program; one second a move unless a budget is given. You have no clock.

    Example: ramify play connect4 --seat 2 --seconds 1

    Where everybody moves at once you type your move, and the agent chooses its own without knowing it.

    With a clock: ramify play othello --agent 'uct(timing=bonus)' --clock 60+0.5

    Another program: ramify play othello --agent 'external(cmd="python3 mine.py")'
    """
    from ramify.agents.budgets.agent_budget import reject_two_budgets
    from ramify.agents.budgets.player_limits import PlayerLimits, parse_limits
    from ramify.cli.terminal_game import TerminalGame
    from ramify.contract.load import load
    from ramify.players.player import player

    made = player(agent)
    given = parse_limits(simulations, seconds, clock=clock)
    reject_two_budgets(made, given)
    limits = given or made.limits or PlayerLimits(seconds=1.0)
    with announcing_compilation():
        loaded = load(game)
        start = loaded.initial() if position is None else loaded.position(position)
        if not 0 <= seat <= loaded.players:
            raise RamifyError(f"the seat must be 1 to {loaded.players}, or 0 to watch, not {seat}")
        seed = secrets.randbits(32) if seed is None else seed
        dice = random.Random(seed)  # noqa: S311  (of a game)
        TerminalGame(start, position or "", replace(made, limits=None), limits, seat - 1, seed, dice).play()

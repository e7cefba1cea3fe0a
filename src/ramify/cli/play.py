"""``ramify play``."""

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
    seat: Annotated[int, typer.Option(help="Your seat, from 1; with 0 you watch.")] = 1,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    clock: ClockOption = None,
    position: PositionOption = None,
    seed: SeedOption = None,
) -> None:
    """Play against an agent or an engine. By default it takes one second per move. You have no clock.

    Example: ramify play connect4 --seat 2 --seconds 1

    With simultaneous moves, the agent chooses its move without knowing yours.

    With a clock: ramify play othello --agent 'uct(timing=bonus)' --clock 60+0.5

    An engine: ramify play othello --agent 'external(cmd="python3 mine.py")'
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
            raise RamifyError(f"invalid --seat {seat}: use 1 to {loaded.players}, or 0 to watch")
        seed = secrets.randbits(32) if seed is None else seed
        dice = random.Random(seed)  # noqa: S311
        TerminalGame(start, position or "", replace(made, limits=None), limits, seat - 1, seed, dice).play()

"""``ramify gtp``."""

from __future__ import annotations

import secrets
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from ramify.cli.shared_options import AgentOption, SecondsOption, SeedOption, SimulationsOption, announcing_compilation


def command(
    game: Annotated[str, typer.Argument(help="go, nogo, atarigo, gomoku or hex, e.g. 'go(size=9)'.")] = "go",
    agent: AgentOption = "uct",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = None,
) -> None:
    """Serve an agent over GTP on standard input and output. By default each move takes one second.

    Example: ramify gtp 'go(size=9, komi=7)' --agent 'mcts(select=rave, playout=heuristic, reuse=true)'

    Hex: ramify gtp 'hex(size=11)' --simulations 20000
    """
    from ramify.agents.agent import agent as make_agent
    from ramify.agents.budgets.agent_budget import reject_two_budgets
    from ramify.agents.budgets.player_limits import parse_limits
    from ramify.contract.load import load
    from ramify.players.gtp.boards import GtpBoard
    from ramify.players.gtp.server import GtpServer
    from ramify.players.player import check

    made = make_agent(agent)
    given = parse_limits(simulations, seconds)
    reject_two_budgets(made, given)
    board = GtpBoard.from_game(load(game))
    with announcing_compilation():
        check(made, board.game.initial())  # compiles before any clock starts
    server = GtpServer(board, made, given or made.limits, secrets.randbits(32) if seed is None else seed)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while not server.over and (line := sys.stdin.readline()):
        if answer := server.answer(line):
            print(answer, end="", flush=True)

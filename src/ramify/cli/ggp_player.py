"""``ramify ggp-player``: an agent that game managers call over HTTP."""

from __future__ import annotations

import secrets
import sys
import time
from typing import Annotated

import typer

from ramify.cli.shared_options import AgentOption, SeedOption, announcing_compilation
from ramify.errors import RamifyError


def command(
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes any that is free.")] = 9147,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets managers on other machines in.")
    ] = "127.0.0.1",
    agent: AgentOption = "ramify_ggp",
    name: Annotated[str, typer.Option(help="What the player calls itself; one word.")] = "Ramify",
    margin: Annotated[
        float | None, typer.Option(help="Seconds of each clock to keep back; by the clock's length if not given.")
    ] = None,
    seed: SeedOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not tell what happens.")] = False,
) -> None:
    """Play whatever a game manager sends the rules of, until Ctrl-C ends it.

    Example: ramify ggp-player --port 9147 --agent 'mcts(playout=mast, reuse=true)'

    Match: ramify ggp-match tictactoe http://127.0.0.1:9147 http://127.0.0.1:9148
    """
    from ramify.agents.agent import agent as make_agent
    from ramify.players.ggp.player import GgpPlayer
    from ramify.players.ggp.role_games import role_games
    from ramify.players.ggp.server import HttpServer
    from ramify.players.ggp.timing import Margin
    from ramify.players.ggp.warm import warm

    if not name or any(sign.isspace() or sign in "();" for sign in name):
        raise RamifyError(f"the name of a player is one word without parentheses, not '{name}'")
    if not 0 <= port < 1 << 16:
        raise RamifyError(f"a port is a whole number from 0 to 65535, not {port}")
    if margin is not None and not 0 <= margin < 1e6:
        raise RamifyError(f"--margin is a number of seconds, not {margin:g}")

    def say(sentence: str) -> None:
        if not quiet:
            print(f"{time.strftime('%H:%M:%S')} {sentence}", file=sys.stderr, flush=True)

    made = make_agent(agent)
    with announcing_compilation():
        warm(made)
    player = GgpPlayer(
        made,
        name=name,
        seed=secrets.randbits(32) if seed is None else seed,
        make_role_games=role_games,
        margin=Margin(margin),
        log=say,
    )
    sys.setswitchinterval(0.001)  # the search gives way to a message sooner than by default
    server = HttpServer(host, port, player.answer, say)
    print(f"{name} listens at http://{server.host}:{server.port}", flush=True)
    try:
        server.serve()
    finally:
        server.close()
        player.close()

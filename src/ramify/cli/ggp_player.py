"""``ramify ggp-player``."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import suppress
from typing import Annotated

import typer

from ramify.cli.shared_options import AgentOption, SeedOption, compilation_announcer
from ramify.errors import RamifyError


def command(
    port: Annotated[int, typer.Option(help="Port to listen on; 0 chooses a free one.")] = 9147,
    host: Annotated[
        str, typer.Option(help="Address to listen on; use 0.0.0.0 for managers on other machines.")
    ] = "127.0.0.1",
    agent: AgentOption = "ramify_ggp",
    name: Annotated[str, typer.Option(help="Name of the player, one word.")] = "Ramify",
    margin: Annotated[
        float | None,
        typer.Option(help="Safety margin in seconds, subtracted from each clock. (default: depends on the clock)"),
    ] = None,
    seed: SeedOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Suppress log messages.")] = False,
) -> None:
    """Serve an agent to GGP game managers over HTTP, until Ctrl-C.

    Example: ramify ggp-player --port 9147 --agent 'mcts(playout=mast, reuse=true)'

    Match: ramify ggp-match tictactoe http://127.0.0.1:9147 http://127.0.0.1:9148
    """
    from ramify.players.ggp.player import GgpPlayer
    from ramify.players.ggp.process_launcher import Launcher
    from ramify.players.ggp.process_runner import ProcessRunner
    from ramify.players.ggp.server import HttpServer, check_address
    from ramify.players.ggp.timing import Margin

    if not name or any(sign.isspace() or not sign.isprintable() or sign in "();" for sign in name):
        raise RamifyError(f"invalid player name '{name}': use one word without parentheses or semicolons")
    check_address(host, port)
    if margin is not None and not 0 <= margin < 1e6:
        raise RamifyError(f"invalid --margin {margin:g}: use a number of seconds from 0")

    def log(message: str) -> None:
        if quiet:
            return
        with suppress(OSError):  # nobody reads the log any more; the match continues
            print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)

    launcher = Launcher(agent, margin)
    try:
        launcher.wait_until_warm(compilation_announcer())
        player = GgpPlayer(
            name=name,
            seed=secrets.randbits(32) if seed is None else seed,
            margin=Margin(margin),
            log=log,
            runner=ProcessRunner(launcher, Margin(margin), log),
        )
        sys.setswitchinterval(0.001)  # so that no message waits long for others
        server = HttpServer(host, port, player.answer, log)
        print(f"{name} listens on http://{server.host}:{server.port}", flush=True)
        try:
            server.serve()
        finally:
            server.close()
    finally:
        launcher.close()

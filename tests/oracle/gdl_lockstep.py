"""Random play by a network and by the interpreter at once: everything they say of every position must be the same."""

from __future__ import annotations

import random

from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.network_game import NetworkGame


def lockstep(game: NetworkGame, interpreter: Interpreter, plies: int, seed: int) -> int:
    """Play so many plies, game after game; how many games were finished."""
    draw = random.Random(seed)
    finished = 0
    data, fluents = game.start(), interpreter.initial()
    for _ in range(plies):
        legal = same(game, interpreter, data, fluents)
        if legal is None:
            finished += 1
            data, fluents = game.start(), interpreter.initial()
            continue
        joint = {role: draw.choice(moves) for role, moves in legal.items()}
        data = advance(game, data, joint)
        fluents = interpreter.next(fluents, joint)
    same(game, interpreter, data, fluents)
    return finished


def same(game, interpreter, data, fluents):
    """Compare a position; everybody's legal moves, or None where the game is over."""
    assert game.fluents(data) == fluents
    goals = [interpreter.goal(fluents, role) / 100 for role in game.roles]
    assert game.scores(data) == goals, (goals, sorted(map(str, fluents)))
    legal = {role: interpreter.legal(fluents, role) for role in interpreter.roles}
    over = interpreter.terminal(fluents) or not all(legal.values())
    assert game.over(data) == over
    if over:
        return None
    for player, role in enumerate(game.roles):
        assert sorted(map(write, map(game.term, game.legal_of(data, player)))) == [*map(write, legal[role])], role
    if "random" in legal:
        assert {game.term(code) for code, _ in game.chances(data)} == set(legal["random"])
    return legal


def advance(game, data, joint):
    """The network's position after a joint move, chance having moved, too."""
    after = game.play_all(data, [game.code(role, joint[role]) for role in game.roles])
    if game.mover(after) == -1 and "random" in joint and game.fluents(after) == game.fluents(data):
        waiting = after[game.wiring.words :]
        if waiting.any():
            after = game.play(after, game.code("random", joint["random"]))
    return after

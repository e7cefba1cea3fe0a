"""Random play in two ways at once: everything they say of every position must be the same.

By a propnet and by the interpreter, and by the lanes of a propnet and by one position of it.
"""

from __future__ import annotations

import random

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.shapes.batch_slot import RANDOM_MOVE
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.propnet.lane_batch import LaneBatch
from ramify.ggp.propnet_game import PropnetGame


def lockstep(game: PropnetGame, interpreter: Interpreter, plies: int, seed: int) -> int:
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
        assert {game.term(code) for code, _ in game.chance_outcomes(data)} == set(legal["random"])
    return legal


def advance(game, data, joint):
    """The propnet's position after a joint move, chance having moved, too."""
    after = game.play_joint(data, [game.code(role, joint[role]) for role in game.roles])
    if game.mover(after) == -1 and "random" in joint and game.fluents(after) == game.fluents(data):
        waiting = after[game.wiring.words :]
        if waiting.any():
            after = game.play(after, game.code("random", joint["random"]))
    return after


def lanes_in_lockstep(game: PropnetGame, lanes: int, steps: int, seed: int) -> int:
    """Play on in all lanes by moves drawn here, and by any where several choose; how many positions were compared."""
    draw = random.Random(seed)
    batch, rng = LaneBatch(game.wiring, lanes), generator(seed)
    batch.begin(game.start(), lanes, address(rng))
    kernels, block, chosen = batch.kernels, batch.block, batch.arrays["chosen"]
    moves, out = np.zeros(game.max_children, np.int64), np.zeros(game.players)
    positions = [game.start() for _ in range(lanes)]
    compared = 0
    for _ in range(steps):
        drawn = set()
        for lane, position in enumerate(positions):
            compared += 1
            assert bool(kernels["over"](block, lane)) == game.over(position)
            if game.over(position):
                kernels["scores"](block, lane, address(out))
                assert list(out) == game.scores(position)
                kernels["restart"](block, lane)
                positions[lane] = game.start()
                continue
            mover = kernels["mover"](block, lane)
            assert mover == game.mover(position)
            if mover < 0:
                chosen[lane] = RANDOM_MOVE
                drawn.add(lane)
                continue
            count = kernels["legal"](block, lane, address(moves))
            assert list(moves[:count]) == game.legal(position)
            chosen[lane] = moves[draw.randrange(count)]
            positions[lane] = game.play(position, int(chosen[lane]))
        kernels["step"](block)
        for lane in range(lanes):
            here = position_in(game, batch, lane)
            assert lane in drawn or np.array_equal(positions[lane], here)
            positions[lane] = here
    return compared


def position_in(game, batch, lane):
    """The position of a lane."""
    words = int(batch.record["words"][0])
    bases = len(game.propnet.bases)
    column = batch.arrays["values"][words : (1 + bases) * words].reshape(bases, words)[:, lane >> 6]
    bits = np.packbits(((column >> np.uint64(lane & 63)) & np.uint64(1)).astype(np.uint8), bitorder="little")
    data = np.zeros_like(game.start())
    data.view(np.uint8)[: len(bits)] = bits
    return data

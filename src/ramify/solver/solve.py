"""Solves a position: its value, the values of its moves, and a principal variation."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ramify.contract.game import State
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.numpy_scalars import accepting_numpy
from ramify.solver.backward_induction import BackwardInduction, TooManyPositionsError
from ramify.solver.solution import Solution, for_mover
from ramify.solver.solver import MEMORY, OutOfNodesError, Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from ramify.contract.game import Move

MAX_POSITIONS = 200_000  # default limit of positions with simultaneous moves
VARIATION_NODES = 100_000  # the principal variation may cost this many nodes, or as many as the proof


@accepting_numpy
def solve(
    state: State,
    *,
    moves: bool = False,
    memory: int = MEMORY,
    nodes: int | None = None,
    depth: int | None = None,
    exact: bool = False,
    progress: Callable[[Solver | BackwardInduction], object] | None = None,
) -> Solution:
    """Solve ``state``: compute its value under perfect play, for one or two players without chance.

    ``moves``: also compute the value of every move. ``memory``: size of the hash table in bytes. ``nodes``: maximum
    number of positions. ``depth``: maximum number of plies per line. ``exact``: compare whole positions in the table.
    ``progress(solver)`` is called every 0.1 s.

    Games with simultaneous moves (two players, chance allowed) are solved by backward induction. The value is then the
    first player's unless the second is to move, ``moves`` gives the first player's moves against the equilibrium, and
    ``memory``, ``depth`` and ``exact`` do not apply.
    """
    for name, number in (("memory", memory), ("nodes", nodes), ("depth", depth)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
            raise RamifyError(f"'{name}' must be a whole number from 1, not {number}")
    if isinstance(state, State) and state.game.table().play_joint:
        return solve_simultaneous(state, moves=moves, nodes=nodes, depth=depth, progress=progress)
    began = perf_counter()
    solver = Solver(state, memory=memory, exact=exact, nodes=nodes, progress=progress)
    mover = state.to_move
    values: dict[Move, tuple[float, float]] = {}
    stopped = "solved"
    try:
        lo, hi = solver.bounds(state, depth)
        if lo < hi:
            stopped = "depth"
    except OutOfNodesError:
        stopped = "nodes"
        lo, hi = solver.known()
    plies = solver.plies
    line = variation(solver, state, lo) if lo == hi else []
    if moves:
        for move in state.moves():
            try:
                values[move] = for_mover(mover, *bounds_after(solver, state.play(move), depth))
            except OutOfNodesError:
                values[move] = for_mover(mover, *solver.known())
    lower, upper = for_mover(mover, lo, hi)
    return Solution(
        value=lower if lower == upper else None,
        lower=lower,
        upper=upper,
        move=line[0] if line else None,
        variation=line,
        values=values,
        nodes=solver.nodes,
        seconds=perf_counter() - began,
        depth=solver.max_depth,
        plies=plies,
        stopped=stopped,
        game=state.game.name,
        position=state.text(),
    )


def solve_simultaneous(
    state: State,
    *,
    moves: bool = False,
    nodes: int | None = None,
    depth: int | None = None,
    progress: Callable[[BackwardInduction], object] | None = None,
) -> Solution:
    """Solve a game with simultaneous moves by backward induction."""
    if state.over:
        raise RamifyError("the game is over, so there is nothing to solve")
    if depth is not None:
        raise RamifyError("depth does not apply to simultaneous moves: all lines are searched to their ends")
    began = perf_counter()
    solver = BackwardInduction(state, nodes or MAX_POSITIONS, progress)
    mover = state.to_move
    value, mixed = None, []
    try:
        value, mixed = solver.value(state), solver.strategies(state)
    except TooManyPositionsError:
        if nodes is None:
            raise RamifyError(
                f"{state.game.name} has more than {MAX_POSITIONS:,} positions from here, too many to solve with"
                " simultaneous moves: start from a later position, or raise the limit with nodes"
            ) from None
    worth: dict[Move, float] = {}
    if value is not None and moves:
        worth = move_values(solver, state, mixed)
    lower, upper = for_mover(max(mover, 0), *((0.0, 1.0) if value is None else (value, value)))
    return Solution(
        value=None if value is None else lower,
        lower=lower,
        upper=upper,
        move=max(mixed[mover], key=lambda move: mixed[mover][move]) if mixed and mover >= 0 else None,
        variation=[],
        values={move: for_mover(max(mover, 0), one, one) for move, one in worth.items()},
        nodes=solver.nodes,
        seconds=perf_counter() - began,
        depth=solver.max_depth,
        plies=None,
        stopped="nodes" if value is None else "solved",
        game=state.game.name,
        position=state.text(),
        strategies=mixed if mover == SIMULTANEOUS else [],
    )


def move_values(solver: BackwardInduction, state: State, mixed: list[dict[Move, float]]) -> dict[Move, float]:
    """Return player 0's value of each move; at simultaneous moves of player 0's moves against the equilibrium."""
    if state.to_move == SIMULTANEOUS:
        worth = solver.payoffs(state) @ list(mixed[1].values())
        return {move: float(one) for move, one in zip(mixed[0], worth, strict=True)}
    return {move: solver.value(state.play(move)) for move in state.moves()}


def bounds_after(solver: Solver, after: State, depth: int | None) -> tuple[float, float]:
    """Return bounds on player 0's score after a move."""
    if after.over:
        score = after.scores()[0]
        return score, score
    if depth == 1:
        return 0.0, 1.0
    return solver.bounds(after, None if depth is None else depth - 1)


def variation(solver: Solver, state: State, value: float) -> list[Move]:
    """Return a principal variation. A player whose value is 0 plays the first legal move.

    Most of it is in the table; overwritten parts are proven again, at a limited cost.
    """
    limit, solver.max_nodes = solver.max_nodes, min(solver.max_nodes, solver.nodes + max(VARIATION_NODES, solver.nodes))
    choice = solver.choice
    line: list[Move] = []
    met: set[State] = set()
    while not state.over and state not in met:
        met.add(state)
        if value == (0.0 if state.to_move == 0 else 1.0):
            choice = state.moves()[0].code
        elif line or choice < 0:
            try:
                choice = solver.value_preserving_move(state, value)
            except OutOfNodesError:
                break
        move = next((move for move in state.moves() if move.code == choice), None)
        if move is None:
            break
        line.append(move)
        state = state.play(move)
    solver.max_nodes = limit
    return line

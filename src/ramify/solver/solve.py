"""Perfect play from a position: its value, the values of its moves, and a line that keeps it."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ramify.contract.game import State
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.solver.backward_induction import BackwardInduction, TooManyPositionsError
from ramify.solver.solution import Solution, for_mover
from ramify.solver.solver import MEMORY, OutOfNodesError, Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from ramify.contract.game import Move

MAX_POSITIONS = 200_000  # of games where players move at once, unless more are asked for
VARIATION_NODES = 100_000  # the principal variation may cost as much as the proof, or so many nodes


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
    """Work out the value of ``state`` under perfect play, for games of one or two players without chance.

    Where players may move at once, for two players and with chance, by backward induction: then the value is the first
    player's unless the second is to move, ``moves`` gives that of the first player's moves against the equilibrium, and
    ``memory``, ``depth`` and ``exact`` do not apply.

    ``moves``: the value of every move, too. ``memory``: bytes of the hash table. ``nodes``: give up after so many
    positions. ``depth``: leave lines open after so many plies. ``exact``: compare whole positions in the table.
    ``progress`` is called with the solver every tenth of a second.
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
    """The same for a game in which players may move at once."""
    if state.over:
        raise RamifyError("the game is over, so there is nothing to solve")
    if depth is not None:
        raise RamifyError("where everybody moves at once all lines are followed to their ends, so there is no depth")
    began = perf_counter()
    solver = BackwardInduction(state, nodes or MAX_POSITIONS, progress)
    mover = state.to_move
    value, mixed = None, []
    try:
        value, mixed = solver.value(state), solver.strategies(state)
    except TooManyPositionsError:
        if nodes is None:
            raise RamifyError(
                f"{state.game.name} has more than {MAX_POSITIONS:,} positions from here, too many to solve where"
                " everybody moves at once; start from a later position, or say how many to look at (nodes)"
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
        depth=solver.deepest,
        plies=None,
        stopped="nodes" if value is None else "solved",
        game=state.game.name,
        position=state.text(),
        strategies=mixed if mover == SIMULTANEOUS else [],
    )


def move_values(solver: BackwardInduction, state: State, mixed: list[dict[Move, float]]) -> dict[Move, float]:
    """What each move is worth to player 0; where both move, those of player 0 against the other's strategy."""
    if state.to_move == SIMULTANEOUS:
        worth = solver.payoffs(state) @ list(mixed[1].values())
        return {move: float(one) for move, one in zip(mixed[0], worth, strict=True)}
    return {move: solver.value(state.play(move)) for move in state.moves()}


def bounds_after(solver: Solver, after: State, depth: int | None) -> tuple[float, float]:
    """Bounds of player 0's score after a move."""
    if after.over:
        score = after.scores()[0]
        return score, score
    if depth == 1:
        return 0.0, 1.0
    return solver.bounds(after, None if depth is None else depth - 1)


def variation(solver: Solver, state: State, value: float) -> list[Move]:
    """A line of perfect play; whoever has nothing to keep plays the first move there is.

    Most of it stands in the table; where that has been overwritten, it is proven again, at a limited cost.
    """
    limit, solver.most = solver.most, min(solver.most, solver.nodes + max(VARIATION_NODES, solver.nodes))
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
    solver.most = limit
    return line

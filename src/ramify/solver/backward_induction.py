"""Backward induction for two-player games with simultaneous moves: each such position is a matrix game.

Positions are solved from the end of the game: at a player's turn by the best move, at a chance node by the mean, at
simultaneous moves by ``matrix_games.equilibrium``. Scores must add up to 1. Every position is solved once, and all of
them must fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from ramify.contract.game import Move, State
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.solver.matrix_games import Matrix, equilibrium

CHECK_INTERVAL = 1000  # positions between two calls of ``progress``
TOLERANCE = 1e-9
Mixed = dict[Move, float]  # probability of each move


class TooManyPositionsError(Exception):
    """The limit of positions was reached."""


class BackwardInduction:
    """Values of positions of one game, all for player 0."""

    def __init__(
        self, state: State, max_positions: int, progress: Callable[[BackwardInduction], object] | None = None
    ) -> None:
        game = state.game
        if game.players != 2:
            raise RamifyError(
                f"{game.name} has {game.players} players: with simultaneous moves, solve() supports two players"
            )
        self.game = game
        self.max_positions = max_positions
        self.progress = progress
        self.max_depth = 0
        self._values: dict[object, float] = {}
        # Positions without a value: their successors and the probabilities of these.
        self._children: dict[object, list[tuple[Any, float]]] = {}

    @property
    def nodes(self) -> int:
        """Number of positions visited."""
        return len(self._values) + len(self._children)

    def value(self, state: State) -> float:
        """Return player 0's value of a position in equilibrium."""
        return self._value(state.data)

    def payoffs(self, state: State) -> Matrix:
        """Return player 0's value of each joint move: one row per move of player 0."""
        moves = [self.game.legal_of(state.data, player) for player in range(2)]
        return np.array([[self._value(self.game.play_joint(state.data, (a, b))) for b in moves[1]] for a in moves[0]])

    def strategies(self, state: State) -> list[Mixed]:
        """Return an equilibrium strategy of each player; empty for a player who does not move."""
        mover = state.to_move
        if mover == CHANCE:
            return [{}, {}]
        if mover == SIMULTANEOUS:
            _, *mixtures = equilibrium(self.payoffs(state))
            return [
                {move: float(p) for move, p in zip(state.moves(player), mixture, strict=True)}
                for player, mixture in enumerate(mixtures)
            ]
        worth = {move: self.value(state.play(move)) for move in state.moves()}
        best = (max if mover == 0 else min)(worth, key=lambda move: worth[move])
        mixed: list[Mixed] = [{}, {}]
        mixed[mover] = {move: float(move == best) for move in worth}
        return mixed

    def _value(self, root: Any) -> float:
        """Solve a position and everything below it, depth first."""
        wanted = self.game.key(root)
        path = [(root, wanted, 0)]
        while wanted not in self._values:
            data, key, depth = path[-1]
            self.max_depth = max(self.max_depth, depth)
            if key in self._values:
                path.pop()
                continue
            again = key in self._children
            children = self._children[key] if again else self._successors(data)
            keys = [(child, self.game.key(child), depth + 1) for child, _ in children]
            missing = [one for one in keys if one[1] not in self._values]
            if missing and again:
                raise RamifyError(
                    f"{self.game.name} can repeat a position, and solve() does not support that with simultaneous moves"
                )
            if missing:
                self._children[key] = children
                path += missing
            else:
                self._children.pop(key, None)
                self._values[key] = self._worth(data, children)
                path.pop()
        return self._values[wanted]

    def _successors(self, data: Any) -> list[tuple[Any, float]]:
        """Return all successors with their probabilities. Raises TooManyPositionsError at the limit."""
        if self.nodes >= self.max_positions:
            raise TooManyPositionsError
        if self.progress is not None and self.nodes % CHECK_INTERVAL == 0:
            self.progress(self)
        return [] if self.game.over(data) else list(self._iter_successors(data))

    def _iter_successors(self, data: Any) -> Iterator[tuple[Any, float]]:
        mover = self.game.mover(data)
        if mover == CHANCE:
            for code, chance in self.game.chance_outcomes(data):
                yield self.game.play(data, code), chance
        elif mover == SIMULTANEOUS:
            for codes in product(*(self.game.legal_of(data, player) for player in range(2))):
                yield self.game.play_joint(data, codes), 1.0
        else:
            for code in self.game.legal(data):
                yield self.game.play(data, code), 1.0

    def _worth(self, data: Any, children: list[tuple[Any, float]]) -> float:
        """Return the value of a position from those of its successors."""
        if not children:
            first, second = self.game.scores(data)
            if abs(first + second - 1.0) > TOLERANCE:
                raise RamifyError(
                    f"the scores of {self.game.name} do not always add up to 1 (found {first:g} and {second:g}), which"
                    " solve() needs"
                )
            return first
        worth = [self._values[self.game.key(child)] for child, _ in children]
        mover = self.game.mover(data)
        if mover == CHANCE:
            return sum(value * chance for value, (_, chance) in zip(worth, children, strict=True))
        if mover == SIMULTANEOUS:
            return equilibrium(np.reshape(worth, (len(self.game.legal_of(data, 0)), -1)))[0]
        return max(worth) if mover == 0 else min(worth)

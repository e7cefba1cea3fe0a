"""Backward induction for two players where everybody may move at once: each such position is a matrix game.

Positions of all three kinds are solved from the end: where one player moves by the best move, where chance moves by
the mean, where both move at once by ``matrix_games.equilibrium``. What is worth something to player 0 is lost to player
1, so scores must add up to 1. Every position is solved once; all of them must fit into memory.
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

CHECK_INTERVAL = 1000  # positions between two looks at the clock
TOLERANCE = 1e-9
Mixed = dict[Move, float]  # how likely a player makes each move


class TooManyPositionsError(Exception):
    """The limit of positions was reached."""


class BackwardInduction:
    """Values of positions of one game, all for player 0."""

    def __init__(self, state: State, most: int, progress: Callable[[BackwardInduction], object] | None = None) -> None:
        game = state.game
        if game.players != 2:
            raise RamifyError(
                f"{game.name} has {game.players} players, and where everybody moves at once this solver is for two"
            )
        self.game = game
        self.most = most
        self.progress = progress
        self.deepest = 0
        self._values: dict[object, float] = {}
        self._children: dict[object, list[tuple[Any, float]]] = {}  # positions and chances, of those not valued yet

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return len(self._values) + len(self._children)

    def value(self, state: State) -> float:
        """What a position is worth to player 0 in equilibrium."""
        return self._value(state.data)

    def payoffs(self, state: State) -> Matrix:
        """What each pair of moves is worth to player 0, where both move at once."""
        moves = [self.game.legal_of(state.data, player) for player in range(2)]
        return np.array([[self._value(self.game.play_joint(state.data, (a, b))) for b in moves[1]] for a in moves[0]])

    def strategies(self, state: State) -> list[Mixed]:
        """How both players move in an equilibrium of a position, as far as they do."""
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
        """Solve everything below a position, the deepest first."""
        wanted = self.game.key(root)
        path = [(root, wanted, 0)]
        while wanted not in self._values:
            data, key, depth = path[-1]
            self.deepest = max(self.deepest, depth)
            if key in self._values:
                path.pop()
                continue
            again = key in self._children
            children = self._children[key] if again else self._listed(data)
            keys = [(child, self.game.key(child), depth + 1) for child, _ in children]
            missing = [one for one in keys if one[1] not in self._values]
            if missing and again:
                raise RamifyError(
                    f"a position of {self.game.name} comes again in its own line, so it has no end to solve"
                )
            if missing:
                self._children[key] = children
                path += missing
            else:
                self._children.pop(key, None)
                self._values[key] = self._worth(data, children)
                path.pop()
        return self._values[wanted]

    def _listed(self, data: Any) -> list[tuple[Any, float]]:
        """Everything that can come next, with its chance."""
        if self.nodes >= self.most:
            raise TooManyPositionsError
        if self.progress is not None and self.nodes % CHECK_INTERVAL == 0:
            self.progress(self)
        return [] if self.game.over(data) else list(self._following(data))

    def _following(self, data: Any) -> Iterator[tuple[Any, float]]:
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
        """What a position is worth, from what comes next."""
        if not children:
            first, second = self.game.scores(data)
            if abs(first + second - 1.0) > TOLERANCE:
                raise RamifyError(
                    f"scores of {self.game.name} need not add up to 1 ({first:g} and {second:g}), and this solver is"
                    " for games where one player loses what the other wins"
                )
            return first
        worth = [self._values[self.game.key(child)] for child, _ in children]
        mover = self.game.mover(data)
        if mover == CHANCE:
            return sum(value * chance for value, (_, chance) in zip(worth, children, strict=True))
        if mover == SIMULTANEOUS:
            return equilibrium(np.reshape(worth, (len(self.game.legal_of(data, 0)), -1)))[0]
        return max(worth) if mover == 0 else min(worth)

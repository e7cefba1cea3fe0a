"""A player's moves at the root, with statistics combined over all trees of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify.agents.agent import Agent
from ramify.agents.hooks.bounds import Bounds
from ramify.agents.search.worker import Worker
from ramify.agents.strategy_answers import checked_choice
from ramify.contract.python_rules import PythonGenerator
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.strategies.base import Floats

Codes = np.ndarray[Any, np.dtype[np.int32]]
TIE_STREAM = 1 << 32  # first random stream for tie-breaking; the streams of the trees start at 0


class RootMoves:
    """Moves of the player to move; with simultaneous moves, those of ``player``."""

    def __init__(self, workers: Sequence[Worker], agent: Agent, player: int) -> None:
        self.workers = workers
        self.agent = agent
        self.player = player

    def codes(self) -> Codes:
        """Return the codes of the moves in the order of the first tree."""
        worker = self.workers[0]
        where = worker.view.moves(self.player)
        if where.stop == 0:
            raise RamifyError("no statistics yet: run the search first")
        codes: Codes = worker.tree.nodes["move"][where]
        return codes

    def statistics(self) -> tuple[Floats, Floats, Floats]:
        """Return visits, mean values and estimates over all trees, in the order of ``codes``.

        The estimate of a move is its mean value, or with RAVE the policy's combination of value and AMAF value. Values
        and estimates of unvisited moves are minus infinity.
        """
        codes = self.codes()
        sums = {name: np.zeros(len(codes)) for name in ("n", "t", "S", "R")}
        for worker in self.workers:
            nodes, where = worker.tree.nodes, worker.view.moves(self.player)
            if where.stop:
                columns = (nodes["visits"][where], nodes["total"][where], *worker.view.amaf(where))
                for name, column in zip(sums, columns, strict=True):
                    sums[name] += column[indices_in(codes, nodes["move"][where])]
        values = np.where(sums["n"] > 0, sums["t"] / np.maximum(sums["n"], 1), -np.inf)
        selection = self.agent.select_root
        if not selection.policy.needs_amaf:
            return sums["n"], values, values
        constants = {name: value for name, value in selection.constants if value is not None}
        return sums["n"], values, selection.policy.estimates(sums, constants)

    def bounds(self) -> Bounds | None:
        """Return the player's proven bounds from all trees, in the order of ``codes``, or None without proofs."""
        if not self.agent.prove:
            return None
        codes = self.codes()
        found = Bounds(np.zeros(len(codes)), np.ones(len(codes)))
        for worker in self.workers:
            where = worker.view.moves(self.player)
            if where.stop and (own := worker.view.bounds(where, self.player)):
                order = indices_in(codes, worker.tree.nodes["move"][where])
                found = found.intersect(Bounds(own.lower[order], own.upper[order]))
        return found

    def column(self, name: str) -> Floats:
        """Return a column of the backup in the order of ``codes``: the mean over all trees, weighted by visits."""
        codes = self.codes()
        sums, visits = np.zeros(len(codes)), np.zeros(len(codes))
        for worker in self.workers:
            where = worker.view.moves(self.player)
            if where.stop:
                order = indices_in(codes, worker.tree.nodes["move"][where])
                own = worker.tree.nodes["visits"][where][order]
                sums += own * worker.view.column(name, where)[order]
                visits += own
        return np.where(visits > 0, sums / np.maximum(visits, 1), -np.inf)

    def average_strategy(self) -> Floats:
        """Return the player's average strategy: the policy's own if it keeps one, else the share of visits."""
        codes = self.codes()
        sums = np.zeros(len(codes))
        for worker in self.workers:
            where = worker.view.moves(self.player)
            if where.stop:
                sums += worker.view.average_strategy(where)[indices_in(codes, worker.tree.nodes["move"][where])]
        total = sums.sum()
        return sums / total if total > 0.0 else np.full(len(codes), 1.0 / len(codes))

    def recommended(self, visits: Floats, estimates: Floats, bounds: Bounds | None) -> int:
        """Return the index of the recommended move. Ties are broken without advancing the search's generator."""
        choice = self._allocation_choice()
        if bounds is None:
            return self._chosen(visits, estimates) if choice is None else choice
        estimates = bounds.clamp(estimates)
        among = bounds.contenders(estimates)
        if choice is not None and choice in among:
            return choice
        return int(among[self._chosen(visits[among], estimates[among], among)])

    def _chosen(self, visits: Floats, estimates: Floats, among: Any = slice(None)) -> int:
        """Return the index of the recommendation's choice among some moves. Each player has its own random stream."""
        worker = self.workers[0]
        rng = PythonGenerator(int(generator(int(worker.rng[0]), TIE_STREAM + worker.shape.draw_order(self.player))[0]))
        recommend = self.agent.recommend
        if recommend.column:
            estimates = self.column(recommend.column)[among]
        weights = self.average_strategy()[among] if recommend.uses_average_strategy else visits
        return checked_choice(recommend, recommend.choose(weights, estimates, rng), len(weights))

    def _allocation_choice(self) -> int | None:
        """Return the index of the child that the allocations of most trees rank first; the first tree breaks ties.

        None if the allocation does not choose the move, or is still running.
        """
        if not self.agent.allocation.chooses_move or any(worker.running for worker in self.workers):
            return None
        codes: list[int] = self.codes().tolist()
        firsts = [
            int(worker.tree.nodes["move"][where.start])
            for worker in self.workers
            if (where := worker.view.moves(self.player)).stop
        ]
        return codes.index(max(firsts, key=firsts.count))

    def settled(self) -> bool:
        """Whether the recommendation is settled, so that it needs no extra budget."""
        visits, _, estimates = self.statistics()
        if (bounds := self.bounds()) is not None:
            estimates = bounds.clamp(estimates)
            among = bounds.contenders(estimates)
            visits, estimates = visits[among], estimates[among]
        return self.agent.recommend.settled(visits, estimates)


def indices_in(codes: Codes, own: Codes) -> slice | np.ndarray[Any, np.dtype[np.int64]]:
    """Return the index of each of ``codes`` in ``own``, the order of another tree.

    While a running search reorders a tree, a code may be missing for a moment; then another index is returned.
    """
    if (codes == own).all():
        return slice(None)
    order = np.argsort(own)
    return order[np.minimum(np.searchsorted(own, codes, sorter=order), len(own) - 1)]

"""The moves that a player may choose from at the root of a search, and what all its trees know of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify.agents.agent import Agent
from ramify.agents.hooks.bounds import Bounds
from ramify.agents.search.worker import Worker
from ramify.contract.python_rules import PythonGenerator
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.strategies.base import Floats

Codes = np.ndarray[Any, np.dtype[np.int32]]
TIES = 1 << 32  # the first stream of draws among good moves; those of the trees are counted from 0


class RootMoves:
    """Those of the player to move; where everybody moves at once, those of ``player``."""

    def __init__(self, workers: Sequence[Worker], agent: Agent, player: int) -> None:
        self.workers = workers
        self.agent = agent
        self.player = player

    def codes(self) -> Codes:
        """The moves, in the order of the first tree."""
        worker = self.workers[0]
        where = worker.view.moves(self.player)
        if where.stop == 0:
            raise RamifyError("nothing has been searched yet: run the search first")
        codes: Codes = worker.tree.nodes["move"][where]
        return codes

    def statistics(self) -> tuple[Floats, Floats, Floats]:
        """Visits, mean values and estimates over all trees, in the order of ``codes``.

        An estimate is what the search takes a move to be worth: its mean value, or what its policy makes of that and of
        RAVE. Both are minus infinity where nothing is known.
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
        chosen = self.agent.select_root
        if not chosen.policy.needs_amaf:
            return sums["n"], values, values
        constants = {name: value for name, value in chosen.constants if value is not None}
        return sums["n"], values, chosen.policy.estimates(sums, constants)

    def bounds(self) -> Bounds | None:
        """What all trees together prove of the moves, for the player, in the order of ``codes``.

        None where the agent does not prove.
        """
        if not self.agent.prove:
            return None
        codes = self.codes()
        found = Bounds(np.zeros(len(codes)), np.ones(len(codes)))
        for worker in self.workers:
            where = worker.view.moves(self.player)
            if where.stop and (own := worker.view.bounds(where, self.player)):
                order = indices_in(codes, worker.tree.nodes["move"][where])
                found = found.both(Bounds(own.lower[order], own.upper[order]))
        return found

    def column(self, name: str) -> Floats:
        """A column of the backup, in the order of ``codes``: the mean over all trees, weighted by visits."""
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
        """The average strategy of the player: how often each move is to be played.

        It is the one that the policy at the root keeps, or else that of the visits.
        """
        codes = self.codes()
        sums = np.zeros(len(codes))
        for worker in self.workers:
            where = worker.view.moves(self.player)
            if where.stop:
                sums += worker.view.weights(where)[indices_in(codes, worker.tree.nodes["move"][where])]
        total = sums.sum()
        return sums / total if total > 0.0 else np.full(len(codes), 1.0 / len(codes))

    def recommended(self, visits: Floats, estimates: Floats, bounds: Bounds | None) -> int:
        """The index of the move to return. Ties are drawn by the state of the search's generator, which stays."""
        decided = self._decided()
        if bounds is None:
            return self._chosen(visits, estimates) if decided is None else decided
        estimates = bounds.within(estimates)
        among = bounds.contenders(estimates)
        if decided is not None and decided in among:
            return decided
        return int(among[self._chosen(visits[among], estimates[among], among)])

    def _chosen(self, visits: Floats, estimates: Floats, among: Any = slice(None)) -> int:
        """What the agent's recommendation chooses among some moves. Each player has a stream of draws."""
        worker = self.workers[0]
        rng = PythonGenerator(int(generator(int(worker.rng[0]), TIES + worker.shape.draws_after(self.player))[0]))
        recommend = self.agent.recommend
        if recommend.column:
            estimates = self.column(recommend.column)[among]
        return recommend.choose(
            self.average_strategy()[among] if recommend.uses_average_strategy else visits, estimates, rng
        )

    def _decided(self) -> int | None:
        """The index of the child that the allocation of most trees left first; of equals, that of the first tree.

        None where the allocation does not decide, or is still at work.
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
        """Whether the recommendation needs no extension."""
        visits, _, estimates = self.statistics()
        if (bounds := self.bounds()) is not None:
            estimates = bounds.within(estimates)
            among = bounds.contenders(estimates)
            visits, estimates = visits[among], estimates[among]
        return self.agent.recommend.settled(visits, estimates)


def indices_in(codes: Codes, own: Codes) -> slice | np.ndarray[Any, np.dtype[np.int64]]:
    """Where each of ``codes`` stands among a tree's own: trees of one position may have reordered them.

    A tree that a running search is just reordering may lack one of them for a moment, and another one is taken.
    """
    if (codes == own).all():
        return slice(None)
    order = np.argsort(own)
    return order[np.minimum(np.searchsorted(own, codes, sorter=order), len(own) - 1)]

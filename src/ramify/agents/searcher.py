"""A search that can be run, watched, cancelled, asked and moved along a game."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from contextvars import copy_context
from numbers import Integral
from time import perf_counter
from typing import Any

import numpy as np

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.budget import Budget
from ramify.agents.memory import Allowance
from ramify.agents.own_budget import own_budget, part_budget
from ramify.agents.proven import Bounds
from ramify.agents.report import Found, Report
from ramify.agents.searchable import check_searchable
from ramify.agents.shown_tree import line_below, places_below, root_of
from ramify.agents.stopper import moves_left, spend_in_parts
from ramify.agents.time_control import TimeControl
from ramify.agents.worker import Worker
from ramify.contract.game import Move, State
from ramify.contract.rules import PythonGenerator
from ramify.core.engine.tree import ROOT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.strategies.kinds import Floats

Codes = np.ndarray[Any, np.dtype[np.int32]]
PROGRESS_SECONDS = 0.1  # between two calls of a progress function
MOST_THREADS = 1024
ROUNDS = 10  # in how many steps a recommendation that is not settled spends its extension
TIES = 1 << 32  # the stream of draws among equally good moves; those of the trees are counted from 0


class Search:
    """A search from ``state``, kept between calls: ``run`` adds to the same tree, ``advance`` moves its root."""

    def __init__(
        self,
        state: State,
        agent: str | Mapping[str, Any] | Agent = "uct",
        *,
        seed: int | None = None,
        threads: int = 1,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        check_searchable(state)
        if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
            raise RamifyError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads}")
        if seed is not None and (isinstance(seed, bool) or not issubclass(type(seed), Integral)):
            raise RamifyError(f"the seed must be a whole number, not '{seed}'")
        self.state = state
        self.agent = make_agent(agent)
        self.seed = secrets.randbits(32) if seed is None else int(seed)
        self.allowance = Allowance(threads)  # of memory, where the budget does not say
        self.workers = [Worker(state, self.agent, self.seed, stream, self.allowance) for stream in range(threads)]
        self.now = now  # what the time is, in seconds from any moment
        self.seconds = 0.0
        self.stopped = "not started"
        self.expected: float | None = None  # own moves to come when the last search began, by its playouts
        self._cancelled = threading.Event()

    def restart(self, state: State, seed: int) -> None:
        """Forget the tree and start at ``state``: what follows is as in a new search with that seed, but cheaper."""
        check_searchable(state)
        self.state = state
        self.seed = seed
        for worker in self.workers:
            worker.reset(state)
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Draw from the streams of ``seed`` from now on; the tree stays."""
        for stream, worker in enumerate(self.workers):
            worker.reseed(seed, stream)

    def cancel(self) -> None:
        """Stop a running search soon; it may be called from another thread."""
        self._cancelled.set()

    def run(
        self,
        budget: Budget | None = None,
        progress: Callable[[Search], object] | None = None,
        control: TimeControl | None = None,
    ) -> Report:
        """Search until the budget runs out, the agent's own if none is given.

        ``progress`` is called with this search every tenth of a second. With a ``control`` the budget's seconds are
        those that it begins with, and may become more.
        """
        given, of_clock = own_budget(self.agent, budget)
        self._spend(given, progress, control or of_clock)
        return self.report()

    def think(self, budget: Budget, control: TimeControl | None = None) -> int:
        """Search, and give only the code of the recommended move: a report costs more than a short search does."""
        self._spend(budget, None, control)
        if self.stopped == "memory" and budget.memory is None and budget.seconds is None:  # nobody would see it
            raise RamifyError(
                f"the tree took half of the memory that was free, {(self.allowance.known or 0) / 1e6:,.0f} megabytes,"
                f" after {self.simulations():,} simulations; give a smaller budget"
            )
        visits, _, estimates = self.statistics()
        return int(self.codes()[self._recommended(visits, estimates, self.bounds())])

    def _recommended(self, visits: Floats, estimates: Floats, bounds: Bounds | None) -> int:
        """The index of the move to return. Ties are drawn by the state of the search's generator, which stays."""
        decided = self._decided()
        if bounds is None:
            return self._chosen(visits, estimates) if decided is None else decided
        estimates = bounds.within(estimates)
        among = bounds.contenders(estimates)
        if decided is not None and decided in among:
            return decided
        return int(among[self._chosen(visits[among], estimates[among])])

    def _chosen(self, visits: Floats, estimates: Floats) -> int:
        """What the agent's recommendation chooses among some moves."""
        rng = generator(int(self.workers[0].rng[0]), TIES)
        return self.agent.recommend.choose(visits, estimates, PythonGenerator(int(rng[0])))

    def _decided(self) -> int | None:
        """The index of the child that the allocation of most trees left first; of equals, that of the first tree.

        None where the allocation does not decide, or is still at work.
        """
        if not self.agent.allocation.decides or any(worker.running for worker in self.workers):
            return None
        codes: list[int] = self.codes().tolist()
        firsts = [
            int(worker.tree.nodes["move"][where.start])
            for worker in self.workers
            if (where := worker.tree.children()).stop
        ]
        return codes.index(max(firsts, key=firsts.count))

    def _spend(
        self, budget: Budget, progress: Callable[[Search], object] | None, control: TimeControl | None = None
    ) -> None:
        if not isinstance(budget, Budget):
            raise RamifyError(f"a search runs within a Budget, such as Budget(simulations=1000), not {budget!r}")
        check_searchable(self.state)
        allocation = self.agent.allocation
        if allocation.needs_simulations and budget.simulations is None:
            raise RamifyError(
                f"allocation={allocation.title()} must know the number of simulations beforehand: give simulations"
            )
        self._cancelled.clear()
        began = self.now()
        self.seconds = 0.0
        for worker in self.workers:
            worker.start_counting()
        self.stopped = spend_in_parts(self, budget, lambda part: self._run(part, progress), control)
        recommend = self.agent.recommend
        if recommend.extension and self.stopped in ("simulations", "seconds", "calls"):
            extension = recommend.extension if control is None else min(recommend.extension, 1.0)  # a clock goes on
            for more in budget.steps(extension, ROUNDS):
                if self._settled():
                    break
                stopped = self._run(more, progress)
                if stopped in ("cancelled", "memory", "proven"):
                    self.stopped = stopped
                    break
        self.seconds = self.now() - began
        self.expected = moves_left(self)

    def _settled(self) -> bool:
        """Whether the recommendation needs no extension."""
        visits, _, estimates = self.statistics()
        if (bounds := self.bounds()) is not None:
            estimates = bounds.within(estimates)
            among = bounds.contenders(estimates)
            visits, estimates = visits[among], estimates[among]
        return self.agent.recommend.settled(visits, estimates)

    def _run(self, budget: Budget, progress: Callable[[Search], object] | None) -> str:
        shown = perf_counter()

        def go_on() -> bool:
            nonlocal shown
            if progress is not None and perf_counter() - shown > PROGRESS_SECONDS:
                shown = perf_counter()
                with ExitStack() as held:  # no tree moves in memory while somebody looks
                    for worker in self.workers:
                        held.enter_context(worker.growing)
                    progress(self)
            return not self._cancelled.is_set()

        count = len(self.workers)
        if count == 1:
            return self.workers[0].run(budget, go_on, self.now)
        shares = [budget.share(part, count) for part in range(count)]
        proven = threading.Event()
        reasons: dict[int, str] = {}

        def another_chunk() -> bool:
            # Where simulations are counted, every tree has its share, so that the search repeats.
            return not self._cancelled.is_set() and not (budget.seconds is not None and proven.is_set())

        errors: list[BaseException] = []

        def work(part: int, share: Budget) -> None:
            try:
                reasons[part] = self.workers[part].run(share, another_chunk, self.now)
                if reasons[part] == "proven":
                    proven.set()
            except BaseException as error:  # noqa: BLE001  (carried over to the caller's thread)
                errors.append(error)
                self._cancelled.set()

        # The context carries NumPy's error state, which matters where nothing is compiled.
        threads = [
            threading.Thread(target=copy_context().run, args=(work, part, share), daemon=True)
            for part, share in enumerate(shares)
            if share is not None
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(PROGRESS_SECONDS)
                    go_on()
        except BaseException:
            self._cancelled.set()
            for thread in threads:
                thread.join()
            raise
        if errors:
            raise errors[0]
        if proven.is_set():
            return "proven"
        return "memory" if "memory" in reasons.values() and reasons[0] != "cancelled" else reasons[0]

    def advance(self, move: Move | str) -> None:
        """Play a move (or an outcome of chance) and keep the part of the tree below it."""
        after = self.state.play(move)
        self.follow(after, next(m.code for m in self.state.moves() if move in (m, m.name)))

    def follow(self, after: State, code: int) -> None:
        """The same where the position after the move is already known."""
        for worker in self.workers:
            worker.advance(after, code)
        self.state = after

    def simulations(self) -> int:
        """Simulations of the current run so far."""
        return self.total("simulations")

    def calls(self) -> int:
        """Forward-model calls of the current run so far."""
        return self.total("calls")

    def total(self, counter: str) -> int:
        """A counter of the current run, summed over all trees."""
        return sum(int(worker.counters[counter][0]) for worker in self.workers)

    def codes(self) -> Codes:
        """The moves of the root's children."""
        tree = self.workers[0].tree
        if tree.children().stop == 0:
            raise RamifyError("nothing has been searched yet: run the search first")
        codes: Codes = tree.nodes["move"][tree.children()]
        return codes

    def statistics(self) -> tuple[Floats, Floats, Floats]:
        """Visits, mean values and estimates of the root's children over all trees, in the order of ``codes``.

        An estimate is what the search takes a move to be worth: its mean value, or what its policy makes of that and of
        RAVE. Both are minus infinity where nothing is known.
        """
        codes = self.codes()
        sums = {name: np.zeros(len(codes)) for name in ("n", "t", "S", "R")}
        for worker in self.workers:
            nodes, where = worker.tree.nodes, worker.tree.children()
            if where.stop:
                columns = (nodes["visits"][where], nodes["total"][where], *worker.all_moves_at_root())
                for name, column in zip(sums, columns, strict=True):
                    sums[name] += column[in_order_of(codes, nodes["move"][where])]
        values = np.where(sums["n"] > 0, sums["t"] / np.maximum(sums["n"], 1), -np.inf)
        chosen = self.agent.select_root
        if not chosen.policy.needs_amaf:
            return sums["n"], values, values
        constants = {name: value for name, value in chosen.constants if value is not None}
        return sums["n"], values, chosen.policy.estimates(sums, constants)

    def bounds(self) -> Bounds | None:
        """What all trees together prove of the root's children, for the player to move, in the order of ``codes``.

        None where the agent does not prove.
        """
        if not self.agent.prove:
            return None
        codes = self.codes()
        found = Bounds(np.zeros(len(codes)), np.ones(len(codes)))
        for worker in self.workers:
            where = worker.tree.children()
            if where.stop and (own := worker.bounds(where, self.state.to_move)):
                order = in_order_of(codes, worker.tree.nodes["move"][where])
                found = found.both(Bounds(own.lower[order], own.upper[order]))
        return found

    def report(self) -> Report:
        """What is known now."""
        check_searchable(self.state)
        codes = self.codes().copy()
        visits, values, estimates = self.statistics()
        bounds = self.bounds()
        chosen = self._recommended(visits, estimates, bounds)
        code = int(codes[chosen])
        found = Found(
            codes=codes,
            visits=visits,
            values=values if bounds is None else bounds.within(values),
            estimates=estimates if bounds is None else bounds.within(estimates),
            bounds=bounds,
            chosen=chosen,
            line=[code, *line_below(places_below([(worker, ROOT) for worker in self.workers], code))],
            simulations=self.total("simulations"),
            nodes=self.total("nodes"),
            shared=sum(worker.positions.shared for worker in self.workers if worker.positions),
            seconds=self.seconds,
            calls=self.total("calls"),
            depth=max(int(worker.counters["deepest"][0]) for worker in self.workers),
            cut=self.total("cut"),
            stopped=self.stopped,
            note=self.workers[0].note,
            threads=len(self.workers),
        )
        return Report(found, self.state, str(self.agent), self.seed, root_of(self.state, self.workers))


def in_order_of(codes: Codes, own: Codes) -> slice | np.ndarray[Any, np.dtype[np.int64]]:
    """Where each of ``codes`` stands among a tree's own: trees of one position may have reordered them.

    A tree that a running search is just reordering may lack one of them for a moment, and another one is taken.
    """
    if (codes == own).all():
        return slice(None)
    order = np.argsort(own)
    return order[np.minimum(np.searchsorted(own, codes, sorter=order), len(own) - 1)]


def search(
    state: State,
    agent: str | Mapping[str, Any] | Agent = "uct",
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    calls: int | None = None,
    memory: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Callable[[Search], object] | None = None,
) -> Report:
    """Search from ``state`` and report; a budget must be given, unless the agent has one of its own."""
    made, budget, control = part_budget(make_agent(agent), simulations, seconds, calls, memory)
    return Search(state, made, seed=seed, threads=threads_for(budget, threads)).run(budget, progress, control)


def threads_for(budget: Budget, threads: int) -> int:
    """No more threads than simulations; a number that makes no sense stays, to be refused."""
    if budget.simulations is None or not isinstance(threads, int) or threads > MOST_THREADS:
        return threads
    return min(threads, budget.simulations)

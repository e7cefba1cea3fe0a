"""A search that can be run, watched, cancelled, asked and moved along a game."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from contextvars import copy_context
from numbers import Integral
from time import perf_counter
from typing import Any

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.budget import Budget
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.memory import Allowance
from ramify.agents.own_budget import own_budget, part_budget
from ramify.agents.report import Found, Report, choice_of
from ramify.agents.root_moves import Codes, RootMoves
from ramify.agents.searchable import check_player, check_searchable
from ramify.agents.shown_tree import line_below, places_below, root_of, shown_line
from ramify.agents.stopper import moves_left, spend_in_parts
from ramify.agents.worker import Worker
from ramify.contract.game import Code, Move, State
from ramify.core.engine.tree import EVERYBODY, ROOT
from ramify.errors import RamifyError
from ramify.strategies.kinds import Floats

PROGRESS_SECONDS = 0.1  # between two calls of a progress function
MOST_THREADS = 1024
ROUNDS = 10  # in how many steps a recommendation that is not settled spends its extension


class Search:
    """A search from ``state``, kept between calls: ``run`` adds to the same tree, ``advance`` moves its root.

    Where everybody moves at once, ``player`` is who searches: it recommends that player's move, and draws that one's
    choices first. Without it the search recommends a move of everybody.
    """

    def __init__(
        self,
        state: State,
        agent: str | Mapping[str, Any] | Agent = "uct",
        *,
        seed: int | None = None,
        threads: int = 1,
        player: int | None = None,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        check_searchable(state)
        if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
            raise RamifyError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads}")
        if seed is not None and (isinstance(seed, bool) or not issubclass(type(seed), Integral)):
            raise RamifyError(f"the seed must be a whole number, not '{seed}'")
        check_player(state.game, player)
        self.state = state
        self.agent = make_agent(agent)
        self.seed = secrets.randbits(32) if seed is None else int(seed)
        self.allowance = Allowance(threads)  # of memory, where the budget does not say
        self.player = player
        self.workers = [
            Worker(state, self.agent, self.seed, stream, self.allowance, player) for stream in range(threads)
        ]
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
        control: MoveTime | None = None,
    ) -> Report:
        """Search until the budget runs out, the agent's own if none is given.

        ``progress`` is called with this search every tenth of a second. With a ``control`` the budget's seconds are
        those that it begins with, and may become more.
        """
        given, of_clock = own_budget(self.agent, budget)
        self._spend(given, progress, control or of_clock)
        return self.report()

    def think(self, budget: Budget, control: MoveTime | None = None) -> int:
        """Search, and give only the code of the recommended move: a report costs more than a short search does."""
        self._spend(budget, None, control)
        if self.stopped == "memory" and budget.memory is None and budget.seconds is None:  # nobody would see it
            raise RamifyError(
                f"the tree took half of the memory that was free, {(self.allowance.known or 0) / 1e6:,.0f} megabytes,"
                f" after {self.simulations():,} simulations; give a smaller budget"
            )
        moves = self.moves_of()
        visits, _, estimates = moves.statistics()
        return int(moves.codes()[moves.recommended(visits, estimates, moves.bounds())])

    def _spend(
        self, budget: Budget, progress: Callable[[Search], object] | None, control: MoveTime | None = None
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
                if all(moves.settled() for moves in self.wanted()):
                    break
                stopped = self._run(more, progress)
                if stopped in ("cancelled", "memory", "proven"):
                    self.stopped = stopped
                    break
        self.seconds = self.now() - began
        self.expected = moves_left(self)

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

    def advance(self, move: Move | str | Sequence[Move | str]) -> None:
        """Play a move (or an outcome of chance, or everybody's) and keep the part of the tree below it."""
        found = self.state.find(move)
        self.follow(self.state.play(found), found.code)

    def follow(self, after: State, code: Code) -> None:
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

    def moves_of(self, player: int | None = None) -> RootMoves:
        """The moves at the root, of the player to move; where everybody moves at once, of ``player``.

        That is the one who searches where none is given, the first one where nobody said who that is.
        """
        if player is None or not self._at_once:
            player = (self.player or 0) if self._at_once else int(self.workers[0].tree.nodes["mover"][ROOT])
        return RootMoves(self.workers, self.agent, player)

    def everybody(self) -> list[RootMoves]:
        """The moves of everybody who moves at the root."""
        return [self.moves_of(player) for player in range(self.state.game.players if self._at_once else 1)]

    def wanted(self) -> list[RootMoves]:
        """The moves of those for whom a move is to be recommended."""
        return self.everybody() if self.player is None else [self.moves_of()]

    def _asking(self) -> int | None:
        """Whose move is wanted where everybody moves at once; in turns it is that of the one who chooses first."""
        if self.state.to_move != EVERYBODY:
            return None
        return self.player if self._at_once else self.player or 0

    @property
    def _at_once(self) -> bool:
        """Whether everybody moves at the root; not known before its moves are."""
        return bool(self.workers[0].tree.nodes["mover"][ROOT] == EVERYBODY)

    def codes(self, player: int | None = None) -> Codes:
        """The codes of ``moves_of``."""
        return self.moves_of(player).codes()

    def statistics(self, player: int | None = None) -> tuple[Floats, Floats, Floats]:
        """Visits, mean values and estimates of ``moves_of``; see ``RootMoves.statistics``."""
        return self.moves_of(player).statistics()

    def report(self) -> Report:
        """What is known now."""
        check_searchable(self.state)
        choices = [choice_of(moves) for moves in self.everybody()]
        codes = tuple(choice.code for choice in choices)
        code: Code = codes if self._at_once else codes[0]
        line = [code, *line_below(places_below([(worker, ROOT) for worker in self.workers], code))]
        found = Found(
            choices=choices,
            joint=self._at_once,
            player=self._asking(),
            line=shown_line(self.state, line, self.workers[0]),
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
        return Report(found, self.workers[0].start, str(self.agent), self.seed, root_of(self.workers))


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
    player: int | None = None,
    progress: Callable[[Search], object] | None = None,
) -> Report:
    """Search from ``state`` and report; a budget must be given, unless the agent has one of its own.

    Where everybody moves at once, ``player`` is who searches; see ``Search``.
    """
    made, budget, control = part_budget(make_agent(agent), simulations, seconds, calls, memory)
    run = Search(state, made, seed=seed, threads=threads_for(budget, threads), player=player)
    return run.run(budget, progress, control)


def threads_for(budget: Budget, threads: int) -> int:
    """No more threads than simulations; a number that makes no sense stays, to be refused."""
    if budget.simulations is None or not isinstance(threads, int) or threads > MOST_THREADS:
        return threads
    return min(threads, budget.simulations)

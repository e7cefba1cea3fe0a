"""Probe of the compiled functions, called by address on buffers between guard zones."""

from __future__ import annotations

import warnings
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ramify.contract.author_errors import raised_by_author
from ramify.contract.bind_kernels import BODIES, WHOLE_PLAYOUTS
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, violation_from_error
from ramify.contract.checking.probes.record_probe import RecordProbe
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.compiled_game import CompiledGame, Data
from ramify.core.kernels.compile_errors import CompileError
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import episode_of
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools.violations import violation_text
from ramify.errors import GameViolationError
from ramify.time_limits import time_limit

ZONE = 1024  # bytes on either side of a buffer that no kernel may touch
UNTOUCHED = b"\xa5" * ZONE

PLAYOUTS = ("uniform_playout", "plain_playout")


def compile_all(game: CompiledGame, log: FindingLog) -> None:
    """Compile every function of the game. Log compile errors and Numba's warnings."""
    playouts = [*(PLAYOUTS if game.binding.has("playout") else PLAYOUTS[:1])]
    playouts += [name for name in WHOLE_PLAYOUTS if game.binding.has(name)]
    for name in [*(name for name in BODIES if game.binding.has(name)), *playouts]:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                game.binding.kernel(name)
                log.counts["compiled functions"] += 1
            except CompileError as error:
                log.add(ContractViolation("compile", str(error), line=error.line))
        for warning in warned:
            if "numba" in str(warning.category.__module__):
                text = str(warning.message).strip().splitlines()[0]
                log.add(ContractViolation("compile-warning", f"Numba warns about {name}: {text}", severity="warning"))


class PlayoutResults(NamedTuple):
    """Scores and plies of many playouts, and whether all of them ended the game."""

    scores: list[tuple[float, ...]]
    plies: list[int]
    ended: bool


class CompiledProbe(RecordProbe):
    """The author's functions as the engine calls them."""

    def __init__(self, game: CompiledGame) -> None:
        self.zones: list[npt.NDArray[np.uint8]] = []
        super().__init__(game)
        self.state: Data = self.buffer(game.module.State, 1)
        self.rules = self.buffer(game.rules_array.dtype, 1)
        self.rules[:] = game.rules_array
        self.rules_bytes = self.game.author_rules(self.rules)

    def buffer(self, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
        size = dtype.itemsize * count
        whole = np.full(2 * ZONE + size, UNTOUCHED[0], np.uint8)
        self.zones += [whole[:ZONE], whole[ZONE + size :]]
        return whole[ZONE : ZONE + size].view(dtype)

    def ask(self, name: str, data: Data, *arguments: Any) -> int:
        answer, after = self.change(name, data, *arguments)
        if after.tobytes() != data.tobytes():
            raise ContractViolation("changes-state", f"{name}, compiled, changed the state")
        return answer

    def change(self, name: str, data: Data, *arguments: Any) -> tuple[int, Data]:
        self.state[:] = data
        numbers = [address(value) if isinstance(value, np.ndarray) else value for value in arguments]
        kernel = self.game.binding.kernel(name)
        try:
            answer = int(kernel(address(self.rules), address(self.state), *numbers))
        except BaseException as error:  # noqa: BLE001  (author's code may raise anything)
            raise self.violation(name, error) from None
        self.check_guard_zones(name)
        return answer, self.state.copy()

    def violation(self, name: str, error: BaseException) -> BaseException:
        """Return the violation for an exception of a kernel."""
        if isinstance(error, GameViolationError):
            sentence = violation_text(self.rules)
            self.rules[:] = self.game.rules_array
            return ContractViolation("compiled", f"{name}, compiled: {sentence}")
        if isinstance(error, Exception) or raised_by_author(error):
            return violation_from_error(f"{name}, compiled,", error, self.game.binding.file)
        return error

    def check_guard_zones(self, name: str) -> None:
        """Raise if a function has written outside its buffers or to the rules."""
        for zone in self.zones:
            if zone.tobytes() != UNTOUCHED:
                zone[:] = UNTOUCHED[0]
                raise ContractViolation(
                    "memory",
                    f"{name}, compiled, writes outside the state and its buffers;"
                    " look for an index that is too large or negative",
                )
        if self.game.author_rules(self.rules) != self.rules_bytes:
            self.rules[:] = self.game.rules_array
            raise ContractViolation("changes-rules", f"{name}, compiled, changed the rules; only configure may")

    def playout(self, kernel: str, data: Data, rng: npt.NDArray[np.uint64], limit: int) -> tuple[int, Data]:
        """Run a playout kernel. Return its answer and the last position."""
        return self.change(kernel, data, episode_of(self.moves, rng, limit), 0)

    def results(self, name: str, data: Data, rng: npt.NDArray[np.uint64], limit: int, count: int) -> PlayoutResults:
        """Run ``count`` playouts. Guard zones are checked once, at the end."""
        playout, over, scores = (self.game.binding.kernel(kernel) for kernel in (name, "over", "scores"))
        position = (address(self.rules), address(self.state))
        episode, out = episode_of(self.moves, rng, limit), address(self.out)
        plies, ended, found = [], True, []
        for _ in range(count):
            self.state[:] = data
            try:
                with time_limit(CALL_TIMEOUT):
                    plies.append(int(playout(*position, address(episode), 0)))
                ended = ended and bool(over(*position))
                scores(*position, out)
            except BaseException as error:  # noqa: BLE001  (author's code may raise anything)
                raise self.violation(name, error) from None
            found.append(tuple(self.out.tolist()))
        self.check_guard_zones(name)
        return PlayoutResults(found, plies, ended)

    def uniform_results(self, data: Data, seed: int, seconds: float, count: int) -> PlayoutResults:
        """Play at random for some seconds, at most ``count`` games, by calling the kernels move by move.

        They are compiled already, and a playout kernel would have to be.
        """
        random = Random(seed)  # noqa: S311  (no secrets here)
        position, out = (address(self.rules), address(self.state)), address(self.out)
        over, scores = self.game.binding.kernel("over"), self.game.binding.kernel("scores")
        plies: list[int] = []
        found: list[tuple[float, ...]] = []
        end = perf_counter() + seconds
        try:
            while len(found) < count and perf_counter() < end:
                self.state[:] = data
                made = 0
                while not over(*position) and perf_counter() < end:
                    self.uniform_ply(position, random)
                    made += 1
                if over(*position):
                    scores(*position, out)
                    plies.append(made)
                    found.append(tuple(self.out.tolist()))
        except BaseException as error:  # noqa: BLE001  (author's code may raise anything)
            raise self.violation("a random game", error) from None
        self.check_guard_zones("a random game")
        return PlayoutResults(found, plies, ended=True)

    def uniform_ply(self, position: tuple[int, int], random: Random) -> None:
        """Play a random move, outcome or joint move."""
        kernel, moves = self.game.binding.kernel, address(self.moves)
        mover = kernel("mover")(*position)
        if mover == CHANCE:
            count = kernel("chance_outcomes")(*position, moves, address(self.probabilities))
            weights = self.probabilities[:count].tolist()
            kernel("play")(*position, random.choices(self.moves[:count].tolist(), weights)[0])
        elif mover == SIMULTANEOUS:
            for player in range(self.players):
                count = kernel("legal_of")(*position, player, moves)
                self.joint[player] = self.moves[random.randrange(count)]
            kernel("play_joint")(*position, address(self.joint))
        else:
            count = kernel("legal")(*position, moves)
            kernel("play")(*position, int(self.moves[random.randrange(count)]))

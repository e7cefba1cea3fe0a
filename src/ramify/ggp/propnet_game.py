"""GDL games played by their propnet. Their kernels are compiled once for all rulesheets."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import FASTEST, PlayoutSpec
from ramify.contract.python_rules import PythonGenerator
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import address, copy_bytes
from ramify.core.search.plan import GameTable
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.ggp.kif import Term
from ramify.ggp.move_names import move_name
from ramify.ggp.position_text import fluents_text
from ramify.ggp.propnet.evaluator import Evaluator, Wiring
from ramify.ggp.propnet.kernels import kernels
from ramify.ggp.propnet.lane_batch import LaneBatch
from ramify.ggp.propnet.propnet import Propnet

Data = npt.NDArray[np.uint64]

SIMULTANEOUS_PARTS = ("legal_of", "play_joint")  # kernels that a search needs for simultaneous moves
PROBE_GAMES, PROBE_PLIES = 5, 200  # random games, and plies per game, that find simultaneous moves
MAX_JOINT_MOVES = 1 << 16  # move programs pay off for the 43 681 of Chinook, not for the 234 256 of Battle
MAX_LANE_GATES = 1 << 20  # whose values fill 64 MB


class PropnetGame(Game):
    """The game of a propnet. A move's code is the number of its ``does`` proposition, which fixes role and move."""

    def __init__(self, name: str, propnet: Propnet, wiring: Wiring | None = None) -> None:
        self.name = name
        self.propnet = propnet
        self.wiring = wiring = wiring or Wiring(propnet)
        self.players = len(wiring.role_of)
        if self.players == 0:
            raise RamifyError(f"{name} has no players: its only role is 'random'")
        self.max_children = max(map(len, propnet.moves))
        self._words = wiring.words + (len(propnet.roles) if wiring.chance >= 0 else 0)
        self.state_bytes = 8 * max(self._words, 1)
        self._evaluators = threading.local()

    @cached_property
    def _engine_evaluator(self) -> Evaluator:
        return Evaluator(self.wiring)

    def for_search(self) -> Self:
        """Return the same game with its own evaluator."""
        made = type(self)(self.name, self.propnet, self._wiring_of_searches)
        made.simultaneous, made._wiring_of_searches = self.simultaneous, made.wiring
        return made

    @cached_property
    def _wiring_of_searches(self) -> Wiring:
        """The wiring for searches: without move programs if there are too many joint moves to cache."""
        many = self.simultaneous and prod(map(len, self.propnet.moves)) > MAX_JOINT_MOVES
        return Wiring(self.propnet, by_programs=False) if many else self.wiring

    @cached_property
    def simultaneous(self) -> bool:
        """Whether several roles have a choice in some position of a few random games with a fixed seed."""
        random = PythonGenerator(0)
        for _ in range(PROBE_GAMES if self.players > 1 else 0):
            data = self.start()
            for _ in range(PROBE_PLIES):
                if self.over(data):
                    break
                mover = self.mover(data)
                if mover == SIMULTANEOUS:
                    return True
                codes = self.legal(data) if mover != CHANCE else [code for code, _ in self.chance_outcomes(data)]
                data = self.play(data, codes[random.below(len(codes))])
        return False

    # GDL's names.

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """Role of each player."""
        return tuple(self.propnet.roles[role] for role in self.wiring.role_of)

    def term(self, code: int) -> Term:
        """Return a move as the rulesheet writes it."""
        return self._terms[code][1]

    def code(self, role: Term, term: Term) -> int | None:
        """Return the code of a role's move, or None if it is never legal."""
        return self._codes.get((role, term))

    def fluents(self, data: Data) -> frozenset[Term]:
        """Return the true fluents of a position."""
        bits = np.unpackbits(data[: self.wiring.words].view(np.uint8), bitorder="little")
        return frozenset(self.propnet.bases[k] for k in np.flatnonzero(bits))

    @cached_property
    def _terms(self) -> list[tuple[Term, Term]]:
        propnet = self.propnet
        return [(role, move) for role, own in zip(propnet.roles, propnet.moves, strict=True) for move in own]

    @cached_property
    def _codes(self) -> dict[tuple[Term, Term], int]:
        return {pair: code for code, pair in enumerate(self._terms)}

    # The contract.

    def _call(self, name: str, data: Data, *arguments: int) -> int:
        """Call a kernel with this thread's own evaluator."""
        evaluator: Evaluator | None = getattr(self._evaluators, "mine", None)
        if evaluator is None:
            evaluator = self._evaluators.mine = Evaluator(self.wiring)
        return int(kernels()[name](evaluator.rules, address(data), *arguments))

    def start(self) -> Data:
        data = np.zeros(max(self._words, 1), np.uint64)
        data[: self.wiring.words] = self.wiring.start
        return data

    def mover(self, data: Data) -> int:
        return self._call("mover", data)

    def legal(self, data: Data) -> list[int]:
        moves = np.empty(self.max_children, np.int64)
        return [int(code) for code in moves[: self._call("legal", data, address(moves))]]

    def legal_of(self, data: Data, player: int) -> list[int]:
        moves = np.empty(self.max_children, np.int64)
        return [int(code) for code in moves[: self._call("legal_of", data, player, address(moves))]]

    def chance_outcomes(self, data: Data) -> list[tuple[int, float]]:
        moves, probabilities = np.empty(self.max_children, np.int64), np.empty(self.max_children)
        count = self._call("chance_outcomes", data, address(moves), address(probabilities))
        return [(int(code), float(p)) for code, p in zip(moves[:count], probabilities[:count], strict=True)]

    def play(self, data: Data, code: int) -> Data:
        after = data.copy()
        self._call("play", after, code)
        return after

    def play_joint(self, data: Data, codes: Sequence[int]) -> Data:
        after, joint = data.copy(), np.array(codes, np.int64)
        self._call("play_joint", after, address(joint))
        return after

    def over(self, data: Data) -> bool:
        return bool(self._call("over", data))

    def scores(self, data: Data) -> list[float]:
        out = np.zeros(self.players)
        self._call("scores", data, address(out))
        return [float(score) for score in out]

    def draw(self, data: Data) -> str:
        return fluents_text(self.fluents(data))

    def move_name(self, data: Data, code: int) -> str:
        del data  # a code means the same move in every position
        return move_name(self.term(code))

    def key(self, data: Data) -> bytes:
        return data.tobytes()

    # For searches.

    def table(self) -> GameTable:
        made = kernels()
        parts = (
            "legal",
            "play",
            "mover",
            "scores",
            "chance_outcomes",
            "over",
            *(SIMULTANEOUS_PARTS if self.simultaneous else ()),
        )
        return GameTable(
            players=self.players,
            state_bytes=self.state_bytes,
            max_children=self.max_children,
            rules=self._engine_evaluator.rules,
            copy=0,
            **{name: made[name].address for name in parts},
        )

    def has(self, part: str) -> bool:
        return part == "chance_outcomes" or (part in SIMULTANEOUS_PARTS and self.simultaneous)

    @property
    def has_chance(self) -> bool:
        return self.wiring.chance >= 0

    @property
    def constant_sum(self) -> bool:
        return False  # goals need not sum to a constant

    def kernel(self, part: str) -> Kernel | None:
        return kernels()[part] if self.has(part) else None

    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """Return the uniform playout: GDL has no heuristics. It respects limits and returns exact lengths."""
        made: Kernel = kernels()["traced_playout" if spec.traced else "playout"]
        return made

    @property
    def has_batch(self) -> bool:
        """Whether positions can be evaluated in lanes: no chance, and not too many gates."""
        return self.wiring.chance < 0 and len(self.propnet.gates) <= MAX_LANE_GATES

    def batch(self, most: int) -> LaneBatch:
        return LaneBatch(self.wiring, most)

    def move_classes(self) -> int:
        return len(self._terms)

    def warm(self) -> None:
        kernels()

    def to_address(self, data: Data, target: int) -> None:
        copy_bytes(target, address(data), self.state_bytes)

    def from_address(self, source: int) -> Data:
        data = np.zeros(max(self._words, 1), np.uint64)
        copy_bytes(address(data), source, self.state_bytes)
        return data

"""A GDL game that is played by its network: a game of the contract whose kernels are compiled once for all."""

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

SIMULTANEOUS_PARTS = ("legal_of", "play_joint")  # what the search asks of games where everybody may move at once
PROBE_GAMES, PROBE_PLIES = 5, 200  # random games, and plies of each, that tell whether players take turns
MAX_JOINT_MOVES = 1 << 16  # of which programs are worth it: 43 681 of Chinook are, 234 256 of Battle are not
MAX_LANE_GATES = 1 << 20  # gates; the words of so many already fill 64 MB


class PropnetGame(Game):
    """The game of a network. A move's code tells role and move: it is the number of the proposition that it is made."""

    def __init__(self, name: str, network: Propnet, wiring: Wiring | None = None) -> None:
        self.name = name
        self.network = network
        self.wiring = wiring = wiring or Wiring(network)
        self.players = len(wiring.role_of)
        if self.players == 0:
            raise RamifyError(f"{name} has no role but random, so there is nobody to search for")
        self.max_children = max(map(len, network.moves))
        self._words = wiring.words + (len(network.roles) if wiring.chance >= 0 else 0)
        self.state_bytes = 8 * max(self._words, 1)
        self._desks = threading.local()

    @cached_property
    def _engine_desk(self) -> Evaluator:
        return Evaluator(self.wiring)

    def for_search(self) -> Self:
        """Another one with a desk of its own."""
        made = type(self)(self.name, self.network, self._wiring_of_searches)
        made.simultaneous, made._wiring_of_searches = self.simultaneous, made.wiring
        return made

    @cached_property
    def _wiring_of_searches(self) -> Wiring:
        """Without programs of joint moves where there are too many to keep."""
        many = self.simultaneous and prod(map(len, self.network.moves)) > MAX_JOINT_MOVES
        return Wiring(self.network, by_programs=False) if many else self.wiring

    @cached_property
    def simultaneous(self) -> bool:
        """Whether several roles have a choice in some position of a few random games, which are always the same."""
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

    # What GDL calls things.

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        """The role of each player."""
        return tuple(self.network.roles[role] for role in self.wiring.role_of)

    def term(self, code: int) -> Term:
        """A move as the rulesheet writes it."""
        return self._terms[code][1]

    def code(self, role: Term, term: Term) -> int | None:
        """The code of a role's move; None if it can never be legal."""
        return self._codes.get((role, term))

    def fluents(self, data: Data) -> frozenset[Term]:
        """What is true in a position."""
        bits = np.unpackbits(data[: self.wiring.words].view(np.uint8), bitorder="little")
        return frozenset(self.network.bases[k] for k in np.flatnonzero(bits))

    @cached_property
    def _terms(self) -> list[tuple[Term, Term]]:
        network = self.network
        return [(role, move) for role, own in zip(network.roles, network.moves, strict=True) for move in own]

    @cached_property
    def _codes(self) -> dict[tuple[Term, Term], int]:
        return {pair: code for code, pair in enumerate(self._terms)}

    # The contract.

    def _call(self, name: str, data: Data, *arguments: int) -> int:
        """Call a kernel; every thread has a desk of its own."""
        desk: Evaluator | None = getattr(self._desks, "own", None)
        if desk is None:
            desk = self._desks.own = Evaluator(self.wiring)
        return int(kernels()[name](desk.rules, address(data), *arguments))

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
        del data  # a code has one meaning everywhere
        return move_name(self.term(code))

    def key(self, data: Data) -> bytes:
        return data.tobytes()

    # For the engine.

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
            rules=self._engine_desk.rules,
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
        return False  # goals may be anything

    def kernel(self, part: str) -> Kernel | None:
        return kernels()[part] if self.has(part) else None

    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """It keeps to a limit and counts its plies; rules in GDL know no heuristic."""
        made: Kernel = kernels()["traced_playout" if spec.traced else "playout"]
        return made

    @property
    def has_batch(self) -> bool:
        """Where chance plays no part and not too much is evaluated for nothing."""
        return self.wiring.chance < 0 and len(self.network.gates) <= MAX_LANE_GATES

    def batch(self, most: int) -> LaneBatch:
        """Room for so many positions at once."""
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

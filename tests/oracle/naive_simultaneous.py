"""The search of positions where everybody moves at once, as its authors print it: objects, dictionaries, no arrays.

A node has a *seat* for each player who chooses there, one in a position of turns, and a child for each combination of
what they chose. A player's statistics of a move are summed over the children where it was made; ``marginals`` are these
sums as Perick et al. (2012) print them. The search itself adds up as it goes, which gives the same up to rounding:
``check`` compares. Policies are their authors' functions, as plain Python.

Draws: where everybody moves, first whatever the policy of ``player`` draws, then that of the next player, and so on in
a circle; playouts the same. All else is as in ``naive``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import log, sqrt

import numpy as np

from ramify import CHANCE, SIMULTANEOUS, State
from ramify.contract.compiled_game import as_record
from ramify.strategies.policy.policy import parameters
from tests.oracle.naive import Generator, single


@dataclass
class Seat:
    """What a player knows of its moves at a node."""

    moves: list
    visits: list[int]
    totals: list[float]
    squares: list[float]  # of which policies work out the deviation
    spreads: list[float]  # of joint children: visits times deviation, added up
    kept: dict[str, np.ndarray]


@dataclass
class Node:
    chance: float = 0.0
    visits: int = 0
    totals: list[float] | None = None  # of each player
    squares: list[float] | None = None
    mover: int = 0
    over: bool = False
    outcomes: list[Node] | None = None  # of chance
    names: list = field(default_factory=list)  # of the outcomes
    seats: dict[int, Seat] = field(default_factory=dict)
    children: dict[tuple[int, ...], Node] = field(default_factory=dict)  # by the place of each seat's move

    @property
    def expanded(self) -> bool:
        return self.over or self.outcomes is not None or bool(self.seats)


@dataclass
class Search:
    state: State
    seed: int
    policy: object  # ramify.strategies.policy.policy.Policy
    constants: dict[str, float]
    fpu: float = 10_000.0
    expand_threshold: int = 1
    limit: int = 100_000
    deviation: str = "pooled"
    player: int = 0
    heuristic: bool = False
    stream: int = 0

    def __post_init__(self) -> None:
        self.rng = Generator(self.seed, self.stream)
        self.players = self.state.game.players
        self.root = self.node()
        self.simulations = self.calls = self.deepest = self.cut = 0

    def node(self, chance: float = 0.0) -> Node:
        return Node(chance, 0, [0.0] * self.players, [0.0] * self.players)

    def run(self, simulations: int) -> Search:
        for _ in range(simulations):
            self.simulate()
        return self

    def advance(self, move) -> None:
        """Go on from a child of the root; where it was not expanded, from nothing."""
        found = self.state.find(move)
        child = None
        if self.root.mover == CHANCE and self.root.outcomes:
            child = self.root.outcomes[self.root.names.index(found)]
        elif self.root.seats:
            parts = found if self.root.mover == SIMULTANEOUS else [found]
            key = tuple(seat.moves.index(one) for seat, one in zip(self.root.seats.values(), parts, strict=True))
            child = self.root.children.get(key)
        self.state = self.state.play(found)
        self.root = child if child is not None and (child.seats or child.outcomes) else self.node()
        self.deepest = depth(self.root)
        self.simulations = self.calls = self.cut = 0

    # One simulation.

    def simulate(self) -> None:
        state, path, keys = self.descend()
        scores = self.play_out(state)
        self.back_up(path, keys, scores)
        self.simulations += 1
        for node, key in reversed(list(zip(path, keys, strict=False))):
            if node.mover != CHANCE:
                self.learn(node, key, scores)

    def descend(self):
        state, node = self.state, self.root
        path, keys = [node], []
        expanded = False
        while not expanded:
            if not node.expanded:
                if node is not self.root and node.visits < self.expand_threshold:
                    break
                self.expand(node, state)
                expanded = True
            if node.over:
                break
            if node.mover == CHANCE:
                k = self.rng.weighted([child.chance for child in node.outcomes])
                key, move, child = (k,), node.names[k], node.outcomes[k]
            else:
                key = self.everybody_chooses(node)
                moves = [seat.moves[k] for seat, k in zip(node.seats.values(), key, strict=True)]
                move = moves if node.mover == SIMULTANEOUS else moves[0]
                child = node.children.setdefault(key, self.node())
            state = state.play(move)
            path.append(child)
            keys.append(key)
            node = child
        self.calls += len(path) - 1
        self.deepest = max(self.deepest, len(path) - 1)
        return state, path, keys

    def expand(self, node: Node, state: State) -> None:
        node.over = state.over
        if node.over:
            return
        node.mover = state.to_move
        if node.mover == CHANCE:
            node.names = [move for move, _ in state.chances()]
            node.outcomes = [self.node(single(probability)) for _, probability in state.chances()]
        elif node.mover == SIMULTANEOUS:
            node.seats = {player: self.seat(state.moves(player)) for player in range(self.players)}
        else:
            node.seats = {node.mover: self.seat(state.moves())}

    def seat(self, moves: list) -> Seat:
        K = len(moves)
        kept = {name: np.zeros(K) for name in (*self.policy.kept, *(["average"] if self.policy.average else []))}
        return Seat(moves, [0] * K, [0.0] * K, [0.0] * K, [0.0] * K, kept)

    def everybody_chooses(self, node: Node) -> tuple[int, ...]:
        order = sorted(node.seats, key=lambda player: (player - self.player) % self.players)
        chosen = {player: self.choose(node, node.seats[player]) for player in order}
        return tuple(chosen[player] for player in node.seats)

    def back_up(self, path: list[Node], keys: list[tuple[int, ...]], scores: list[float]) -> None:
        path[0].visits += 1
        for (parent, child), key in zip(pairwise(path), keys, strict=True):
            before = [spread(child, player) for player in range(self.players)]
            child.visits += 1
            for player, score in enumerate(scores):
                child.totals[player] += score
                child.squares[player] += score * score
            for (player, seat), k in zip(parent.seats.items(), key, strict=False):
                seat.visits[k] += 1
                seat.totals[k] += scores[player]
                seat.squares[k] += scores[player] * scores[player]
                if parent.mover == SIMULTANEOUS and self.deviation == "children":
                    seat.spreads[k] += spread(child, player) - before[player]
                    n, m, s = seat.visits[k], seat.totals[k] / seat.visits[k], seat.spreads[k] / seat.visits[k]
                    seat.squares[k] = n * (s * s + m * m)

    def play_out(self, state: State) -> list[float]:
        plies = 0
        while not state.over:
            if plies == self.limit:
                self.cut += 1
                self.calls += plies
                return [0.5] * self.players
            if state.to_move == CHANCE:
                outcomes = state.chances()
                move = outcomes[self.rng.weighted([probability for _, probability in outcomes])][0]
            elif state.to_move == SIMULTANEOUS:
                order = [(self.player + k) % self.players for k in range(self.players)]
                drawn = {player: self.drawn(state, player) for player in order}
                move = [drawn[player] for player in range(self.players)]
            else:
                moves = state.moves()
                move = moves[self.rng.below(len(moves))]
            state = state.play(move)
            plies += 1
        self.calls += plies
        return state.scores()

    def drawn(self, state: State, player: int):
        """One player's move in a playout."""
        moves = state.moves(player)
        if not self.heuristic:
            return moves[self.rng.below(len(moves))]
        game, here = state.game, as_record(state.data)
        code = self.with_cell(lambda cell: game.module.heuristic_of(game.rules, here, player, cell))
        return next(move for move in moves if move.code == code)

    # Policies.

    def with_cell(self, function):
        """Call a function that draws from a cell of memory."""
        cell = np.array([self.rng.state], np.uint64)
        with np.errstate(over="ignore"):
            answer = function(cell)
        self.rng.state = int(cell[0])
        return answer

    def quantities(self, node: Node, seat: Seat) -> dict:
        n, N = seat.visits, max(node.visits, 1)
        means = [t / max(v, 1) if v else self.fpu for t, v in zip(seat.totals, n, strict=True)]
        deviations = [
            sqrt(max(q / max(v, 1) - (t / max(v, 1)) * (t / max(v, 1)), 0.0))
            for q, t, v in zip(seat.squares, seat.totals, n, strict=True)
        ]
        K = len(seat.moves)
        known = {"N": float(N), "lnN": log(N), "K": K, "lnK": log(K), "fpu": self.fpu} | self.constants | seat.kept
        known |= {"visits": np.array(n, float), "means": np.array(means), "deviations": np.array(deviations)}
        return known | {"work": np.zeros(K), "indices": np.zeros(K)}

    def choose(self, node: Node, seat: Seat) -> int:
        policy, known = self.policy, self.quantities(node, seat)
        fresh = [k for k, n in enumerate(seat.visits) if n == 0]
        waits = {"visits", "means", "deviations"} & set(policy.quantities)
        if fresh and policy.returns_arm and (waits if not policy.fills_indices else self.fpu >= 10_000.0):
            return fresh[self.rng.below(len(fresh))] if len(fresh) > 1 else fresh[0]
        if policy.returns_arm and not policy.fills_indices:
            return int(self.with_cell(lambda cell: self.ask(policy.function, known | {"rng": cell})))
        if policy.fills_indices:
            self.with_cell(lambda cell: self.ask(policy.function, known | {"rng": cell}))
            indices = [index if n else self.fpu for index, n in zip(known["indices"], seat.visits, strict=True)]
        else:
            visited = [k for k, n in enumerate(seat.visits) if n]
            best = {"m_max": max((known["means"][k] for k in visited), default=-np.inf)}
            best["t_max"] = max((known["means"][k] * seat.visits[k] for k in visited), default=-np.inf)
            indices = [self.index(known | best, seat, k) if seat.visits[k] else self.fpu for k in range(known["K"])]
        top = [k for k, index in enumerate(indices) if index == max(indices)]
        return top[self.rng.below(len(top))] if len(top) > 1 else top[0]

    def index(self, known: dict, seat: Seat, k: int) -> float:
        n = float(seat.visits[k])
        of_arm = {"n": n, "lnn": log(n), "m": known["means"][k], "t": seat.totals[k], "s": known["deviations"][k]}
        of_arm |= {name: column[k] for name, column in seat.kept.items()}
        return self.with_cell(lambda cell: self.ask(self.policy.function, known | of_arm | {"rng": cell}))

    def ask(self, function, known: dict):
        return function(**{name: known[name] for name in parameters(function)})

    def learn(self, node: Node, key: tuple[int, ...], scores: list[float]) -> None:
        """Tell the policy of every seat; what it met are the children of its moves with those that the others made."""
        if self.policy.update is None:
            return
        for place, (player, seat) in enumerate(node.seats.items()):
            known = self.quantities(node, seat) | {"k": key[place], "reward": scores[player], "mover": player}
            met = [node.children.get((*key[:place], k, *key[place + 1 :])) for k in range(known["K"])]
            known["visits_met"] = np.array([float(child.visits) if child else 0.0 for child in met])
            known["means_met"] = np.array(
                [child.totals[player] / child.visits if child and child.visits else self.fpu for child in met]
            )
            with np.errstate(over="ignore"):
                if self.policy.average:
                    self.ask(self.policy.average, known)
                self.ask(self.policy.update, known)

    # What the paper prints.

    def marginals(self, node: Node, player: int, k: int) -> tuple[int, float, float]:
        """Visits, mean and the mean deviation of a move over the children where it was made."""
        seat = list(node.seats).index(player)
        children = [child for key, child in node.children.items() if key[seat] == k and child.visits]
        t = sum(child.visits for child in children)
        mean = sum(child.visits * (child.totals[player] / child.visits) for child in children) / t
        return t, mean, sum(child.visits * deviation(child, player) for child in children) / t


def deviation(node: Node, player: int) -> float:
    mean = node.totals[player] / node.visits
    return sqrt(max(node.squares[player] / node.visits - mean * mean, 0.0))


def spread(node: Node, player: int) -> float:
    return node.visits * deviation(node, player) if node.visits else 0.0


def below(node: Node) -> list[Node]:
    return [*(node.outcomes or ()), *node.children.values()]


def depth(node: Node) -> int:
    return 1 + max(map(depth, below(node)), default=0) if node.seats or node.outcomes else 0

"""Playouts that learn, as a textbook has them: dictionaries, lists and a function for each step.

Draws come in this order. In a game that has ``winning_move`` a decisive move is made without a draw. In one that has
``sample`` the chooser is asked next whether any move will do, and then ``sample`` draws one. A player who has one move
makes it without a draw. Epsilon-greedy: one draw whether any move will do, unless epsilon is 0, and one for that move;
else one among equally good moves, only if there are several. Gibbs sampling: one draw. Decisive moves and replies draw
nothing themselves. MAST over a game's published list: the game's own file draws the random moves and lists the others;
one more draw then chooses among the best of the list.

A *line* is a simulation from the root to the end: every move of a player, as player and class; chance makes no moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp

import numpy as np

from ramify import CHANCE, Move, State
from ramify.contract.compiled_game import as_record
from tests.oracle import naive
from tests.oracle.naive_rave import class_of

Made = tuple[int, int]  # player and class
LEAST = 0.5


@dataclass
class Spot:
    """What there is to choose from."""

    state: State
    moves: list[Move]
    line: list[Made]
    rng: naive.Generator

    @property
    def mover(self) -> int:
        return self.state.to_move

    def made(self, move: Move) -> Made:
        return self.mover, class_of(self.state, move)


class Chooser:
    def decided(self, state: State) -> Move | None:
        """A move that is made before anything else is asked, in games that can find it without a list of moves."""
        return None

    def any_will_do(self, state: State, line: list[Made], rng: naive.Generator) -> bool:
        """Whether the move is to be drawn without a look at the list of them."""
        return False

    def choose_listed(self, spot: Spot) -> Move:
        """One of several moves, where not any will do."""
        return any_of(spot)

    def draw(self, state: State, rng: naive.Generator) -> Move:
        """A move where any will do, in games that draw one without a list."""
        return drawn_by("sample", state, rng)

    def list_moves(self, state: State, rng: naive.Generator) -> list[Move]:
        return state.moves()

    def choose(self, spot: Spot) -> Move:
        return any_of(spot) if self.any_will_do(spot.state, spot.line, spot.rng) else self.choose_listed(spot)

    def learn(self, line: list[Made], scores: list[float]) -> None:
        pass

    def age(self) -> None:
        pass

    def forget(self) -> None:
        pass


def any_of(spot: Spot) -> Move:
    return spot.moves[spot.rng.below(len(spot.moves))]


def ask_file(function: str, state: State, rng: naive.Generator, *arguments: np.ndarray) -> int:
    """What a function of a game's own file returns, run as Python."""
    cell = np.array([rng.state], np.uint64)
    with np.errstate(over="ignore"):
        answer = getattr(state.game.module, function)(state.game.rules, as_record(state.data), cell, *arguments)
    rng.state = int(cell[0])
    return int(answer)


def drawn_by(function: str, state: State, rng: naive.Generator) -> Move:
    code = ask_file(function, state, rng)
    return next(move for move in state.moves() if move.code == code)


@dataclass
class Mast(Chooser):
    """``sums`` by player and class, or by a sequence of them: how often, and what it brought."""

    epsilon: float = 0.4
    temperature: float = 0.0
    initial: float = 1.0
    decay: float = 0.2
    sums: dict = field(default_factory=dict)

    def value(self, spot: Spot, move: Move) -> float:
        count, total = self.sums.get((spot.made(move),), (0.0, 0.0))
        return total / count if count else self.initial

    def any_will_do(self, state: State, line: list[Made], rng: naive.Generator) -> bool:
        return self.temperature == 0.0 and self.epsilon > 0.0 and rng.uniform() < self.epsilon

    def choose_listed(self, spot: Spot) -> Move:
        values = [self.value(spot, move) for move in spot.moves]
        if self.temperature:
            weights = [exp((value - 1.0) / self.temperature) for value in values]
            total = 0.0  # one after another: `sum` rounds in another way
            for weight in weights:
                total += weight
            left = spot.rng.uniform() * total
            for move, weight in zip(spot.moves[:-1], weights, strict=False):
                left -= weight
                if left < 0.0:
                    return move
            return spot.moves[-1]
        best = [move for move, value in zip(spot.moves, values, strict=True) if value == max(values)]
        return best[0] if len(best) == 1 else best[spot.rng.below(len(best))]

    def add(self, gram: tuple[Made, ...], score: float) -> float:
        count, total = self.sums.get(gram, (0.0, 0.0))
        self.sums[gram] = (count + 1.0, total + score)
        return count + 1.0

    def learn(self, line: list[Made], scores: list[float]) -> None:
        for made in line:
            self.add((made,), scores[made[0]])

    def age(self) -> None:
        kept = {gram: (n * self.decay, total * self.decay) for gram, (n, total) in self.sums.items()}
        self.sums = {gram: pair for gram, pair in kept.items() if pair[0] >= LEAST}

    def forget(self) -> None:
        self.sums = {}


@dataclass
class MastOver(Mast):
    """MAST over the published list of a game."""

    weights: list = field(default_factory=list)

    def draw(self, state: State, rng: naive.Generator) -> Move:
        return drawn_by("published_heuristic", state, rng)

    def list_moves(self, state: State, rng: naive.Generator) -> list[Move]:
        codes, weights = np.zeros(state.game.max_moves, np.int64), np.zeros(state.game.max_moves)
        count = ask_file("published_moves", state, rng, codes, weights)
        self.weights = weights[:count].tolist()
        moves = {move.code: move for move in state.moves()}
        return [moves[code] for code in codes[:count].tolist()]

    def choose_listed(self, spot: Spot) -> Move:
        values = [self.value(spot, move) for move in spot.moves]
        weights = [weight * (value == max(values)) for weight, value in zip(self.weights, values, strict=True)]
        left = spot.rng.uniform() * sum(weights)
        for move, weight in zip(spot.moves[:-1], weights, strict=False):
            left -= weight
            if left < 0.0:
                return move
        return spot.moves[-1]


@dataclass
class Ngram(Mast):
    max_length: int = 3
    min_visits: float = 7.0

    def value(self, spot: Spot, move: Move) -> float:
        total, terms = super().value(spot, move), 1
        for length in range(2, self.max_length + 1):
            gram = (*spot.line[-(length - 1) :], spot.made(move))
            count, sum_ = self.sums.get(gram, (0.0, 0.0))
            if len(gram) == length and count and count >= self.min_visits:
                total, terms = total + sum_ / count, terms + 1
        return total / terms

    def learn(self, line: list[Made], scores: list[float]) -> None:
        super().learn(line, scores)
        pair = 0.0
        for k in range(1, len(line)):
            score = scores[line[k][0]]
            if self.max_length > 2 and k > 1 and pair >= self.min_visits:
                self.add((line[k - 2], line[k - 1], line[k]), score)
            if self.max_length > 1:
                pair = self.add((line[k - 1], line[k]), score)


@dataclass
class LastGoodReply(Chooser):
    moves: int = 2
    forgets: bool = True
    keep: bool = True
    then: Chooser = field(default_factory=Chooser)
    replies: dict = field(default_factory=dict)

    def known(self, mover: int, line: list[Made]) -> list[int]:
        """Replies to the last moves, that to the most of them first."""
        keys = [(mover, tuple(line[-length:])) for length in range(self.moves, 0, -1) if len(line) >= length]
        return [self.replies[key] for key in keys if key in self.replies]

    def any_will_do(self, state: State, line: list[Made], rng: naive.Generator) -> bool:
        return type(self.then) is Chooser and not self.known(state.to_move, line)

    def choose_listed(self, spot: Spot) -> Move:
        for reply in self.known(spot.mover, spot.line):
            for move in spot.moves:
                if class_of(spot.state, move) == reply:
                    return move
        return self.then.choose(spot)

    def learn(self, line: list[Made], scores: list[float]) -> None:
        self.then.learn(line, scores)
        for k, (player, kind) in enumerate(line):
            for length in range(1, min(self.moves, k) + 1):
                key = (player, tuple(line[k - length : k]))
                if scores[player] > 0.5:
                    self.replies[key] = kind
                elif scores[player] < 0.5 and self.forgets and self.replies.get(key) == kind:
                    del self.replies[key]

    def age(self) -> None:
        self.then.age()
        if not self.keep:
            self.replies = {}

    def forget(self) -> None:
        self.then.forget()
        self.replies = {}


@dataclass
class Decisive(Chooser):
    anti: bool = False
    then: Chooser = field(default_factory=Chooser)

    def decided(self, state: State) -> Move | None:
        moves = state.moves() if state.game.has("winning_move") else []
        return next((move for move in moves if wins(state, move)), None)

    def any_will_do(self, state: State, line: list[Made], rng: naive.Generator) -> bool:
        return state.game.has("winning_move") and type(self.then) is Chooser and not self.anti

    def choose_listed(self, spot: Spot) -> Move:
        for move in spot.moves:
            if wins(spot.state, move):
                return move
        first = chosen = self.then.choose(spot)
        left = list(spot.moves)
        while self.anti and lets_win(spot.state, chosen):
            left.remove(chosen)
            if not left:
                return first
            chosen = left[0] if len(left) == 1 else self.then.choose(Spot(spot.state, left, spot.line, spot.rng))
        return chosen

    def learn(self, line: list[Made], scores: list[float]) -> None:
        self.then.learn(line, scores)

    def age(self) -> None:
        self.then.age()

    def forget(self) -> None:
        self.then.forget()


def wins(state: State, move: Move) -> bool:
    after = state.play(move)
    return after.over and after.scores()[state.to_move] >= 1.0


def lets_win(state: State, move: Move) -> bool:
    after = state.play(move)
    if after.over or after.to_move in (CHANCE, state.to_move):
        return False
    return any(wins(after, reply) for reply in after.moves())


@dataclass
class Search(naive.Search):
    chooser: Chooser = field(default_factory=Chooser)
    evaluate: Callable[[State], list[float]] | None = None
    line: list[Made] = field(default_factory=list)

    def descend(self):
        state, path = super().descend()
        self.line, here = [], self.state
        for node in path[1:]:
            if here.to_move != CHANCE:
                self.line.append((here.to_move, class_of(here, node.move)))
            here = here.play(node.move)
        return state, path

    def play_out(self, state: State) -> list[float]:
        plies = 0
        while not state.over and plies < self.limit:
            if state.to_move == CHANCE:
                outcomes = state.chance_outcomes()
                move = outcomes[self.rng.weighted([probability for _, probability in outcomes])][0]
            else:
                move = self.turn(state)
                self.line.append((state.to_move, class_of(state, move)))
            state = state.play(move)
            plies += 1
        self.calls += plies
        if state.over:
            return state.scores()
        self.cut_playouts += 1
        return self.evaluate(state) if self.evaluate else [0.5] * state.game.players

    def turn(self, state: State) -> Move:
        """The move of a player."""
        decided = self.chooser.decided(state)
        if decided is not None:
            return decided
        if state.game.has("sample"):
            if self.chooser.any_will_do(state, self.line, self.rng):
                return self.chooser.draw(state, self.rng)
            choose = self.chooser.choose_listed
        else:
            choose = self.chooser.choose
        moves = self.chooser.list_moves(state, self.rng)
        return moves[0] if len(moves) == 1 else choose(Spot(state, moves, self.line, self.rng))

    def back_up(self, path, scores) -> None:
        super().back_up(path, scores)
        self.chooser.learn(self.line, scores)

    def advance(self, move: Move) -> None:
        super().advance(move)
        self.chooser.age()


def by_key(sums: dict, classes: int, base: int) -> dict[int, tuple[float, float]]:
    """The sums of N-grams of two and three moves by the numbers that the engine keeps them under."""
    found = defaultdict(tuple)
    for gram, pair in sums.items():
        key = 0
        for player, kind in gram[:-1]:
            key = key * base + player * classes + kind + 1
        if len(gram) > 1:
            found[key * base + gram[-1][0] * classes + gram[-1][1]] = pair
    return dict(found)

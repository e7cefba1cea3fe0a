"""The behaviour signature: one number for each family of searches, over everything they wrote.

A change that should not change behaviour leaves every number alone; a commit that changes one says which, and so shows
where behaviour changed (after Stockfish's ``bench``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import numpy as np

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.contract.registry import names
from ramify.contract.uncompiled import UncompiledGame
from ramify.core.search.tree import CHANCE
from ramify.grammar import Call
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

COUNTED = ("nodes", "simulations", "calls", "deepest", "cut")  # counters that came later change no number
SIMULATIONS = 500


class ThreeHeaps:
    """Nim of three heaps for three players, as a Python class: whoever takes the last stone gets 1, the next 1/2."""

    players = 3
    max_moves = 9

    def __init__(self) -> None:
        self.heaps = [2, 3, 3]
        self.turn = 0

    def to_move(self) -> int:
        """The player to move."""
        return self.turn

    def moves(self) -> list[tuple[int, int]]:
        """Heap and stones."""
        return [(heap, take) for heap in range(3) for take in range(1, self.heaps[heap] + 1)]

    def play(self, move: tuple[int, int]) -> None:
        """Take them."""
        self.heaps[move[0]] -= move[1]
        self.turn = (self.turn + 1) % 3

    def over(self) -> bool:
        """Whether nothing is left."""
        return not any(self.heaps)

    def scores(self) -> list[float]:
        """1, 1/2 and 0."""
        return [(0.5, 0.0, 1.0)[(player - self.turn) % 3] for player in range(3)]

    def clone(self) -> ThreeHeaps:
        """An independent copy."""
        other = ThreeHeaps()
        other.heaps, other.turn = list(self.heaps), self.turn
        return other


def uct() -> Iterator[Search]:
    """Plain UCT on games with and without parts of their own for playouts, on one word of bits and on more."""
    for game in (
        *("tictactoe", "connect4", "breakthrough(rows=8, columns=8)", "breakthrough(rows=6, columns=12)"),
        *("sos(n=10)", "hex(size=11)", "othello", "pig(target=100)"),
    ):
        yield searched(game, "uct(c=0.7)", 2000)


def games() -> Iterator[Search]:
    """Every game, a little."""
    for game in names():
        yield searched(game, "uct(c=0.4)", 100)


def every_policy() -> Iterator[Search]:
    """Every policy, in every node and at the root only, with few arms and with many."""
    for name in policies():
        yield searched("connect4", f"mcts(select={name})")
        yield searched("breakthrough(rows=6, columns=12)", f"mcts(select={name}, select_root=ucb1(c=1.0))")


def roots() -> Iterator[Search]:
    """Another policy at the root, later expansion, other first-play urgencies."""
    for arguments in (
        "select_root=ucb_sqrt",
        "select=ucb1_tuned, select_root=exp3",
        "select=exp3, select_root=accelerated_ucb",
        "select=discounted_ucb, select_root=discounted_ucb(decay=0.9)",
        "expand_threshold=3",
        "expand_threshold=0, fpu=0.5",
        "fpu=-inf",
        "select=puct(fpu=0.2), select_root=ucb_v",
    ):
        yield searched("connect4", f"mcts({arguments})")


RAVE = ("rave", "rave_max", "rave_only", "rave_doubt", "grave(ref=5)")


def all_moves_as_first() -> Iterator[Search]:
    """RAVE and GRAVE, by owners and by traces, weighted and not, in one half of the tree or in both."""
    for name in RAVE:
        yield searched("hex(size=5)", f"mcts(select={name})")
        yield searched("connect4", f"mcts(select={name}, updates=true_updates(weighted=true))")
        yield searched("nine_mens_morris", f"mcts(select={name})", 100)
        yield searched("othello", f"mcts(select={name}, select_root=ucb1)", 200)
        yield searched("sos(n=8)", f"mcts(select=ucb1, select_root={name})")
    yield searched("connect4", "mcts(select=grave(ref=5), select_root=rave_only)")


def error_models() -> Iterator[Search]:
    """False updates of every kind."""
    for arguments in (
        "mu=0.3",
        "kind=lower, target=9, mu=0.6",
        "kind=raise, target=4, mu=0.6",
        "kind=lower, target=9, mu=0.5, shared=true",
        "kind=raise, target=4, mu=0.5, shared=true, weighted=true",
    ):
        for name in ("rave", "grave(ref=5)"):
            yield searched("sos(n=10)", f"mcts(select={name}, updates=false_updates({arguments}))")


def rewards() -> Iterator[Search]:
    """Rewards other than the score."""
    for game in ("othello", "sos(n=8)"):
        yield searched(game, "mcts(reward=score_bonus(gamma=0.1))", 300)
        yield searched(game, "mcts(select=rave, reward=score_bonus(gamma=0.02))", 300)


def playouts() -> Iterator[Search]:
    """Playouts that know something, and playouts that are cut."""
    yield searched("breakthrough(rows=6, columns=6)", "mcts(playout=heuristic)")
    yield searched("breakthrough(rows=6, columns=6)", "mcts(playout=heuristic(limit=5), select=rave)")
    for game in ("hex(size=6)", "othello", "pig(target=30)"):
        yield searched(game, "mcts(playout=uniform(limit=7))")
        yield searched(game, "mcts(select=rave, playout=uniform(limit=7))")


def reuse() -> Iterator[Search]:
    """Trees kept from move to move."""
    for name in ("ucb1", "ucb1_tuned", "accelerated_ucb", "regret_matching", "rave", "grave(ref=5)"):
        search = searched("connect4", f"mcts(select={name})")
        for move in ("4", "3"):
            search.advance(move)
            search.run(Budget(simulations=SIMULATIONS))
        yield search


def chance() -> Iterator[Search]:
    """Chance nodes."""
    for name in ("ucb1", "ucb1_tuned", "exp3", "accelerated_ucb", "rave", "grave(ref=5)", "puct"):
        yield searched("pig(target=20)", f"mcts(select={name})")


def players() -> Iterator[Search]:
    """One player, and three, whose game is a Python class."""
    heaps = UncompiledGame.of_class(ThreeHeaps, Call("three_heaps"))
    for name in ("ucb1", "accelerated_ucb", "exp3", "rave", "grave(ref=5)"):
        yield searched("eight_puzzle(rows=2, columns=2)", f"mcts(select={name})", 200)
        search = Search(heaps.initial(), f"mcts(select={name})", seed=1)
        search.run(Budget(simulations=200))
        yield search


def budgets() -> Iterator[Search]:
    """Every budget but time."""
    for limits in ({"calls": 3000}, {"memory": 20_000}, {"simulations": 400, "calls": 10**6, "memory": 10**7}):
        for name in ("ucb1", "ucb1_tuned", "grave(ref=5)"):
            search = Search(load("connect4").initial(), f"mcts(select={name})", seed=1)
            search.run(Budget(**limits))
            yield search


def recommendations() -> Iterator[Search]:
    """The move returned, where there are ties and where there are none."""
    for name in ("max", "robust", "max_robust", "secure"):
        for simulations in (8, 60):
            yield searched("sos(n=10)", f"mcts(recommend={name})", simulations)


def allocations() -> Iterator[Search]:
    """Every allocation, with more simulations than moves and with fewer, and one after another."""
    for name in strategies("allocation"):
        for game, simulations in (("connect4", 500), ("breakthrough", 1000), ("breakthrough", 15)):
            yield searched(game, f"mcts(allocation={name})", simulations)
        search = searched("connect4", f"mcts(allocation={name})", 100)
        search.run(Budget(simulations=100))
        yield search


def proofs() -> Iterator[Search]:
    """Scores that are proven: of two players and three, with chance, with policies that learn, and of a kept tree."""
    for name in ("ucb1", "exp3", "rave", "grave(ref=5)"):
        yield searched("tictactoe", f"mcts(prove=true, select={name})", 2000)
        yield searched("pig(target=4, horizon=5)", f"mcts(prove=true, select={name})")
    yield searched("breakthrough(rows=4, columns=4)", "mcts(prove=true, expand_threshold=2)", 2000)
    yield searched("tictactoe", "mcts(prove=true, allocation=sequential_halving)", 2000)
    search = Search(UncompiledGame.of_class(ThreeHeaps, Call("three_heaps")).initial(), "mcts(prove=true)", seed=1)
    for move in ("(0,_1)", "(1,_3)"):
        search.run(Budget(simulations=200))
        search.advance(move)
    search.run(Budget(simulations=200))
    yield search


def transpositions() -> Iterator[Search]:
    """Positions that edges share, by their bytes and by a key, where a game goes on and where a search starts anew."""
    for variant in ("uct1", "uct2"):
        for game in ("connect4", "breakthrough(rows=6, columns=6)", "nim", "pig(target=20)", "othello"):
            yield searched(game, f"mcts(transpositions={variant})", 2000)
        for arguments in ("select=ucb1_tuned", "select=rave", "select=grave(ref=5)", "allocation=sequential_halving"):
            search = searched("connect4", f"mcts({arguments}, transpositions={variant})", 2000)
            search.advance("4")
            search.run(Budget(simulations=SIMULATIONS))
            yield search


def learning_playouts() -> Iterator[Search]:
    """Playouts that learn or look ahead, where moves are drawn or found and where they are listed, over two moves."""
    for playout in ("mast", "mast(temperature=0.1)", "ngram", "last_good_reply", "decisive(anti=true, then=mast)"):
        for game in ("connect4", "othello"):
            search = searched(game, f"mcts(playout={playout})", 300)
            search.advance(search.report().move)
            search.run(Budget(simulations=300))
            yield search


def at_once() -> Iterator[Search]:
    """Positions where everybody moves, with policies that draw, learn and use deviations, and a kept tree."""
    for name in ("ucb1", "ucb1_tuned", "thompson", "exp3", "regret_matching"):
        yield searched("tron(rows=6, columns=6)", f"mcts(select={name}, playout=heuristic)")
        yield searched("goofspiel(cards=5)", f"mcts(select={name}, deviation=children)")
    search = searched("oshi_zumo", "mcts(recommend=mixed, select=exp3)")
    search.advance(search.report().joint_move)
    search.run(Budget(simulations=SIMULATIONS))
    yield search


FAMILIES: dict[str, Callable[[], Iterator[Search]]] = {
    "uct": uct,
    "games": games,
    "policies": every_policy,
    "roots": roots,
    "rave": all_moves_as_first,
    "errors": error_models,
    "rewards": rewards,
    "playouts": playouts,
    "reuse": reuse,
    "chance": chance,
    "players": players,
    "budgets": budgets,
    "recommend": recommendations,
    "allocations": allocations,
    "proofs": proofs,
    "transpositions": transpositions,
    "learning": learning_playouts,
    "at_once": at_once,
}


def searched(game: str, agent: str, simulations: int = SIMULATIONS) -> Search:
    """A search with seed 1 that has been run."""
    state = load(game).initial()
    while state.to_move == CHANCE:
        state = state.play(state.chances()[0][0])
    search = Search(state, agent, seed=1)
    search.run(Budget(simulations=simulations))
    return search


def signature() -> dict[str, int]:
    """Eight digits for each family, over the whole trees of its searches and the moves that they return."""
    return {name: _number(family()) for name, family in FAMILIES.items()}


def _number(searches: Iterator[Search]) -> int:
    digest = hashlib.blake2b(digest_size=8)
    for search in searches:
        worker = search.workers[0]
        used = int(worker.counters["nodes"][0])
        for field in ("first", "live", "hidden", "move", "visits", "total", "chance", "mover"):
            digest.update(worker.tree.nodes[field][:used].astype(np.float64).tobytes())
        digest.update(worker.tree.columns[:, :used].tobytes())
        counted = np.array([worker.counters[name][0] for name in COUNTED], np.int64)
        digest.update(worker.rng.tobytes() + counted.tobytes())
        digest.update(f"{search.stopped} {search.report().move}".encode())
    return int.from_bytes(digest.digest()) % 10**8

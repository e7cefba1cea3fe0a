"""Searches play well where the truth is known: by exhaustion, by proof, or by theory."""

import random
from functools import cache, lru_cache

import pytest

import ramify
from ramify import Budget, Search
from tests.oracle.solver import Solver, move_wins_within, wins_within

load = lru_cache(ramify.load)


@cache
def solver() -> Solver:
    """One table of Tic-Tac-Toe for all tests."""
    return Solver()


class RandomPlayer:
    def choose(self, state, chooser):
        return chooser.choice(state.moves())


class PerfectPlayer:
    """Any move that keeps the value of the position."""

    def choose(self, state, chooser):
        return chooser.choice(solver().best_moves(state))


def result_of_search(seat, opponent, seed, *, reuse=False):
    """The result of a search of 2000 simulations per move in one game of Tic-Tac-Toe."""
    chooser = random.Random(seed)
    state = load("tictactoe").initial()
    kept = None
    while not state.over:
        if state.to_move != seat:
            move = opponent.choose(state, chooser)
        else:
            kept = kept if reuse and kept else Search(state, "uct", seed=chooser.randrange(2**32))
            move = kept.run(Budget(simulations=2000)).move
        if kept and reuse:
            kept.advance(move)
        state = state.play(move)
    return state.scores()[seat]


def test_tictactoe_is_a_draw():
    start = load("tictactoe").initial()
    assert solver().value(start) == 0.5
    assert len(solver().best_moves(start)) == 9


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", [RandomPlayer(), PerfectPlayer()], ids=["random", "perfect"])
def test_tictactoe_is_never_lost(seat, opponent):
    results = [result_of_search(seat, opponent, seed) for seed in range(60)]
    assert 0.0 not in results
    if isinstance(opponent, PerfectPlayer):
        assert set(results) == {0.5}
    else:
        assert results.count(1.0) > 30


def test_tictactoe_is_never_lost_with_a_kept_tree():
    results = [result_of_search(seed % 2, PerfectPlayer(), seed, reuse=True) for seed in range(30)]
    assert set(results) == {0.5}


def random_position(game, plies, chooser):
    """A position after so many random moves, in which the game is not over."""
    while True:
        state = game.initial()
        for _ in range(plies):
            if state.over:
                break
            state = state.play(chooser.choice(state.moves()))
        if not state.over:
            return state


def positions_with_one_win(name, plies, depth, count):
    """Positions without a win at once, where exactly one move forces a win within ``depth`` plies, and that move."""
    chooser = random.Random(f"{name} {plies} {depth}")
    found = []
    while len(found) < count:
        state = random_position(load(name), plies, chooser)
        if len(state.moves()) > 2 and not wins_within(state, 1):
            winning = [move for move in state.moves() if move_wins_within(state, move, depth)]
            if len(winning) == 1:
                found.append((state, winning[0]))
    return found


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [("connect4", 14, 12), ("connect4", 20, 12), ("breakthrough(rows=5, columns=4)", 8, 12)],
)
def test_the_only_forced_win_in_three_plies_is_found(name, plies, count):
    for state, move in positions_with_one_win(name, plies, 3, count):
        report = ramify.search(state, "uct", simulations=20_000, seed=1)
        assert report.move == move, state.text()
        assert report.value > 0.8, state.text()


def test_the_only_winning_move_of_a_connect4_ending_is_found():
    """Ten squares are left, so that the solver goes to the end of every line."""
    chooser = random.Random(4)
    found = 0
    while found < 12:
        state = random_position(load("connect4"), 32, chooser)
        exact = Solver()
        worths = {move: exact.worth(state, move) for move in state.moves()}
        if len(worths) > 2 and list(worths.values()).count(1.0) == 1:
            found += 1
            report = ramify.search(state, "uct", simulations=5000, seed=found)
            assert worths[report.move] == 1.0, state.text()


def share_of_best_first_moves(simulations, trials):
    """Of SOS(10), whose best first move is the largest number, as in the experiments of D. Tom 2010."""
    state = load("sos(n=10)").initial()
    best = next(move.code for move in state.moves() if move.name == "9")
    agent = ramify.agent("mcts(select=ucb1(c=0.7), expand_threshold=1, recommend=max)")
    search = Search(state, agent, seed=0)
    hits = 0
    for seed in range(trials):
        search.restart(state, seed)
        hits += search.choose(Budget(simulations=simulations)) == best
    return hits / trials


def test_sos_is_half_solved_at_128_simulations():
    """Published: about half. Four standard deviations of 1000 trials around 0.51 are 0.063."""
    assert 0.44 < share_of_best_first_moves(128, 1000) < 0.58


def test_sos_is_solved_by_4096_simulations():
    assert share_of_best_first_moves(4096, 1000) == 1.0


def test_sos_gets_better_with_every_doubling():
    shares = [share_of_best_first_moves(2**k, 300) for k in range(5, 12)]
    assert shares == sorted(shares)

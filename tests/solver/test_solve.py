"""The solver: against exhaustion, against known values, and at its limits."""

import inspect
import json
import os
import pty
import random
import re
import signal
import subprocess
import threading
from contextlib import suppress

import pytest

import ramify
from ramify.cli.main import app
from ramify.solver.solver import Solver
from tests import processes, toys
from tests.oracle.solver import Solver as Oracle


def toy(name):
    return str(toys.FOLDER / f"{name}.py")


def some_positions(game, least, most, count, seed):
    """Positions of random games after ``least`` to ``most`` plies."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        state = game.initial()
        for _ in range(rng.randint(least, most)):
            if not state.over:
                state = state.play(rng.choice(state.moves()))
        if not state.over:
            found.append(state)
    return found


SMALL = {
    "tictactoe": (0, 7, 40),
    "sos(n=7)": (0, 6, 30),
    "hex(size=3)": (0, 6, 30),
    "breakthrough(rows=4, columns=3)": (0, 12, 25),
    "connect4": (34, 41, 20),
    "othello": (53, 60, 30),
    "examples/nim.py(heaps=3, beans=3)": (0, 5, 30),
    "examples/nim_class.py(heaps=3, beans=3)": (0, 5, 8),
}


@pytest.mark.parametrize("name", SMALL)
def test_values_and_moves_are_those_of_exhaustion(name):
    game = ramify.load(name)
    oracle = Oracle()
    for state in some_positions(game, *SMALL[name], seed=1):
        solution = ramify.solve(state, moves=True, memory=1_000_000)
        assert solution.solved
        assert solution.stopped == "solved"
        assert solution.value == oracle.value(state), state
        assert solution.best == oracle.best_moves(state), state
        assert solution.move in solution.best
        for move, bounds in solution.values.items():
            assert bounds == (oracle.worth(state, move),) * 2, (state, move)
        check_line(state, solution, oracle)


def check_line(state, solution, oracle):
    """Every move of the line keeps the value, and the line goes to the end."""
    first = state.to_move
    for move in solution.variation:
        assert move in oracle.best_moves(state)
        state = state.play(move)
    assert state.over
    assert state.scores()[first] == solution.value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tictactoe", 0.5),
        ("hex(size=2)", 1.0),
        ("hex(size=3)", 1.0),
        ("hex(size=4)", 1.0),  # the first player wins on every board (Nash)
        ("sos(n=8)", 1.0),
        ("sos(n=10)", 1.0),
        ("sos(n=11)", 1.0),
    ],
)
def test_known_values(name, value):
    assert ramify.solve(ramify.load(name).initial()).value == value


def test_only_the_largest_number_wins_in_sos():
    """The komi is what perfect play gives, so the first slip loses."""
    game = ramify.load("sos(n=8)")
    assert [move.name for move in ramify.solve(game.initial(), moves=True).best] == ["7"]
    after = ramify.solve(game.position("7/6"), moves=True)
    assert (after.value, [move.name for move in after.best]) == (1.0, ["5"])
    assert ramify.solve(game.position("7/5")).value == 1.0
    assert ramify.solve(game.position("6/7")).value == 0.0


# Ends of games with the values that Pascal Pons published with his Connect 4 solver (blog.gamesolver.org).
CONNECT4 = {
    "2252576253462244111563365343671351441": 0.0,
    "7422341735647741166133573473242566": 1.0,
    "23163416124767223154467471272416755633": 0.5,
}


@pytest.mark.parametrize(("moves", "value"), CONNECT4.items())
def test_published_ends_of_connect4(moves, value):
    state = ramify.load("connect4").position("moves " + " ".join(moves))
    assert ramify.solve(state).value == value


def test_connect4_after_twelve_plies_whatever_the_table():
    """The same answer from a large table, from a small one and from one that compares whole positions."""
    state = ramify.load("connect4").position("moves 4 4 4 4 4 4 2 2 2 2 6 6")
    answers = [ramify.solve(state, **table) for table in ({}, {"memory": 20_000}, {"exact": True})]
    assert [answer.value for answer in answers] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", ["tictactoe", "hex(size=3)", "breakthrough(rows=4, columns=4)", "sos(n=8)"])
def test_a_tiny_table_gives_the_same_answers(name):
    game = ramify.load(name)
    for state in some_positions(game, 0, 4, 6, seed=2):
        large = ramify.solve(state, moves=True)
        assert large.values == ramify.solve(state, moves=True, memory=1).values
        assert large.values == ramify.solve(state, moves=True, exact=True).values


def test_the_same_run_twice():
    state = ramify.load("breakthrough(rows=5, columns=3)").initial()
    first, second = ramify.solve(state), ramify.solve(state)
    assert (first.nodes, first.variation) == (second.nodes, second.variation)


def test_a_puzzle_for_one():
    game = ramify.load(toy("double_or_add"))
    best = max(scores(game.initial()))
    assert ramify.solve(game.initial()).value == best


def scores(state):
    return [state.scores()[0]] if state.over else [s for move in state.moves() for s in scores(state.play(move))]


def ring_values(places):
    """Who can force a win in the ring, by working back from the ends: +1, -1, or 0 for nobody."""
    at = {}
    changed = True
    while changed:
        changed = False
        for place in range(1, places):
            for turn in (0, 1):
                after = [(place + (step if turn == 0 else -step)) % places for step in (1, 2)]
                sign = 1 if turn == 0 else -1
                values = [sign if place == 0 else at.get((place, 1 - turn), 0) for place in after]
                value = sign if sign in values else -sign if values == [-sign, -sign] else 0
                if value != at.get((place, turn), 0):
                    at[place, turn] = value
                    changed = True
    return at


@pytest.mark.parametrize("places", [4, 5, 6, 7, 8])
def test_positions_that_repeat(places):
    """Forced wins are found; where play can go on for ever, the bounds stay open."""
    game = ramify.load(f"{toy('ring')}(places={places})")
    known = ring_values(places)
    wins = 0
    for state in reachable(game.initial()):
        winner = known.get((int(state.data["at"][0]), state.to_move), 0)
        solution = ramify.solve(state, depth=20)
        mine = winner if state.to_move == 0 else -winner
        assert (solution.lower, solution.upper) == {1: (1.0, 1.0), -1: (0.0, 0.0), 0: (0.0, 1.0)}[mine]
        assert solution.stopped == ("solved" if winner else "depth")
        if winner:
            wins += 1
            assert ramify.solve(state).value == solution.value
    assert wins


def reachable(state):
    """Every position from here on in which the game goes on."""
    found = {state: state}
    todo = [state]
    while todo:
        state = todo.pop()
        for after in (state.play(move) for move in state.moves()):
            if not after.over and after not in found:
                found[after] = after
                todo.append(after)
    return found


def test_limits_leave_bounds():
    state = ramify.load("hex(size=5)").initial()
    solution = ramify.solve(state, nodes=2000)
    assert solution.stopped == "nodes"
    assert (solution.value, solution.lower, solution.upper, solution.variation) == (None, 0.0, 1.0, [])
    assert solution.nodes <= 2000 + 25
    shallow = ramify.solve(state, depth=3, moves=True)
    assert shallow.stopped == "depth"
    assert len(shallow.values) == 25


def test_long_lines():
    """A long corridor is walked to its end; one that the limit cuts stays open."""
    name = toy("corridor")
    assert ramify.solve(ramify.load(f"{name}(length=300)").initial()).value == 1.0
    solution = ramify.solve(ramify.load(f"{name}(length=5000)").initial(), depth=50)
    assert solution.value is None


def test_progress_and_one_solver_for_many_positions():
    game = ramify.load("breakthrough(rows=5, columns=3)")
    seen = []
    solver = Solver(game.initial(), progress=lambda solver: seen.append(solver.nodes))
    oracle = Solver(game.initial(), exact=True)
    for state in some_positions(game, 2, 8, 10, seed=3):
        assert solver.bounds(state) == oracle.bounds(state)
    assert seen == sorted(seen)


class Odd:
    """Both players may win at once."""

    players = 2

    def __init__(self):
        self.done = False

    def __str__(self):
        return str(self.done)

    def to_move(self):
        return 0

    def moves(self):
        return [1]

    def play(self, move):
        self.done = True

    def over(self):
        return self.done

    def scores(self):
        return [1.0, 1.0]


def odd(tmp_path):
    path = tmp_path / "odd.py"
    path.write_text(inspect.getsource(Odd))
    return str(path)


def test_what_is_refused(tmp_path):
    cases = {
        "pig": "pig.* has chance nodes",
        toy("last_bean"): "players: solve.. supports one or two",
        odd(tmp_path): "do not add up to 1",
    }
    for name, sentence in cases.items():
        state = ramify.load(name).initial()
        with pytest.raises(ramify.RamifyError, match=sentence):
            ramify.solve(state)
    over = ramify.load("tictactoe").position("xxx/oo./...")
    with pytest.raises(ramify.RamifyError, match="the game is over"):
        ramify.solve(over)
    with pytest.raises(ramify.RamifyError, match="takes a state such as"):
        ramify.solve("tictactoe")
    start = ramify.load("tictactoe").initial()
    for name in ("memory", "nodes", "depth"):
        with pytest.raises(ramify.RamifyError, match=f"'{name}' must be a whole number from 1"):
            ramify.solve(start, **{name: 0})
    with pytest.raises(ramify.RamifyError, match="not compiled"):
        ramify.solve(ramify.load("examples/nim_class.py").initial(), exact=True)


def test_the_command(capsys):
    app(["solve", "tictactoe", "moves b2 a2", "--moves", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert told["value"] == 1.0
    assert told["values"][told["move"]] == {"lower": 1.0, "upper": 1.0}
    assert {"lower": 0.5, "upper": 0.5} in told["values"].values()
    app(["solve", "tictactoe"], standalone_mode=False)
    text = capsys.readouterr().out
    assert "0.5 (draws) for the player to move" in text
    assert app(["solve", "hex(size=6)", "--nodes", "500"], standalone_mode=False) == 1
    assert "between 0 and 1" in capsys.readouterr().out


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_interrupting_the_command():
    """Somebody watches at a terminal; once positions are counted there, the search is under way."""
    ramify.solve(ramify.load("hex(size=7)").initial(), nodes=10)  # compiled beforehand
    terminal, theirs = pty.openpty()
    with (
        os.fdopen(terminal, "rb", buffering=0) as screen,
        processes.running("-m", "ramify", "solve", "hex(size=7)", stdout=subprocess.PIPE, stderr=theirs) as process,
    ):
        os.close(theirs)
        patience = threading.Timer(60, process.kill)
        patience.start()
        shown = ""
        with suppress(OSError):  # which is how a terminal says that nobody writes to it any more
            while "positions" not in shown:
                shown += screen.read(1000).decode()
            process.send_signal(signal.SIGINT)
            while True:
                shown += screen.read(1000).decode()
        process.wait()
        patience.cancel()
    assert process.returncode == 130, shown
    assert re.search(r"ramify: interrupted after [0-9,]+ positions; the position is not solved", shown)
    assert "Traceback" not in shown

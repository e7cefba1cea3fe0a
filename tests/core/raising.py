"""Games and policies that raise, and what a search of each says; run by test_exceptions, also in plain Python."""

import json
import re
import sys
from pathlib import Path

import ramify
from ramify import bandits
from ramify.agents.checking.perft import perft
from ramify.agents.checking.survey import survey
from tests.trusting import trust_all

# Nine stones, one or two at a time; who takes the last one wins. `{...}` are the lines that fail.
GAME = """
import numpy as np
from stones_helper import checked

PLAYERS = 2
MAX_MOVES = 2
State = np.dtype([("left", np.int64), ("turn", np.int64)])


class Empty(Exception):
    pass


def start(rules, state):
    state.left = 9


def mover(rules, state):
    {mover}
    return state.turn


def over(rules, state):
    {over}
    return state.left <= 0


def at_hand(state):
    {at_hand}
    return min(state.left, 2)


def legal(rules, state, moves):
    {legal}
    for k in range(at_hand(state)):
        moves[k] = k + 1
    return at_hand(state)


def play(rules, state, move):
    {play}
    state.left -= move
    state.turn = 1 - state.turn


def scores(rules, state, out):
    {scores}
    out[0] = 1.0 * state.turn
    out[1] = 1.0 - out[0]
"""
SAMPLE = """

def sample(rules, state, rng):
    {sample}
    return 1
"""
PLAYOUT = """

def playout(rules, state, rng):
    {playout}
    state.left = 0
    return 1
"""
HELPER = """
def checked(left):
    if left < 4:
        raise KeyError("stones")
    return left
"""

POLICY = """
from math import log, sqrt


def bonus(N, n):
    {bonus}
    return sqrt(log(N) / n)


def index(N, n, m):
    {index}
    return m + bonus(N, n)


def choice(K, means):
    {choice}
    return means.argmax()


def filling(K, means, indices):
    {filling}
    indices[:] = means


def learning(n, m, seen):
    return m


def learning_update(k, reward, seen):
    {update}
    seen[k] += reward


def resting(n, m, memory):
    return m


def resting_after(memory):
    {after}
    memory[0] += 1.0
"""

PARTS = ("mover", "over", "at_hand", "legal", "play", "scores", "sample", "playout")
RULES = ("bonus", "index", "choice", "filling", "update", "after")

# The line that fails -> what is to be said; the line's number stands for `*`.
IN_GAMES = {
    "mover": ("assert state.left > 2", "mover() in game.py, line *, raised AssertionError"),
    "over": ("assert state.left > 2, 'few'", "over() in game.py, line *, raised AssertionError: few"),
    "at_hand": (
        'if state.left == 3: raise Empty(f"only {state.left} left")',
        "at_hand() in game.py, line *, raised Empty: only 3 left",
    ),
    "legal": (
        'if state.left < 4: raise ValueError("no stones left")',
        "legal() in game.py, line *, raised ValueError: no stones left",
    ),
    "play": ("checked(state.left)", "checked() in stones_helper.py, line 4, raised KeyError: 'stones'"),
    "scores": (
        "if state.left == 0: raise RuntimeError(int(state.left), 1.5, 'text')",
        "scores() in game.py, line *, raised RuntimeError: (0, 1.5, 'text')",
    ),
    "sample": ("if state.left < 4: raise ValueError", "sample() in game.py, line *, raised ValueError"),
    "playout": (
        "if state.left < 6: raise ValueError(state.left)",
        "playout() in game.py, line *, raised ValueError: 5",
    ),
}
IN_POLICIES = {
    "bonus": ("if n > 9.0: raise ValueError(f'{int(n)} visits')", "bonus() * ValueError: 10 visits"),
    "index": ("assert m < 0.9, 'high'", "index() * AssertionError: high"),
    "choice": ("if means[0] > 0.5: raise ArithmeticError(K)", "choice() * ArithmeticError: 2"),
    "filling": ("if means[0] > 0.5: raise ArithmeticError('odd')", "filling() * ArithmeticError: odd"),
    "update": ("if seen[k] > 9.0: raise ValueError('too much')", "learning_update() * ValueError: too much"),
    "after": ("if memory[0] > 99.0: raise ValueError('enough')", "resting_after() * ValueError: enough"),
}
FUNCTIONS = {"bonus": "index", "update": "learning", "after": "resting"}


def written(folder: Path, name: str, text: str, parts: tuple[str, ...], part: str, line: str) -> Path:
    """A file in which one line fails."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stones_helper.py").write_text(HELPER)
    file = folder / name
    for one in parts:
        text = text.replace("{" + one + "}", line if one == part else "pass")
    file.write_text(text)
    return file


def game_file(folder: Path, part: str) -> Path:
    text = GAME + {"sample": SAMPLE, "playout": PLAYOUT}.get(part, "")
    return written(folder / part, "game.py", text, PARTS, part, IN_GAMES[part][0])


def policy_file(folder: Path, part: str) -> Path:
    return written(folder / part, "policy.py", POLICY, RULES, part, IN_POLICIES[part][0])


def line_of(file: Path, text: str) -> int:
    return 1 + next(k for k, line in enumerate(file.read_text().splitlines()) if text in line)


def said(run) -> str:
    """What an exception says, without the position, and the place it names."""
    try:
        run()
    except ramify.RamifyError as error:
        sentence = re.split("; (in|below) the position", str(error))[0]
        return f"{sentence} [{error.line}]" if hasattr(error, "line") else sentence
    return "nothing"


def searched(search) -> list:
    """What a search says that fails, what is left of it, and what it says when it goes on."""
    found = [said(lambda: search.run(ramify.Budget(simulations=500)))]
    worker = search.workers[0]
    used = worker.tree.nodes[: int(worker.counters["nodes"][0])]
    first, count = int(used["first"][0]), int(used["live"][0])
    finished = int(worker.counters["simulations"][0])
    # The visits of the root's children are those of the simulations that ended.
    found.append([finished, int(used["visits"][0]) == finished == int(used["visits"][first : first + count].sum())])
    found.append(said(lambda: search.run(ramify.Budget(simulations=500))))
    return found


def messages(folder: Path) -> dict:
    """What is said, by what fails."""
    found = {}
    for part in IN_GAMES:
        state = ramify.load(str(game_file(folder, part))).initial()
        found[part] = searched(ramify.Search(state, seed=1))
    state = ramify.load(str(game_file(folder, "legal"))).initial()
    found["perft"] = said(lambda: perft(state, 9))
    found["survey"] = said(lambda: survey(state, 10))
    found["solve"] = said(lambda: ramify.solve(state))
    found["moves"] = said(lambda: state.play("2").play("2").play("2").moves())
    for part in IN_POLICIES:
        rule = f"{policy_file(folder, part)}:{FUNCTIONS.get(part, part)}"
        state = ramify.load("tictactoe").initial() if part != "choice" else ramify.load("nim").initial()
        found[part] = searched(ramify.Search(state, f"mcts(select={rule})", seed=1))
        bandit = bandits.bernoulli([0.9, 0.6])
        found[f"bandit {part}"] = said(lambda: bandits.run(bandit, rule, pulls=200, seed=1))  # noqa: B023
    return found


if __name__ == "__main__":
    trust_all()
    print(json.dumps(messages(Path(sys.argv[1]))))  # noqa: T201

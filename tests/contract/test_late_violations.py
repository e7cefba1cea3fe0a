"""Games that violate the contract only in positions that no precheck has met: the engine refuses them there."""

import sys
from pathlib import Path

import pytest

import ramify
from ramify.agents.checking.survey import survey
from ramify.agents.search import chunk_runner, search
from ramify.core.kernels.compiling import JIT
from tests.contract.broken import DICE, JOINT, late
from tests.trusting import trust_all

# The flaw, and what the search says.
VIOLATIONS = {
    late.SCORE_OF_7: "late.py: score 7.0 of player 1 is not in [0, 1]; in the position",
    late.SCORE_OF_NAN: "late.py: score nan of player 0 is not in [0, 1]",
    late.NO_SCORE: "late.py: score nan of player",
    late.WRITES_TOO_MANY: "legal() in late.py, line 77, raised IndexError: index 3 is out of bounds",
    late.NO_MOVES: "late.py: legal lists no moves, but over returned False",
    late.NOT_WRITTEN: "late.py: legal lists the move -1; moves must be integers from 0 to 2^31 - 1",
    late.NEGATIVE_MOVE: "late.py: legal lists the move -7",
    late.SAME_MOVE_TWICE: "late.py: legal lists the move 1 twice",
    late.NO_SUCH_PLAYER: "late.py: mover returned 5, which is no player of this game",
    late.DIVIDES_BY_ZERO: "raised ZeroDivisionError: integer division by zero",
    late.REMAINDER_OF_ZERO: "raised ZeroDivisionError: integer modulo by zero",
    late.DIVIDES_A_FLOAT: "raised ZeroDivisionError: division by zero",
    late.CHANGES_STATE: "late.py: legal changed the state; only start, play, play_joint and playout may",
    late.OVER_CHANGES_STATE: "changed the state; only start, play, play_joint and playout may",
    late.CHANGES_RULES: "late.py: a function changed the rules; only configure may",
    late.READS_BEYOND: "raised IndexError: index",
    late.WRITES_BEYOND: "raised IndexError: index",
    late.PLAYOUT_STOPS: "late.py: playout ended in a position that is not over",
    late.PLAYOUT_OF_NONE: "late.py: playout returned -",
}
DIVISIONS = (late.DIVIDES_BY_ZERO, late.REMAINDER_OF_ZERO, late.DIVIDES_A_FLOAT)
AGENTS = {  # that call the part
    late.EVALUATES_TO_7: ("mcts(playout=cut_off(plies=4))", "evaluate gives player 0 the value 7.0"),
    late.QUALITY_OF_7: ("mcts(reward=quality)", "quality returned 7.0, which is not in [0, 1]"),
    late.PRIOR_OF_NAN: ("mcts(select=puct)", "prior nan of move number 0 is not a number from 0"),
}


def initial(flaw, monkeypatch):
    """The initial state of a game with a flaw that no precheck has met."""
    trust_all(monkeypatch.setattr)
    return ramify.load(f"{late.__file__}(flaw={flaw})").initial()


@pytest.mark.parametrize("flaw", [*VIOLATIONS, *AGENTS])
def test_a_search_refuses_them(flaw, monkeypatch):
    if flaw in DIVISIONS and not JIT:
        pytest.skip("NumPy does not raise this error")
    agent, words = AGENTS.get(flaw) or ("uct", VIOLATIONS[flaw])
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(initial(flaw, monkeypatch), agent, simulations=500, seed=3)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_flaw_there_is_no_error(monkeypatch):
    assert ramify.search(initial(late.NONE, monkeypatch), simulations=500, seed=3).simulations == 500


@pytest.mark.parametrize("what", [lambda state: survey(state, 50), ramify.solve])
def test_nobody_else_accepts_the_score(what, monkeypatch):
    with pytest.raises(ramify.RamifyError, match=r"late.py: score 7.0 of player 1 is not in \[0, 1\]"):
        what(initial(late.SCORE_OF_7, monkeypatch))


def test_a_finished_state_with_such_a_score(monkeypatch):
    state = initial(late.SCORE_OF_NAN, monkeypatch)
    while not state.over:
        state = state.play(state.moves()[0])
    with pytest.raises(ramify.RamifyError, match=r"score nan of player 0 is not in \[0, 1\]; in the position"):
        state.scores()


def changed(path: Path, base: Path, name: str) -> Path:
    """Write a copy of a game in which the first assignment to ``name[...]`` is followed by ``name[1000] = 1``."""
    lines = base.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(k for k, line in enumerate(lines) if line.lstrip().startswith(f"{name}["))
    pad = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at + 1, f"{pad}{name}[1000] = 1\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("agent", ["mcts", "mcts(simultaneous=turn_based)"])
def test_simultaneous_moves(agent, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    state = ramify.load(str(changed(tmp_path / "joint.py", JOINT, "moves"))).initial()
    with pytest.raises(ramify.RamifyError, match=r"legal_of\(\) in joint.py, line \d+, raised IndexError"):
        ramify.search(state, agent, simulations=50, seed=3, player=0)


def test_probabilities_that_do_not_sum_to_1(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    source = DICE.read_text(encoding="utf-8")
    path = tmp_path / "loaded.py"
    path.write_text(source.replace("probabilities[", "probabilities[0] = probabilities[", 1), encoding="utf-8")
    with pytest.raises(ramify.RamifyError, match="the probabilities of chance_outcomes sum to"):
        ramify.search(ramify.load(str(path)).initial(), simulations=500, seed=3)


EXITS = """
import sys


class Nim:
    played = 0

    def __init__(self, how: int = 0):
        self.how, self.beans, self.turn = how, 30, 0

    def touch(self, how):
        if Nim.played > 3000 and self.how == how:
            self.beans -= self.beans > 1

    def to_move(self):
        self.touch(5)
        return self.turn

    def moves(self):
        self.touch(6)
        return [1, 2, 3][: self.beans]

    def play(self, move):
        Nim.played += 1
        if Nim.played > 3000 and self.how == 1:
            sys.exit(0)
        if Nim.played > 3000 and self.how == 2:
            raise KeyboardInterrupt
        if Nim.played > 3000 and self.how == 3:
            raise BaseException("stop")
        self.beans -= move
        self.turn = 1 - self.turn

    def over(self):
        self.touch(7)
        return self.beans == 0

    def scores(self):
        if Nim.played > 3000 and self.how == 8:
            self.turn = 1 - self.turn
        if Nim.played > 3000 and self.how == 9:
            self.asked = getattr(self, "asked", 0) + 1
        score = 7.0 if Nim.played > 3000 and self.how == 4 else 1.0
        return [0.0, score] if self.turn == 0 else [score, 0.0]

    def __str__(self):
        return f"{self.beans} {self.turn}"
"""


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (1, "play() in exits.py, line 26, raised SystemExit: 0; in the position"),
        (2, "play() in exits.py, line 28, raised KeyboardInterrupt; in the position"),
        (3, "play() in exits.py, line 30, raised BaseException: stop; in the position"),
        (5, "to_move() of class Nim changed the object; only play may; in the position"),
        (6, "moves() of class Nim changed the object"),
        (7, "over() of class Nim changed the object"),
        (8, "scores() of class Nim changed the object"),
        (9, "scores() of class Nim changed the object"),
        (4, "scores() of class Nim must return 2 numbers in [0, 1], not ["),
    ],
)
def test_class(how, words, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "exits.py"
    path.write_text(EXITS, encoding="utf-8")
    state = ramify.load(f"{path}(how={how})").initial()
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(state, simulations=5000, seed=3)
    assert words in str(caught.value)


STORES = EXITS.replace(
    "        return [1, 2, 3][: self.beans]",
    """
        if not hasattr(self, "stored"):
            self.stored = [1, 2, 3][: self.beans]
        return self.stored
""",
).replace("self.beans -= move", "self.beans -= move; vars(self).pop('stored', None)")


def test_a_class_may_store_its_answers(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "stores.py"
    path.write_text(STORES, encoding="utf-8")
    plain = tmp_path / "plain.py"
    plain.write_text(EXITS, encoding="utf-8")
    found = [ramify.search(ramify.load(str(file)).initial(), simulations=5000, seed=3) for file in (path, plain)]
    assert found[0].children == found[1].children


def test_a_game_that_does_not_end(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "endless.py"
    text = EXITS.replace("self.beans -= move", "self.beans -= move if self.beans > 3 else 0")
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(chunk_runner, "MAX_PLIES", 50)
    with pytest.raises(ramify.RamifyError, match="a playout had not ended after 50 plies; every game must end"):
        ramify.search(ramify.load(str(path)).initial(), "mcts(playout=uniform(limit=50))", simulations=50, seed=3)


def test_progress_may_end_the_program(monkeypatch):
    def leave(_):
        sys.exit(3)

    monkeypatch.setattr(search, "PROGRESS_SECONDS", -1.0)
    with pytest.raises(SystemExit, match="3"):
        ramify.search(ramify.load("tictactoe").initial(), simulations=50, progress=leave)

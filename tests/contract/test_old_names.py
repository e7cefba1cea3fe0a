"""Game files and classes with the old names of their parts: the same games, with a note."""

import re
import warnings
from pathlib import Path

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.contract.parts import PARTS
from ramify.contract.python_rules import PythonRules
from ramify.old_names import GAME_PARTS, NAMES
from tests import toys

SOUND = Path(__file__).parent / "sound.py"
MORE = """

def heuristic(rules, state, rng):
    return sample(rules, state, rng)


def published_heuristic(rules, state, rng):
    return lowest(free(state))


def exact_length_playout(rules, state, rng):
    return playout(rules, state, rng)
"""
GAMES = {
    "beans": (
        SOUND.read_text() + MORE,
        ["uct", "mcts(playout=decisive)", "mcts(playout=heuristic(as_published=true))", "mcts(reward=discount)"],
        ["winning", "published", "timed_playout"],
    ),
    "auction": (
        (toys.FOLDER / "auction.py").read_text(),
        ["uct", "mcts(simultaneous=turn_based)"],
        ["MAX_CHANCES", "chances", "play_all", "EVERYBODY"],
    ),
    "dice": (
        (toys.FOLDER / "dice_race.py")
        .read_text()
        .replace("MAX_CHANCE_OUTCOMES = 3", "def max_chance_outcomes(rules):\n    return 3"),
        ["uct", "mcts(chance=open_loop)"],
        ["max_chances", "chances"],
    ),
}
CLASS = """
class Climb:
    players = 1

    def __init__(self):
        self.height, self.thrown, self.turns = 0, False, 0

    def to_move(self):
        return -1 if self.thrown else 0

    def moves(self):
        return ["safe", "bold"][: 1 + (self.height < 4)]

    def chance_outcomes(self):
        return [("up", 0.75), ("down", 0.25)]

    def play(self, move):
        self.thrown = move == "bold"
        self.height += {"safe": 1, "bold": 0, "up": 3, "down": -2}[move]
        self.turns += move != "bold"

    def over(self):
        return not self.thrown and self.turns >= 5

    def scores(self):
        return [min(max(self.height, 0), 10) / 10]

    def __str__(self):
        return f"{self.height} {self.thrown} {self.turns}"
"""


def in_old_names(text):
    renamed = {**GAME_PARTS, **{new: old for old, new in NAMES["ramify"].items()}}
    return re.sub(r"\b\w+\b", lambda word: renamed.get(word[0], word[0]), text)


def tree(game, agent):
    state = game.initial()
    while state.to_move == ramify.CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    report = ramify.search(state, agent, simulations=400, seed=3)
    return [(node.visits, repr(node.value)) for node in report.tree().walk()], list(map(str, report.children))


@pytest.mark.parametrize("name", GAMES)
def test_a_file_in_old_names_is_the_same_game(tmp_path, name):
    text, agents, old = GAMES[name]
    new_file, old_file = tmp_path / "new" / f"{name}.py", tmp_path / "old" / f"{name}.py"
    for file, written in ((new_file, text), (old_file, in_old_names(text))):
        file.parent.mkdir()
        file.write_text(written)
    parts = [word for word in old if word != "EVERYBODY"]
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        game = ramify.load(str(old_file))
    found = {str(one.message) for one in noted if one.filename == str(old_file)}
    assert {f"'{word}' is now called '{new_part(word)}'" for word in parts} <= found
    for agent in agents:
        assert tree(game, agent) == tree(ramify.load(str(new_file)), agent)
    result = check_game(str(old_file), plays=2)
    assert result.ok, str(result)
    said = next(finding for finding in result.findings if finding.rule == "old-name")
    assert said.severity == "warning"
    renames = {"EVERYBODY": "SIMULTANEOUS"}
    assert set(re.findall(r"(\w+) is now (\w+)", said.sentence)) == {
        (word, renames.get(word) or new_part(word)) for word in old
    }
    assert not any(finding.rule == "old-name" for finding in check_game(str(new_file), plays=2).findings)


def new_part(old):
    return next(new for new, was in GAME_PARTS.items() if was == old)


def test_a_class_in_old_names_is_the_same_game(tmp_path):
    new_file, old_file = tmp_path / "climb.py", tmp_path / "old_climb.py"
    new_file.write_text(CLASS)
    old_file.write_text(CLASS.replace("chance_outcomes", "chances"))
    with pytest.warns(DeprecationWarning, match=r"'Climb.chances' is now called 'chance_outcomes'"):
        game = ramify.load(str(old_file))
    assert tree(game, "uct") == tree(ramify.load(str(new_file)), "uct")
    findings = check_game(str(old_file), plays=2).findings
    assert [(one.severity, one.sentence) for one in findings if one.rule == "old-name"] == [
        ("warning", "class Climb uses old names: chances() is now chance_outcomes()")
    ]
    assert not any(finding.rule == "old-name" for finding in check_game(str(new_file), plays=2).findings)


def test_a_helper_that_has_an_old_name_by_chance_is_no_part(tmp_path):
    path = tmp_path / "helper.py"
    path.write_text(SOUND.read_text() + "\n\ndef chances(state):\n    return 3\n\n\ntimed_playout = 7\n")
    result = check_game(str(path), plays=2)
    assert result.ok
    assert not result.findings


def test_rules_that_define_old_methods():
    with pytest.warns(DeprecationWarning, match="is now called") as noted:

        class Old(PythonRules):
            at_once = True

            def chances(self, state):
                return [(7, 1.0)]

            def play_all(self, state, codes):
                del state, codes

    assert Old.chance_outcomes is Old.chances
    assert Old.play_joint is Old.play_all
    assert Old.simultaneous
    assert "chance_outcomes" not in Old.__abstractmethods__
    assert len(noted) == 3


def test_states_and_games_still_answer_to_old_names():
    state = ramify.load("pig").initial().play("roll")
    with pytest.warns(DeprecationWarning, match=r"'State.chances' is now called 'chance_outcomes'"):
        assert state.chances() == state.chance_outcomes()
    with pytest.warns(DeprecationWarning, match=r"'CompiledGame.told' is now called 'one_line'"):
        assert state.game.told(state.data) == state.game.one_line(state.data)


def test_every_old_part_is_a_part():
    names = {part.name for part in PARTS} | {part.alternative for part in PARTS}
    assert set(GAME_PARTS) <= names
    assert not names & set(GAME_PARTS.values())

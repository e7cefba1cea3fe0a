"""Commands for games where everybody moves at once."""

import json

import pytest

from ramify.errors import RamifyError
from tests import toys
from tests.cli.test_commands import play, ramify

GAME = str(toys.FOLDER / "rock_paper_scissors.py")


def test_search_has_a_table_for_each_player(capsys):
    text = ramify(capsys, "search", GAME, "--simulations", "300", "--seed", "1")
    assert text.count("move          visits  value") == 2
    assert "player 1\n" in text
    assert "best moves  " in text
    assert max(map(len, text.splitlines())) <= 80


def test_search_for_one_player(capsys):
    arguments = ("search", GAME, "--simulations", "300", "--seed", "1", "--player", "2")
    text = ramify(capsys, *arguments, "--agent", "mcts(select=regret_matching, recommend=mixed)")
    assert "value   share" in text
    assert "for player 2)" in text
    rows = json.loads(ramify(capsys, *arguments, "--json"))
    assert rows["player"] == 1
    assert {child["player"] for child in rows["children"]} == {1}


def test_search_for_nobody(capsys):
    with pytest.raises(RamifyError, match="invalid --player 3: use 1 to 2"):
        ramify(capsys, "search", GAME, "--simulations", "10", "--player", "3")


def test_play_with_hints_undo_and_mistakes(monkeypatch, capsys):
    lines = ["moves", "hint", "rock", "undo", "stone", "paper", *["rock"] * 9]
    text = play(monkeypatch, capsys, lines, GAME, "--simulations", "50", "--seed", "1", "--seat", "2")
    assert "player 2> rock paper scissors" in text
    assert "'stone' is not a legal move here" in text
    assert "player 2 plays rock (you)\n" in text
    assert "try " in text
    assert "the game is over: " in text
    assert text.count("player 1 plays") == text.count("player 2 plays")


def test_nobody_knows_what_the_person_types(monkeypatch, capsys):
    answers = set()
    for word in ("rock", "paper", "scissors"):
        text = play(monkeypatch, capsys, [word, "quit"], GAME, "--simulations", "50", "--seed", "3")
        answers.add(next(line for line in text.splitlines() if line.startswith("player 2 plays")))
        assert "bye" in text
    assert len(answers) == 1


def test_play_between_agents(monkeypatch, capsys):
    text = play(monkeypatch, capsys, [], GAME, "--simulations", "50", "--seed", "1", "--seat", "0")
    assert "the game is over: " in text


def test_replay_tells_joint_moves(tmp_path, capsys):
    run = str(tmp_path / "run.db")
    ramify(capsys, "match", GAME, "uct", "mcts(select=exp3)", "--games", "2", "--simulations", "20", "--run", run)
    text = ramify(capsys, "replay", run, "1", "--trust")
    assert "all players play" in text
    assert "20 and 20 simulations" in text
    assert "replayed from its seed: the same game" in text

"""``ramify kilothon``, as a user starts it."""

import json

from ramify.cli.main import app

WORDS = [
    "kilothon",
    "--agent",
    "uct",
    "--game",
    "tictactoe",
    "--game",
    "nim",
    "--game-seconds",
    "0.5",
    "--workers",
    "0",
]


def run(capsys, *words):
    app([*WORDS, "--seed", "1", *words], standalone_mode=False)
    return capsys.readouterr()


def test_a_contest_in_words_and_as_data(tmp_path, capsys):
    file = str(tmp_path / "run.db")
    printed = run(capsys, "--run", file, "--both-seats")
    assert "2 games in both seats, 0.5 s per player, against kilothon_uct" in printed.out
    assert "4 of 4 played" in printed.out
    assert "forfeit   " not in printed.out
    again = run(capsys, "--run", file, "--both-seats", "--json")
    assert "4 of 4 games are already stored" in again.err
    data = json.loads(again.out)
    assert (data["games"], data["played"], data["seed"], data["troubles"]) == (2, 4, 1, [])
    agent = data["agents"][0]
    assert set(agent["by_game"]) == {"tictactoe", "nim"}
    assert agent["payoff"][0] == sum(agent["by_game"].values()) / 2
    assert 0 < agent["seconds"] <= agent["most_seconds"]


def test_the_list(capsys):
    app(["kilothon", "--sources", "native", "--list"], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    assert "space    connect4" in lines
    app(["kilothon", "--sources", "native,gdl", "--list", "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    assert found["gdl:sheep_and_wolf"] == "hunt"
    assert sum(name.startswith("gdl:") for name in found) >= 20

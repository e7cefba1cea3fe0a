import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.session import MatchSession
from ramify.arena.matches.tournament import TournamentResult, plan_tournament
from ramify.arena.matches.tournament_file import read_tournament
from ramify.errors import RamifyError
from tests.arena.games_for_tests import DICE, timeless

SHORT = {"simulations": 20, "seed": 3, "workers": 0, "games_each": 4}
AGENTS = ["uct(c=0.2)", "uct(c=0.7)", "uct(c=1.4)"]


def pairs_of(result):
    return [(s.pairing.game, s.pairing.first.label, s.pairing.second.label) for s in result.standings]


def test_a_round_robin_pairs_everybody_at_every_game(tmp_path):
    result = ramify.tournament(["tictactoe", "connect4"], AGENTS, run=tmp_path / "run.db", **SHORT)
    expected = [(AGENTS[0], AGENTS[1]), (AGENTS[0], AGENTS[2]), (AGENTS[1], AGENTS[2])]
    assert pairs_of(result) == [(game, *pair) for game in ("tictactoe", "connect4") for pair in expected]
    assert all(standing.games == 4 for standing in result.standings)
    assert result.games == len(result.rows) == 24
    assert set(result.ratings) == {"tictactoe", "connect4"}
    assert set(result.ratings["connect4"].players) == set(AGENTS)
    assert len(result.p_values) == 6
    assert "ratings at connect4" in str(result)
    assert result.to_dict()["games"] == 24
    more = ramify.tournament(["tictactoe", "connect4"], AGENTS, run=tmp_path / "run.db", **(SHORT | {"games_each": 6}))
    assert more.games == 36
    assert timeless(result.records) == timeless(more.records)[:24]


def test_a_gauntlet_is_the_first_against_all_others():
    labelled = {"plain": "uct", "narrow": {"name": "uct", "c": 0.2}, "wide": "uct(c=1.4)"}
    result = ramify.tournament("tictactoe", labelled, form="gauntlet", **SHORT)
    assert pairs_of(result) == [("tictactoe", "plain", "narrow"), ("tictactoe", "plain", "wide")]
    assert result.rows[0].agents == ("uct", "uct(c=0.2)")


def test_a_tournament_without_games_yet_can_be_shown():
    plan = plan_tournament(["tictactoe"], AGENTS, limits=PlayerLimits(simulations=5), seed=1)
    with MatchSession(plan) as sitting:
        result = TournamentResult.from_session(sitting)
    assert result.stopped == "interrupted"
    assert "0 games" in str(result)
    assert result.to_dict()["pairings"][0]["score"] is None


def test_games_with_more_players_fill_their_blocks(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    result = ramify.tournament([str(path), "tictactoe"], AGENTS[:2], **(SHORT | {"simulations": 5}))
    assert [standing.games for standing in result.standings] == [12, 4]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tictactoe", ["uct"]), "needs at least two agents, not 1"),
        (([], AGENTS), "needs at least one game"),
        (("tictactoe", [AGENTS[0], "utc"]), "did you mean 'uct'"),
    ],
)
def test_bad_tournaments_are_refused(arguments, sentence):
    with pytest.raises(RamifyError, match=sentence):
        ramify.tournament(*arguments, **SHORT)


def test_an_unknown_form_is_refused():
    with pytest.raises(RamifyError, match="did you mean 'gauntlet'"):
        ramify.tournament("tictactoe", AGENTS, form="gantlet", **SHORT)


def test_a_toml_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(
        'games = ["tictactoe"]\nform = "gauntlet"\ngames_each = 6\nsimulations = 10\nopenings = "book.txt"\n'
        '[agents]\nplain = "uct"\nwide = { name = "uct", c = 1.4 }\n'
    )
    found = read_tournament(path)
    assert found["agents"] == {"plain": "uct", "wide": {"name": "uct", "c": 1.4}}
    assert found["openings"] == str(tmp_path / "book.txt")
    assert (found["form"], found["games_each"]) == ("gauntlet", 6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = 'x'", "did you mean 'games'"),
        ("games = 'tictactoe'", "'games' in .* must be a list of names"),
        ("simulations = 'many'", "'simulations' in .* must be a number"),
        ("form = 3", "'form' in .* must be a string"),
        ("agents = 3", "'agents' in .* must be a list or a table"),
        ("games = [", "is not TOML"),
    ],
)
def test_bad_toml_is_refused(tmp_path, text, sentence):
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(RamifyError, match=sentence):
        read_tournament(path)


def test_a_missing_toml_file(tmp_path):
    with pytest.raises(RamifyError, match="cannot read"):
        read_tournament(tmp_path / "cup.toml")

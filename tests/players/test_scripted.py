"""A game's script as a player."""

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.schedule import MatchPlayer, Pairing, Schedule
from ramify.players.player import player
from ramify.players.scripted import Scripted

GAME = "tron(rows=8, columns=8)"


def spec(first="scripted", second="tron_ucb1", leg=0):
    limits = PlayerLimits(simulations=30)
    pairing = Pairing(GAME, 2, MatchPlayer("a", first, limits), MatchPlayer("b", second, limits))
    return Schedule((pairing,), 7).game(0, 0, leg)


def test_it_is_read_like_an_agent():
    made = player("scripted")
    assert isinstance(made, Scripted)
    assert player({"name": "scripted"}) == made
    assert str(player("scripted(simulations=5)")) == "scripted(simulations=5)"
    with pytest.raises(ramify.RamifyError, match="depth"):
        player("scripted(depth=3)")


@pytest.mark.parametrize("leg", [0, 1])
def test_a_game_is_the_same_again(leg):
    row = play(spec(leg=leg))
    assert row.plies > 3
    assert play(spec(leg=leg)).moves == row.moves
    assert play(spec(leg=leg), replay_of=row).moves == row.moves


def test_both_seats_may_have_it():
    row = play(spec("scripted", "scripted"))
    assert row.ended == "over"
    assert row.simulations == (0, 0)


def test_a_match():
    result = ramify.match(GAME, "scripted", "mcts(select=random)", games=6, simulations=10, seed=1, workers=0)
    assert result.score > 0.5


def test_games_without_a_script_are_refused():
    with pytest.raises(ramify.RamifyError, match="connect4 has no script, which the player scripted needs"):
        ramify.match("connect4", "scripted", "uct", games=2, simulations=10, workers=0)


def test_scale_needs_an_agent():
    with pytest.raises(ramify.RamifyError, match="scale needs an agent that makes simulations, not scripted"):
        ramify.scale(GAME, "scripted", simulations=10)

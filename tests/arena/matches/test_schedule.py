from collections import Counter

import pytest

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.schedule import MatchPlayer, Pairing, Schedule, seatings, whole_pairs
from ramify.errors import RamifyError
from tests.arena.games_for_tests import short_plan

ONE, TWO, THREE = (MatchPlayer(label, label, PlayerLimits(simulations=1)) for label in ("uct", "uct(c=1)", "uct(c=2)"))


def test_two_players_swap_seats():
    assert seatings(2) == ((0, 1), (1, 0))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_agent_sits_in_each_seat_equally_often(players):
    games = seatings(players)
    assert len(set(games)) == len(games)
    for seat in range(players):
        assert Counter(game[seat] for game in games)[0] * 2 == len(games)
    assert all({0, 1} == set(game) for game in games)


def test_games_for_one_player_are_refused():
    with pytest.raises(RamifyError, match="at least two players"):
        seatings(1)


def test_numbers_count_the_games_and_stay_when_more_are_played():
    pairings = (Pairing("a", 2, ONE, TWO), Pairing("b", 3, ONE, TWO), Pairing("a", 2, ONE, THREE))
    schedule = Schedule(pairings, seed=5)
    few, many = list(schedule.games(3)), list(schedule.games(7))
    assert [game.number for game in many] == list(range(1, 7 * 10 + 1))
    assert few == many[: len(few)]
    assert [game.number for game in schedule.games(3, played=range(2, 29))] == [1, 29, 30]


def test_a_pair_shares_its_opening_and_not_its_searches():
    schedule = short_plan(games=40).schedule()
    games = list(schedule.games(20))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, first.pair_seed, first.start) == (second.pair, second.pair_seed, second.start)
        assert first.seed != second.seed
        assert first.agents == second.agents[::-1]
    assert len({game.seed for game in games}) == 40
    assert len({game.pair_seed for game in games}) == 20


def test_positions_are_taken_in_turn():
    schedule = Schedule((Pairing("a", 2, ONE, TWO),), 1, starts=("x", "y", "z"))
    assert [game.start for game in schedule.games(4)] == ["x", "x", "y", "y", "z", "z", "x", "x"]


def test_games_are_rounded_up_to_whole_pairs():
    assert whole_pairs(1, [2]) == 1
    assert whole_pairs(101, [2]) == 51
    assert whole_pairs(13, [3]) == 3
    assert whole_pairs(13, [2, 3]) == 7
    with pytest.raises(RamifyError, match="whole number from 1"):
        whole_pairs(0, [2])

from math import isclose

import numpy as np
import pytest

from ramify.core.kernels.compiling import JIT
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.games import pig
from tests.games.driving import Playouts, Table


def outcomes(table):
    """Names and probabilities of a chance state."""
    moves, probabilities = np.zeros(6, np.int64), np.zeros(6)
    assert table.ask("chance_outcomes", moves, probabilities) == 6
    return dict(zip([table.ask("move_name", int(move)) for move in moves], probabilities.tolist(), strict=True))


def roll(table, *faces):
    for face in faces:
        table.play("roll")
        assert table.ask("mover") == CHANCE
        table.ask("play", face)
    return table


def test_a_roll_is_a_fair_die():
    chances = outcomes(Table(pig).play("roll"))
    assert list(chances) == ["1", "2", "3", "4", "5", "6"]
    assert isclose(sum(chances.values()), 1.0)
    assert set(chances.values()) == {1 / 6}


def test_rolls_add_up_and_a_hold_banks_them():
    table = roll(Table(pig), 6, 2, 5)
    assert (table.state.turn_total, table.ask("mover")) == (13, 0)
    table.play("hold")
    assert (table.state.banked.tolist(), table.state.turn_total, table.ask("mover")) == ([13, 0], 0, 1)


def test_a_one_loses_the_turn_total_but_not_the_score():
    table = roll(Table(pig), 4).play("hold")
    roll(table, 6).play("hold")
    roll(table, 6, 6, 1)
    assert (table.state.banked.tolist(), table.state.turn_total, table.ask("mover")) == ([4, 6], 0, 1)


def test_the_win_comes_with_the_hold():
    table = roll(Table(pig, target=12), 6)
    assert table.names() == {"roll", "hold"}
    roll(table, 6)
    assert not table.ask("over")
    assert table.names() == {"hold"}
    table.play("hold")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_the_second_player_wins_too():
    table = roll(Table(pig, target=5).play("hold"), 6).play("hold")
    assert table.ask("over")
    assert table.scores() == [0.0, 1.0]


@pytest.mark.parametrize("last", ["roll", "hold"])
def test_nobody_wins_beyond_the_horizon(last):
    table = Table(pig, horizon=3).play("hold", "hold")
    assert not table.ask("over")
    table.play(last)
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]


def test_a_win_at_the_horizon_counts():
    table = roll(Table(pig, target=5, horizon=2), 5).play("hold")
    assert table.scores() == [1.0, 0.0]


def test_holding_at_20_scores_as_published():
    """Neller and Presser 2004, table 1: what a turn scores with "hold at 20"."""
    published = {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    found = dict.fromkeys(published, 0.0)
    open_turns = {0: 1.0}
    while open_turns:
        total = min(open_turns)
        chance = open_turns.pop(total)
        for face, probability in outcomes(Table(pig, f"0 0 1 {total} 5 rolling")).items():
            table = Table(pig, f"0 0 1 {total} 5 rolling")
            table.ask("play", int(face))
            reached = int(table.state.turn_total)
            ended = table.ask("mover") == 1 or reached >= 20
            place = found if ended else open_turns
            place[reached] = place.get(reached, 0.0) + chance * probability
    assert {total: round(chance, 4) for total, chance in found.items()} == published


def test_uniform_play_favours_nobody_much_and_ends():
    playouts = Playouts(Table(pig), "uniform_playout")
    games = 4000 if JIT else 40
    wins = 0.0
    for _ in range(games):
        playouts()
        assert playouts.table.ask("over")
        scores = playouts.table.scores()
        assert sum(scores) == 1.0
        wins += scores[0]
    assert abs(wins / games - 0.5) < 0.02 + 4 * 0.5 / games**0.5  # moving first is worth less than 2 %


def test_text_gives_the_position_back():
    table = Table(pig)
    texts = [table.text()]
    for step in ("roll", 5, "roll", 3, "hold", "roll", 1, "roll"):
        table.ask("play", step) if isinstance(step, int) else table.play(step)
        texts.append(table.text())
        assert table.reread().state_array == table.state_array
    assert texts == [
        "0 0 1 0 0",
        "0 0 1 0 1 rolling",
        "0 0 1 5 1",
        "0 0 1 5 2 rolling",
        "0 0 1 8 2",
        "8 0 2 0 3",
        "8 0 2 0 4 rolling",
        "8 0 1 0 4",
        "8 0 1 0 5 rolling",
    ]


def test_a_won_position_can_be_read():
    table = Table(pig, "102 35 2 0 57")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected two scores"),
        ("1 2 3 4", "expected two scores"),
        ("20 35 1 8 -1", "expected two scores"),
        ("20 35 1 8 57 flying", "expected two scores"),
        ("20 35 1 8 57 rolling rolling", "expected two scores"),
        ("20 35 3 8 57", "invalid player to move 3"),
        ("20 1 1 8 57", "of 1 is impossible"),
        ("20 35 1 1 57", "of 1 is impossible"),
        ("100 35 1 0 57", "already won"),
        ("20 100 1 4 57", "other player has already won"),
        ("20 100 1 0 57 rolling", "other player has already won"),
        ("20 106 1 0 57", "exceed 105"),
        ("99 35 1 7 57", "exceed 105"),
        ("98 35 1 5 57 rolling", "must hold"),
        ("20 35 1 8 1001", "expected 0 to 1000"),
        ("0 0 1 0 0 rolling", "expected 1 to 1000"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(pig, text)


@pytest.mark.parametrize("parameters", [{"target": 1}, {"target": 10**7}, {"horizon": 0}, {"horizon": 10**7}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(RamifyError, match="for pig: use"):
        Table(pig, **parameters)


def test_drawing_shows_the_scores_and_the_turn():
    assert Table(pig, "20 35 2 8 57 rolling").ask("draw").splitlines() == [
        "player 1:   20 of 100",
        "player 2:   35 of 100  + 8 this turn, rolling",
        "57 of 1000 decisions",
    ]

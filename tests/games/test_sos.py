import pytest

from ramify.errors import RamifyError
from ramify.games import sos
from tests.games.driving import Playouts, Table


def best_lead(first, second, left, to_move):
    """The perfect s1 - s2, by trying everything."""
    if not left:
        return first - second
    if to_move == 0:
        return max(best_lead(first + v, second, left - {v}, 1) for v in left)
    return min(best_lead(first, second + v, left - {v}, 0) for v in left)


@pytest.mark.parametrize("n", range(2, 9))
def test_perfect_play_gives_the_komi_and_needs_the_largest_number(n):
    left = frozenset(range(n))
    assert best_lead(0, 0, left, 0) == n // 2
    assert [v for v in left if best_lead(v, 0, left - {v}, 1) >= n // 2] == [n - 1]


@pytest.mark.parametrize("n", [2, 3, 10, 11, 63, 64])
def test_the_first_player_wins_the_perfect_line_exactly(n):
    table = Table(sos, n=n)
    for pick in reversed(range(n)):
        assert not table.ask("over")
        assert table.ask("mover") == (n - 1 - pick) % 2
        assert max(table.moves()) == pick
        table.play(str(pick))
    assert table.ask("over")
    assert table.state.lead == n // 2
    assert table.ask("margin") == 0.0
    assert table.scores() == [1.0, 0.0]


def test_a_slip_that_is_answered_loses():
    table = Table(sos, n=4).play("2", "3", "1", "0")
    assert table.ask("margin") == -2.0
    assert table.scores() == [0.0, 1.0]


def test_a_number_is_picked_once():
    table = Table(sos).play("9", "4")
    assert table.names() == set("01235678")


def test_the_lead_is_that_of_the_sets_after_every_playout():
    playouts = Playouts(Table(sos, n=20), "uniform_playout")
    leads = set()
    for _ in range(50):
        assert playouts() == 20
        first, second = (sum(map(int, side.split(","))) for side in playouts.table.text().split("/"))
        assert playouts.table.state.lead == first - second
        assert playouts.table.scores() == [float(first - second >= 10), float(first - second < 10)]
        leads.add(first - second)
    assert len(leads) > 10


def test_text_gives_the_position_back():
    table = Table(sos, n=12)
    texts = [table.text()]
    for pick in ("11", "3", "0", "10", "7"):
        assert table.reread().state_array == table.state_array
        texts.append(table.play(pick).text())
    assert texts == ["-/-", "11/-", "11/3", "11,0/3", "11,0/10,3", "11,7,0/10,3"]
    assert Table(sos, " 0, 11,7/3,10", n=12).state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("9", "expected the numbers"),
        ("9/8/7", "expected the numbers"),
        ("9,x/8", "expected the numbers"),
        ("/", "expected the numbers"),
        ("-1/-", "expected the numbers"),
        ("9/8,7", "take turns"),
        ("9,8/-", "take turns"),
        ("10/-", "invalid number 10"),
        ("9,8/8", "only once"),
        ("9,9/8", "only once"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(sos, text)


@pytest.mark.parametrize("n", [-1, 0, 1, 65])
def test_sizes_out_of_range_are_refused(n):
    with pytest.raises(RamifyError, match=f"invalid n={n} for sos"):
        Table(sos, n=n)


def test_drawing_shows_who_has_what():
    assert Table(sos, n=4).play("3", "1").ask("draw").splitlines() == [
        " 0  1  2  3",
        " .  2  .  1",
        "s1 - s2 = 2, the first player needs 2",
    ]

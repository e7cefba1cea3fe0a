"""Go beside OpenSpiel's, beside the naive rules, and on boards made by hand."""

import random
from collections import Counter

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games.boards.grids import write_rows
from ramify.games.go import go
from tests.games.driving import Table
from tests.games.stones import after, board_of, check_chains, crowded, drawn, even, name, square, text_of
from tests.oracle.counting import spiel_perft


def spiel_moves(state):
    """Our names of OpenSpiel's legal actions (``B a1``, ``W PASS``)."""
    return {state.action_to_string(action).split()[1].lower(): action for action in state.legal_actions()}


def spiel_board(state):
    """OpenSpiel's board as our rows."""
    lines = [line.split()[1] for line in str(state).splitlines()[2:] if line.strip()[:1].isdigit()]
    return "/".join(lines).replace("+", ".").lower()


def our_board(state, size):
    return write_rows(size, state.data["stones"][0][: size * size])


@pytest.mark.parametrize(("size", "games"), [(3, 60), (4, 30), (5, 20), (7, 8), (9, 6), (13, 1), (19, 1)])
@pytest.mark.parametrize("ko", ["simple", "positional"])
def test_random_games_beside_openspiel(size, games, ko):
    """With simple ko moves are the same; with positional ko OpenSpiel's further moves are those that end its game."""
    first = ramify.load(f'go(size={size}, ko="{ko}", komi=0.5)').initial()
    game = pyspiel.load_game(f"go(board_size={size},komi=0.5)")
    chooser = random.Random(size)
    endings = Counter()
    for _ in range(games if JIT else 1):
        state, other = first, game.new_initial_state()
        boards = [spiel_board(other)]
        repeated = False
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()
            theirs = spiel_moves(other)
            ours = {move.name: move for move in state.moves()}
            assert set(ours) <= set(theirs)
            for repeating in set(theirs) - set(ours):
                assert ko == "positional"
                twin = other.clone()
                twin.apply_action(theirs[repeating])
                assert spiel_board(twin) in boards
                endings["forbidden"] += 1
            chosen = chooser.choice(sorted(ours))
            state = ramify.State(first.game, first.game.play(state.data, ours[chosen].code))
            other.apply_action(theirs[chosen])
            board = spiel_board(other)
            assert our_board(state, size) == board
            repeated = chosen != "pass" and board in boards
            boards.append(board)
        if repeated:
            assert (ko, other.returns()) == ("simple", [0.0, 0.0])
            endings["repeated"] += 1
        else:
            assert state.over
            assert state.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
            endings[tuple(state.scores())] += 1
    if size == 3 and JIT:
        assert endings["repeated" if ko == "simple" else "forbidden"] > 0
        assert endings[1.0, 0.0] > 0
        assert endings[0.0, 1.0] > 0


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 8), (4, 4)])
def test_random_games_with_positional_ko_beside_the_naive_rules(size, games):
    chooser = random.Random(size)
    around = square(size)
    for _ in range(games):
        table, board, player, seen, passes = Table(go, size=size), {}, 0, [{}], 0
        while not table.ask("over"):
            results = {name(cell): after(board, around, cell, player) for cell in around if cell not in board}
            moves = {point: result for point, result in results.items() if result is not None and result not in seen}
            assert table.names() == {*moves, "pass"}
            chosen = chooser.choice(sorted(moves) or ["pass"]) if chooser.random() < 0.9 else "pass"
            table.play(chosen)
            passes = passes + 1 if chosen == "pass" else 0
            board = moves.get(chosen, board)
            seen.append(board)
            player = 1 - player
            check_chains(table, list(around), board, around)
            assert board_of(table) == text_of(board, size)
            assert table.ask("over") == (passes == 2 or len(seen) > 2 * size * size)
        assert table.state.lead == area(board, around, 0) - area(board, around, 1)
        assert not table.state.reach.any()
        assert table.reread().state_array == table.state_array


def area(board, around, player):
    """Naively: a player's stones and the empty cells from which a walk over empty cells meets no other colour."""

    def meets(cell):
        found, waiting = {cell}, [cell]
        for one in waiting:
            new = [near for near in around[one] if near not in found and one not in board]
            found.update(new)
            waiting.extend(new)
        return {board[one] for one in found if one in board}

    return sum(meets(cell) == {player} if cell not in board else board[cell] == player for cell in around)


def test_numbers_of_sequences():
    """Up to three moves nothing comes back, so OpenSpiel counts the same; two passes end the game."""
    state = ramify.load("go(size=5)").initial()
    assert perft(state, 3) == spiel_perft(pyspiel.load_game("go(board_size=5)").new_initial_state(), 3)


def test_capture():
    table = Table(go, ".xo/.../... x 0 -", size=3, ko="simple").play("c2")
    assert board_of(table) == ".x./..x/..."


def test_one_stone_captures_two_chains():
    table = Table(go, "o.o/x.x/... x 0 -", size=3, ko="simple").play("b3")
    assert board_of(table) == ".x./x.x/..."


def test_a_chain_of_several_stones_is_captured_whole():
    """x at c1 takes the last liberty of a1, b1, b2.

    x x .
    x o x
    . o .  ->  with a1 filled by o first
    """
    table = Table(go, "xx./xox/oo. x 0 -", size=3, ko="simple").play("c1")
    assert board_of(table) == "xx./x.x/..x"


def test_suicide_is_illegal():
    table = Table(go, "..o/x../.x. o 0 -", size=3, ko="simple")
    assert table.names() == {"a3", "b3", "b2", "c2", "c1", "pass"}


def test_a_capturing_stone_needs_no_liberty():
    table = Table(go, "x.o/ox./.ox x 0 -", size=3, ko="simple").play("a1")
    assert board_of(table) == "x.o/.x./x.x"


@pytest.mark.parametrize("ko", ["simple", "positional"])
def test_a_ko_may_not_be_retaken_at_once(ko):
    """x takes b3 by c3; o may take back after a move elsewhere.

    4 . x o .
    3 x o . o
    2 . x o .
    1 . . . .
    """
    table = Table(go, ".xo./xo.o/.xo./.... x" + (" 0 -" if ko == "simple" else ""), size=4, ko=ko).play("c3")
    assert board_of(table) == ".xo./x.xo/.xo./...."
    assert "b3" not in table.names()
    if ko == "simple":
        assert table.text() == ".xo./x.xo/.xo./.... o 1 b3"
    table.play("a1", "d1")
    assert "b3" in table.names()
    assert board_of(table.play("b3")) == ".xo./xo.o/.xo./o..x"


def test_a_snapback_is_no_ko():
    """x takes a1 by b1, which joins c1: o may take both back at once.

    3 x . .
    2 x o o
    1 o . x
    """
    table = Table(go, "x../xoo/o.x x 0 -", size=3, ko="simple").play("b1")
    assert board_of(table) == "x../xoo/.xx"
    assert board_of(table.play("a1")) == "x../xoo/o.."


def test_positional_ko_forbids_a_longer_cycle():
    """x's b2 would take three stones and leave the board that there was after move 1.

    2 . x   . x   . x   o .   o x   o .
    1 . .   o .   o x   o .   o .   o o
    """
    moves = ("b2", "a1", "b1", "a2", "b2", "b1")
    table, twin = Table(go, size=2).play(*moves), Table(go, size=2, ko="simple").play(*moves)
    assert board_of(table) == "o./oo"
    assert table.names() == {"pass"}
    assert twin.names() == {"b2", "pass"}
    assert board_of(twin.play("b2")) == ".x/.."


@pytest.mark.parametrize(("komi", "scores"), [(1.5, [1.0, 0.0]), (2.0, [0.5, 0.5]), (2.5, [0.0, 1.0])])
def test_area(komi, scores):
    """x has four stones and a1, o three stones; b3 is nobody's.

    3 x . o
    2 x x o
    1 . x o
    """
    table = Table(go, "x.o/xxo/.xo x 0 -", size=3, ko="simple", komi=komi).play("pass", "pass")
    assert table.ask("over")
    assert (table.state.lead, table.ask("margin"), table.scores()) == (2, 2 - komi, scores)


def test_two_passes_in_a_row_end_the_game_and_two_others_do_not():
    table = Table(go, size=3).play("pass", "a1", "pass")
    assert not table.ask("over")
    assert table.play("pass").ask("over")


def test_the_limit_ends_the_game():
    table = Table(go, size=3, limit=3).play("a1", "b1")
    assert not table.ask("over")
    assert table.play("c1").ask("over")
    assert (Table(go).rules.limit, Table(go, size=19).rules.limit) == (162, 722)


def test_on_3x3_the_first_player_takes_the_whole_board_from_the_centre():
    """Known since J. Tromp solved it: b2 wins by 9 points."""
    report = ramify.search(ramify.load("go(size=3, komi=8.5)").initial(), simulations=20_000 if JIT else 200, seed=1)
    assert report.move.name == "b2" or not JIT


@pytest.mark.parametrize(
    ("board", "eye"),
    [
        ("...../..x../.x.x./..x../.....", True),
        ("...../..xo./.x.x./..x../.....", True),
        ("...../..xo./.x.x./.ox../.....", False),  # two corners are the other's
        ("...../..x../.x.o./..x../.....", False),
        ("...../..x../.x.../..x../.....", False),
    ],
)
def test_eyes_in_the_middle(board, eye):
    assert Table(go, f"{board} x 0 -", size=5, ko="simple").ask("is_eye", 12, 1) == eye


@pytest.mark.parametrize(
    ("board", "eye"), [("...../...../...../x..../.x...", True), ("...../...../...../xo.../.x...", False)]
)
def test_eyes_in_the_corner(board, eye):
    assert Table(go, f"{board} x 0 -", size=5, ko="simple").ask("is_eye", 0, 1) == eye


HOLES = ".x.x./x.x.x/.x.x./x.x.x/.x.xx"


def test_sample_is_even_where_few_points_are_legal():
    for ko in ("simple", "positional"):
        table = Table(go, size=5, ko=ko)
        points = crowded(table, random.Random(1))
        assert even(drawn(table, "sample", 1500), {*points, "pass"})


def test_the_heuristic_fills_no_eye_and_passes_where_nothing_else_is_left():
    table = Table(go, f"{HOLES} x 0 -", size=5, ko="simple")
    assert len(table.names()) == HOLES.count(".") + 1
    assert set(drawn(table, "heuristic", 20)) == {"pass"}
    table = Table(go, ".x.x./x.x.x/.x.x./x.x.x/.x... x 0 -", size=5, ko="simple")
    assert even(drawn(table, "heuristic"), {"c1", "d1", "d2", "e1"})


@pytest.mark.parametrize("size", [2, 4, 7])
def test_text_gives_the_position_back(size):
    for ko in ("simple", "positional"):
        chooser = random.Random(size)
        table = Table(go, size=size, ko=ko)
        while not table.ask("over"):
            if ko == "simple" or table.state.made % 40 == 7:
                assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


def test_a_set_up_board_and_the_moves_since_are_a_position():
    text = ".xo/.../... o b2 pass c2"
    table = Table(go, text, size=3)
    assert (table.text(), board_of(table), table.ask("mover")) == (text, ".xo/.oo/...", 0)
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("ko", "text", "why"),
    [
        ("simple", "", "expected 3 rows of 3"),
        ("simple", ".../.../...", "expected the board, x or o to move, the number"),
        ("simple", ".../.../... x 0", "expected the board, x or o to move, the number"),
        ("simple", ".../.../... w 0 -", "expected the board, x or o to move, the number"),
        ("simple", ".../.../... x -1 -", "expected 0 to 18"),
        ("simple", ".../.../... x 07 -", "expected 0 to 18"),
        ("simple", ".../.../... x 19 -", "expected 0 to 18"),
        ("simple", ".../.../... x 1 end", "impossible after 1 moves"),
        ("simple", ".../.../... x 0 pass", "impossible after 0 moves"),
        ("simple", ".../.../... x 1 maybe", "invalid ko 'maybe'"),
        ("simple", ".../.../... x 1 b2", "invalid ko 'b2'"),
        ("simple", "ox./x../... x 0 -", "chain at a3 has no liberty"),
        ("positional", ".../.../...", "expected the board, x or o to move, the moves"),
        ("positional", ".../.../... x e5", "move 1, 'e5', is not legal"),
        ("positional", ".../.../... x a1 a1", "move 2, 'a1', is not legal"),
        ("positional", ".../.../... x pass pass pass", "move 3, 'pass', is not legal"),
        ("positional", "ox./x../... x", "chain at a3 has no liberty"),
    ],
)
def test_impossible_texts_are_refused(ko, text, why):
    with pytest.raises(RamifyError, match=why):
        Table(go, text, size=3, ko=ko)


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ("size=1", "for go: use 2 to 19"),
        ("size=20", "for go: use 2 to 19"),
        ("komi=1000", "use -361 to 361"),
        ('ko="super"', "use positional or simple"),
        ("limit=1", "use 2 to 722"),
        ("limit=-5", "use 2 to 722"),
        ("limit=1000", "use 2 to 722"),
    ],
)
def test_silly_parameters_are_refused(parameters, why):
    with pytest.raises(RamifyError, match=why):
        ramify.load(f"go({parameters})")

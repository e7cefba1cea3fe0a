import random

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.bits import popcount
from ramify.errors import RamifyError
from ramify.games.checkers import checkers
from ramify.statistics.chi_square import homogeneity_p
from tests.games.driving import Playouts, Table

START = "bbbb/bbbb/bbbb/..../..../wwww/wwww/wwww b 0"
GAMES = 25 if JIT else 2


def board(picture, rest):
    """The text of a picture of the whole board, black's home on top, light squares as blanks."""
    rows = [line.strip("|") for line in picture.strip().splitlines()]
    assert all(len(row) == 8 for row in rows)
    assert all(row[k] == " " for r, row in enumerate(rows) for k in range(r % 2, 8, 2))
    return "/".join(row[(r + 1) % 2 :: 2] for r, row in enumerate(rows)) + " " + rest


def spiel_square(name):
    """The number of a square that OpenSpiel calls ``c3``: its first player starts at the bottom, ours at 1."""
    column, row = ord(name[0]) - ord("a"), int(name[1]) - 1
    return str(4 * row + 4 - column // 2)


def spiel_chains(state):
    """Every move of a ``pyspiel.State`` by our name, with the state behind it: a chain is several of its actions."""
    found = {}
    player = state.current_player()
    for action in state.legal_actions():
        name = state.action_to_string(player, action)
        squares = [spiel_square(name[:2]), spiel_square(name[2:])]
        after = state.child(action)
        if abs(ord(name[0]) - ord(name[2])) == 1:
            found["-".join(squares)] = after
        elif not after.is_terminal() and after.current_player() == player:
            for rest, end in spiel_chains(after).items():
                found[squares[0] + "x" + rest] = end
        else:
            found["x".join(squares)] = after
    return found


def test_random_games_beside_openspiel():
    chooser = random.Random(3)
    endings, chains, plies = set(), 0, 0
    for _ in range(GAMES):
        state, other = ramify.load("checkers").initial(), pyspiel.load_game("checkers").new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()
            theirs = spiel_chains(other)
            ours = {move.name: move for move in state.moves()}
            assert set(ours) == set(theirs)
            chains += any(name.count("x") > 1 for name in ours)
            name = chooser.choice(sorted(ours))
            state, other = state.play(name), theirs[name]
            plies += 1
        assert state.over
        assert state.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
        endings.add(tuple(state.scores()))
    assert not JIT or (len(endings) == 3 and chains > 20 and plies > 1500)


def naive_names(text):
    """Names of the moves of a position, square by square from the rules."""
    rows, side, _ = text.split()
    pieces = {}
    for row, marks in enumerate(rows.split("/")):
        for k, mark in enumerate(marks):
            if mark != ".":
                pieces[row, 2 * k + (1 - row % 2)] = mark
    down = 1 if side == "b" else -1

    def number(square):
        return str(4 * square[0] + square[1] // 2 + 1)

    def inside(square):
        return 0 <= square[0] < 8 and 0 <= square[1] < 8

    def around(square, mark):
        ways = [(down, -1), (down, 1)] + ([(-down, -1), (-down, 1)] if mark.isupper() else [])
        return [tuple((square[0] + n * r, square[1] + n * c) for n in (1, 2)) for r, c in ways]

    def chains(square, mark, others):
        tails = []
        for over, to in around(square, mark):
            if inside(to) and to not in others and over in others and others[over].lower() != side:
                left = {place: piece for place, piece in others.items() if place != over}
                crowned = mark.islower() and to[0] in (0, 7)
                ends = [] if crowned else chains(to, mark, left)
                tails += ["x" + number(to) + end for end in ends or [""]]
        return tails

    mine = {square: mark for square, mark in pieces.items() if mark.lower() == side}
    jumping, stepping = set(), set()
    for square, mark in mine.items():
        others = {place: piece for place, piece in pieces.items() if place != square}
        jumping |= {number(square) + tail for tail in chains(square, mark, others)}
        free = [near for near, _ in around(square, mark) if inside(near) and near not in pieces]
        stepping |= {f"{number(square)}-{number(near)}" for near in free}
    return jumping or stepping


def test_crowded_positions_beside_the_rules():
    """Kings anywhere, so that chains are long and branch: positions that play hardly reaches."""
    chooser = random.Random(4)
    longest = most = compared = 0
    while compared < (1500 if JIT else 300):
        marks = [chooser.choice("....BWWWw") if k // 4 % 7 else chooser.choice("..BW") for k in range(32)]
        rows = "/".join("".join(marks[k : k + 4]) for k in range(0, 32, 4))
        try:
            table = Table(checkers, f"{rows} {chooser.choice('bw')} 0")
        except RamifyError:
            continue
        names = naive_names(table.text())
        assert table.names() == names
        assert len(table.moves()) == len(names)
        longest, most = max([longest, *(name.count("x") for name in names)]), max(most, len(names))
        compared += 1
    assert longest >= 5
    assert most >= 8


def test_known_numbers_of_sequences():
    assert perft(ramify.load("checkers").initial(), 8) == [7, 49, 302, 1469, 7361, 36768, 179740, 845931]


def test_the_start():
    table = Table(checkers)
    assert table.text() == START
    assert table.names() == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert table.play("11-15").names() == {"21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"}


def test_a_jump_must_be_taken_and_goes_on():
    table = Table(checkers).play("11-15", "22-18")
    assert table.names() == {"15x22"}
    table.play("15x22")
    assert table.names() == {"25x18", "26x17"}
    picture = "| . . . .|\n|. . b . |\n| . . . .|\n|. b . . |\n| w . . .|\n|. . . . |\n| . . . .|\n|. . . . |"
    table = Table(checkers, board(picture, "w 3"))
    assert table.names() == {"17x10x3"}
    table.play("17x10x3")
    assert table.text().split()[0] == "..W./..../..../..../..../..../..../...."
    assert table.ask("over")
    assert table.scores() == [0.0, 1.0]


def test_a_king_turns_back_in_a_chain_and_a_man_does_not():
    picture = "| . . . .|\n|. w w . |\n| . . . .|\n|. w w . |\n| {} . . .|\n|. . . . |\n| . . . .|\n|. . . w |"
    assert Table(checkers, board(picture.format("B"), "b 0")).names() == {"17x10x1", "17x10x3", "17x10x19"}
    assert Table(checkers, board(picture.format("b"), "b 0")).names() == {"17-21", "17-22"}


def test_a_king_returns_to_where_it_started_and_jumps_nothing_twice():
    picture = "| . B . .|\n|. w w . |\n| . . . .|\n|. w w . |\n| . . . .|\n|. . . . |\n| . . . .|\n|. . . w |"
    table = Table(checkers, board(picture, "b 0"))
    assert table.names() == {"2x9x18x11x2", "2x11x18x9x2"}
    assert table.play("2x9x18x11x2").text() == ".B../..../..../..../..../..../..../...w w 0"


def test_crowning_ends_the_move():
    """From 31 a king could jump on over 27."""
    picture = "| . . . .|\n|. . . . |\n| . . . .|\n|. . . . |\n| . . . .|\n|. b . . |\n| w w w .|\n|. . . . |"
    table = Table(checkers, board(picture, "b 7"))
    assert table.names() == {"22x29", "22x31"}
    assert table.play("22x31").text() == "..../..../..../..../..../..../w.w./..B. w 0"


def test_kings_step_back_and_men_do_not():
    text = board(
        "| . . . .|\n|. . . . |\n| . . . .|\n|. b . . |\n| . . . .|\n|. . B . |\n| . . . .|\n|. . . w |", "b 0"
    )
    assert Table(checkers, text).names() == {"14-17", "14-18", "23-18", "23-19", "23-26", "23-27"}


def test_whoever_cannot_move_loses():
    picture = "| . . . .|\n|. . . . |\n| . . . .|\n|b . . . |\n| w . . .|\n|. w . . |\n| . . . .|\n|. . . . |"
    table = Table(checkers, board(picture, "b 0"))
    assert table.ask("over")
    assert table.moves() == []
    assert table.scores() == [0.0, 1.0]
    assert table.ask("quality") == 2 / 13


@pytest.mark.parametrize("advances", [False, True])
def test_quiet_plies_draw(advances):
    """Counted by hand; with ``advances`` only steps of kings count."""
    chooser = random.Random(1)
    drawn = 0
    for _ in range(12):
        table = Table(checkers, quiet=12, advances=advances)
        quiet = 0
        while not table.ask("over"):
            move = chooser.choice(table.moves())
            name, squares = table.ask("move_name", move), table.text().split()[0].replace("/", "")
            man = squares[int(name.replace("x", "-").split("-")[0]) - 1] in "bw"
            table.ask("play", move)
            quiet = 0 if "x" in name or (man and advances) else quiet + 1
            assert int(table.text().split()[2]) == quiet
            assert table.ask("over") == (quiet == 12 or not table.moves())
        drawn += quiet == 12
        if quiet == 12:
            assert table.scores() == [0.5, 0.5]
            assert table.ask("quality") == 0.5
    assert drawn > 0


def test_a_draw_goes_before_a_loss():
    stuck = "..../..../..../b.../w.../.w../..../.... b"
    assert Table(checkers, stuck + " 39").scores() == [0.0, 1.0]
    assert Table(checkers, stuck + " 40").scores() == [0.5, 0.5]


@pytest.mark.parametrize("text", [START, "..../B.../.w.w/..../.ww./..../.w../.... b 0"])
def test_playouts_end_as_uniform_play_does(text):
    table = Table(checkers, text)
    games = 10_000 if JIT else 20
    means = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(table, kernel, seed)
        sums = [0.0, 0.0]
        for _ in range(games):
            plies = playouts()
            assert playouts.table.ask("over")
            sums[0] += playouts.table.scores()[0]
            sums[1] += plies
        means.append([value / games for value in sums])
    for own, plain, deviation in zip(*means, (0.5, 35.0), strict=True):
        assert abs(own - plain) < 4 * deviation * (2 / games) ** 0.5


def test_a_playout_leaves_the_position_it_reached():
    playouts = Playouts(Table(checkers), "uniform_playout")
    for _ in range(20):
        playouts()
        assert playouts.table.reread().state_array == playouts.table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "8 rows of 4"),
        (START[:-4], "8 rows of 4"),
        (START.replace("bbbb/", "bbb/", 1), "8 rows of 4"),
        (START.replace("b", "x", 1), "8 rows of 4"),
        (START.replace(" b ", " x "), "8 rows of 4"),
        (START[:-1] + "41", "'41': expected 0 to 40"),
        (START[:-1] + "-1", "'-1': expected 0 to 40"),
        ("w.../..../..../..../..../..../..../...w b 0", "should be a king"),
        ("b.../..../..../..../..../..../..../...b w 0", "should be a king"),
        ("bbbb/bbbb/bbbb/b.../..../..../wwww/wwww b 0", "at most 12"),
        ("..../..../b.../..../..../..../..../.... b 0", "has no piece"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(checkers, text)


@pytest.mark.parametrize("quiet", [-1, 0, 10_001])
def test_parameters_out_of_range_are_refused(quiet):
    with pytest.raises(RamifyError, match=f"invalid quiet={quiet}"):
        Table(checkers, quiet=quiet)


def test_illegal_moves_are_refused():
    with pytest.raises(RamifyError, match="11-16"):
        ramify.load("checkers").initial().play("11-15").play("11-16")


def test_drawing_has_numbers():
    lines = Table(checkers).ask("draw").splitlines()
    assert lines[0] == "  b   b   b   b   1  2  3  4"
    assert lines[1] == "b   b   b   b     5  6  7  8"


@pytest.mark.parametrize("quiet", [6, 25])
def test_kings_draw_by_moving_and_by_meeting(quiet):
    """Counted by hand: steps of kings in a row, and a king against a king."""
    chooser = random.Random(quiet)
    ends = set()
    for _ in range(60):
        text = "B.b./..../.W../..../..../.b../..w./...W b 0"
        table = Table(checkers, text, quiet=quiet, advances=True, duel=True)
        steps = 0
        while not table.ask("over"):
            move = chooser.choice(table.moves())
            name = table.ask("move_name", move)
            king = table.text().split()[0].replace("/", "")[int(name.replace("x", "-").split("-")[0]) - 1] in "BW"
            table.ask("play", move)
            steps = steps + 1 if king and "x" not in name else 0
            left = "".join(sorted(table.text().split()[0].replace("/", "").replace(".", "")))
            drawn = steps == quiet or left == "BW"
            assert table.ask("over") == (drawn or not table.moves())
            assert table.reread().state_array == table.state_array
        ends.add("meeting" if left == "BW" else "moving" if steps == quiet else "loss")
        assert (table.scores() == [0.5, 0.5]) == drawn
        assert (table.ask("quality") == 0.5) == drawn or table.ask("quality") == popcount(table.state.theirs) / 13
    assert len(ends) == 3


def test_a_king_meets_a_king():
    """Drawn even where the mover could take; not while there is a man, nor without the rule."""
    meeting = "..../.B../..W./..../..../..../..../.... b 3"
    assert Table(checkers, meeting, duel=True).scores() == [0.5, 0.5]
    assert Table(checkers, meeting, duel=True).ask("over")
    assert not Table(checkers, meeting).ask("over")
    assert not Table(checkers, meeting.replace("W", "w"), duel=True).ask("over")
    assert not Table(checkers, meeting.replace("....", "...W", 1), duel=True).ask("over")


@pytest.mark.skipif(not JIT, reason="needs many playouts")
def test_playouts_know_of_kings_that_meet():
    text = "B.b./..../.W../..../..../.b../..w./...W b 0"
    ends = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(Table(checkers, text, quiet=25, advances=True, duel=True), kernel, seed)
        found = []
        for _ in range(2000):
            plies = playouts()
            left = popcount(playouts.table.state.mine) + popcount(playouts.table.state.theirs)
            found.append((playouts.table.scores()[0], left == 2, plies // 10))
        ends.append(found)
    for part in range(3):
        assert homogeneity_p([(float(end[part]),) for end in ends[0]], [(float(end[part]),) for end in ends[1]]) > 1e-4

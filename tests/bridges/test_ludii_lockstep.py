"""Games that both have, side by side with Ludii at every ply of random games: movers, moves, ends and results.

Differences that are real stand in docs/ludii.md; here parameters see to it that the rules are the same, or the games
stop where they part.
"""

import random
import re

import pytest

import ramify
from tests.bridges.with_ludii import needs_jar

pytestmark = needs_jar
GO_COLUMNS = "abcdefghjklmnopqrst"


def square(name):
    """``A4+Dot0`` and ``A1-`` are squares."""
    return re.match(r"[A-Z]\d+", name)[0].lower()


def from_to(name):
    return name.lower()


def joined(name):
    return name.lower().replace("-", "")


def queen_or_arrow(name):
    return square(name) if "+" in name else name.lower()


def bite(name):
    """The poisoned square is at the top left there."""
    place = square(name)
    return place[0] + str(5 - int(place[1:]))


def turned(name):
    """Hex on 5x5: the board lies otherwise."""
    place = square(name)
    return chr(ord("a") + 5 - int(place[1:])) + str(ord(place[0]) - ord("a") + 1)


def go_point(name):
    """The letter i is left out with us."""
    if name == "pass":
        return name
    point = square(name)
    return GO_COLUMNS[ord(point[0]) - ord("a")] + point[1:]


def flipped(name):
    """Othello's rows count from the top with us."""
    if name == "pass":
        return name
    place = square(name)
    return place[0] + str(9 - int(place[1:]))


def half_hexagon(name):
    """Pentalath's rows are letters with us, from the longest on."""
    place = square(name)
    return chr(ord("a") + 7 - int(place[1:])) + str(ord(place[0]) - ord("a") + 1)


def hexagon(name):
    place = square(name)
    row, letter = int(place[1:]), ord(place[0]) - ord("a")
    return chr(ord("a") + 9 - row) + str(letter + 1 - max(0, row - 5))


def column(name):
    return str(ord(name[0]) - ord("A") + 1)


def morris(name):
    """A man is placed from a hand, slides, or is taken off."""
    if name.startswith("Cell"):
        return name.partition("-")[2].lower()
    return f"x{square(name)}" if name.endswith("-") else name.lower()


GAMES = [
    ("tictactoe", "Tic-Tac-Toe", square, 30),
    ("connect4", "Connect Four", column, 10),
    ("chomp(rows=4, columns=5)", "Chomp", bite, 20),
    ("breakthrough", "Breakthrough", joined, 3),
    ("breakthrough(rows=6, columns=6)", 'Breakthrough("Board Size/6x6")', joined, 6),
    ("knightthrough", "Knightthrough", joined, 4),
    ("amazons(plies=2)", "Amazons", queen_or_arrow, 2),
    ("atarigo", 'Atari Go("Board Size/9x9")', go_point, 4),
    ("nogo", 'NoGo("Board Size/9x9")', go_point, 3),
    ("gomoku(exact=true)", "Gomoku", square, 2),
    ("gomoku(size=9)", 'Gomoku("Board Size/9x9", "End Rules/Free-style")', square, 4),
    ("go(limit=722)", 'Go("Board Size/9x9")', go_point, 2),
    ("hex(size=5)", 'Hex("Board Size/5x5", "Swap Rules/Off")', turned, 12),
    ("othello", "Reversi", flipped, 4),
    ("pentalath", "Pentalath", half_hexagon, 4),
    ('pentalath(board="hexagon")', 'Pentalath("Board/HexHexBoard")', hexagon, 4),
]


def passed_on(state):
    """On a full board everybody passes there until the game is over."""
    while not state.over and [move.name for move in state.moves()] == ["pass"]:
        state = state.play("pass")
    return state


def lockstep(native, name, translate, games, stop=lambda ours, theirs: False):
    """Play random games in both; how many came to their ends."""
    ours_game, theirs_game = ramify.load(native), ramify.load(f"ludii:{name}")
    choose = random.Random(name)
    ended = 0
    for _ in range(games):
        ours, theirs = ours_game.initial(), theirs_game.initial()
        while not (ours.over or theirs.over or stop(ours, theirs)):
            where = f"{native}: {ours.text()}"
            assert ours.to_move == theirs.to_move, where
            moves = {translate(move.name): move for move in theirs.moves()}
            assert len(moves) == len(theirs.moves()), where
            assert sorted(moves) == sorted(move.name for move in ours.moves()), where
            chosen = choose.choice(sorted(moves))
            ours, theirs = ours.play(chosen), theirs.play(moves[chosen])
        if not stop(ours, theirs):
            theirs = passed_on(theirs) if ours.over else theirs
            assert ours.over == theirs.over, ours.text()
            assert ours.scores() == theirs.scores() or native.startswith("go"), ours.text()  # area, not territory
            ended += 1
    return ended


@pytest.mark.parametrize(("native", "name", "translate", "games"), GAMES, ids=[native for native, *_ in GAMES])
def test_random_games(native, name, translate, games):
    stop = blocked if native.startswith("pentalath") else lambda ours, theirs: False
    assert lockstep(native, name, translate, games, stop) >= games - 1


def blocked(ours, theirs):
    """A player of Pentalath without a move passes there, and the game is drawn here."""
    return ours.over != theirs.over and [move.name for move in theirs.moves()] == ["pass"]


def flies(ours, theirs):
    """In Nine Men's Morris a flying mill takes nothing there, and a blocked player passes."""
    board, _, turns, *_ = ours.text().split()
    few = int(turns) >= 17 and min(board.count("w"), board.count("b")) <= 3
    return few or (not theirs.over and [move.name for move in theirs.moves()] == ["pass"])


def test_nine_mens_morris_until_somebody_flies():
    assert lockstep("nine_mens_morris(turns=10000)", "Nine Men's Morris", morris, 8, flies) == 0


def mirrored(name):
    """Soldiers of Cannon stand on the other columns there; a capture looks like a step, a shot is a removal."""
    places = [chr(ord("a") + ord("j") - ord(place[0])) + place[1:] for place in re.findall(r"[a-j]\d+", name.lower())]
    return places[0] if name.startswith("Cell") else "x" + places[0] if len(places) == 1 else "-".join(places)


def retreat(name, player):
    """Two points backward; these moves are others there."""
    match = re.fullmatch(r"([a-j])(\d+)-([a-j])(\d+)", name)
    return match is not None and int(match[4]) - int(match[2]) == (2 if player else -2)


def test_cannon_but_for_retreats():
    ours_game, theirs_game = ramify.load("cannon(plies=10000, clear=true)"), ramify.load("ludii:Cannon")
    choose = random.Random(1)
    compared = 0
    for _ in range(3):
        ours, theirs = ours_game.initial(), theirs_game.initial()
        while not (ours.over or theirs.over):
            player = ours.to_move
            assert player == theirs.to_move
            there = {mirrored(move.name): move for move in theirs.moves()}
            here = {re.sub(r"(?<=\d)x", "-", move.name): move for move in ours.moves()}
            known = sorted(name for name in here if not retreat(name, player))
            assert known == sorted(name for name in there if not retreat(name, player)), ours.text()
            if not known:
                break
            chosen = choose.choice(known)
            ours, theirs = ours.play(here[chosen]), theirs.play(there[chosen])
            compared += 1
        else:
            assert ours.over == theirs.over, ours.text()
            assert ours.scores() == theirs.scores(), ours.text()
    assert compared > 150


SQUARES = {f"{'GECA'[k] if r % 2 == 0 else 'HFDB'[k]}{r + 1}": 4 * r + k + 1 for r in range(8) for k in range(4)}


def turns(state, so_far=""):
    """All turns of a position of English Draughts: jumps of a chain are moves of their own there."""
    found = {}
    player = state.to_move
    for move in state.moves():
        origin, to = move.name.split("-")
        jump = abs(int(origin[1:]) - int(to[1:])) == 2
        name = f"{so_far or SQUARES[origin]}{'x' if jump else '-'}{SQUARES[to]}"
        after = state.play(move)
        if jump and not after.over and after.to_move == player:
            found |= turns(after, name)
        else:
            found[name] = after
    return found


def test_checkers_by_whole_turns():
    ours_game, theirs_game = ramify.load("checkers(quiet=10000)"), ramify.load("ludii:English Draughts")
    choose = random.Random(1)
    compared = 0
    for _ in range(4):
        ours, theirs = ours_game.initial(), theirs_game.initial()
        for _ in range(120):
            if ours.over or theirs.over:
                assert ours.over == theirs.over, ours.text()
                assert ours.scores() == theirs.scores(), ours.text()
                break
            there = turns(theirs)
            assert sorted(there) == sorted(move.name for move in ours.moves()), ours.text()
            chosen = choose.choice(sorted(there))
            ours, theirs = ours.play(chosen), there[chosen]
            compared += 1
    assert compared > 150

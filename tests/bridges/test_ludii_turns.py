"""Games whose turns are several moves in Ludii and one here, side by side: whole turns, ends and results."""

import random

import pytest

import ramify
from tests.bridges.with_ludii import needs_jar

pytestmark = needs_jar

NIM = [("1-2-1", "3"), ("3-4-5-4-3", "5"), ("4-5-6-7-6-5-4", "7")]
ENDS = [("true", "Last Mover Loses"), ("false", "Last Mover Wins")]


def takings(state):
    """All turns of Nim: bean by bean there, and a pass where the heap is not empty."""
    found = {}
    for first in state.moves():
        heap, after, beans = first.name.removeprefix("*")[0].lower(), state.play(first), 1
        while not after.over and after.to_move == state.to_move:
            assert [move.name for move in after.moves()] == [first.name, "pass"]
            found[f"{heap}{beans}"] = after.play("pass")
            after, beans = after.play(first.name), beans + 1
        found[f"{heap}{beans}"] = after
    return found


@pytest.mark.parametrize(("heaps", "piles"), NIM)
@pytest.mark.parametrize(("misere", "end"), ENDS)
def test_nim_by_whole_turns(heaps, piles, misere, end):
    ours_game = ramify.load(f'nim(heaps="{heaps}", misere={misere})')
    theirs_game = ramify.load(f'ludii:Nim("Number Piles/{piles}", "End Rules/{end}")')
    choose = random.Random(1)
    results = set()
    for _ in range(6):
        ours, theirs = ours_game.initial(), theirs_game.initial()
        while not ours.over:
            assert ours.to_move == theirs.to_move, ours.text()
            there = takings(theirs)
            assert sorted(there) == sorted(move.name for move in ours.moves()), ours.text()
            chosen = choose.choice(sorted(there))
            ours, theirs = ours.play(chosen), there[chosen]
        assert theirs.over, ours.text()
        assert ours.scores() == theirs.scores()
        results.add(tuple(ours.scores()))
    assert len(results) == 2


# Chinese Checkers: cells are pairs of column and row on a slanted grid, as Ludii names them; a row's first column:
FIRST = "DDDABCDDDDHIJ"
WAYS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))


def cell(name):
    """``D3`` there."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def own_cell(name):
    """``3a`` here."""
    row = int(name[:-1]) - 1
    return ord(FIRST[row]) - ord("A") + ord(name[-1]) - ord("a"), row


def ends(name, read):
    return tuple(map(read, name.split("-")))


def moved(state, found=None, origin=None):
    """All turns there, by where they begin and end: hops of a chain are moves of their own, and a pass ends it."""
    found = {} if found is None else found
    for move in state.moves():
        if move.name == "pass":
            continue
        begin, to = ends(move.name, cell)
        begin = origin or begin
        if (begin, to) in found:
            continue
        after = state.play(move)
        goes_on = not after.over and after.to_move == state.to_move
        found[begin, to] = after.play("pass") if goes_on else after
        if goes_on:
            moved(after, found, begin)
    return found


def board(state):
    """The pieces of each player here."""
    rows = state.text().split()[0].split("/")[::-1]
    pieces = {"x": set(), "o": set()}
    for row, marks in enumerate(rows):
        for place, mark in enumerate(marks):
            if mark != ".":
                pieces[mark].add((ord(FIRST[row]) - ord("A") + place, row))
    return (
        pieces["x"],
        pieces["o"],
        {own_cell(f"{row + 1}{chr(97 + k)}") for row in range(13) for k in range(len(rows[row]))},
    )


def never_left(origin, taken, cells, goal):
    """Where chains of hops lead that do not leave the goal once they are in it, not even to come back."""
    found, waiting = set(), [origin]
    while waiting:
        at = waiting.pop()
        for across, up in WAYS:
            over = at[0] + across, at[1] + up
            to = over[0] + across, over[1] + up
            if over in taken and to in cells and to not in taken and to not in found and (at not in goal or to in goal):
                found.add(to)
                waiting.append(to)
    return found


def test_chinese_checkers_by_whole_turns():
    """With ``stay=true``: there no hop of a chain leaves the goal, here no chain ends outside of it."""
    ours_game = ramify.load("chinese_checkers(stay=true, plies=10000)")
    theirs_game = ramify.load('ludii:Chinese Checkers("Players/2 (a)", "Board Size/3")')
    choose = random.Random(1)
    compared = ended = fewer = 0
    for _ in range(4):
        ours, theirs = ours_game.initial(), theirs_game.initial()
        while not (ours.over or theirs.over):
            player = ours.to_move
            assert player == theirs.to_move, ours.text()
            *sides, cells = board(ours)
            goal = {place for place in cells if (place[1] < 3 if player else place[1] > 9)}
            there, here = moved(theirs), {ends(move.name, own_cell): move for move in ours.moves()}
            may = {
                (origin, to)
                for origin, to in here
                if to in never_left(origin, sides[0] | sides[1], cells, goal)
                or (to[0] - origin[0], to[1] - origin[1]) in WAYS
            }
            assert set(there) == may, ours.text()
            fewer += len(here) - len(may)
            forward = sorted(may, key=lambda move: (move[1][1] - move[0][1]) * (1 - 2 * player), reverse=True)
            chosen = choose.choice(forward[:4] if choose.random() < 0.8 else forward)
            ours, theirs = ours.play(here[chosen]), there[chosen]
            compared += 1
        home = board(ours)[player]
        if home == goal:
            assert theirs.over
            assert ours.over
            assert ours.scores() == theirs.scores()
            ended += 1
        else:
            assert not theirs.over  # the other side's piece is in it, which blocks there and not here
    assert compared > 600
    assert ended >= 3
    assert fewer > 0  # the difference was met

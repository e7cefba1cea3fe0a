"""Chinese Checkers where pieces stay in the opposite point and do not go back while they need not."""

import random
from functools import cache

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.games.chinese_checkers import chinese_checkers as game
from tests.games.drawing import drawn, fits
from tests.games.driving import Playouts, Table
from tests.games.test_chinese_checkers import HOME, NAME, NAMES, STAR, TURNS, naive_names, pieces_of, placed, plus

PUBLISHED = {"stay": True, "forward": True, "drawn": True, "plies": 1000}


def goal_cells(side):
    """The names of the opposite point, in the order in which a side heads for them."""
    return HOME["o" if side == "x" else "x"].split() if side == "o" else ["13a", "12b", "12a", "11c", "11b", "11a"]


@cache
def distances(name):
    """The steps from a cell to every other, cell by cell."""
    found = {NAMES[name]: 0}
    waiting = [NAMES[name]]
    for cell in waiting:
        for near in (plus(cell, way) for way in TURNS):
            if near in STAR and near not in found:
                found[near] = found[cell] + 1
                waiting.append(near)
    return {NAME[cell]: steps for cell, steps in found.items()}


def fewest_hops(text, origin, to):
    """How many hops lead from a cell to another; 0 for a step."""
    pieces = set(pieces_of(text)) - {NAMES[origin]}
    if any(plus(NAMES[origin], way) == NAMES[to] for way in TURNS):
        return 0
    level, seen, hops = {NAMES[origin]}, {NAMES[origin]}, 0
    while NAMES[to] not in level:
        jumps = {(plus(at, way), plus(plus(at, way), way)) for at in level for way in TURNS}
        level = {end for over, end in jumps if over in pieces and end in STAR and end not in pieces | seen}
        assert level
        seen |= level
        hops += 1
    return hops


def narrowed(text, stay, forward):
    """The naive moves of the game without these rules, less those that the rules forbid."""
    side = text.split()[1]
    goal = goal_cells(side)
    names = naive_names(text)
    if names == {"pass"}:
        return names
    ends = {name: name.split("-") for name in names}
    if stay:
        names = {name for name in names if ends[name][0] not in goal or ends[name][1] in goal}
    if forward:
        occupied = {NAME[cell] for cell in pieces_of(text)}
        far = distances(next((cell for cell in goal if cell not in occupied), goal[0]))
        names = {name for name in names if far[ends[name][1]] <= far[ends[name][0]]} or names
    return names or {"pass"}


@pytest.mark.parametrize(("stay", "forward"), [(True, False), (False, True), (True, True)])
def test_random_games_beside_the_rules(stay, forward):
    chooser = random.Random(2)
    stayed = won = 0
    for _ in range(2 if JIT else 1):
        state = ramify.load(f"chinese_checkers(stay={stay}, forward={forward}, plies=400)".lower()).initial()
        while not state.over:
            text = state.text()
            names = narrowed(text, stay, forward)
            assert sorted(move.name for move in state.moves()) == sorted(names)
            stayed += stay and names < narrowed(text, False, forward)
            state = state.play(chooser.choice(sorted(names)))
        won += int(state.text().split()[2]) < 400
    assert not JIT or ((stayed > 0) == stay and (won > 0) == forward)


def test_who_is_in_stays_in():
    pieces = {"x": "11a 10d 1a 2a 2b 3a", "o": "13a 3b 3c 4a 5a 6a"}
    inside = {name for name in Table(game, placed("x 30", **pieces), stay=True).names() if name.startswith("11a")}
    assert inside == {"11a-11b", "11a-12a"}
    assert inside < {name for name in Table(game, placed("x 30", **pieces)).names() if name.startswith("11a")}


def test_nobody_heads_away_from_the_nearest_empty_cell_to_the_tip():
    """The tip is taken, so x heads for 12b: from 7d, six steps below, it may go up, and aside to 7e, but not to 7c."""
    table = Table(game, placed("x 20", x="7d 13a 1a 2a 2b 3a", o="5a 12a 11a 11b 11c 9a"), forward=True)
    ahead = {name.split("-")[1] for name in table.names() if name.startswith("7d-")}
    steps = distances("12b")
    assert ahead == {cell for cell in ("8d", "8e", "7c", "7e", "6d", "6e") if steps[cell] <= steps["7d"]}
    assert {"8d", "8e"} <= ahead
    assert not {"6d", "6e"} & ahead


def test_all_moves_are_offered_where_every_one_leads_away():
    """Stones everywhere but at 1a, more than there are, so that x can only go back there."""
    table = Table(game, placed("x 30", x="2a 2b 3a 3b 3c 7d", o=HOME["o"]), **PUBLISHED)
    table.state.cells[(table.state.cells == 0).nonzero()] = 2
    table.state.cells[0] = 0
    assert table.names() == {"2a-1a", "2b-1a", "3a-1a", "3c-1a"}
    rng = generator(1)
    with np.errstate(over="ignore"):
        for function in ("sample", "heuristic", "published_heuristic"):
            found = {table.ask("move_name", table.ask(function, rng)) for _ in range(60)}
            assert found == table.names()


def test_the_limit_draws():
    text = placed("o 19", x="7a 7b 7c 7d 7e 7f", o="9a 9b 9c 9d 9e 9f")
    table = Table(game, text, plies=20, drawn=True).play("9a-10a")
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]
    assert table.ask("quality") == 0.25
    won = Table(game, placed("x 18", x="13a 12a 12b 11a 11b 10g", o="1a 2a 2b 3a 3b 5a"), plies=19, drawn=True)
    assert won.play("10g-11c").scores() == [1.0, 0.0]


def test_numbers_of_sequences():
    """Pinned; the first by naive play, too."""
    counts = perft(ramify.load("chinese_checkers(stay=true, forward=true)").initial(), 4)
    plain = perft(ramify.load("chinese_checkers").initial(), 4)
    assert counts[0] == len(narrowed(Table(game).text(), True, True))
    assert (counts, plain) == ([10, 100, 1620, 26244], [10, 100, 1800, 32400])
    level = [Table(game)]
    for count in counts[:2]:
        found = [table.copy().play(name) for table in level for name in narrowed(table.text(), True, True)]
        assert len(found) == count
        level = found
    assert sum(len(narrowed(table.text(), True, True)) for table in level) == counts[2]


@pytest.mark.skipif(not JIT, reason="needs many playouts")
def test_random_games_reach_an_end():
    playouts = Playouts(Table(game, **PUBLISHED), "uniform_playout", 1)
    lengths = [playouts() for _ in range(300)]
    assert max(lengths) < 600
    playouts = Playouts(Table(game), "uniform_playout", 1)
    assert sum(playouts() == 200 for _ in range(300)) > 290


@pytest.mark.skipif(not JIT, reason="needs many draws")
def test_samples_are_even():
    chooser = random.Random(4)
    table = Table(game, **PUBLISHED)
    for ply in range(130):
        if ply % 26 == 0:
            names = table.names()
            assert fits(drawn(table, "sample", 100 * len(names)), dict.fromkeys(names, 1)) > 1e-4
        table.ask("play", chooser.choice(table.moves()))


def test_silly_parameters_are_refused():
    with pytest.raises(
        RamifyError, match=r"invalid quality='line' for chinese_checkers: use inverse or linear; did you mean"
    ):
        Table(game, quality="line")

"""Moves as the playouts of Pepels et al. (2014) draw them, against weights written down move by move."""

import random
from collections import Counter
from zlib import crc32

import numpy as np
import pytest

import ramify
from ramify.contract.bind_kernels import binding_of
from ramify.contract.checking import check_game
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.games import pentalath
from ramify.games.amazons import amazons
from ramify.games.breakthrough import breakthrough
from ramify.games.cannon import cannon
from ramify.games.chinese_checkers import chinese_checkers
from tests import toys
from tests.games.drawing import drawn, fits
from tests.games.driving import Table
from tests.games.test_cannon import name_of, pieces_of
from tests.games.test_cannon_mate import attacks
from tests.games.test_chinese_checkers_forward import fewest_hops, goal_cells
from tests.games.test_pentalath import neighbours, places

needs_draws = pytest.mark.skipif(not JIT, reason="needs many draws")
LIKELY = 1e-4  # of a fair draw; every seed is fixed


def wander(module, steps, seed, **parameters):
    """The position after so many random plies, or before the end."""
    words = ", ".join(
        f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}".lower()
        for name, value in parameters.items()
    )
    state = ramify.load(f"{module.__name__.rpartition('.')[2]}({words})").initial()
    chooser = random.Random(seed)
    for _ in range(steps):
        after = state.play(chooser.choice(state.moves()))
        if after.over:
            break
        state = after
    return Table(module, state.text(), **parameters)


def check(table, weights, least=40):
    """The chi-square of draws at one position, where every move of the least weight is expected so often."""
    draws = int(least * sum(weights.values()) / min(weight for weight in weights.values() if weight > 0))
    stream = crc32(table.text().encode())  # unrelated draws at every position
    assert fits(drawn(table, "published_heuristic", draws, seed=stream), weights) > LIKELY


def breakthrough_weights(table):
    """From the text: squares by name, white goes up."""
    board, side = table.text().split()
    rows = board.split("/")[::-1]
    marks = {"abcdefgh"[c] + str(r + 1): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    up, enemy, last = (1, "b", len(rows)) if side == "w" else (-1, "w", 1)
    home = 1 if side == "w" else len(rows)
    weights = {}
    for name in table.names():
        origin, to = name[:2], name[2:]
        behind = [chr(ord(to[0]) + aside) + str(int(to[1:]) + up) for aside in (-1, 1)]
        taken_back = enemy in [marks.get(square) for square in behind]
        weights[name] = 1 if marks[to] != enemy else 2 if taken_back else 5
        if int(to[1:]) == last:
            weights[name] = 10**6
        elif marks[to] == enemy and int(origin[1:]) == home:
            weights[name] = 10**3
    return most_urgent(weights)


def most_urgent(weights):
    """The moves of weight 10^6 alone, or else of 10^3, each once; or all."""
    for urgency in (10**6, 10**3):
        if urgency in weights.values():
            return {name: float(weight == urgency) for name, weight in weights.items()}
    return weights


@needs_draws
@pytest.mark.parametrize("rows", [8, 9])
def test_breakthrough(rows):
    kinds = Counter()
    for seed in range(25):
        table = wander(breakthrough, 3 + 3 * seed, seed, rows=rows, columns=7)
        weights = breakthrough_weights(table)
        kinds.update(set(weights.values()))
        check(table, weights)
    assert set(kinds) == {0.0, 1.0, 2, 5}


@needs_draws
def test_both_boards_of_breakthrough_have_the_same_weights():
    rows = "......./..b..../.w.bb../..ww.../......./w....../bb....."
    for side in "wb":
        tables = [
            Table(breakthrough, "/".join(["......."] * more) + f"/{rows[: -len('/bb.....')]}/....... {side}", **shape)
            for more, shape in ((1, {"rows": 8, "columns": 7}), (3, {"rows": 10, "columns": 7}))
        ]
        for table in tables:
            check(table, breakthrough_weights(table))


def other(text):
    """The side that is not to move."""
    return {"d": "l", "l": "d"}[text.split()[1]]


def cannon_weights(table):
    text = table.text()
    if int(text.split()[2]) < 2:
        return dict.fromkeys(table.names(), 1)
    town = name_of(next(square for square, mark in pieces_of(text).items() if mark == other(text).upper()))
    weights = {}
    for name in table.names():
        if name.partition("x")[2] == town:
            weights[name] = 10**6
        elif "x" not in name and attacks(text, name):
            weights[name] = 10**3
        else:
            weights[name] = 4 if name[0] == "x" else 1 if "x" in name else 0
    decisive = most_urgent(weights)
    if decisive is not weights or any(weights.values()):
        return decisive
    return dict.fromkeys(weights, 1)


@needs_draws
@pytest.mark.parametrize("mate", [False, True])
def test_cannon(mate):
    kinds = Counter()
    for seed in range(30):
        table = wander(cannon, 5 * seed, seed, mate=mate)
        weights = cannon_weights(table)
        town_taken = [name for name, weight in weights.items() if weight and name.endswith(("10", "1")) and "x" in name]
        if len(town_taken) > 1:  # one of the moves that take it will do
            continue
        kinds["attacks" if 0.0 in weights.values() and 1.0 in weights.values() else "others"] += 1
        kinds["shots"] += 4 in weights.values()
        check(table, weights)
    assert min(kinds["attacks"], kinds["others"], kinds["shots"]) > 0


def hops_weights(table, piece):
    """The moves of one piece, by name."""
    pieces, side = table.text(), table.text().split()[1]
    goal = goal_cells(side)
    names = [name for name in table.names() if name.startswith(piece + "-")]
    hops = {name: fewest_hops(pieces, *name.split("-")) for name in names}
    into = [name for name in names if piece not in goal and name.split("-")[1] in goal]
    return {name: max(1, hops[name]) for name in into} or {name: 1 + hops[name] for name in names}


@needs_draws
@pytest.mark.parametrize("forward", [False, True])
def test_chinese_checkers(forward):
    entered = hopped = 0
    for seed in range(14):
        table = wander(chinese_checkers, 14 * seed, seed, stay=forward, forward=forward, plies=400)
        player = int(table.state.plies) % 2
        cells = [chinese_checkers.cell_name(int(cell)) for cell in table.state.pieces[player]]
        weights = Counter()
        for k in range(6):
            ways = next(ways for n in range(6) if (ways := hops_weights(table, cells[(k + n) % 6])))
            hopped = max(hopped, *ways.values())
            for name, weight in ways.items():
                weights[name] += weight / sum(ways.values())
            entered += len(ways) < len([name for name in table.names() if name.startswith(next(iter(ways))[:3])])
        check(table, weights, least=20)
    assert hopped > 3
    assert entered


@needs_draws
@pytest.mark.parametrize(("board", "swap"), [("half", False), ("hexagon", True)])
def test_pentalath(board, swap):
    around, names = neighbours(board), places(board)
    for plies in (0, 1, 2, 30, 60, 75, 90):
        table = wander(pentalath, plies, plies, board=board, swap=swap)
        stone = next((name for name in names if name not in table.names()), "")
        weights = {name: 1 + (len(around[names[name.replace("swap", stone)]]) > 4) for name in table.names()}
        assert ("swap" in weights) == (swap and plies == 1)
        check(table, weights)
        assert fits(drawn(table, "heuristic", 40 * 2 * len(weights)), weights) > LIKELY


@needs_draws
@pytest.mark.parametrize("size", [6, 8])
def test_amazons(size):
    """A queen, the next one in the order of squares where she cannot move, then any of her moves."""
    for seed, plies in enumerate((0, 8, 14, 17, 20) if size == 6 else (30, 36, 42)):
        table = wander(amazons, plies, seed, size=size)
        moves = Counter(name.split("-")[0] for name in table.names())
        mover = int(table.ask("mover"))
        queens = ["abcdefgh"[queen % 16] + str(queen // 16 + 1) for queen in table.state.queens[4 * mover :][:4]]
        chances = Counter()
        for k in range(4):
            chances[next(queens[(k + n) % 4] for n in range(4) if moves[queens[(k + n) % 4]])] += 0.25
        weights = {name: chances[name.split("-")[0]] / moves[name.split("-")[0]] for name in table.names()}
        if sum(chances.values()) / min(weights.values()) < 3000:
            check(table, weights, least=20)
        check_halves(table, size, weights)


def check_halves(table, size, weights):
    """With two plies a move the queen's steps are as likely as all her moves that begin with them."""
    halves = Table(amazons, table.text(), size=size, plies=2)
    steps = Counter()
    for name, weight in weights.items():
        steps[name.split("/")[0]] += weight
    assert fits(drawn(halves, "published_heuristic", int(10 / min(steps.values()))), steps) > LIKELY


def listed(table, seed=1):
    """The moves and weights of ``published_moves`` by name, compiled and as plain Python."""
    rng, codes, weights = generator(seed), np.zeros(table.capacity(), np.int64), np.zeros(table.capacity())
    with np.errstate(over="ignore"):
        count = table.ask("published_moves", rng, codes, weights)
    plain = dict(zip(codes[:count].tolist(), weights[:count].tolist(), strict=True))
    assert len(plain) == count
    kernel = binding_of(table.module, table.module.PLAYERS, 0).kernel("published_moves")
    again, codes[:], weights[:] = generator(seed), 0, 0
    arrays = (table.rules_array, table.state_array, again, codes, weights)
    assert kernel(*(array.ctypes.data for array in arrays)) == count
    assert dict(zip(codes[:count].tolist(), weights[:count].tolist(), strict=True)) == plain
    assert again[0] == rng[0]
    return {table.ask("move_name", move): weight for move, weight in plain.items()}


@pytest.mark.parametrize("rows", [8, 9])
def test_breakthrough_lists_what_it_draws_from(rows):
    for seed in range(25):
        table = wander(breakthrough, 3 + 3 * seed, seed, rows=rows, columns=7)
        assert listed(table) == {name: weight for name, weight in breakthrough_weights(table).items() if weight}


def test_pentalath_lists_what_it_draws_from():
    around, names = neighbours("hexagon"), places("hexagon")
    for plies in (0, 1, 2, 30, 60):
        table = wander(pentalath, plies, plies, board="hexagon", swap=True)
        stone = next((name for name in names if name not in table.names()), "")
        weights = {name: 1 + (len(around[names[name.replace("swap", stone)]]) > 4) for name in table.names()}
        assert listed(table) == weights


def test_amazons_lists_the_moves_of_a_random_queen():
    for seed, plies in enumerate((0, 8, 14, 17, 20)):
        table = wander(amazons, plies, seed, size=6)
        halves = Table(amazons, table.text(), size=6, plies=2)
        queens = set()
        for draw in range(20):
            moves = listed(table, draw)
            (queen,) = {name.split("-")[0] for name in moves}
            assert moves == {name: 1.0 for name in table.names() if name.startswith(f"{queen}-")}
            assert listed(halves, draw) == Counter(name.split("/")[0] for name in moves)
            queens.add(queen)
        assert queens == {name.split("-")[0] for name in table.names()}


def test_mast_over_the_list_differs_from_mast_and_from_the_list():
    state = ramify.load("breakthrough(rows=6, columns=5)").initial()
    published = "heuristic(as_published=true)"
    playouts = (f"mast(over={published})", "mast", published, f"mast(over={published}, epsilon=0)")
    found = [ramify.search(state, f"mcts(playout={one})", simulations=300, seed=1) for one in playouts]
    assert len({tuple(child.visits for child in one.children) for one in found}) == len(playouts)


@pytest.mark.parametrize(
    ("game", "playout", "words"),
    [
        ("breakthrough", "mast(over=mast)", "'over' must be uniform or heuristic(as_published=true), not mast"),
        ("breakthrough", "mast(over=heuristic)", "'over' must be uniform or heuristic(as_published=true), not heur"),
        ("breakthrough", "mast(over=heuristic(as_published=true), temperature=1)", "use 'epsilon' instead of 'temp"),
        ("breakthrough", "decisive(then=mast(over=heuristic(as_published=true)))", "no other playout can contain it"),
        ("cannon", "mast(over=heuristic(as_published=true))", " has no published_moves, which mast(over="),
        ("connect4", "mast(over=heuristic(as_published=true))", "needs: use over=uniform"),
        ("breakthrough", "mast(learn=bonus)", "'learn' must be result or reward, not 'bonus'"),
        ("breakthrough", "ngram(learn=bonus)", "'learn' must be result or reward, not 'bonus'"),
    ],
)
def test_what_mast_does_not_accept(game, playout, words):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(ramify.load(game).initial(), f"mcts(playout={playout})", simulations=5)
    assert words in str(caught.value)


def test_searches_use_them():
    state = ramify.load("breakthrough(rows=6, columns=5)").initial()
    agents = ("mcts(playout=heuristic(as_published=true))", "mcts(playout=heuristic)")
    published, decisive = (ramify.search(state, agent, simulations=300, seed=1) for agent in agents)
    assert [child.visits for child in published.children] != [child.visits for child in decisive.children]
    traced = ramify.search(state, "mcts(playout=heuristic(as_published=true, limit=4), select=rave)", simulations=50)
    assert traced.cut > 0
    with pytest.raises(ramify.RamifyError, match=r"go.* has no published playouts, .*: use playout=heuristic"):
        ramify.search(ramify.load("go(size=5)").initial(), agents[0], simulations=10)


def test_an_illegal_move_is_found(tmp_path):
    path = tmp_path / "slip.py"
    text = (toys.FOLDER / "three_heaps.py").read_text()
    path.write_text(text + "\n\ndef published_heuristic(rules, state, rng):\n    return 987654\n")
    assert any(finding.rule == "published_heuristic-illegal" for finding in check_game(str(path), plays=2).findings)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("moves[0] = 987654\n    weights[0] = 1.0\n    return 1", "published_moves-illegal"),
        ("count = legal(rules, state, moves)\n    weights[:count] = 0.0\n    return count", "published_moves"),
        ("return legal(rules, state, moves)", "published_moves"),
    ],
)
def test_a_wrong_list_is_found(tmp_path, body, rule):
    path = tmp_path / "slip.py"
    text = (toys.FOLDER / "three_heaps.py").read_text()
    path.write_text(f"{text}\n\ndef published_moves(rules, state, rng, moves, weights):\n    {body}\n")
    assert any(finding.rule == rule for finding in check_game(str(path), plays=2).findings)


def test_plain_and_compiled_draws_agree():
    table = wander(cannon, 60, 1, mate=True)
    rng = generator(1)
    with np.errstate(over="ignore"):
        plain = Counter(table.ask("move_name", table.ask("published_heuristic", rng)) for _ in range(30))
    assert plain == drawn(table, "published_heuristic", 30)

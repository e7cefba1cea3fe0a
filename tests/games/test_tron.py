from collections import Counter, deque
from copy import deepcopy
from itertools import product
from random import Random

import numpy as np
import pytest

import ramify
from ramify.core.numbers.rng import generator
from ramify.core.search.tree import SIMULTANEOUS
from ramify.games.tron import tron
from ramify.games.tron.territory import MAX_CELLS, cell_of, territory
from tests.games.driving import Playouts, Table
from tests.games.joint_driving import random_game, reachable

FAR = 1000
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


class Naive:
    """The rules once more, with sets of cells."""

    def __init__(self, rows, columns, walls, starts):
        self.free = {(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)} - walls - set(starts)
        self.riders = list(starts)

    def beside(self, at):
        return {name: (at[0] + down, at[1] + right) for name, (down, right) in STEPS.items()}

    def moves(self, player):
        return {name for name, cell in self.beside(self.riders[player]).items() if cell in self.free}

    def play(self, names):
        self.riders = [self.beside(at)[name] for at, name in zip(self.riders, names, strict=True)]
        self.free -= set(self.riders)

    def over(self):
        return self.riders[0] == self.riders[1] or not self.moves(0) or not self.moves(1)

    def scores(self):
        if self.riders[0] == self.riders[1] or not (self.moves(0) or self.moves(1)):
            return [0.5, 0.5]
        return [1.0, 0.0] if self.moves(0) else [0.0, 1.0]

    def distances(self, start, rival):
        found = {start: 0}
        waiting = deque([start])
        while waiting:
            at = waiting.popleft()
            for cell in self.beside(at).values():
                if cell in self.free and cell not in found and cell != rival:
                    found[cell] = found[at] + 1
                    waiting.append(cell)
        return found


MAPS = [
    (1, 5, ""),
    (20, 20, ""),
    (7, 9, ""),
    (50, 50, ""),
    (4, 6, "a..#../.##.../...#../#....b"),
    (3, 3, "ab./.../..."),
]


def naive_of(rows, columns, text):
    lines = text.split("/") if text else tron.empty_map(rows, columns)
    at = {(r, c): mark for r, line in enumerate(lines, 1) for c, mark in enumerate(line, 1)}
    starts = [next(cell for cell, mark in at.items() if mark == rider) for rider in "ab"]
    return Naive(rows, columns, {cell for cell, mark in at.items() if mark == "#"}, starts)


@pytest.mark.parametrize(("rows", "columns", "text"), MAPS)
def test_random_games_beside_naive_rules(rows, columns, text):
    random = Random(rows)
    game = ramify.load(f'tron(rows={rows}, columns={columns}, map="{text}")')
    results = Counter()
    for _ in range(12):
        state, naive = game.initial(), naive_of(rows, columns, text)
        while not naive.over():
            assert not state.over
            assert state.to_move == SIMULTANEOUS
            moves = [{move.name for move in state.moves(player)} for player in range(2)]
            assert moves == [naive.moves(0), naive.moves(1)]
            names = [random.choice(sorted(own)) for own in moves]
            state = state.play(names)
            naive.play(names)
        assert state.over
        assert state.scores() == naive.scores()
        results[tuple(state.scores())] += 1
    assert len(results) > 1 or rows == 1


def test_starts_are_symmetric_and_four_moves_are_legal():
    state = ramify.load("tron").initial()
    lines = state.text().split()[0].split("/")
    assert [line[::-1] for line in lines[::-1]] == [line.translate(str.maketrans("AB", "BA")) for line in lines]
    assert {move.name for move in state.moves(0)} == set(STEPS)


def test_both_in_one_cell_is_a_draw():
    state = ramify.load('tron(rows=1, columns=3, map="a.b")').initial().play("e+w")
    assert state.over
    assert state.scores() == [0.5, 0.5]
    assert str(state) == "#####\n#aXb#\n#####"


def test_who_is_shut_in_loses_and_both_draw():
    one = ramify.load('tron(rows=1, columns=6, map="a.#..b")').initial().play("e+w")
    assert (one.over, one.scores()) == (True, [0.0, 1.0])
    both = ramify.load('tron(rows=1, columns=4, map="a..b")').initial().play("e+w")
    assert (both.over, both.scores()) == (True, [0.5, 0.5])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tron(rows=0)", "invalid board of 0 x 20 for tron: use 1 to 50"),
        ("tron(rows=51)", "1 to 50 rows"),
        ('tron(map="a.b")', "1 rows of 3 cells do not fit rows=20, columns=20"),
        ('tron(rows=2, columns=3, map="a.b/..")', "2 rows of 2/3 cells"),
        ('tron(rows=1, columns=3, map="a..")', "one a and one b"),
        ('tron(rows=1, columns=3, map="ax b")', "one a and one b"),
        ('tron(rows=1, columns=3, map="a#b")', "cannot move"),
        ("tron(rows=1, columns=1)", "one a and one b"),
    ],
)
def test_maps_that_are_none(call, message):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.load(call)
    assert message in str(caught.value)


def test_texts_are_read_and_others_refused():
    game = ramify.load("tron(rows=4, columns=5)")
    state = game.initial().play("e+s").play("e+w")
    assert state.text() == "...../.aaA./...b./..Bb. e w"
    assert game.position(state.text()) == state
    for text in (
        "...../.aaA./...b./..Bb. e e",
        "...../.aaA./...b./..Bb. - -",
        "...../.aaA./...b./..B.. e w",
        "...../a.aA./...b./..Bb. e w",
        "a..../..aA./...b./..Bb. e w",
        "#..../.aaA./...b./..Bb. e w",
        "...../.aaA./...b./...b. e w",
        "...../.aaA./...b./..Bb.",
        "",
    ):
        with pytest.raises(ramify.RamifyError, match="is not a position of tron"):
            game.position(text)


def test_every_reachable_position_of_a_small_map_comes_back():
    game = ramify.load('tron(rows=3, columns=3, map="a../.../..b")')
    states = reachable(game)
    assert len(states) > 30
    for state in states:
        assert ramify.State(game, game.position(state.text()).data) == state


def drawn(table, player, count):
    rng = generator(5)
    with np.errstate(over="ignore"):
        return Counter(tron.NAMES[table.ask("heuristic_of", player, rng)] for _ in range(count))


def close(counts, expected, total):
    for name, share in expected.items():
        assert abs(counts[name] / total - share) < 5 * (share * (1 - share) / total) ** 0.5 + 1e-9, (counts, expected)
    assert set(counts) <= set(expected)


def after(text, ply):
    """A map after a ply."""
    lines = text.split("/")
    table = Table(tron, rows=len(lines), columns=len(lines[0]), map=text)
    table.ask("play_joint", [tron.NAMES.index(name) for name in ply])
    return table


def test_the_heuristic_goes_straight_ahead_68_times_in_100():
    table = after("......./..a..../......./...b.../.......", "ee")
    close(drawn(table, 0, 4000), {"e": 0.68, "n": 0.16, "s": 0.16}, 4000)


def test_the_heuristic_keeps_out_of_dead_ends():
    """East is a hole of one cell, south a wall, west the own trail."""
    table = after("..##./a..#./###../....b", "en")
    assert tron.free(table.state, 0) == 0b0011
    assert set(drawn(table, 0, 200)) == {"n"}


def test_of_dead_ends_alone_any_legal_one_is_drawn():
    table = after("#.##./a..#./###../....b", "en")
    close(drawn(table, 0, 4000), {"e": 68 / 84, "n": 16 / 84}, 4000)


def test_without_a_direction_all_good_moves_are_as_likely():
    close(drawn(Table(tron), 0, 4000), dict.fromkeys("nesw", 0.25), 4000)


def reckless_results(naive, headings):
    """The probability of each result, and the mean number of plies, of reckless play: cell by cell."""
    if naive.over():
        return Counter({tuple(naive.scores()): 1.0}), 0.0
    results, plies = Counter(), 1.0
    directions = [
        [name for name in "nesw" if name != {"n": "s", "s": "n", "e": "w", "w": "e"}.get(h)] for h in headings
    ]
    chance = 1 / (len(directions[0]) * len(directions[1]))
    for names in product(*directions):
        crashed = [name not in naive.moves(player) for player, name in enumerate(names)]
        if any(crashed):
            results[tuple([0.5, 0.5] if all(crashed) else [float(not one) for one in crashed])] += chance
            continue
        after = deepcopy(naive)
        after.play(names)
        later, more = reckless_results(after, names)
        plies += chance * more
        for result, share in later.items():
            results[result] += chance * share
    return results, plies


@pytest.mark.parametrize("text", ["a../..b", "#a..#/..b..", "a...b"])
def test_reckless_riders_run_into_walls(text):
    lines = text.split("/")
    table = Table(tron, rows=len(lines), columns=len(lines[0]), map=text)
    expected, plies = reckless_results(naive_of(len(lines), len(lines[0]), text), "--")
    playouts = Playouts(table, "reckless_playout", seed=3)
    results, lengths, count = Counter(), [], 8000
    for _ in range(count):
        lengths.append(playouts())
        assert playouts.table.ask("over")
        results[tuple(playouts.table.scores())] += 1
    close(results, expected, count)
    assert abs(np.mean(lengths) - plies) < 5 * np.std(lengths) / count**0.5 + 1e-9


def test_reckless_playouts_are_much_shorter_than_uniform_ones():
    """A third of the directions beside a wall lead into it, so games end early, and few by a rider shut in."""
    means = []
    for kernel in ("reckless_playout", "uniform_playout"):
        playouts = Playouts(Table(tron), kernel)
        means.append(np.mean([playouts() for _ in range(2000)]))
    assert means[0] < 0.7 * means[1], means


def naive_good(state, player):
    """Legal moves, and those from which there is a way on, cell by cell."""
    lines = state.text().split()[0].split("/")
    free = {(r, c) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark == "."}
    at = next((r, c) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark in ("AB"[player], "X"))
    cells = {name: (at[0] + down, at[1] + right) for name, (down, right) in STEPS.items()}
    legal = {name for name, cell in cells.items() if cell in free}
    good = {
        name
        for name in legal
        if any((cells[name][0] + down, cells[name][1] + right) in free for down, right in STEPS.values())
    }
    return legal, good


@pytest.mark.parametrize(
    "game", ["tron(rows=6, columns=5)", 'tron(rows=4, columns=6, map="a..#../.##.../...#../#....b")']
)
def test_moves_with_a_way_on_beside_naive_ones(game):
    module_game = ramify.load(game)
    seen = Counter()
    for seed in range(30):
        for state in random_game(module_game.initial(), seed):
            table = Table(tron, **module_game.parameters)
            table.state_array[:] = state.data
            for player in range(0 if state.over else 2):
                mask = tron.free_beyond(table.state, player)
                legal, good = naive_good(state, player)
                assert {name for k, name in enumerate("nesw") if mask >> 4 >> k & 1} == legal
                assert {name for k, name in enumerate("nesw") if mask >> k & 1} == good
                seen[len(legal) - len(good)] += 1
    assert len(seen) > 1


def test_territory_beside_distances_by_hand():
    game = ramify.load("tron(rows=8, columns=8)")
    for seed in range(8):
        for state in random_game(game.initial(), seed):
            lines = state.text().split()[0].split("/")
            taken = {(r, c) for r, line in enumerate(lines, 1) for c, mark in enumerate(line, 1) if mark != "."}
            naive = Naive(8, 8, taken, [])
            data = state.data[0]
            riders = [(int(data["row"][k]), int(data["column"][k])) for k in range(2)]
            if riders[0] == riders[1]:
                continue
            first, second = naive.distances(riders[0], riders[1]), naive.distances(riders[1], riders[0])
            cells = (set(first) | set(second)) - set(riders)
            late = seed % 2
            lead = sum(np.sign(second.get(cell, FAR) - late - first.get(cell, FAR)) for cell in cells)
            found = territory(
                data["taken"],
                cell_of(*riders[0]),
                cell_of(*riders[1]),
                late,
                np.empty((2, MAX_CELLS), np.int64),
                np.empty(MAX_CELLS, np.int64),
            )
            assert found == (lead, len(cells))


def test_the_script_takes_the_larger_room():
    game = ramify.load('tron(rows=2, columns=7, map=".a...../######b")')
    chosen = {game.scripted(game.initial().data, 0, seed) for seed in range(10)}
    assert chosen == {tron.NAMES.index("e")}


def test_the_script_beats_random_riders():
    game = ramify.load("tron(rows=10, columns=10)")
    won = 0.0
    for seed in range(20):
        state, random = game.initial(), Random(seed)
        while not state.over:
            codes = [game.scripted(state.data, 0, seed), random.choice(state.moves(1)).code]
            state = ramify.State(game, game.play_joint(state.data, codes))
        won += state.scores()[0]
    assert won >= 18

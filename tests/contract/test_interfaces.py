"""The parts of a game: rules without kernels, and kernels by what a playout must do."""

import pytest

import ramify
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, CallTimeout
from ramify.contract.checking.probes.generic_probe import GenericProbe
from ramify.contract.game import Game
from ramify.contract.interfaces.game_kernels import GameKernels
from ramify.contract.interfaces.game_rules import GameRules
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.contract.move_classes import table_classes
from tests.games.python_classes import Noughts, game_of
from tests.processes import ROOT


class Countdown(GameRules):
    """Take one or two from ``data``; who takes the last one wins. It has no kernels."""

    name, players, max_children = "countdown", 2, 2

    def start(self):
        return (5, 0)

    def mover(self, data):
        return data[1]

    def legal(self, data):
        return [code for code in (1, 2) if code <= data[0]]

    def legal_of(self, data, player):
        raise NotImplementedError

    def chance_outcomes(self, data):
        return []

    def play(self, data, code):
        return (data[0] - code, 1 - data[1])

    def play_joint(self, data, codes):
        raise NotImplementedError

    def over(self, data):
        return data[0] == 0

    def scores(self, data):
        return [float(data[1] == 1), float(data[1] == 0)]

    def draw(self, data):
        return f"{data[0]} left"

    def move_name(self, data, code):
        return f"take{code}"

    def key(self, data):
        return data

    def move_classes(self):
        return 3


def test_rules_need_no_kernels():
    rules = Countdown()
    book = GenericProbe(rules, CallTimeout(CALL_TIMEOUT))
    data = book.start()
    while not book.over(data):
        data = book.play(data, book.legal(data)[0])
    assert book.scores(data) == (1.0, 0.0)  # five times one
    assert table_classes(rules) == 3
    assert rules.one_line(rules.start()) == "5 left"


def test_a_game_needs_both():
    missing = type("OnlyRules", (Countdown, Game), {})
    with pytest.raises(TypeError, match="abstract methods from_address, playout, table, to_address"):
        missing()


def test_rules_and_kernels_share_nothing():
    def own(interface):
        return {name for name in {*vars(interface), *interface.__annotations__} if not name.startswith("_")}

    assert own(GameRules) & own(GameKernels) == set()
    assert own(Game) & (own(GameRules) | own(GameKernels)) == set()


# Which kernel plays out.


@pytest.mark.parametrize(
    ("game", "spec", "kernel"),
    [
        ("hex", PlayoutSpec(), "uniform_playout"),
        ("hex", PlayoutSpec(limited=True), "plain_playout"),  # its own playout knows no limit
        ("hex", PlayoutSpec(exact_length=True), "exact_length_playout"),
        ("hex", PlayoutSpec(limited=True, exact_length=True), "plain_playout"),
        ("hex", PlayoutSpec(traced=True), "traced_plain_playout"),
        ("hex", PlayoutSpec(traced=True, limited=True, exact_length=True), "traced_plain_playout"),
        ("connect4", PlayoutSpec(exact_length=True), "uniform_playout"),  # its own counts exactly
        ("tictactoe", PlayoutSpec(limited=True), "uniform_playout"),  # it has no own
        ("breakthrough", PlayoutSpec("heuristic"), "heuristic_playout"),
        ("breakthrough", PlayoutSpec("heuristic", traced=True), "traced_heuristic_playout"),
        ("breakthrough", PlayoutSpec("heuristic", limited=True), "heuristic_playout"),
        ("amazons", PlayoutSpec("published_heuristic"), "published_heuristic_playout"),
        ("tron", PlayoutSpec("reckless"), "reckless_playout"),
        ("amazons", PlayoutSpec("published_heuristic", traced=True), "traced_published_heuristic_playout"),
    ],
)
def test_the_kernel_of_a_compiled_game(game, spec, kernel, monkeypatch):
    loaded = ramify.load(game)
    monkeypatch.setattr(loaded.binding, "kernel", lambda name: name)
    assert loaded.playout(spec) == kernel


def test_a_playout_is_uniform_and_the_fastest_unless_specified(monkeypatch):
    loaded = ramify.load("hex")
    monkeypatch.setattr(loaded.binding, "kernel", lambda name: name)
    assert loaded.playout() == loaded.playout(PlayoutSpec()) == "uniform_playout"


@pytest.mark.parametrize("make", [lambda: game_of(Noughts), lambda: ramify.load(f"gdl:{ROOT}/examples/gdl/nim.kif")])
def test_other_games_have_two_playouts(make):
    game = make()
    plain = game.playout()
    assert game.playout(PlayoutSpec("heuristic", limited=True, exact_length=True)) is plain
    traced = game.playout(PlayoutSpec(traced=True))
    assert traced is not plain
    assert game.playout(PlayoutSpec("published_heuristic", traced=True, limited=True)) is traced

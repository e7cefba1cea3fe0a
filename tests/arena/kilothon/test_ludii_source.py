"""Ludii as a source of Kilothon: its games and categories, chance, and the pie rule, which is scored by agent."""

import json
from dataclasses import replace
from time import perf_counter

import pytest

import ramify
from ramify.arena.kilothon import contest_game, sources
from ramify.arena.kilothon import kilothon_plan as plan
from ramify.arena.kilothon.contest_game import ContestGame, SeatedRandom, load_all, play
from ramify.arena.kilothon.kilothon_plan import games_chosen, plan_kilothon
from ramify.arena.kilothon.result import KilothonStanding
from ramify.arena.kilothon.rows import KilothonSpec
from ramify.arena.kilothon.sources import ludii
from ramify.bridges.ludii.catalogue import GameFacts
from ramify.bridges.ludii.game import LudiiGame
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.players.endings import FINISHED, LIMIT
from tests.bridges.with_ludii import needs_jar

HEX = 'ludii:Hex("Board Size/3x3")'
DICE = "ludii:20 Squares"
SPEC = KilothonSpec(1, HEX, "space", "uct", "kilothon_uct", 0, 12.0, 7)
FACTS = [
    GameFacts("Tablut", "hunt", 2, (), 9),
    GameFacts("Nim", "math", 2, (), 9),
    GameFacts("Ludo", "race", 4, ("chance",), 1),
    GameFacts("Geister", "war", 2, ("hidden",), 0),
    GameFacts("Broken", "war", 2, (), 0, "it fails"),
]


@pytest.fixture
def known(monkeypatch):
    """A catalogue, without Java."""
    folders = {f"ludii:{one.name}": one.category for one in FACTS}
    monkeypatch.setattr(ludii, "load_facts", lambda: FACTS)
    monkeypatch.setattr(ludii.ludii, "category", folders.get)


def test_suitable_games_have_a_category_of_the_contest(known):
    assert sources.games_of(["ludii"]) == {"ludii:Tablut": "hunt", "ludii:Nim": "other", "ludii:Ludo": "race"}


def test_no_game_is_loaded_for_its_players(known, monkeypatch):
    monkeypatch.setattr(plan, "load", lambda name: pytest.fail(f"{name} was loaded"))
    made = plan_kilothon(["uct"], sources=["ludii"], games=["ludii:Ludo"])
    assert made.games == (("ludii:Ludo", "race", 4),)


def test_a_sample_is_drawn_by_the_seed():
    drawn = [list(games_chosen(["native"], sample=5, seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 5
    assert set(drawn[0]) < set(games_chosen(["native"], sample=6, seed=1)) < set(games_chosen(["native"]))
    assert set(games_chosen(["native", "gdl"], ["gdl:*"], 3, 1)) < set(games_chosen(["gdl"]))


@pytest.mark.parametrize("sample", [0, -1, 4])
def test_samples_that_cannot_be_drawn(known, sample):
    with pytest.raises(RamifyError, match=f"invalid sample of {sample} games: use 1 to 3"):
        games_chosen(["ludii"], sample=sample, seed=1)
    with pytest.raises(RamifyError, match="--sample needs --seed"):
        games_chosen(["ludii"], sample=1)


class Swapping(SeatedRandom):
    """Takes the other colour as soon as it can."""

    def chosen(self, state, ply):
        codes = {move.name: move.code for move in state.moves()}
        return (codes["swap"], 0) if "swap" in codes else super().chosen(state, ply)


class Central(SeatedRandom):
    """Begins in the middle of the board, where whoever has it wins."""

    def chosen(self, state, ply):
        codes = {move.name: move.code for move in state.moves()}
        return (codes["B2+Marker1"], 0) if ply == 0 else super().chosen(state, ply)


def seated(sides, seed=7):
    """A game of Hex with the pie rule, where others sit in some of the seats."""
    load_all(SPEC)
    table = ContestGame(replace(SPEC, seed=seed), contest_game._game(HEX), perf_counter)
    for number, make in sides.items():
        seat = table.seats[number]
        table.sides[number] = make(seat.limits, seat.seed, lambda: 0.0)
    return table


@needs_jar
def test_a_swapped_challenger_is_scored_as_the_agent_it_is():
    winners = set()
    for seed in range(8):
        row = seated({0: Swapping, 1: Swapping}, seed).play()
        assert (row.ended, row.moves[1], row.swapped) == (FINISHED, "swap", 1)
        winner = (len(row.moves) - 1) % 2  # agents take turns, the swap being one, and whoever ends Hex has won
        winners.add(winner)
        assert row.payoff == (-1.0 if winner else 1.0), row.moves
        assert KilothonStanding("uct", [row]).payoff.estimate == row.payoff
        assert KilothonStanding("uct", [row], published_sign=True).payoff.estimate == -row.payoff
    assert winners == {0, 1}


@needs_jar
def test_the_stock_opponent_swaps_and_wins():
    row = seated({0: Central}).play()
    assert (row.moves[1], row.swapped, row.payoff) == ("swap", 1, -1.0)
    assert row.simulations[1] > 100


@needs_jar
def test_a_change_of_colours_that_is_no_pie_rule_is_seen():
    """In Unlur whoever passes first has the other colour than who placed last; no move is called a swap."""
    game = ramify.load("ludii:Unlur")
    state = game.initial()
    assert [game.swapped(state.play("pass").data, seat) for seat in (0, 1)] == [True, True]
    after = state.play(state.moves()[0])
    assert [game.swapped(after.play("pass").data, seat) for seat in (0, 1)] == [False, False]


@needs_jar
@pytest.mark.parametrize("chance", ["open_loop", "explicit"])
def test_games_of_chance(chance):
    row = play(replace(SPEC, game=DICE, agent=f"mcts(chance={chance}, playout=uniform(limit=50))", minute=0.3))
    assert row.ended in (FINISHED, LIMIT), row.faults
    assert min(row.simulations) > 0
    assert any(move.startswith("sample") for move in row.moves)
    assert row.swapped == 0


@needs_jar
def test_java_is_warm_before_the_clock_runs(monkeypatch):
    warmed = []
    monkeypatch.setattr(LudiiGame, "warm", lambda game: warmed.append(game.name))
    contest_game._game.cache_clear()
    load_all(replace(SPEC, game=DICE))
    load_all(replace(SPEC, game=DICE, agent="mcts"))
    assert warmed == [DICE]
    monkeypatch.undo()
    contest_game._game.cache_clear()


@needs_jar
@pytest.mark.parametrize("name", [DICE, HEX])
def test_warming_plays_out(monkeypatch, name):
    game = ramify.load(name)
    played = []
    playout = game.rules.playout
    monkeypatch.setattr(game.rules, "playout", lambda *given: played.append(playout(*given)))
    game.warm(seconds=0.2)
    assert len(set(played)) > 1  # of several lengths
    count = len(played)
    game.warm()
    assert len(played) == count


@needs_jar
def test_who_has_chance():
    assert ramify.load(DICE).has_chance
    assert not ramify.load(HEX).has_chance
    halving = ramify.agent("mcts(chance=open_loop, allocation=shot)")
    halving.check(ramify.load(HEX))
    with pytest.raises(RamifyError, match="in ludii:20 Squares, which has chance"):
        halving.check(ramify.load(DICE))


@needs_jar
def test_a_contest_of_a_sample(capsys):
    words = ["kilothon", "--agent", "uct", "--sources", "ludii", "--game", "ludii:Tic-Tac-*", "--workers", "0"]
    app([*words, "--sample", "1", "--seed", "1", "--game-seconds", "0.5", "--json"], standalone_mode=False)
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["played"], data["troubles"]) == (1, 1, [])
    assert list(data["agents"][0]["categories"]) == ["space"]

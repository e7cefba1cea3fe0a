"""Networks of GDL games, against the interpreter and by hand."""

import io
import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

from ramify.agents.checking.perft import perft
from ramify.agents.search.search import search
from ramify.bridges import gdl
from ramify.contract.load import load
from ramify.core.kernels import checked_files
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.ggp import grounding, propnet_cache
from ramify.ggp.clingo import magic_sets
from ramify.ggp.clingo.clause_splitting import split
from ramify.ggp.grounding import GroundingLimits, TooLargeError, ground
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.propnet import evaluator
from ramify.ggp.propnet.propnet import Propnet, build_propnet
from ramify.ggp.propnet_cache import build, load_or_build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.relevant_rules import prepare
from ramify.ggp.rules import Rulesheet
from tests.ggp.toys import SUMS, TOYS
from tests.oracle.gdl_lockstep import lockstep


def rules(name: str) -> Rulesheet:
    return Rulesheet.from_text(TOYS[name], name)


@pytest.fixture(scope="module")
def games():
    return {name: PropnetGame(f"gdl:{name}", build(rules(name)).propnet) for name in TOYS}


@pytest.mark.parametrize("name", TOYS)
def test_propnet_and_interpreter_agree(games, name):
    assert lockstep(games[name], Interpreter(rules(name)), 150, seed=3) > 10


@pytest.mark.parametrize("name", TOYS)
def test_moves_made_by_events_do_the_same(games, name, monkeypatch):
    monkeypatch.setattr(evaluator, "MAX_PROGRAM_STEPS", -1)
    game = PropnetGame(f"gdl:{name}", games[name].propnet)
    assert len(game.wiring.dependencies.inputs) == 0 < len(games[name].wiring.dependencies.places)
    assert lockstep(game, Interpreter(rules(name)), 100, seed=4) > 6


def test_circles_are_iterated_to_their_end(games):
    assert games["bridges"].propnet.circle > 1
    state = games["bridges"].initial()
    for move in ("open(b,e)", "open(c,d)", "open(b,c)"):
        assert not state.over
        state = state.play(move)
    assert state.over
    assert state.scores() == [0.0]  # c is not reached from a, though nearly everything else is


def test_turns_are_detected(games):
    heap = games["heap"].initial()
    assert heap.to_move == 0
    assert [str(move) for move in heap.moves()] == ["take(1)", "take(2)", "take(3)"]
    assert heap.play("take(3)").to_move == 1
    assert perft(heap, 3) == [3, 9, 23]  # of 27 ways to take three times, four take more than seven beans
    pennies = games["pennies"].initial()
    assert pennies.to_move == SIMULTANEOUS
    after = pennies.play("show(heads)+show(tails)").play("show(heads)+show(heads)")
    assert after.over
    assert after.scores() == [0.6, 0.4]


def test_chance_waits_for_the_players(games):
    dice = games["dice"].initial()
    assert dice.to_move == 0
    waiting = dice.play("bet(2)")
    assert waiting.to_move == CHANCE
    assert waiting != dice
    assert waiting.chance_outcomes() == [(move, 1 / 3) for move, _ in waiting.chance_outcomes()]
    won = waiting.play("throw(2)")
    assert won.to_move == 0
    assert won.play("double").scores() == [1.0]
    assert waiting.play("throw(1)").play("keep").scores() == [0.3]


def test_split_clauses_mean_the_same():
    whole = prepare(rules("sliders"))
    parts = Rulesheet(whole.name, whole.roles, tuple(split(whole.clauses)))
    assert len(parts.clauses) > len(whole.clauses)
    game = PropnetGame("gdl:sliders", build_propnet(parts, ground(parts)))
    assert lockstep(game, Interpreter(rules("sliders")), 100, seed=1) > 10


@pytest.mark.parametrize("name", ["bridges", "sliders"])
def test_relations_on_demand_mean_the_same(name, monkeypatch):
    monkeypatch.setattr(magic_sets, "MIN_ARITY", 1)
    monkeypatch.setattr(magic_sets, "MIN_STATIC_ARITY", 1)
    whole = prepare(rules(name))
    asked = Rulesheet(whole.name, whole.roles, tuple(split(tuple(magic_sets.on_demand(whole.clauses)))))
    assert len(asked.clauses) > len(whole.clauses)
    game = PropnetGame(f"gdl:{name}", build_propnet(asked, ground(asked)))
    assert lockstep(game, Interpreter(rules(name)), 100, seed=1) > 10


def test_only_what_is_asked_for_is_ground():
    """Sums of many numbers, of which a game asks for those from 0 on: without demands there are too many."""
    whole = prepare(Rulesheet.from_text(SUMS, "sums"))
    asked = Rulesheet(whole.name, whole.roles, tuple(magic_sets.on_demand(whole.clauses)))
    assert len(ground(asked).heads) < 2000 < 20_000 < len(ground(whole).heads)
    game = PropnetGame("gdl:sums", build_propnet(asked, ground(asked)))
    assert lockstep(game, Interpreter(whole), 30, seed=1) > 3


def test_the_grounder_stops_at_its_limits():
    numbers = " ".join(f"(number a{k})" for k in range(300))
    large = f"{SUMS} {numbers} (<= (legal keeper (mix ?a ?b ?c)) (number ?a) (number ?b) (number ?c))"
    for limits in (GroundingLimits(processor_seconds=1), GroundingLimits(megabytes=100)):
        with pytest.raises(TooLargeError, match="too large to ground within"):
            load_or_build(Rulesheet.from_text(large, "x"), replace(limits, rules=1 << 30))


def test_moves_that_change_nothing_are_no_gates(games):
    """All moves but a few leave a square alone: their number does not show in the propnet."""
    made = games["sliders"].propnet
    assert len(made.gates) < 600


def test_what_is_kept_is_what_was_made(tmp_path, monkeypatch):
    monkeypatch.setattr(propnet_cache, "cache_root", lambda: tmp_path)
    first = load_or_build(rules("heap"))
    monkeypatch.setattr(propnet_cache, "build", None)  # what is kept need not be made
    again = load_or_build(rules("heap"))
    assert first.moves == again.moves
    assert first.bases == again.bases
    assert np.array_equal(first.gates, again.gates)
    kept = next((tmp_path / "gdl").iterdir())
    kept.write_bytes(kept.read_bytes()[:100])
    assert Propnet.load(kept) is None


def test_no_damaged_propnet_is_loaded(games, tmp_path):
    kept, other = tmp_path / "kept.propnet", tmp_path / "other.propnet"
    games["heap"].propnet.save(kept)
    games["dice"].propnet.save(other)
    assert Propnet.load(kept).bases == games["heap"].propnet.bases
    whole, chance = kept.read_bytes(), random.Random(1)
    archive = whole[checked_files.CHECKSUM_BYTES :]
    shapes, objects = io.BytesIO(), io.BytesIO()
    with np.load(io.BytesIO(archive)) as found:
        np.savez(shapes, **{**found, "gates": found["gates"].ravel(), "next": found["next"][:1]})
        np.savez(objects, **{**found, "gates": np.array([print, {}], object)})
    damaged = [b"", whole[:-1], whole[:1000], whole + b"\0", archive, other.read_bytes(), pickle.dumps([print])]
    damaged += [shapes.getvalue(), objects.getvalue()]
    for _ in range(300):
        place = chance.randrange(8 * len(whole))
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        damaged.append(bytes(flipped))
    for content in damaged:
        kept.write_bytes(content)
        assert Propnet.load(kept) is None


def test_a_damaged_propnet_is_built_again(tmp_path, monkeypatch):
    monkeypatch.setattr(propnet_cache, "cache_root", lambda: tmp_path)
    first = load_or_build(rules("heap"))
    (kept,) = (tmp_path / "gdl").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])
    assert np.array_equal(load_or_build(rules("heap")).gates, first.gates)
    monkeypatch.setattr(propnet_cache, "build", None)  # what is kept is whole again
    assert np.array_equal(load_or_build(rules("heap")).gates, first.gates)


def test_too_large_rules_are_played_by_the_interpreter(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(propnet_cache, "cache_root", lambda: tmp_path)
    with pytest.raises(TooLargeError, match="too large to ground within"):
        load_or_build(rules("heap"), GroundingLimits(rules=3))
    game = gdl.build_game(rules("heap"), "gdl:heap", GroundingLimits(rules=3))
    assert "using the interpreter" in capsys.readouterr().err
    state = game.initial()
    assert [str(move) for move in state.moves()] == ["take(1)", "take(2)", "take(3)"]
    assert state.play("take(3)").play("take(3)").play("take(1)").scores() == [1.0, 0.0]
    with pytest.raises(TooLargeError, match="too large"):
        load_or_build(rules("heap"), GroundingLimits(seconds=0.01))


def test_without_clingo_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(grounding.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RamifyError, match=r'pip install "ramify\[gdl\]"'):
        ground(rules("heap"))


def test_a_file_is_a_game(tmp_path):
    sheet = tmp_path / "heap.kif"
    sheet.write_text(TOYS["heap"])
    state = load(f"gdl:{sheet}").initial()
    assert len(state.moves()) == 3
    assert "(beans 7)" in str(state)
    with pytest.raises(RamifyError, match="no rulesheet"):
        load("gdl:nowhere.kif")
    sheet.write_text(TOYS["heap"].replace("(init (beans 7))", "(init (beans 2))"))
    assert len(load(f"gdl:{sheet}").initial().moves()) == 2


def test_playouts_make_moves_that_win_at_once(games):
    state = games["heap"].initial().play("take(3)")  # four are left: whatever the mover takes, the other takes the rest
    report = search(state, "mcts(playout=decisive(then=mast), expand_threshold=1000)", simulations=60, seed=1)
    assert [child.value for child in report.children] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("value", ["00501", "101", "high"])
def test_goals_that_are_not_from_0_to_100(value):
    text = (
        f"(role a) (init (value {value})) (legal a m) (<= (next (value ?x)) (true (value ?x))) (next done)"
        " (<= terminal (true done)) (<= (goal a ?x) (true (value ?x))) (goal a 50)"
    )
    sheet = Rulesheet.from_text(text, "x")
    state = PropnetGame("gdl:x", build(sheet).propnet).initial()
    with pytest.raises(RamifyError, match="invalid goal in the rulesheet: use an integer from 0 to 100"):
        state.play("m").scores()
    with pytest.raises(RamifyError, match="invalid goal in the rulesheet: use an integer from 0 to 100"):
        search(state, simulations=10, seed=1)
    interpreter = Interpreter(sheet)
    with pytest.raises(RamifyError, match=f"x: invalid goal {value}: use an integer from 0 to 100"):
        interpreter.goal(interpreter.initial(), "a")

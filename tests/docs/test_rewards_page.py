"""What the page on rewards says is so."""

import re

import pytest

import ramify
from ramify.experiments.papers.pepels_2014 import quality
from ramify.experiments.papers.pepels_2014.cells import CELLS
from ramify.experiments.papers.pepels_2014.players import GAMES, PRINT, WEIGHTED, affine
from ramify.strategies.registry import strategies
from tests.processes import ROOT
from tests.strategies.test_bonuses import WON, Simulations

PAGE = (ROOT / "docs" / "rewards.md").read_text(encoding="utf-8")


def test_the_worked_example():
    for length, worth, other in ((22, "1.116", "-0.116"), (38, "0.884", "0.116")):
        told = Simulations("relative_bonus(k=2, a=0.125)")
        for plies in (24, 30, 36):
            told.fitted[0].block["applies"] = told.fitted[1].block["applies"] = 0  # as in the first 5 %
            told.tell(WON, plies)
        told.fitted[0].block["applies"] = told.fitted[1].block["applies"] = 1
        after = told.tell(WON, length)
        assert [f"{score:.3f}" for score in after] == [worth, other]
        assert f"{worth} and" in PAGE
        assert other in PAGE


def test_every_reward_is_listed():
    listed = set(re.findall(r"^\| `(\w+)", PAGE[: PAGE.index("## ")], re.MULTILINE))
    assert listed == set(strategies("reward"))


def test_defaults():
    for name in ("relative_bonus", "qualitative_bonus"):
        reward = ramify.agent(f"mcts(reward={name})").reward
        assert (reward.k, reward.a, reward.warm_up) == (2.0, 0.125, 0.05)


def test_the_weights_of_two_players_add_up_to_1():
    told = Simulations("relative_bonus(online=true, signed=true)")
    block = told.fitted[0].block
    slopes = []
    for player in (0, 1):
        told.move_on(told.game.initial(), same_game=False)
        for one in told.fitted:
            one.block["player"] = player
        for scores, length in ((WON, 20), (WON, 31), ([0.0, 1.0], 25), ([0.0, 1.0], 44)):
            told.tell(scores, length)
        slopes.append(float(block["products"][0] / block["squares"][0]))
    assert sum(slopes) == pytest.approx(1.0)


def test_names_of_parts_and_readings_exist():
    section = PAGE[PAGE.index("## What the bonuses are worth") :]
    named = set(re.findall(r"`(quality-[a-z0-9-]+)`", section))
    assert named == {one.id for one in quality.EXPERIMENT.all_parts()} - {"quality-table-1", "quality-table-4"}
    readings = set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))
    cells = [cell for cells in CELLS.values() for cell in cells]
    assert readings == {cell.reading for cell in cells} - {PRINT} | {cell.playouts for cell in cells} - {WEIGHTED}


def test_constants_are_those_of_the_experiment():
    section = " ".join(PAGE[PAGE.index("## What the bonuses are worth") :].split())
    assert "0.25 in Amazons, 0.5 in Breakthrough and Checkers, 0.4 in the others" in section
    others = {"amazons": 0.25, "breakthrough": 0.5, "checkers": 0.5}
    assert {game: one.c for game, one in GAMES.items()} == dict.fromkeys(GAMES, 0.4) | others


def test_scales_of_q_are_those_of_the_experiment():
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| [^|]+ \| (\d+)/(\d+) \| (-?\d+)(?:/(\d+))? \|$", PAGE, re.MULTILINE)
    found = {
        game.lower(): affine(int(over) / int(under), int(shift) / int(by or 1)) for game, over, under, shift, by in rows
    }
    assert found == {game: one.q for game, one in GAMES.items()}

"""What the page on strategies and its example file say is so."""

import pytest

import ramify
from tests.processes import ROOT

FILE = f"{ROOT}/examples/own_strategies.py"


def ran(agent, game="connect4", simulations=400):
    search = ramify.Search(ramify.load(game).initial(), agent, seed=1)
    search.run(ramify.Budget(simulations=simulations))
    return search


def test_contempt_counts_draws():
    values = []
    for worth in (0.0, 1.0):
        search = ran(f"mcts(reward={FILE}:contempt(worth={worth}))", "tictactoe")
        assert 20 < int(search.workers[0].reward_block["draws"][0]) < 300
        values.append(search.report().value)
    assert values[0] < values[1]


def test_front_plays_the_first_moves():
    """With a width of 1 every playout of a new node is the same game."""
    search = ran(f"mcts(playout={FILE}:front(width=1), expand_threshold=1000)")
    assert {child.value for child in search.report().children} <= {0.0, 0.5, 1.0}


def test_a_playout_that_writes_nothing_down_is_refused_where_that_is_needed():
    with pytest.raises(ramify.RamifyError, match="playout=front does not record its moves"):
        ran(f"mcts(select=rave, playout={FILE}:front)")
    assert ran(f"mcts(select=rave, playout={FILE}:front)", "hex(size=4)").report().simulations == 400  # it has owners


def test_cautious_passes_over_what_was_seldom_tried():
    report = ran(f"mcts(recommend={FILE}:cautious(share=1.0))").report()
    assert next(child.visits for child in report.children if child.move == report.move) == report.children[0].visits


def test_half_time_hides_the_worse_half():
    search = ran(f"mcts(allocation={FILE}:half_time)")
    root = search.workers[0].tree.nodes[0]
    assert (int(root["live"]), int(root["hidden"])) == (3, 4)
    assert search.report().simulations == 400


def test_early_bird():
    search = ran(f"mcts(select=rave, updates={FILE}:early_bird)", "hex(size=4)")
    assert search.workers[0].parts.amaf.traced  # weights need to know when a move was made


def test_the_page_shows_what_the_example_has():
    page = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    examples = [ROOT / "examples" / name for name in ("own_strategies.py", "best_seen.py")]
    widening = ROOT / "src" / "ramify" / "strategies" / "selection" / "progressive_widening.py"
    source = "".join(file.read_text(encoding="utf-8") for file in (*examples, widening))
    names = ("class Cautious", "class Contempt", "def despise_draws", "class Steady", "def best_mix", "class BestSeen")
    for name in (*names, "def _on_simulation", "class LastListed", "def progressive_widening_candidates"):
        begin = page.index(name)
        shown = page[begin : page.index("\n\n\n", begin)] if "\n\n\n" in page[begin:] else page[begin:]
        shown = shown.split("```")[0].rstrip()
        assert shown in source, name

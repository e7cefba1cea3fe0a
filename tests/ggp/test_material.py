"""Public rulesheets: what is said of each, and the games that an independent engine has played by some of them."""

import hashlib
import json
import os

import pytest

from ramify.ggp.checks import check
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import KifError, read, write
from ramify.ggp.rules import Rulesheet
from tests.ggp.material import FOLDER, needs_material, public
from tests.ggp.test_interpreter import perft

pytestmark = needs_material

# What is refused and why; of rules that are read, the first error.
REFUSED = {
    "dresden2010__duplicatestatelarge": "line 304, column 13: invalid character '`'",
    "dresden2010__ruledepthquadratic": "line 1052, column 13: invalid character '`'",
    "ggpcpp__Tiger_vs_Dogs": "line 1, column 1: error: no rule defines 'terminal'",
    "ggpcpp__tactactoematch1": "line 1, column 2011: unmatched closing parenthesis",
    "ggpcpp__ticTacToe2": "line 65, column 1: this parenthesis is never closed",
    "iggp__gt_attrition": "line 71, column 16: invalid character ':'",
    "iggp__gt_ultimatum": "line 59, column 12: invalid character ','",
    "iggp__tiger_vs_dogs": "line 111, column 7: invalid character ','",
    "sancho__simultaneousTicTacToe": "line 81, column 1: error: no positive condition gives a value to ?w",
    "gdlval__badparens3": "line 2, column 7: unmatched closing parenthesis",
    "gdlval__badparens4": "line 1, column 2: expected a relation",
    "gdlval__baseDependsOnTrue": "line 1, column 1: error: 'base' depends on 'true'",
    "gdlval__misplacedDatalogKeyword1": "line 1, column 1: 'distinct' is built in",
    "ggpbase_test__test_invalid_sentence_arities_differ": "line 13, column 1: error: the relation 'foo' has 2",
    "libgdl_parser_tests__ds_test": "line 1, column 1: error: no rule defines 'goal'",
    "libgdl_parser_tests__input_depen": "line 5, column 1: error: 'input' depends on 'true'",
    "libgdl_parser_tests__legal_depen": "line 5, column 1: error: 'legal' depends on 'does'",
    "libgdl_parser_tests__mgu_check": "line 1, column 1: error: no rule defines 'goal'",
    "libgdl_parser_tests__mularity": "line 6, column 1: error: the relation 'test' has 2 arguments",
    "libgdl_parser_tests__ndef_goal": "line 1, column 1: error: no rule defines 'goal'",
    "libgdl_parser_tests__ndef_role": "line 1, column 1: error: no rule defines 'role'",
    "libgdl_parser_tests__unstratrec": "line 5, column 20: error: 'test' depends on its own negation",
    "libgdl_parser_tests__variable_parsing": "line 1, column 1: error: no rule defines 'goal'",
}

# What breaks the definition of GDL and can be played nevertheless, by a part of a warning.
WARNED = {
    "dresden2010__sudoku_simple": "the function 'cell' has 2 arguments here",
    "ggpcpp__vis_pacman3p": "'next' may only be the head of a rule",
    "ggprepo__alexChess": "no rule or fact defines 'nextrank'",
    "ggprepo__futoshiki4": "though not for the same arguments",
    "ggprepo__futoshiki6": "though not for the same arguments",
    "ggprepo__hidato19": "though not for the same arguments",
    "ggprepo__majorities": "though not for the same arguments",
    "ggprepo__nineBoardTicTacToePie_v1": "though not for the same arguments",
    "ggprepo__queens06ug": "though not for the same arguments",
    "ggprepo__queens08lg": "though not for the same arguments",
    "ggprepo__queens12ug": "though not for the same arguments",
    "ggprepo__speedChess": "no rule or fact defines 'coords'",
    "iggp__ef": "no rule defines 'goal' for the role duplicator",
    "iggp__sokoban_pos_core": "no positive condition gives a value to ?p",
    "iggp__tiny2": "'terminal' depends on 'does' through q, p",
    "sancho__untwistybig": "no rule or fact defines 'step'",
    "sancho__untwistycomplex": "no rule or fact defines 'step'",
    "sancho__untwistycomplex2": "no rule or fact defines 'step'",
    "stanford2018__firesheep": "'terminal' depends on 'does'",
    "stanford2018__kono": "no rule or fact defines 'slash'",
    "ggpbase_test__test_case_3b": "no positive condition gives a value to ?m, ?n, ?x and ?y of the head",
    "ggpbase_test__test_invalid_function_arities_differ": "the function 'a' has 2 arguments here",
    "libgdl_parser_tests__headsafe": "no positive condition gives a value to ?x of the head",
    "libgdl_parser_tests__notsafe": "no positive condition gives a value to ?y",
    "libgdl_parser_tests__recurseunstrat": "its terms may grow without limit",
}

QUICK = ("biddingTicTacToe", "breakthroughSmall", "chomp", "connectFour", "eightPuzzle", "gt_prisoner", "nim3")
QUICK += ("checkers_v1", "pentago_v1", "ticTacToe", "tron_10x10", "ttcc4")
# With RAMIFY_GDL_TRACES=all, every playout of every trace.
ALL_TRACES = os.environ.get("RAMIFY_GDL_TRACES") == "all"
TRACES = sorted((FOLDER / "traces").glob("*.jsonl"))
TRACED = TRACES if ALL_TRACES else [one for one in TRACES if one.stem.partition("__")[2] in QUICK]
FEWEST_STEPS = 300  # quick traces stop at the end of a playout after so many


def test_every_rulesheet_gets_its_verdict():
    files = sorted([*FOLDER.glob("rulesheets/*.kif"), *FOLDER.glob("unit/*.kif")])
    assert len(files) == 328 + 25
    for file in files:
        try:
            found = check(Rulesheet.from_text(file.read_text(encoding="utf-8"), file.stem))
        except KifError as error:
            found, errors = [], [str(error)]
        else:
            errors = [str(finding) for finding in found if finding.error]
        if file.stem in REFUSED:
            assert REFUSED[file.stem] in errors[0]
            continue
        assert not errors, file
        if file.stem in WARNED:
            assert any(WARNED[file.stem] in str(finding) for finding in found), found
        else:
            assert not found, file


def fingerprint(moves):
    return hashlib.sha1("".join(f"{write(move)}\n" for move in moves).encode()).hexdigest()[:12]


@pytest.mark.parametrize("file", TRACED, ids=lambda file: file.stem)
def test_games_of_an_independent_engine(file):
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    if "fatal" in lines[0]:
        pytest.skip(f"the independent engine could not play it: {lines[0]['fatal']}")
    one = Interpreter(public(file.stem))
    assert [write(role) for role in one.roles] == lines[0]["roles"]
    steps = 0
    for playout in (line for line in lines if "playout" in line):
        state = one.initial()
        for step in playout["steps"]:
            assert not one.terminal(state)
            legal = [one.legal(state, role) for role in one.roles]
            assert [len(moves) for moves in legal] == step["nlegal"]
            assert [fingerprint(moves) for moves in legal] == step["lh"]
            if "legal" in step:
                assert [[write(move) for move in moves] for moves in legal] == step["legal"]
            moves = [read(move, "a move")[0].term for move in step["move"]]
            state = one.next(state, dict(zip(one.roles, moves, strict=True)))
            steps += 1
        if not playout["truncated"]:
            assert one.terminal(state)
            assert [one.goal(state, role) for role in one.roles] == playout["goals"]
        if steps > FEWEST_STEPS and not ALL_TRACES:
            break
    assert steps


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("ggprepo__ticTacToe", [9, 72, 504, 3024]),
        ("stanford2018__tictactoe", [9, 72, 504]),
        ("ggprepo__connectFour_9x6", [9, 81, 729]),
        ("ggprepo__connect4", [7, 49, 343]),
        ("ggprepo__breakthroughSmall", [16, 256]),
        ("ggprepo__breakthrough", [22, 484]),
        ("ggprepo__englishDraughts", [7, 49, 302]),
        ("ggprepo__chess", [20]),
    ],
)
def test_perft(name, counts):
    one = Interpreter(public(name))
    assert [perft(one, one.initial(), depth) for depth in range(1, len(counts) + 1)] == counts

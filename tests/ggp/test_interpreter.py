"""The interpreter against one without any cleverness, known counts, and itself with every relation on demand."""

import random

import pytest

from ramify.errors import RamifyError
from ramify.ggp.datalog.evaluation import ALWAYS, IN_MOVE, IN_POSITION
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.rules import Rulesheet
from tests.ggp.material import sheet
from tests.oracle.naive_gdl import NaiveGdl

SMALL = "(role a) (init s) (legal a m) (<= terminal (true e)) (<= (next e) (true s)) "


def on_demand(rules):
    """An interpreter that puts every relation on demand that may be."""
    one = Interpreter(rules)
    one._program.many_rows = dict.fromkeys((ALWAYS, IN_POSITION, IN_MOVE), 0)
    return one


def perft(one, state, depth):
    """How many sequences of joint moves there are; one that ends earlier does not count."""
    if depth == 0:
        return 1
    if one.terminal(state):
        return 0
    joint = [{}]
    for role, moves in one.all_legal(state).items():
        joint = [{**some, role: move} for some in joint for move in moves]
    return sum(perft(one, one.next(state, some), depth - 1) for some in joint)


@pytest.mark.parametrize("make", [Interpreter, on_demand])
def test_perft_of_noughts_and_crosses(make):
    one = make(sheet("noughts"))
    assert [perft(one, one.initial(), depth) for depth in range(1, 5)] == [9, 72, 504, 3024]


@pytest.mark.parametrize("name", ["noughts", "coins", "walk"])
def test_every_answer_is_the_naive_one(name):
    rules = sheet(name)
    one, other, naive = Interpreter(rules), on_demand(rules), NaiveGdl(rules)
    chance = random.Random(1)
    start = {fact[1] for fact in naive.of(()) if fact[0] == "init"}
    for _ in range(4):
        state = one.initial()
        assert state == other.initial() == start
        while True:
            facts = naive.of(state)
            over = "terminal" in facts
            legal = {role: {fact[2] for fact in facts if fact[:2] == ("legal", role)} for role in rules.roles}
            goals = {role: {int(fact[2]) for fact in facts if fact[:2] == ("goal", role)} for role in rules.roles}
            for asked in (one, other):
                assert asked.terminal(state) == over
                assert {role: set(asked.legal(state, role)) for role in rules.roles} == legal
                assert {role: set(asked.goals(state, role)) for role in rules.roles} == goals
            if over:
                break
            moves = {role: chance.choice(sorted(some, key=str)) for role, some in legal.items()}
            facts = naive.of(state, moves.items())
            for asked in (one, other):
                assert asked.next(state, moves) == {fact[1] for fact in facts if fact[0] == "next"}
                for role in rules.roles:
                    told = {fact[2] for fact in facts if fact[:2] == ("sees", role)}
                    assert set(asked.sees(state, moves, role)) == told
            state = one.next(state, moves)
    assert other._program.on_demand


def test_moves_come_in_the_order_of_their_text():
    one = Interpreter(Rulesheet.from_text(SMALL + "(legal a (m 10)) (legal a (m 9)) (legal a b) (goal a 0)", "x"))
    assert one.legal(one.initial(), "a") == [("m", "10"), ("m", "9"), "b", "m"]


def test_goals_that_are_none_or_several():
    one = Interpreter(Rulesheet.from_text(SMALL + "(<= (goal a 30) (true s)) (<= (goal a 70) (true s))", "x"))
    assert one.goals(frozenset(["s"]), "a") == [30, 70]
    assert (one.goal(frozenset(["s"]), "a"), one.goal(frozenset(["e"]), "a")) == (70, 0)


def test_goals_that_are_no_numbers():
    one = Interpreter(Rulesheet.from_text(SMALL + "(<= (goal a ?x) (true ?x))", "x"))
    with pytest.raises(RamifyError, match="x: invalid goal s: use an integer from 0 to 100"):
        one.goal(one.initial(), "a")


def test_what_is_terminal_by_a_move_is_asked_without_one():
    rules = Rulesheet.from_text(
        "(role a) (init s) (legal a m) (next s) (<= p (does a m)) (<= terminal (not p)) (goal a 0)", "x"
    )
    one = Interpreter(rules)
    assert one.terminal(one.initial())


def test_every_role_must_move():
    one = Interpreter(sheet("noughts"))
    with pytest.raises(RamifyError, match="no move for noughts"):
        one.next(one.initial(), {"crosses": ("put", "1")})


def test_positions_without_moves():
    rules = "(role a) (init s) (<= (legal a m) (true e)) (<= terminal (true e)) (next e) (goal a 0)"
    one = Interpreter(Rulesheet.from_text(rules, "x"))
    assert one.legal(one.initial(), "a") == []
    with pytest.raises(RamifyError, match="x: a has no legal move in a position that is not terminal"):
        one.all_legal(one.initial())


def test_rules_with_errors_are_refused():
    with pytest.raises(RamifyError, match="x, line 1, column 1: no rule defines 'goal'"):
        Interpreter(Rulesheet.from_text("(role a) (legal a m) terminal", "x"))


def test_a_relation_that_is_too_large_is_worked_out_on_demand():
    """A sum of five digits has 100000 rows, of which a position needs one."""
    digits = " ".join(f"(digit {n})" for n in range(10))
    lookups = " ".join(f"(digit ?{name})" for name in "abcde")
    rules = Rulesheet.from_text(
        SMALL + f"{digits} (<= (pick ?a ?b ?c ?d ?e) {lookups} (true ?any)) "
        "(<= (next found) (pick 1 2 3 4 5)) (<= (next lost) (not (pick 1 2 3 4 6))) (goal a 0)",
        "x",
    )
    one = Interpreter(rules)
    assert one.next(one.initial(), {"a": "m"}) == {"found", "e"}
    assert {str(relation) for relation in one._program.on_demand} == {"pick"}


def test_some_legal_move_comes_first():
    """As soon as one is derived; all of them are the same as ever afterwards."""
    text = """(role x) (role y) (init (step 0)) (legal y wait) (<= terminal (true over)) (goal x 50) (goal y 50)
    (<= (legal x go) (true (step 0))) (<= (legal x (m ?a ?b)) (d ?a) (d ?b) (true (step ?n))) (d 1) (d 2)
    (<= (next (step 1)) (true (step 0)))"""
    rules = Interpreter(Rulesheet.from_text(text, "x"))
    start = rules.initial()
    assert rules.some_legal(start, "y") == "wait"
    assert rules._positions == {}
    assert rules.some_legal(start, "x") in rules.legal(start, "x")
    assert len(rules.legal(start, "x")) == 5
    later = rules.next(start, {"x": "go", "y": "wait"})
    assert rules.some_legal(later, "x") == ("m", "1", "1")
    assert rules.some_legal(frozenset(), "x") is None

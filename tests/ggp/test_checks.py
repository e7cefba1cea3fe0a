"""What is wrong with rules, and where."""

import pytest

from ramify.errors import RamifyError
from ramify.ggp.checks import check, goal_value, raise_on_errors
from ramify.ggp.rules import Rulesheet
from tests.ggp.material import sheet

GOOD = "(role a) (init s) (<= (legal a m) (true s)) (<= (next e) (does a m)) (<= terminal (true e)) (goal a 100)"


def findings(text):
    return [(tuple(one.where), one.error, one.message) for one in check(Rulesheet.from_text(text, "x"))]


def test_good_rules():
    assert findings(GOOD) == []
    assert raise_on_errors(sheet("noughts")) == raise_on_errors(sheet("coins")) == []


@pytest.mark.parametrize(
    ("more", "where", "error", "what"),
    [
        ("(p a) (p a b)", (2, 7), True, "the relation 'p' has 2 arguments here and 1 before"),
        ("(<= (next (f a)) (true (f a b)))", (2, 18), False, "the function 'f' has 2 arguments here and 1 before"),
        ("(base a b)", (2, 1), False, "GDL's 'base' takes 1 argument, not 2"),
        ("(<= (next (f ?x)) (true s))", (2, 1), True, "no positive condition gives a value to ?x of the head"),
        ("(next (f ?x))", (2, 1), True, "a fact cannot have a variable: ?x"),
        ("(<= (unused ?x) (true s))", (2, 1), False, "(nothing depends on this rule, so it is ignored)"),
        ("(<= (next p) (distinct ?x ?y))", (2, 14), True, "no positive condition gives a value to ?x and ?y of"),
        ("(<= (next p) (not (true ?x)))", (2, 19), False, "it means that none exists"),
        ("(<= (next p) q) (<= q (not r)) (<= r q)", (2, 28), True, "'q' depends on its own negation, here by (not r)"),
        ("(<= (goal a 0) (not (goal a 100)))", (2, 21), False, "though not for the same arguments"),
        ("(<= (goal a ?x) (n ?x) (not (goal a 100)))(n 1)", (2, 29), True, "'goal' depends on its own negation"),
        ("(<= (next p) (n ?x)) (n z) (<= (n (s ?x)) (n ?x))", (2, 43), True, "its terms may grow without limit"),
        ("(<= (next p) (n b)) (n a) (<= (n ?x) (n ?y) (k ?y ?x)) (k a b)", None, False, ""),
        ("(<= (next p) (n b)) (<= (n ?x) (n ?y) (n ?x))", (2, 32), False, "because no function makes terms grow"),
        ("(<= (true p) (true q))", (2, 1), True, "'true' cannot be the head of a rule"),
        ("(does a m)", (2, 1), True, "'does' cannot be the head of a rule"),
        ("(<= (role b) (true s)) (legal b m) (goal b 1)", (2, 1), True, "roles must be facts"),
        ("(<= (next p) (init s))", (2, 14), False, "'init' may only be the head of a rule"),
        ("(<= (init p) (true s))", (2, 1), True, "'init' depends on 'true': it describes the first position"),
        ("(<= (legal a p) q) (<= q (does a m))", (2, 1), True, "'legal' depends on 'does' through q"),
        ("(<= terminal (does a m))", (2, 1), False, "'terminal' depends on 'does': it is evaluated while"),
        ("(<= (goal a 0) (does a m))", (2, 1), False, "'goal' depends on 'does'"),
        ("(<= (base p) (true s))", (2, 1), True, "'base' depends on 'true'"),
        ("(<= (input a p) (does a m))", (2, 1), True, "'input' depends on 'does'"),
        ("(role b) (goal b 1)", (1, 1), True, "no rule defines 'legal' for the role b"),
        ("(role (f b)) (legal (f b) 1)", (1, 1), False, "no rule defines 'goal' for the role (f b)"),
        ("(<= (next p) (q a)) (<= (next r) (q a))", (2, 14), False, "no rule or fact defines 'q'"),
        ("(goal a 101)", (2, 1), True, "invalid goal 101: use an integer from 0 to 100"),
        ("(<= (goal a (f ?x)) (true ?x))", (2, 1), True, "invalid goal (f ?x): use an integer"),
        ("(goal a 00501)", (2, 1), True, "invalid goal 00501: use an integer from 0 to 100"),
        ("(<= (goal a -1) (true p))", (2, 1), True, "invalid goal -1"),
    ],
)
def test_findings(more, where, error, what):
    found = findings(f"{GOOD}\n{more}")
    if where is None:
        assert found == []
        return
    assert [one for one in found if one[:2] == (where, error) and what in one[2]], found
    assert error or not any(one[1] for one in found), found


@pytest.mark.parametrize(
    ("missing", "error"),
    [("role a", True), ("legal a m", True), ("terminal", True), ("goal a 100", True), ("next e", False)],
)
def test_what_every_game_must_say(missing, error):
    parts = {"role a": "(role a)", "init s": "(init s)", "legal a m": "(legal a m)", "terminal": "terminal"}
    parts |= {"goal a 100": "(goal a 100)", "next e": "(next e)"}
    del parts[missing]
    word = missing.split()[0]
    (found,) = findings(" ".join(parts.values()))
    assert found[:2] == ((1, 1), error)
    assert f"no rule defines '{word}'" in found[2]


def test_bad_rules_are_refused_with_the_first_error():
    with pytest.raises(RamifyError) as caught:
        raise_on_errors(Rulesheet.from_text(f"{GOOD}\n(goal a 200)\n(goal a 300)", "my.kif"))
    assert str(caught.value) == (
        "my.kif, line 2, column 1: invalid goal 200: use an integer from 0 to 100 "
        "(and 1 more; `ramify gdl check` lists them)"
    )


def test_goal_values():
    assert [goal_value(term) for term in ("0", "00", "100", "007")] == [0, 0, 100, 7]
    assert [goal_value(term) for term in ("00501", "0101", "00s")] == [None] * 3
    assert [goal_value(term) for term in ("101", "-1", "+5", "5.0", "x", "", "9" * 5000, "٣", ("f", "1"))] == [None] * 9

"""Rules in one form."""

import itertools

import pytest

from ramify.errors import RamifyError
from ramify.ggp import rules as module
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import KifError, read
from ramify.ggp.rules import MAX_ALTERNATIVES, Rulesheet
from tests.ggp.material import SHEETS, sheet


def lines(text):
    return Rulesheet.from_text(text, "x").text().splitlines()


def test_keywords_in_any_case_and_constants_as_they_are():
    assert lines("(ROLE White) (<= (LEGAL ?P (Go)) (True (At ?P)) (NOT (DOES ?P Go)) (Distinct ?P white))") == [
        "(role White)",
        "(<= (legal ?P Go) (true (At ?P)) (not (does ?P Go)) (distinct ?P white))",
    ]


def test_keywords_within_fluents_are_words():
    assert lines("(init (Goal Not))") == ["(init (Goal Not))"]


def test_relations_without_arguments_are_words():
    assert lines("(<= (Terminal) (open) shut (true (f)))(open)") == ["(<= terminal open shut (true f))", "open"]


def test_chance_is_spelled_in_one_way():
    rules = Rulesheet.from_text("(role a)(ROLE RANDOM)(<= (legal RANDOM (flip RANDOM)) (true Random))", "x")
    assert rules.roles == ("a", "random")
    assert str(rules.clauses[2]) == "(<= (legal random (flip random)) (true Random))"


def test_roles_may_be_terms():
    assert Rulesheet.from_text("(role (seat 1)) (role (seat 2)) (role (seat 1))", "x").roles == (
        ("seat", "1"),
        ("seat", "2"),
    )


@pytest.mark.parametrize(
    ("body", "bodies"),
    [
        ("(or a b) c", ["a c", "b c"]),
        ("(or a (or b (not c)))", ["a", "b", "(not c)"]),
        ("(not (or a (not b)))", ["(not a) b"]),
        ("(not (not a))", ["a"]),
        ("(or a (not (or b c)))", ["a", "(not b) (not c)"]),
        ("(not (or a (not (or b c))))", ["(not a) b", "(not a) c"]),
        ("a a (or a b)", ["a", "a b"]),
    ],
)
def test_disjunctions(body, bodies):
    assert lines(f"(<= h {body})") == [f"(<= h {one})" for one in bodies]


def test_many_disjunctions_go_through_relations_of_their_own():
    """The same answers as with all combinations written out, by far fewer clauses."""
    choices = [f"(or (p{k} ?x) (q{k} ?x ?y{k}))" for k in range(7)]
    assert 2 ** len(choices) > MAX_ALTERNATIVES
    start = """
        (role r) (legal r m) (goal r 100) (<= terminal (true over)) (next over)
        (<= (init (holds ?x)) (h ?x)) (d 1) (d 2) (d 3) (d 4)
    """
    facts = " ".join(f"(p{k} {1 + k % 2}) (p{k} 4) (q{k} {2 - k % 2} a) (q{k} 3 b)" for k in range(7))
    short = Rulesheet.from_text(
        f"{start} {facts} (<= (h ?x) (distinct ?x 4) (d ?x) (not (bad ?x)) {' '.join(choices)}) (bad 3)", "x"
    )
    parts = [(f"(p{k} ?x)", f"(q{k} ?x ?y{k})") for k in range(7)]
    written = " ".join(
        f"(<= (h ?x) (d ?x) (distinct ?x 4) (not (bad ?x)) {' '.join(chosen)})" for chosen in itertools.product(*parts)
    )
    long = Rulesheet.from_text(f"{start} {facts} {written} (bad 3)", "x")
    assert len(short.clauses) < len(long.clauses) - 100
    assert Interpreter(short).initial() == Interpreter(long).initial() == {("holds", "1"), ("holds", "2")}


def test_a_variable_shared_by_too_many_alternatives_is_refused():
    choices = " ".join(f"(or (p{k} ?x) (q{k} ?x ?y))" for k in range(7))
    with pytest.raises(KifError, match=r"x, line 2, column 1: \?y occurs in some alternatives"):
        Rulesheet.from_text(f"(role a)\n(<= (h ?x) {choices})", "x")


def test_one_pair_of_parentheses_around_all():
    inner = "(role a) (<= terminal (p ?x)) (p 1)"
    assert lines(f"({inner})") == lines(inner)
    assert lines("(terminal (role a))") == ["terminal", "(role a)"]
    assert lines("(p (f a))") == ["(p (f a))"]


def test_rules_of_expressions_in_a_message():
    message = read("(START m white ((role white) terminal) 5 3)", "x")[0]
    assert Rulesheet.from_expressions(message.parts[3].parts, "m").roles == ("white",)


def test_the_digest_forgets_layout():
    text = (SHEETS / "noughts.kif").read_text(encoding="utf-8")
    squeezed = " ".join(line.partition(";")[0] for line in text.splitlines())
    assert Rulesheet.from_text(squeezed, "y").digest() == sheet("noughts").digest() != sheet("coins").digest()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("?x", r"line 1, column 1: expected a relation, not the variable \?x"),
        ("(<=)", "line 1, column 1: a rule needs a head"),
        ("(<= a ?x)", r"line 1, column 7: expected a relation, not the variable \?x"),
        ("(<= a\n (?x b))", r"line 2, column 2: expected a relation, not the variable \?x"),
        ("(<= a ((b)))", "line 1, column 7: expected a relation such as"),
        ("()", "line 1, column 1: expected a relation such as"),
        ("(p (?f a))", "line 1, column 4: expected a term"),
        ("(p ())", "line 1, column 4: expected a term"),
        ("(<= a (not b c))", "line 1, column 7: 'not' takes one condition, not 2"),
        ("(<= a (or))", "line 1, column 7: 'or' needs at least one condition"),
        ("(<= a (<= b c))", "line 1, column 7: expected a relation, not '<='"),
        ("(<= (not a) b)", "line 1, column 5: expected a relation, not 'not'"),
        ("(distinct a b)", "line 1, column 1: 'distinct' is built in"),
        ("(<= a (distinct b))", "line 1, column 7: 'distinct' takes 2 arguments, not 1"),
        ("(role a b)", "line 1, column 1: 'role' takes 1 argument, not 2"),
        ("(<= (terminal now) a)", "line 1, column 5: 'terminal' takes no arguments, not 1"),
    ],
)
def test_what_is_no_rule(text, what):
    with pytest.raises(KifError, match=f"^x, {what}"):
        Rulesheet.from_text(text, "x")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(RamifyError, match=r"cannot read .*none.kif: no such file"):
        Rulesheet.from_file(tmp_path / "none.kif")
    (tmp_path / "bytes.kif").write_bytes(b"(role \xff)")
    with pytest.raises(RamifyError, match=r"cannot read .*bytes.kif: it is not text in UTF-8"):
        Rulesheet.from_file(tmp_path / "bytes.kif")


def test_old_names():
    with pytest.warns(DeprecationWarning, match="Rulesheet"):
        old = module.Rules
    text = "(role white)"
    with pytest.warns(DeprecationWarning, match="from_text"):
        assert old.of(text, "x") == Rulesheet.from_text(text, "x")
    with pytest.warns(DeprecationWarning, match="from_file"):
        assert old.of_file(SHEETS / "coins.kif") == Rulesheet.from_file(SHEETS / "coins.kif")

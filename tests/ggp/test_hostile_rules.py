"""The interpreter refuses rules that would exhaust memory or time, with a sentence."""

from time import monotonic

import pytest

from ramify.arena.managed.referee import Referee
from ramify.errors import RamifyError
from ramify.ggp import interpreter as interpreting
from ramify.ggp.datalog import evaluation, joins
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.rules import Rulesheet
from ramify.players.ggp.client import Address
from tests.ggp import hostile_sheets

SECONDS = 10.0  # each of these would take minutes, or never end


@pytest.fixture
def few_facts(monkeypatch):
    monkeypatch.setattr(joins, "MAX_FACTS", 5000)
    monkeypatch.setattr(evaluation, "MAX_FACTS", 5000)


def interpreter(text):
    return Interpreter(Rulesheet.from_text(text, "the rules"))


def play(text, moves):
    """Positions of a match in which the first legal move is played."""
    rules = interpreter(text)
    positions = [rules.initial()]
    for _ in range(moves):
        positions.append(rules.next(positions[-1], {"x": rules.all_legal(positions[-1])["x"][0]}))
    return rules, positions


@pytest.mark.usefixtures("few_facts")
@pytest.mark.parametrize("variables", [3, 12])
def test_a_product_of_domains(variables):
    began = monotonic()
    rules = interpreter(hostile_sheets.product(variables, 20))
    message = "the rules derive more than 5,000 facts in one position, here for 'legal': use smaller domains"
    with pytest.raises(RamifyError, match=message):
        rules.legal(rules.initial(), "x")
    assert monotonic() - began < SECONDS


@pytest.mark.usefixtures("few_facts")
def test_facts_with_many_arguments_count_several_times():
    rules = interpreter(hostile_sheets.product(2, 60, padding=100))
    with pytest.raises(RamifyError, match=r"more than 5,000 facts \(long ones count several times\) in one position"):
        rules.legal(rules.initial(), "x")
    rules = interpreter(hostile_sheets.product(2, 60))
    assert len(rules.legal(rules.initial(), "x")) == 3602


@pytest.mark.usefixtures("few_facts")
def test_many_relations_that_are_large_only_together():
    facts = " ".join(f"(d {k})" for k in range(40))
    rules = " ".join(f"(<= (legal x (m{k} ?a ?b)) (d ?a) (d ?b))" for k in range(8))
    text = f"{hostile_sheets.GAME} {facts} {rules}"
    with pytest.raises(RamifyError, match="more than 5,000 facts in one position"):
        interpreter(text).legal(frozenset(), "x")


@pytest.mark.usefixtures("few_facts")
def test_a_product_in_a_later_position():
    rules, positions = play(hostile_sheets.late_product(9, 20), 1)
    assert rules.legal(positions[0], "x") == ["go", "stay"]
    for _ in range(2):  # what was derived before the error must not pass for the whole
        with pytest.raises(RamifyError, match="more than 5,000 facts in one position"):
            rules.legal(positions[1], "x")
    assert rules.legal(positions[0], "x") == ["go", "stay"]


@pytest.mark.parametrize(
    ("text", "moves"), [(hostile_sheets.DOUBLING_BY_MOVES, 60), (hostile_sheets.NESTING_BY_MOVES, 2000)]
)
def test_terms_that_grow_move_by_move(text, moves):
    began = monotonic()
    message = r"the rules build a term \(p ...\) with more than 10,000 symbols or 200 nested functions: use rules whose"
    with pytest.raises(RamifyError, match=message):
        play(text, moves)
    assert monotonic() - began < SECONDS


def test_terms_that_grow_within_a_position():
    began = monotonic()
    rules = interpreter(hostile_sheets.doubling(60))
    with pytest.raises(RamifyError, match="more than 10,000 symbols"):
        rules.legal(rules.initial(), "x")
    assert monotonic() - began < SECONDS
    rules = interpreter(hostile_sheets.doubling(8))
    assert len(rules.legal(rules.initial(), "x")) == 3


def test_endless_rules_are_refused_before_they_are_evaluated():
    with pytest.raises(RamifyError, match="its terms may grow without limit"):
        interpreter(hostile_sheets.ENDLESS)


@pytest.mark.usefixtures("few_facts")
def test_a_referee_refuses_a_position_that_is_too_large():
    nobody = Address("127.0.0.1", 1)
    text = hostile_sheets.late_product(9, 20)
    referee = Referee(text, [nobody], match="m", start_clock=0.1, play_clock=0.1, seed=1)
    with pytest.raises(RamifyError, match="more than 5,000 facts in one position"):
        referee.play()


def test_cached_positions_are_dropped_when_they_have_many_facts(monkeypatch):
    monkeypatch.setattr(interpreting, "CACHED_FACTS", 100)
    rules, positions = play(hostile_sheets.late_product(2, 30, step=2), 5)
    rules.legal(positions[2], "x")
    rules.legal(positions[0], "x")
    assert positions[2] not in rules._positions
    assert rules.legal(positions[0], "x") == ["go", "stay"]

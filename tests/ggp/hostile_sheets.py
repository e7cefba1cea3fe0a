"""Rules that are meant to exhaust memory or time, or that break off in the middle of a match."""

from __future__ import annotations

GAME = "(role x) (init (step 0)) (legal x go) (legal x stay) (<= terminal (true over)) (goal x 50) "
COUNT = "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) " + " ".join(f"(succ {k} {k + 1})" for k in range(60))


def product(variables: int, values: int, *, padding: int = 0, condition: str = "") -> str:
    """A legal move for every combination of values; with ``padding`` constants, which take memory."""
    names = " ".join(f"?v{k}" for k in range(variables))
    conditions = " ".join(f"(d ?v{k})" for k in range(variables))
    facts = " ".join(f"(d {k})" for k in range(values))
    constants = " ".join(f"c{k}" for k in range(padding))
    return f"{GAME} {facts} (<= (legal x (m {names} {constants})) {condition} {conditions})"


def late_product(variables: int, values: int, *, padding: int = 0, step: int = 1) -> str:
    """The same, but only in a later position."""
    return f"{COUNT} {product(variables, values, padding=padding, condition=f'(true (step {step}))')}"


def doubling(levels: int) -> str:
    """In every position, a term of two to the power of ``levels`` symbols."""
    rules = " ".join(f"(<= (t{k + 1} (f ?x ?x)) (t{k} ?x))" for k in range(levels))
    return f"{GAME} (t0 a) {rules} (<= (legal x (see ?x)) (t{levels} ?x))"


DOUBLING_BY_MOVES = GAME + "(init (p a)) (<= (next (p (f ?x ?x))) (true (p ?x)))"
NESTING_BY_MOVES = GAME + "(init (p a)) (<= (next (p (s ?x))) (true (p ?x)))"
ENDLESS = GAME + "(t a) (<= (t (s ?x)) (t ?x)) (<= (legal x (see ?x)) (t ?x))"
NO_MOVE_LATER = (
    "(role x) (init (step 0)) (<= (legal x go) (not (true (step 2)))) (<= (legal x stay) (not (true (step 2))))"
    f" (<= terminal (true over)) (goal x 50) {COUNT}"
)

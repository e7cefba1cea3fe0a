"""The grammar reads what it prints, and says in a sentence what it cannot read."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, bind, format_value, parse

keys = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]*", fullmatch=True).filter(
    lambda word: word not in ("inf", "true", "false")
)
paths = st.from_regex(r"(\./|/|\.\./)?[a-zA-Z_][\w.\-/]*(\.py)?(:[a-z_]+)?", fullmatch=True)
names = (keys | paths).filter(lambda word: word not in ("inf", "true", "false"))
plain = st.integers() | st.floats(allow_nan=False) | st.booleans() | st.text() | st.builds(Call, names)
calls = st.recursive(
    st.builds(Call, names),
    lambda inner: st.builds(
        Call,
        names,
        st.lists(st.tuples(st.none() | keys, plain | inner), max_size=4).map(tuple),
    ),
    max_leaves=12,
)


def typed(value):
    """A value that is equal to another only when that is of the same type: 1, 1.0 and true are not the same."""
    if isinstance(value, Call):
        return (value.name, [(key, typed(inner)) for key, inner in value.arguments])
    return (type(value), value, math.copysign(1, value) if isinstance(value, float) else 0)


@given(calls)
def test_what_is_printed_reads_back_equal(call):
    again = parse(str(call))
    assert again == call
    assert typed(again) == typed(call)
    assert str(again) == str(call)


@given(st.text(alphabet='abtruefinx_ .,()="\\\n+-0123456789/:é\u0663', max_size=30) | st.text(max_size=12))
@example('a("\\q")')
@example('a("\n")')
@example("a(" + "9" * 5000 + ")")
@example("a(" * 5000)
@example("a(0x10)")
@example("a(--1)")
@example("1")
@example("")
@example("a(b=)")
@example("a(=1)")
@example("a(1 2)")
@example("a(,)")
@example("a(1,)")
@example("a)")
@example("a(nan)")
@example("a(٣)")
def test_any_text_is_read_or_refused_in_one_sentence(text):
    try:
        call = parse(text)
    except RamifyError as error:
        assert "\n" not in str(error) or "\n" in text  # noqa: PT017  (most texts are refused, not all)
        return
    assert typed(parse(str(call))) == typed(call)


def test_digits():
    """Only 0 to 9 make a number, and only so many that every number can be converted and printed."""
    assert parse("a(\u0663, 1\u0663)") == Call("a", ((None, Call("\u0663")), (None, Call("1\u0663"))))
    assert parse(f"a({'9' * 100})") == Call("a", ((None, 10**100 - 1),))
    for number in ("9" * 101, "9" * 5000, "-" + "9" * 5000):
        with pytest.raises(RamifyError, match=r"^the number -?9+\.\.\. has too many digits: use at most 100$"):
            parse(f"a(b={number})")


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("uct", Call("uct")),
        ("uct()", Call("uct")),
        (" uct ( c = 0.4 ) ", Call("uct", (("c", 0.4),))),
        ("uct(0.4)", Call("uct", ((None, 0.4),))),
        (
            "a(1, +2, -3, 4., .5, 1e3, inf, -inf)",
            Call("a", tuple((None, x) for x in (1, 2, -3, 4.0, 0.5, 1e3, math.inf, -math.inf))),
        ),
        ('a("b, c)=\\"d\\"")', Call("a", ((None, 'b, c)="d"'),))),
        ("a(x=b(y=c(1)), z=true)", Call("a", (("x", Call("b", (("y", Call("c", ((None, 1),))),))), ("z", True)))),
        ("./my game.py".replace(" ", "_"), Call("./my_game.py")),
        ("./mine.py:rule(c=1)", Call("./mine.py:rule", (("c", 1),))),
        ("a(3.py, info, trueish)", Call("a", ((None, Call("3.py")), (None, Call("info")), (None, Call("trueish"))))),
    ],
)
def test_readings(text, call):
    assert typed(parse(text)) == typed(call)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uct(c=0.4", "cannot read 'uct(c=0.4': expected ',' or ')' before 'the end'"),
        ("uct(c=)", "cannot read 'uct(c=)': expected a name or a value before ')'"),
        ("uct) x", "cannot read 'uct) x': expected the end before ') x'"),
        ("uct(1 2)", "cannot read 'uct(1 2)': expected ',' or ')' before '2)'"),
        ("", "cannot read '': expected a name or a value before 'the end'"),
        ("0.4", "'0.4' is not a name; write it like name(key=value)"),
        ("true", "'true' is not a name; write it like name(key=value)"),
        ('"uct"', "'\"uct\"' is not a name; write it like name(key=value)"),
    ],
)
def test_refusals(text, sentence):
    with pytest.raises(RamifyError) as caught:
        parse(text)
    assert str(caught.value) == sentence


DEFAULTS = {"size": 9, "komi": 7.5}


def test_arguments_are_bound_by_place_and_by_name():
    assert bind(parse("go(13)"), DEFAULTS, "game") == {"size": 13, "komi": 7.5}
    assert bind(parse("go(13, komi=0.5)"), DEFAULTS, "game") == {"size": 13, "komi": 0.5}
    assert bind(parse("go(komi=0.5, size=5)"), DEFAULTS, "game") == {"size": 5, "komi": 0.5}
    assert bind(parse("go"), DEFAULTS, "game") == DEFAULTS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("go(1, 2, 3)", "game 'go' got too many values: it takes only size, komi"),
        ("go(sise=3)", "game 'go' has no parameter 'sise'; did you mean 'size'?"),
        ("go(zzz=3)", "game 'go' has no parameter 'zzz'; expected one of komi, size"),
        ("go(size=3, size=4)", "game 'go' got 'size' twice"),
        ("go(3, size=4)", "game 'go' got 'size' twice"),
    ],
)
def test_arguments_that_do_not_fit(text, sentence):
    with pytest.raises(RamifyError) as caught:
        bind(parse(text), DEFAULTS, "game")
    assert str(caught.value) == sentence


def test_a_name_that_takes_nothing():
    with pytest.raises(RamifyError, match=r"game 'nim' got too many values: it takes no parameters"):
        bind(parse("nim(3)"), {}, "game")
    with pytest.raises(RamifyError, match=r"game 'nim' has no parameter 'a'; it takes none"):
        bind(parse("nim(a=3)"), {}, "game")


def test_the_nearest_word_is_offered():
    assert suggestion("tictactoo", ["hex", "tictactoe"]) == "did you mean 'tictactoe'?"
    assert suggestion("qqq", ["hex", "go"]) == "expected one of go, hex"
    assert suggestion("qqq", []) == "none is defined"


def test_values_are_shown_as_they_are_read():
    assert [format_value(x) for x in (True, 1, 1.0, "a b", Call("x"))] == ["true", "1", "1.0", '"a b"', "x"]

"""Reading and writing S-expressions."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ramify.errors import RamifyError
from ramify.ggp.kif import MAX_NESTING, WORD_SIGNS, KifError, Place, read, variables, write
from ramify.ggp.rules import Rulesheet

words = st.text(string.ascii_letters + string.digits + WORD_SIGNS + "éß", min_size=1)
terms = st.recursive(words, lambda inner: st.lists(inner).map(tuple), max_leaves=20)


def terms_of(text):
    return [one.term for one in read(text, "x")]


@given(st.lists(terms, min_size=1))
def test_what_is_written_is_read(some):
    assert terms_of("\n".join(map(write, some))) == some


@given(st.text())
@example("(((")
@example("(<= (a) (or))")
@example("(<= (a) (not))")
@example("(<=)")
@example("()")
@example("(role ?x)(role)")
@example("(<= ?x)")
@example("((a) b)")
@example("(or a b)")
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        Rulesheet.from_text(text, "x")
    except RamifyError as error:
        assert str(error).startswith("x, line ")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017


tokens = st.sampled_from(["(", ")", "<=", "not", "or", "distinct", "role", "true", "?x", "a", "1", " ", ";", "\n"])


@given(st.lists(tokens).map(" ".join))
def test_any_words_are_read_or_refused_with_a_sentence(text):
    test_any_text_is_read_or_refused_with_a_sentence.hypothesis.inner_test(text)


def test_places_and_comments():
    first, second = read("; a comment (with parentheses\n  (f a ; more\r\n\t(g ?x)) b", "x")
    assert first.term == ("f", "a", ("g", "?x"))
    assert first.where == Place(2, 3)
    assert [part.where for part in first.parts] == [Place(2, 4), Place(2, 6), Place(3, 2)]
    assert (second.term, second.where) == ("b", Place(3, 10))
    assert list(variables(first.term)) == ["?x"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", (1, 1), "the text is empty"),
        (" ; only a comment", (1, 1), "the text is empty"),
        ("(a)\n (b (c)", (2, 2), "never closed"),
        ("(a (b\n", (1, 1), "never closed"),
        ("(a)\n(b))", (2, 4), "unmatched closing parenthesis"),
        ("(a 'b)", (1, 4), 'invalid character "\'"'),
        ("(a\n b, c)", (2, 3), "invalid character ','"),
        ("(a \x00)", (1, 4), "invalid character"),
        ("(" * (MAX_NESTING + 1), (1, MAX_NESTING + 1), "nested more than"),
    ],
)
def test_errors_say_where(text, where, what):
    with pytest.raises(KifError, match=what) as caught:
        read(text, "sheet.kif")
    assert caught.value.where == where
    assert str(caught.value).startswith(f"sheet.kif, line {where[0]}, column {where[1]}: ")


def test_a_mark_at_the_start_of_a_file_is_no_word():
    assert terms_of("\ufeff(a)") == [("a",)]

"""Messages of game managers are read as they are meant, and nothing else is."""

import pytest

from ramify.errors import RamifyError
from ramify.players.ggp.messages import Abort, Info, LastTurn, Play, Preview, Start, Stop, read_message, read_term


@pytest.mark.parametrize("text", ["(info)", "( INFO )", "  ( Info )\n", "; hello\n(INFO) ; that is all"])
def test_info(text):
    assert read_message(text) == Info()


def test_a_start():
    read = read_message("( START m.1-2_3 xplayer ( (role xplayer) (<= (f ?x) (g ?x)) ) 5 3)")
    assert read == Start("m.1-2_3", "xplayer", " (role xplayer) (<= (f ?x) (g ?x)) ", 5.0, 3.0)


def test_comments_in_the_rules_stay_comments():
    read = read_message("(start m x ((role x) ; a ) that counts for nothing\n(role y)) 5 3)")
    assert isinstance(read, Start)
    assert read.rules.count("role") == 2
    assert "counts" in read.rules


@pytest.mark.parametrize("nil", ["NIL", "nil", "()"])
def test_the_first_move(nil):
    assert read_message(f"(PLAY m {nil})") == Play("m", None)


@pytest.mark.parametrize("text", ["( PLAY m (( mark 1 2 ) noop ) )", "(play m ((mark 1 2)(noop)))"])
def test_moves(text):
    assert read_message(text) == Play("m", LastTurn((("mark", "1", "2"), "noop")))


def test_percepts():
    assert read_message("(PLAY m 3 (mark 1 2) ((sees x) done))") == Play(
        "m", LastTurn((("sees", "x"), "done"), ("mark", "1", "2"), 3)
    )
    assert read_message("(PLAY m 3 noop nil)") == Play("m", LastTurn((), "noop", 3))
    assert read_message("(PLAY m 0 NIL NIL)") == Play("m", None)
    assert read_message("(STOP m 9 noop ())") == Stop("m", LastTurn((), "noop", 9))


def test_the_end():
    assert read_message("(stop m (a b))") == Stop("m", LastTurn(("a", "b")))
    assert read_message("(abort m)") == Abort("m")
    assert read_message("(preview ((role x)) 20)") == Preview("(role x)", 20.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not an empty message"),
        ("hello", "expected a list such as (info), not hello"),
        ("()", "not an empty one"),
        ("(dance m)", "unknown message 'dance'"),
        ("(play)", "'play' has 2 or 4 arguments, not 0"),
        ("(play m nil nil)", "'play' has 2 or 4 arguments, not 3"),
        ("(start m x ((role x)) 5)", "'start' has 5 arguments, not 4"),
        ("(start m x ((role x)) five 3)", "invalid clock five: use a number of seconds"),
        ("(start m x ((role x)) -1 3)", "invalid clock -1: use a number of seconds"),
        ("(start m x ((role x)) nan 3)", "invalid clock nan: use a number of seconds"),
        ("(start m x rules 5 3)", "expected rules in parentheses"),
        ("(start (m) x ((role x)) 5 3)", "expected a word, not (m)"),
        ("(info", "missing closing parenthesis"),
        ("(info))", "found text after the closing parenthesis"),
        ("(info) (info)", "found text after the closing parenthesis"),
        ("(" * 1000, "nested deeper than 200"),
    ],
)
def test_what_is_no_message(text, sentence):
    with pytest.raises(RamifyError) as refused:
        read_message(text)
    assert sentence in str(refused.value)


def test_replies():
    assert read_term("( mark 1 2 )") == ("mark", "1", "2")
    assert read_term(" noop\n") == read_term("(noop)") == "noop"
    for text in ("", "a b", "(a", "a)", ")("):
        with pytest.raises(RamifyError):
            read_term(text)

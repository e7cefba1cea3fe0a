"""Messages of a game manager to a player.

A message is an S-expression: ``(info)``, ``(start ID ROLE (RULES) STARTCLOCK PLAYCLOCK)``, ``(play ID MOVES)``,
``(stop ID MOVES)``, ``(abort ID)`` or ``(preview (RULES) CLOCK)``. Managers differ in case, spaces, and parentheses
around words. With hidden information, ``play`` and ``stop`` may come as ``(play ID TURN OWN-MOVE (PERCEPTS))``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.ggp.kif import Term

MAX_NESTING = 200  # nested parentheses
MAX_CLOCK_SECONDS = 1e6

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True)
class Info:
    """Asks for the player's name and status."""


@dataclass(frozen=True)
class Start:
    """Starts a match."""

    match: str
    role: Term
    rules: str  # text without the outer parentheses
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Preview:
    """Announces rules that may be played later."""

    rules: str
    clock: float


@dataclass(frozen=True)
class LastTurn:
    """The last turn in a message: the moves of all roles, or the player's percepts."""

    moves_or_percepts: tuple[Term, ...]  # moves in the order of the roles, or percepts
    own: Term | None = None  # the move that the manager played for us, if the message has it
    turn: int | None = None  # number of the turn, if the message has it


@dataclass(frozen=True)
class Play:
    """Asks for a move."""

    match: str
    last: LastTurn | None  # None before the first move


@dataclass(frozen=True)
class Stop:
    """Ends a match."""

    match: str
    last: LastTurn | None


@dataclass(frozen=True)
class Abort:
    """Aborts a match."""

    match: str


Message: TypeAlias = Info | Start | Preview | Play | Stop | Abort


def read_message(text: str) -> Message:
    """Parse a message. Raise RamifyError for anything else."""
    parts = _parts(text)
    word = parts[0].text.lower()
    arguments = parts[1:]
    known = {"info": (0,), "start": (5,), "preview": (2,), "play": (2, 4), "stop": (2, 4), "abort": (1,)}
    if word not in known:
        raise RamifyError(f"unknown message '{_shorten(word)}': expected {', '.join(known)}")
    if len(arguments) not in known[word]:
        expected = " or ".join(map(str, known[word]))
        raise RamifyError(f"the message '{word}' has {expected} arguments, not {len(arguments)}")
    if word == "info":
        return Info()
    if word == "start":
        match, role, rules, start, play = arguments
        return Start(match.word(), role.term(), rules.inside(), start.clock(), play.clock())
    if word == "preview":
        return Preview(arguments[0].inside(), arguments[1].clock())
    name = arguments[0].word()
    if word == "abort":
        return Abort(name)
    last = _last_turn(arguments[1:])
    return Play(name, last) if word == "play" else Stop(name, last)


def _last_turn(arguments: list[_Part]) -> LastTurn | None:
    items = arguments[-1].term()
    if len(arguments) == 1:
        return None if _is_nil(items) else LastTurn(_items(items))
    turn, own = arguments[0].term(), arguments[1].term()
    number = int(turn) if isinstance(turn, str) and turn.isascii() and turn.isdigit() else None
    if number == 0 or _is_nil(own):
        return None
    return LastTurn(() if _is_nil(items) else _items(items), unwrapped(own), number)


def _items(term: Term) -> tuple[Term, ...]:
    return tuple(map(unwrapped, term)) if isinstance(term, tuple) else (term,)


def _is_nil(term: Term) -> bool:
    return term == () or (isinstance(term, str) and term.lower() == "nil")


def unwrapped(term: Term) -> Term:
    """Remove parentheses around a single word: some managers write ``(noop)``."""
    return term[0] if isinstance(term, tuple) and len(term) == 1 and isinstance(term[0], str) else term


def folded(term: Term) -> Term:
    """Return a term in lower case, for comparisons: some managers change the case."""
    return term.lower() if isinstance(term, str) else tuple(map(folded, term))


def read_term(text: str) -> Term:
    """Parse a reply that is a single term, such as a move."""
    tokens = [found.group() for found in _TOKEN.finditer(text) if not found.group().startswith(";")]
    return unwrapped(_term(tokens))


@dataclass(frozen=True)
class _Part:
    """An argument of a message."""

    text: str
    tokens: tuple[str, ...]

    def term(self) -> Term:
        return _term(list(self.tokens))

    def word(self) -> str:
        if len(self.tokens) != 1:
            raise RamifyError(f"expected a word, not {_shorten(self.text)}")
        return self.text

    def inside(self) -> str:
        if len(self.tokens) == 1:
            raise RamifyError(f"expected rules in parentheses, not {_shorten(self.text)}")
        return self.text[1:-1]

    def clock(self) -> float:
        try:
            value = float(self.text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= MAX_CLOCK_SECONDS:
            raise RamifyError(f"invalid clock {_shorten(self.text)}: use a number of seconds")
        return value


def _parts(text: str) -> list[_Part]:
    """Split a message into the items of its list."""
    tokens = [found for found in _TOKEN.finditer(text) if not found.group().startswith(";")]
    if not tokens or tokens[0].group() != "(":
        raise RamifyError(f"expected a list such as (info), not {_shorten(text.strip()) or 'an empty message'}")
    parts: list[_Part] = []
    depth, begun = 0, 0
    for place, token in enumerate(tokens):
        sign = token.group()
        if depth == 1 and sign != ")":
            begun = place
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_NESTING:
            raise RamifyError(f"parentheses are nested deeper than {MAX_NESTING}")
        if depth == 1 and place > 0:
            piece = text[tokens[begun].start() : token.end()]
            parts.append(_Part(piece, tuple(one.group() for one in tokens[begun : place + 1])))
        if depth == 0:
            if place + 1 < len(tokens):
                raise RamifyError("expected one list; found text after the closing parenthesis")
            if not parts:
                raise RamifyError("expected a list such as (info), not an empty one")
            return parts
    raise RamifyError("missing closing parenthesis")


def _term(tokens: list[str]) -> Term:
    stack: list[list[Term]] = [[]]
    for sign in tokens:
        if sign == "(":
            if len(stack) > MAX_NESTING:
                raise RamifyError(f"parentheses are nested deeper than {MAX_NESTING}")
            stack.append([])
        elif sign == ")":
            if len(stack) == 1:
                raise RamifyError("unmatched closing parenthesis")
            made = tuple(stack.pop())
            stack[-1].append(made)
        else:
            stack[-1].append(sign)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise RamifyError(f"expected one term, not {_shorten(' '.join(tokens)) or 'nothing'}")
    return stack[0][0]


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + " ..."

"""What a game manager says to a player, and how it is read.

Messages are S-expressions of one list: ``(info)``, ``(start ID ROLE (RULES) STARTCLOCK PLAYCLOCK)``, ``(play ID
MOVES)``, ``(stop ID MOVES)``, ``(abort ID)`` and ``(preview (RULES) CLOCK)``. Managers differ in case, blanks, and in
what they put around words; where rules have hidden information ``play`` and ``stop`` may come as ``(play ID TURN
OWN-MOVE (PERCEPTS))``.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.ggp.kif import Term

MAX_NESTING = 200  # parentheses within parentheses
MAX_CLOCK_SECONDS = 1e6  # seconds

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True)
class Info:
    """Who are you, and are you free?"""


@dataclass(frozen=True)
class Start:
    """A match begins."""

    match: str
    role: Term
    rules: str  # as text, without the parentheses around all of them
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Preview:
    """These rules may be played later."""

    rules: str
    clock: float


@dataclass(frozen=True)
class LastTurn:
    """What is told of the last turn: everybody's moves, or what one has perceived of them."""

    moves_or_percepts: tuple[Term, ...]  # moves in the order of the roles, or percepts
    own: Term | None = None  # the move that the manager took for ours, where it says so
    turn: int | None = None  # the number of the turn, where it says so


@dataclass(frozen=True)
class Play:
    """Your move."""

    match: str
    last: LastTurn | None  # None before the first move


@dataclass(frozen=True)
class Stop:
    """The match is over."""

    match: str
    last: LastTurn | None


@dataclass(frozen=True)
class Abort:
    """The match is broken off."""

    match: str


Message: TypeAlias = Info | Start | Preview | Play | Stop | Abort


def read_message(text: str) -> Message:
    """The message of a text; what is none is refused with a sentence."""
    parts = _parts(text)
    word = parts[0].text.lower()
    arguments = parts[1:]
    known = {"info": (0,), "start": (5,), "preview": (2,), "play": (2, 4), "stop": (2, 4), "abort": (1,)}
    if word not in known:
        raise RamifyError(f"there is no message '{_short(word)}'; known are {', '.join(known)}")
    if len(arguments) not in known[word]:
        wanted = " or ".join(map(str, known[word]))
        raise RamifyError(f"the message '{word}' has {wanted} arguments, not {len(arguments)}")
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
    last = _happened(arguments[1:])
    return Play(name, last) if word == "play" else Stop(name, last)


def _happened(arguments: list[_Part]) -> LastTurn | None:
    told = arguments[-1].term()
    if len(arguments) == 1:
        return None if _is_nil(told) else LastTurn(_items(told))
    turn, own = arguments[0].term(), arguments[1].term()
    number = int(turn) if isinstance(turn, str) and turn.isascii() and turn.isdigit() else None
    if number == 0 or _is_nil(own):
        return None
    return LastTurn(() if _is_nil(told) else _items(told), unwrapped(own), number)


def _items(term: Term) -> tuple[Term, ...]:
    return tuple(map(unwrapped, term)) if isinstance(term, tuple) else (term,)


def _is_nil(term: Term) -> bool:
    return term == () or (isinstance(term, str) and term.lower() == "nil")


def unwrapped(term: Term) -> Term:
    """A term without parentheses around a single word: some managers write ``(noop)``."""
    return term[0] if isinstance(term, tuple) and len(term) == 1 and isinstance(term[0], str) else term


def folded(term: Term) -> Term:
    """The term in lower case, to find out what a manager means that has changed the case."""
    return term.lower() if isinstance(term, str) else tuple(map(folded, term))


def read_term(text: str) -> Term:
    """The one term of a reply, such as a move."""
    tokens = [found.group() for found in _TOKEN.finditer(text) if not found.group().startswith(";")]
    return unwrapped(_term(tokens))


@dataclass(frozen=True)
class _Part:
    """An argument of a message: a piece of its text."""

    text: str
    tokens: tuple[str, ...]

    def term(self) -> Term:
        return _term(list(self.tokens))

    def word(self) -> str:
        if len(self.tokens) != 1:
            raise RamifyError(f"a word was expected in the place of {_short(self.text)}")
        return self.text

    def inside(self) -> str:
        if len(self.tokens) == 1:
            raise RamifyError(f"rules in parentheses were expected in the place of {_short(self.text)}")
        return self.text[1:-1]

    def clock(self) -> float:
        try:
            value = float(self.text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= MAX_CLOCK_SECONDS:
            raise RamifyError(f"a clock is a number of seconds, not {_short(self.text)}")
        return value


def _parts(text: str) -> list[_Part]:
    """The items of the one list that a message is."""
    tokens = [found for found in _TOKEN.finditer(text) if not found.group().startswith(";")]
    if not tokens or tokens[0].group() != "(":
        raise RamifyError(f"a message is a list, as (info), not {_short(text.strip()) or 'nothing'}")
    parts: list[_Part] = []
    depth, begun = 0, 0
    for place, token in enumerate(tokens):
        sign = token.group()
        if depth == 1 and sign != ")":
            begun = place
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_NESTING:
            raise RamifyError(f"a message has parentheses nested deeper than {MAX_NESTING}")
        if depth == 1 and place > 0:
            piece = text[tokens[begun].start() : token.end()]
            parts.append(_Part(piece, tuple(one.group() for one in tokens[begun : place + 1])))
        if depth == 0:
            if place + 1 < len(tokens):
                raise RamifyError("a message is one list; something stands behind its last parenthesis")
            if not parts:
                raise RamifyError("a message is a list, as (info), not an empty one")
            return parts
    raise RamifyError("a parenthesis of the message is never closed")


def _term(tokens: list[str]) -> Term:
    stack: list[list[Term]] = [[]]
    for sign in tokens:
        if sign == "(":
            if len(stack) > MAX_NESTING:
                raise RamifyError(f"parentheses are nested deeper than {MAX_NESTING}")
            stack.append([])
        elif sign == ")":
            if len(stack) == 1:
                raise RamifyError("a parenthesis closes nothing")
            made = tuple(stack.pop())
            stack[-1].append(made)
        else:
            stack[-1].append(sign)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise RamifyError(f"one term was expected, not {_short(' '.join(tokens)) or 'nothing'}")
    return stack[0][0]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + " ..."

"""Messages of a game manager to a player.

A message is an S-expression: ``(info)``, ``(start ID ROLE (RULES) STARTCLOCK PLAYCLOCK)``, ``(play ID MOVES)``,
``(stop ID MOVES)``, ``(abort ID)`` or ``(preview (RULES) CLOCK)``. Managers differ in case, spaces, and parentheses
around words. With hidden information, ``play`` and ``stop`` may come as ``(play ID TURN OWN-MOVE (PERCEPTS))``.
"""

from __future__ import annotations

import re
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.ggp.kif import MAX_NESTING, Term
from ramify.numerals import is_whole_number, real_number

MAX_CLOCK_SECONDS = 3600.0
MAX_NAME_LENGTH = 200  # characters of a match's name and of a role
LONG_MESSAGE = 1 << 16  # characters; such messages are read one at a time, so that a flood delays no short one
ARGUMENTS = {"info": (0,), "start": (5,), "preview": (2,), "play": (2, 4), "stop": (2, 4), "abort": (1,)}

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")
_BLANK = re.compile(r"(?:\s+|;[^\n]*)*")
_WORD = re.compile(r"[^\s();]+")
_PARENTHESIS = re.compile(r";[^\n]*|[()]")
_KIND = re.compile(r"[\s(]*([A-Za-z]*)")

_reading_long_message = threading.Lock()


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


def kind_of(text: str) -> str:
    """Return the first word of a message without reading the rest; empty if it is none."""
    found = _KIND.match(text)
    word = found.group(1).lower() if found else ""
    return word if word in ARGUMENTS else ""


def read_message(text: str) -> Message:
    """Parse a message. Raise RamifyError for anything else."""
    with nullcontext() if len(text) < LONG_MESSAGE else _reading_long_message:
        return _message(_parts(text))


def _message(parts: list[_Part]) -> Message:
    word = parts[0].text.lower()
    arguments = parts[1:]
    if word not in ARGUMENTS:
        raise RamifyError(f"unknown message '{_shorten(word)}': expected {', '.join(ARGUMENTS)}")
    if len(arguments) not in ARGUMENTS[word]:
        expected = " or ".join(map(str, ARGUMENTS[word]))
        raise RamifyError(f"the message '{word}' has {expected} arguments, not {len(arguments)}")
    if word == "info":
        return Info()
    if word == "start":
        match, role, rules, start, play = arguments
        return Start(match.word(), role.name(), rules.inside(), start.clock(), play.clock())
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
    number = int(turn) if isinstance(turn, str) and is_whole_number(turn) else None
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
    return unwrapped(_term(text))


@dataclass(frozen=True)
class _Part:
    """An argument of a message: a word or a list."""

    text: str

    def term(self) -> Term:
        return _term(self.text)

    def word(self) -> str:
        if self.text.startswith("("):
            raise RamifyError(f"expected a word, not {_shorten(self.text)}")
        return self._short()

    def name(self) -> Term:
        return _term(self._short())

    def _short(self) -> str:
        if len(self.text) > MAX_NAME_LENGTH:
            raise RamifyError(f"the name {_shorten(self.text)} is too long: use at most {MAX_NAME_LENGTH} characters")
        return self.text

    def inside(self) -> str:
        if not self.text.startswith("("):
            raise RamifyError(f"expected rules in parentheses, not {_shorten(self.text)}")
        return self.text[1:-1]

    def clock(self) -> float:
        value = real_number(self.text)
        if value is None or value < 0:
            raise RamifyError(f"invalid clock {_shorten(self.text)}: use a number of seconds")
        if value > MAX_CLOCK_SECONDS:
            raise RamifyError(f"invalid clock {_shorten(self.text)}: use at most {MAX_CLOCK_SECONDS:g} seconds")
        return value


def _parts(text: str) -> list[_Part]:
    """Split a message into the items of its list."""
    at = _after_blanks(text, 0)
    if text[at : at + 1] != "(":
        raise RamifyError(f"expected a list such as (info), not {_shorten(text.strip()) or 'an empty message'}")
    parts: list[_Part] = []
    at = _after_blanks(text, at + 1)
    while text[at : at + 1] != ")":
        if at == len(text):
            raise RamifyError("missing closing parenthesis")
        if len(parts) > max(map(max, ARGUMENTS.values())):
            raise RamifyError(f"a message has at most {len(parts) - 1} arguments")
        word = _WORD.match(text, at)
        end = word.end() if word else _end_of_list(text, at)
        parts.append(_Part(text[at:end]))
        at = _after_blanks(text, end)
    if _after_blanks(text, at + 1) < len(text):
        raise RamifyError("expected one list; found text after the closing parenthesis")
    if not parts:
        raise RamifyError("expected a list such as (info), not an empty one")
    return parts


def _after_blanks(text: str, at: int) -> int:
    """Return the place after white space and comments."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _end_of_list(text: str, at: int) -> int:
    """Return the place after the list that starts at ``at``, inside a message."""
    depth = 1
    for found in _PARENTHESIS.finditer(text, at):
        sign = text[found.start()]
        if sign == "(":
            depth += 1
            if depth > MAX_NESTING:
                raise RamifyError(f"parentheses are nested deeper than {MAX_NESTING}")
        elif sign == ")":
            depth -= 1
            if depth == 1:
                return found.end()
    raise RamifyError("missing closing parenthesis")


def _term(text: str) -> Term:
    stack: list[list[Term]] = [[]]
    for found in _TOKEN.finditer(text):
        sign = found.group()
        if sign == "(":
            if len(stack) > MAX_NESTING:
                raise RamifyError(f"parentheses are nested deeper than {MAX_NESTING}")
            stack.append([])
        elif sign == ")":
            if len(stack) == 1:
                raise RamifyError("unmatched closing parenthesis")
            made = tuple(stack.pop())
            stack[-1].append(made)
        elif not sign.startswith(";"):
            stack[-1].append(sign)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise RamifyError(f"expected one term, not {_shorten(' '.join(text.split())) or 'nothing'}")
    return stack[0][0]


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + " ..."

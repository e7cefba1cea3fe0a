"""Belief state of a match: one position, or several that are consistent with the player's percepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term
from ramify.ggp.rules import relation
from ramify.players.ggp.messages import folded

MAX_POSITIONS = 24
MAX_TRIED_MOVES = 2000  # joint moves tried per update

Joint = dict[Term, Term]


class Belief:
    """The positions that the match may be in."""

    def __init__(self, interpreter: Interpreter, role: Term, random: Random) -> None:
        self.interpreter = interpreter
        self.role = role
        self.random = random
        self.perceptive = any(relation(clause.head) == "sees" for clause in interpreter.rules.clauses)
        self.positions: list[Fluents] = [interpreter.initial()]

    @property
    def position(self) -> Fluents:
        """One of the positions; the one to search from."""
        return self.positions[0]

    def moves(self) -> list[Term]:
        """Return the role's legal moves; none if the game is over."""
        if self.interpreter.terminal(self.position):
            return []
        return self.interpreter.legal(self.position, self.role)

    def some_move(self) -> Term | None:
        """Return one of the legal moves, as soon as one is known."""
        return self.interpreter.some_legal(self.position, self.role)

    def joint(self, moves: Sequence[Term]) -> Joint | None:
        """Return the legal joint move for moves in the order of the roles, or None if one is not legal."""
        roles = self.interpreter.roles
        if len(moves) != len(roles) or self.interpreter.terminal(self.position):
            return None
        found = {role: self.match_legal(role, move) for role, move in zip(roles, moves, strict=True)}
        return {role: move for role, move in found.items() if move is not None} if None not in found.values() else None

    def match_legal(self, role: Term, move: Term) -> Term | None:
        """Return the legal move that equals ``move``, ignoring case if that is unambiguous, or None."""
        legal = self.interpreter.legal(self.position, role)
        if move in legal:
            return move
        alike = [one for one in legal if folded(one) == folded(move)]
        return alike[0] if len(alike) == 1 else None

    def advance(self, joint: Joint) -> None:
        """Update the position with a known joint move."""
        self.positions = [self.interpreter.next(self.position, joint)]

    def update(self, own: Term, percepts: Sequence[Term], left: Callable[[], float]) -> bool:
        """Update the belief with the role's own move and its percepts. Return whether any position explains them.

        If none does, assume arbitrary moves of the other roles. ``left`` returns the remaining seconds.
        """
        wanted = {folded(one) for one in percepts}
        found: dict[Fluents, None] = {}
        fallback: Fluents | None = None
        for position, joint in self._candidates(own):
            seen = {folded(one) for one in self.interpreter.sees(position, joint, self.role)}
            if seen == wanted:
                found[self.interpreter.next(position, joint)] = None
            elif fallback is None and not found:
                fallback = self.interpreter.next(position, joint)
            if len(found) == MAX_POSITIONS or (left() <= 0 and (found or fallback is not None)):
                break
        if found:
            self.positions = list(found)
            self.random.shuffle(self.positions)
        elif fallback is not None:
            self.positions = [fallback]
        return bool(found)

    def _candidates(self, own: Term) -> Iterator[tuple[Fluents, Joint]]:
        """Yield positions with joint moves that contain the own move: all of them if few, else a random sample."""
        others = [role for role in self.interpreter.roles if role != self.role]
        legal = {
            position: [self.interpreter.legal(position, role) for role in others]
            for position in self.positions
            if not self.interpreter.terminal(position)
        }
        count = sum(_size(choices) for choices in legal.values())
        if count <= MAX_TRIED_MOVES:
            everything = [
                (position, dict(zip(others, moves, strict=True)) | {self.role: own})
                for position, choices in legal.items()
                for moves in product(*choices)
            ]
            self.random.shuffle(everything)
            yield from everything
            return
        for _ in range(MAX_TRIED_MOVES):
            position = self.random.choice(list(legal))
            moves = [self.random.choice(choice) for choice in legal[position]]
            yield position, dict(zip(others, moves, strict=True)) | {self.role: own}


def _size(choices: list[list[Term]]) -> int:
    count = 1
    for choice in choices:
        count *= len(choice)
    return count

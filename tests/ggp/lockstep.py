"""Our rulesheets and our own games by the same rules, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from ramify.contract.game import State
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term

FILES = "abcdefghij"


def square(column: str, row: str) -> str:
    return FILES[int(column) - 1] + row


def by_square(move: Term) -> str:
    return square(*move[-2:])


def by_squares(move: Term) -> str:
    return square(*move[1:3]) + square(*move[3:5])


def morris(move: Term) -> str:
    return ("x" if move[0] == "take" else "") + "-".join(move[1:])


def stars(move: Term) -> str:
    return move if isinstance(move, str) else "-".join(move[1:])


def discs(move: Term) -> str:
    return move if isinstance(move, str) else by_square(move)


def draughts_number(column: str, row: str) -> str:
    return str(4 * (int(row) - 1) + (int(column) + 1) // 2)


def draughts(move: Term) -> str:
    sign = "x" if move[0] == "jump" else "-"
    return draughts_number(*move[1:3]) + sign + draughts_number(*move[3:5])


# Our game by the rules of each sheet, and what it calls a move.
NATIVE: dict[str, tuple[str, Callable[[Term], str]]] = {
    "breakthrough": ("breakthrough", by_squares),
    "checkers": ("checkers", draughts),
    "chinese_checkers": ("chinese_checkers(stay=true, drawn=true)", stars),
    "chomp": ("chomp", by_square),
    "connect4": ("connect4", lambda move: move[1]),
    "connect5": ("connect5", by_square),
    "eight_puzzle": ("eight_puzzle", lambda move: move[1]),
    "knightthrough": ("knightthrough", by_squares),
    "nim": ("nim", lambda move: move[1] + move[2]),
    "nine_mens_morris": ("nine_mens_morris", morris),
    "othello": ("othello", discs),
    "tictactoe": ("tictactoe", by_square),
    "tictactoe3d": ("tictactoe3d", lambda move: "ABCD"[int(move[1]) - 1] + by_square(move)),
}


Joint = dict[Term, Term]


def turns(
    rules: Interpreter, position: Fluents, player: int, name_of: Callable[[Term], str]
) -> Iterator[tuple[str, list[Joint]]]:
    """The names of all that a player can do on a turn, each with its joint moves; a chain of jumps is one turn."""
    moves = {role: rules.legal(position, role) for role in rules.roles}
    idle = [moves[role] for place, role in enumerate(rules.roles) if place != player]
    assert all(len(own) == 1 for own in idle), "only the player to move has a choice"
    for move in moves[rules.roles[player]]:
        joint = {role: own[0] for role, own in moves.items()} | {rules.roles[player]: move}
        after = rules.next(position, joint) if move[0] == "jump" else frozenset()
        if any(fluent[0] == "jumping" for fluent in after):
            for rest, path in turns(rules, after, player, name_of):
                yield name_of(move) + rest[rest.index("x") :], [joint, *path]
        else:
            yield name_of(move), [joint]


def play_in_lockstep(rules: Interpreter, start: State, name_of: Callable[[Term], str], rng: Random) -> int:
    """Play one random game by both; the number of turns. Whatever differs fails."""
    state, position = start, rules.initial()
    count = 0
    while not state.over:
        assert not rules.terminal(position), state.history
        ways = dict(turns(rules, position, state.to_move, name_of))
        names = [move.name for move in state.moves()]
        assert sorted(ways) == sorted(names), state.history
        chosen = rng.choice(names)
        state = state.play(chosen)
        for joint in ways[chosen]:
            position = rules.next(position, joint)
        count += 1
    assert rules.terminal(position), state.history
    goals = [rules.goals(position, role) for role in rules.roles]
    assert goals == [[round(100 * score)] for score in state.scores()], state.history
    return count

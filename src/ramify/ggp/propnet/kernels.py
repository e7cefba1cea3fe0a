"""Kernels of propnet games, compiled once for all of them: the propnet is data (``event_evaluation.EVALUATOR``).

If one player has a choice, that player is to move; if several have one, the move is simultaneous; if none has, the
first player plays the only legal move. ``random`` is chance, uniform over its moves. If players and ``random`` have a
choice, the players choose first, and their moves are stored in the state after the base propositions: one word per
role, 0 or the move plus 1.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import entry, jit, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import below
from ramify.core.search.episode import EPISODE, MAX_TRACE
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.ggp.propnet.event_evaluation import EVALUATOR, ended, list_legal, nth_legal, write_scores


@jit
def evaluator_at(rules, state):
    """Return the evaluator, moved to a state."""
    evaluator = record(rules, EVALUATOR)
    call(evaluator.move_to_state, (rules, state))
    return evaluator


@jit
def chosen(evaluator, state):
    """Return whether the players have chosen and chance is to move."""
    if evaluator.chance < 0:
        return False
    waiting = array(state + 8 * evaluator.words, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        if waiting[role]:
            return True
    return False


@jit
def turn(evaluator, state):
    """Return the player to move, CHANCE or SIMULTANEOUS, at the evaluator's state."""
    if chosen(evaluator, state):
        return CHANCE
    counts = array(evaluator.counts, evaluator.roles, np.int64)
    player_of = array(evaluator.player_of, evaluator.roles, np.int64)
    found = -1
    for role in range(evaluator.roles):
        if counts[role] > 1 and role != evaluator.chance:
            if found >= 0:
                return SIMULTANEOUS
            found = player_of[role]
    if found >= 0:
        return found
    return CHANCE if evaluator.chance >= 0 and counts[evaluator.chance] > 1 else 0


@jit
def prepare(evaluator, state):
    """Fill ``evaluator.joint`` with the moves already chosen and the first legal move of the other roles."""
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        joint[role] = nth_legal(evaluator, role, 0)
    if evaluator.chance >= 0:
        waiting = array(state + 8 * evaluator.words, evaluator.roles, np.int64)
        for role in range(evaluator.roles):
            if waiting[role]:
                joint[role] = waiting[role] - 1


@jit
def finish(rules, evaluator, state):
    """Apply the joint move and clear the stored moves."""
    if evaluator.chance >= 0:
        waiting = array(state + 8 * evaluator.words, evaluator.roles, np.int64)
        for role in range(evaluator.roles):
            waiting[role] = 0
    call(evaluator.apply_joint_move, (rules, state))


@jit
def hold_joint_move(evaluator, state):
    """Store the players' moves in the state: chance moves next."""
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    waiting = array(state + 8 * evaluator.words, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        waiting[role] = 0 if role == evaluator.chance else joint[role] + 1


@jit
def owner(evaluator, move):
    """Return the role whose move it is."""
    moves = array(evaluator.moves, evaluator.roles + 1, np.int64)
    role = 0
    while move >= moves[role + 1]:
        role += 1
    return role


@jit
def chance_waits(evaluator):
    """Return whether `random` has a choice at the evaluator's state."""
    return evaluator.chance >= 0 and array(evaluator.counts, evaluator.roles, np.int64)[evaluator.chance] > 1


def over(rules, state):
    evaluator = evaluator_at(rules, state)
    return 1 if ended(evaluator) else 0


def mover(rules, state):
    evaluator = evaluator_at(rules, state)
    return 0 if ended(evaluator) else turn(evaluator, state)


def legal(rules, state, moves):
    evaluator = evaluator_at(rules, state)
    if ended(evaluator):
        return 0
    role = array(evaluator.role_of, evaluator.players, np.int64)[max(turn(evaluator, state), 0)]
    return list_legal(evaluator, role, array(moves, 1 << 20, np.int64))


def legal_of(rules, state, player, moves):
    evaluator = evaluator_at(rules, state)
    if ended(evaluator):
        return 0
    return list_legal(
        evaluator, array(evaluator.role_of, evaluator.players, np.int64)[player], array(moves, 1 << 20, np.int64)
    )


def chance_outcomes(rules, state, moves, probabilities_):
    evaluator = evaluator_at(rules, state)
    if ended(evaluator):
        return 0
    count = list_legal(evaluator, evaluator.chance, array(moves, 1 << 20, np.int64))
    probabilities = array(probabilities_, count, np.float64)
    for k in range(count):
        probabilities[k] = 1.0 / count
    return count


def play(rules, state, move):
    evaluator = evaluator_at(rules, state)
    prepare(evaluator, state)
    role = owner(evaluator, move)
    array(evaluator.joint, evaluator.roles, np.int64)[role] = move
    if role != evaluator.chance and chance_waits(evaluator):
        hold_joint_move(evaluator, state)
    else:
        finish(rules, evaluator, state)
    return 0


def play_joint(rules, state, moves_):
    evaluator = evaluator_at(rules, state)
    prepare(evaluator, state)
    moves = array(moves_, evaluator.players, np.int64)
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    for player in range(evaluator.players):
        joint[array(evaluator.role_of, evaluator.players, np.int64)[player]] = moves[player]
    if chance_waits(evaluator):
        hold_joint_move(evaluator, state)
    else:
        finish(rules, evaluator, state)
    return 0


def scores(rules, state, out):
    evaluator = evaluator_at(rules, state)
    write_scores(evaluator, array(out, evaluator.players, np.float64))
    return 0


@jit
def draw_moves(evaluator, state, rng):
    """Draw a uniform random move for every role into ``evaluator.joint``.

    In a playout it makes no difference that chance is drawn together with the players.
    """
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    counts = array(evaluator.counts, evaluator.roles, np.int64)
    waits = chosen(evaluator, state)
    for role in range(evaluator.roles):
        if waits and role != evaluator.chance:
            joint[role] = array(state + 8 * evaluator.words, evaluator.roles, np.int64)[role] - 1
        else:
            joint[role] = nth_legal(evaluator, role, below(rng, counts[role]) if counts[role] > 1 else 0)


def playout(rules, state, episode_, block):
    """Play random moves to the end. Return the number of plies, or -1 - plies if cut at the limit."""
    evaluator = evaluator_at(rules, state)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    plies = 0
    while not ended(evaluator):
        if plies == episode.limit:
            return -1 - plies
        draw_moves(evaluator, state, rng)
        finish(rules, evaluator, state)
        call(evaluator.move_to_state, (rules, state))
        plies += 1
    return plies


def traced_playout(rules, state, episode_, block):
    """Like ``playout``, but also record the moves of players who had a choice in ``episode.trace``."""
    evaluator = evaluator_at(rules, state)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    trace = array(episode.trace, MAX_TRACE, np.int64)
    player_of = array(evaluator.player_of, evaluator.roles, np.int64)
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    counts = array(evaluator.counts, evaluator.roles, np.int64)
    plies = 0
    made = 0
    while not ended(evaluator):
        if plies == episode.limit:
            plies = -1 - plies
            break
        waits = chosen(evaluator, state)
        draw_moves(evaluator, state, rng)
        for role in range(evaluator.roles):
            if player_of[role] >= 0 and counts[role] > 1 and not waits and made < MAX_TRACE:
                trace[made] = player_of[role] * episode.classes + joint[role]
                made += 1
        finish(rules, evaluator, state)
        call(evaluator.move_to_state, (rules, state))
        plies += 1
    episode.trace_length = made
    return plies


@entry
def run_random_games(playout, scores, rules, start, state, size, episode, games, written, out, totals):
    """Play random games. Return their total plies and the number cut; add the scores of the others to ``totals``.

    ``playout`` and ``scores`` are addresses of kernels; ``written`` is the address of ``out``.
    """
    plies = cut = 0
    for _ in range(games):
        copy_bytes(state, start, size)
        length = call(playout, (rules, state, episode, 0))
        if length < 0:
            cut += 1
            continue
        plies += length
        call(scores, (rules, state, written))
        for k in range(len(out)):
            totals[k] += out[k]
    return plies, cut


KERNELS = (over, mover, legal, legal_of, chance_outcomes, play, play_joint, scores, playout, traced_playout)


@cache
def kernels():
    """Return the compiled kernels by name."""
    return {function.__name__: kernel(function) for function in KERNELS}

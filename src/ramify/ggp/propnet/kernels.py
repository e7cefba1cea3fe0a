"""The kernels of network games: compiled once for all of them, the network being data (``events.DESK``).

Whose turn it is, a position shows: where one player has a choice, that player moves, where several have, everybody
does, and where nobody has, the first player makes the only move there is. ``random`` moves as chance, each move as
likely; where it has a choice together with players, they choose first. What they chose then waits in the state, behind
the base propositions: a word for each role, 0 for nothing, else one more than the move.
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
    """The desk, brought to a state."""
    desk = record(rules, EVALUATOR)
    call(desk.bring, (rules, state))
    return desk


@jit
def chosen(desk, state):
    """Whether the players' moves wait for chance."""
    if desk.chance < 0:
        return False
    waiting = array(state + 8 * desk.words, desk.roles, np.int64)
    for role in range(desk.roles):
        if waiting[role]:
            return True
    return False


@jit
def turn(desk, state):
    """The player to move, CHANCE or SIMULTANEOUS, in a state that the desk is brought to."""
    if chosen(desk, state):
        return CHANCE
    counts = array(desk.counts, desk.roles, np.int64)
    player_of = array(desk.player_of, desk.roles, np.int64)
    found = -1
    for role in range(desk.roles):
        if counts[role] > 1 and role != desk.chance:
            if found >= 0:
                return SIMULTANEOUS
            found = player_of[role]
    if found >= 0:
        return found
    return CHANCE if desk.chance >= 0 and counts[desk.chance] > 1 else 0


@jit
def prepare(desk, state):
    """Lay out everybody's moves as far as they are known: those that wait, and the first legal move of the others."""
    joint = array(desk.joint, desk.roles, np.int64)
    for role in range(desk.roles):
        joint[role] = nth_legal(desk, role, 0)
    if desk.chance >= 0:
        waiting = array(state + 8 * desk.words, desk.roles, np.int64)
        for role in range(desk.roles):
            if waiting[role]:
                joint[role] = waiting[role] - 1


@jit
def finish(rules, desk, state):
    """Make the joint move."""
    if desk.chance >= 0:
        waiting = array(state + 8 * desk.words, desk.roles, np.int64)
        for role in range(desk.roles):
            waiting[role] = 0
    call(desk.make, (rules, state))


@jit
def hold_joint_move(desk, state):
    """Keep the joint move of the players, for chance to move next."""
    joint = array(desk.joint, desk.roles, np.int64)
    waiting = array(state + 8 * desk.words, desk.roles, np.int64)
    for role in range(desk.roles):
        waiting[role] = 0 if role == desk.chance else joint[role] + 1


@jit
def owner(desk, move):
    """The role whose move it is."""
    moves = array(desk.moves, desk.roles + 1, np.int64)
    role = 0
    while move >= moves[role + 1]:
        role += 1
    return role


@jit
def chance_waits(desk):
    """Whether `random` has a choice in the state that the desk is brought to."""
    return desk.chance >= 0 and array(desk.counts, desk.roles, np.int64)[desk.chance] > 1


def over(rules, state):
    desk = evaluator_at(rules, state)
    return 1 if ended(desk) else 0


def mover(rules, state):
    desk = evaluator_at(rules, state)
    return 0 if ended(desk) else turn(desk, state)


def legal(rules, state, moves):
    desk = evaluator_at(rules, state)
    if ended(desk):
        return 0
    role = array(desk.role_of, desk.players, np.int64)[max(turn(desk, state), 0)]
    return list_legal(desk, role, array(moves, 1 << 20, np.int64))


def legal_of(rules, state, player, moves):
    desk = evaluator_at(rules, state)
    if ended(desk):
        return 0
    return list_legal(desk, array(desk.role_of, desk.players, np.int64)[player], array(moves, 1 << 20, np.int64))


def chance_outcomes(rules, state, moves, probabilities_):
    desk = evaluator_at(rules, state)
    if ended(desk):
        return 0
    count = list_legal(desk, desk.chance, array(moves, 1 << 20, np.int64))
    probabilities = array(probabilities_, count, np.float64)
    for k in range(count):
        probabilities[k] = 1.0 / count
    return count


def play(rules, state, move):
    desk = evaluator_at(rules, state)
    prepare(desk, state)
    role = owner(desk, move)
    array(desk.joint, desk.roles, np.int64)[role] = move
    if role != desk.chance and chance_waits(desk):
        hold_joint_move(desk, state)
    else:
        finish(rules, desk, state)
    return 0


def play_joint(rules, state, moves_):
    desk = evaluator_at(rules, state)
    prepare(desk, state)
    moves = array(moves_, desk.players, np.int64)
    joint = array(desk.joint, desk.roles, np.int64)
    for player in range(desk.players):
        joint[array(desk.role_of, desk.players, np.int64)[player]] = moves[player]
    if chance_waits(desk):
        hold_joint_move(desk, state)
    else:
        finish(rules, desk, state)
    return 0


def scores(rules, state, out):
    desk = evaluator_at(rules, state)
    write_scores(desk, array(out, desk.players, np.float64))
    return 0


@jit
def draw_moves(desk, state, rng):
    """Lay out a move of everybody, each as likely; chance and players at once, which no playout can tell apart."""
    joint = array(desk.joint, desk.roles, np.int64)
    counts = array(desk.counts, desk.roles, np.int64)
    waits = chosen(desk, state)
    for role in range(desk.roles):
        if waits and role != desk.chance:
            joint[role] = array(state + 8 * desk.words, desk.roles, np.int64)[role] - 1
        else:
            joint[role] = nth_legal(desk, role, below(rng, counts[role]) if counts[role] > 1 else 0)


def playout(rules, state, episode_, block):
    """Play at random to the end or to the limit; the plies, or -1 less them."""
    desk = evaluator_at(rules, state)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    plies = 0
    while not ended(desk):
        if plies == episode.limit:
            return -1 - plies
        draw_moves(desk, state, rng)
        finish(rules, desk, state)
        call(desk.bring, (rules, state))
        plies += 1
    return plies


def traced_playout(rules, state, episode_, block):
    """The same; moves of players who had a choice are written down."""
    desk = evaluator_at(rules, state)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    trace = array(episode.trace, MAX_TRACE, np.int64)
    player_of = array(desk.player_of, desk.roles, np.int64)
    joint = array(desk.joint, desk.roles, np.int64)
    counts = array(desk.counts, desk.roles, np.int64)
    plies = 0
    made = 0
    while not ended(desk):
        if plies == episode.limit:
            plies = -1 - plies
            break
        waits = chosen(desk, state)
        draw_moves(desk, state, rng)
        for role in range(desk.roles):
            if player_of[role] >= 0 and counts[role] > 1 and not waits and made < MAX_TRACE:
                trace[made] = player_of[role] * episode.classes + joint[role]
                made += 1
        finish(rules, desk, state)
        call(desk.bring, (rules, state))
        plies += 1
    episode.made = made
    return plies


@entry
def run_random_games(playout, scores, rules, start, state, size, episode, games, written, out, totals):
    """Random games by two kernels; their plies in all, and how many were cut. Scores come by way of ``out``."""
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
    """All of them, by name."""
    return {function.__name__: kernel(function) for function in KERNELS}

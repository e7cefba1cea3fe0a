"""MCTS-Solver with score bounds: propagates proven results of terminal nodes up the tree.

Winands, Björnsson and Saito (2008) prove wins and losses; Cazenave and Saffidine (2010) prove any score by bounds. A
node has two numbers per player, both 0 at first and never decreasing. ``sure`` is the lower bound: a score that the
player can force. ``lost`` is 1 minus the upper bound: the player's deficit whatever happens. Scores lie in [0, 1], so
the player's score is between ``sure`` and 1 - ``lost``. The numbers are columns: one row of ``sure`` per player, then
one row of ``lost`` per player. If the game has two players and is ``constant_sum`` (scores add up to 1), one player's
deficit is what the other can force, and only the rows of ``sure`` exist.

* A terminal node sets both.
* At a player's node each number is the minimum over the children, except that player's ``sure``: the maximum.
* At a chance node each number is the mean over the outcomes, weighted by probability: the bounds hold for the expected
  score. Probabilities are stored in 32 bits, which limits the precision of these means.
* If terminal scores sum to at most S, a player gets at most S minus what all others can force. S is the largest sum
  seen so far, at least 1: what a player can force rests only on terminal nodes already seen.

``prove`` must be the last hook because it reorders children. It walks up from a newly found terminal node until a
node's numbers do not change. On the way it prunes the children that cannot give their mover more than it can already
force. In a proven node only the best child stays live, so simulations through it follow the proof. Without constant sum
a child is pruned only if it is worse or fully proven: the mover's ties may matter to the other players.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, PROVEN
from ramify.core.search.tree import CHANCE, MAX_HIDDEN, ROOT, node_at, swap_nodes

TOLERANCE = 1e-9  # bounds at most this far apart count as equal

# Where children may be pruned.
NOWHERE, BELOW_THE_ROOT, EVERYWHERE = range(3)

# Kinds of invalid scores.
OUT_OF_RANGE, NOT_CONSTANT_SUM = 1, 2

PROOF = np.dtype(
    [
        ("players", np.int64),
        ("rows", np.int64),
        ("constant_sum", np.int64),  # whether there are two players whose scores add up to 1
        ("bounds", np.int64),  # address of the first of its columns
        ("score", np.int64),  # the game's kernel (rules, state, out)
        ("scores", np.int64),  # address: one per player, of the last terminal node found
        ("prunes", np.int64),  # NOWHERE, BELOW_THE_ROOT or EVERYWHERE
        ("largest", np.float64),  # largest sum of terminal scores, at least 1
        ("score_error", np.int64),  # OUT_OF_RANGE or NOT_CONSTANT_SUM; 0: none
        # All columns of the tree, which are reordered with the nodes.
        ("columns", np.int64),
        ("all_rows", np.int64),
        ("stride", np.int64),
    ]
)


def prove(block, episode_):
    """Record a terminal node and update its ancestors. Return PROVEN once the score of the root's mover is exact."""
    proof = record(block, PROOF)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    if episode.plies == 0 and not episode.cut and not is_exact(proof, 0, path[episode.depth]):
        call(proof.score, (episode.rules, episode.state, proof.scores))
        if record_terminal(proof, path[episode.depth]):
            level = episode.depth - 1
            while level >= 0 and update_from_children(proof, episode.nodes, path[level]):
                level -= 1
    return PROVEN if is_exact(proof, np.int64(node_at(episode.nodes, ROOT).mover), ROOT) else DONE


@jit
def bound(proof, row, node):
    return array(proof.bounds + 8 * (row * proof.stride + node), 1, np.float64)[0]


@jit
def deficit_row(proof, player):
    """Return the row of a player's ``lost``."""
    return 1 - player if proof.constant_sum else proof.players + player


@jit
def is_exact(proof, player, node):
    """Whether the bounds of a player's score coincide."""
    return bound(proof, player, node) + bound(proof, deficit_row(proof, player), node) >= 1.0 - TOLERANCE


@jit
def record_terminal(proof, node):
    """Write the scores of a terminal node. Return False and set ``score_error`` if they are invalid."""
    scores = array(proof.scores, proof.players, np.float64)
    total = 0.0
    for player in range(proof.players):
        if not 0.0 <= scores[player] <= 1.0:
            proof.score_error = OUT_OF_RANGE
            return False
        total += scores[player]
    if proof.constant_sum and abs(total - 1.0) > TOLERANCE:
        proof.score_error = NOT_CONSTANT_SUM
        return False
    proof.largest = max(proof.largest, total)
    for row in range(proof.rows):
        known = scores[row] if row < proof.players else 1.0 - scores[row - proof.players]
        array(proof.bounds + 8 * (row * proof.stride + node), 1, np.float64)[0] = known
    return True


@jit
def update_from_children(proof, nodes, node):
    """Update a node's bounds from its children and prune. Return whether the parent must be updated."""
    here = node_at(nodes, node)
    first, count = np.int64(here.first), np.int64(here.live) + np.int64(here.hidden)
    mover = np.int64(here.mover)
    changed = False
    for row in range(proof.rows):
        if mover == CHANCE:
            value = mean_of(proof, nodes, row, first, count)
        else:
            value = extreme_of(proof, row, first, count, row == mover)
        changed = raise_bound(proof, row, node, value) or changed
    if proof.players > 1 and not proof.constant_sum:
        changed = tighten_upper_bounds(proof, node) or changed
    if mover != CHANCE and (proof.prunes == EVERYWHERE or (proof.prunes == BELOW_THE_ROOT and node != ROOT)):
        prune_children(proof, nodes, node, mover)
    return changed


@jit
def raise_bound(proof, row, node, value):
    """Raise a number of a node to ``value``. Return whether it was lower."""
    here = array(proof.bounds + 8 * (row * proof.stride + node), 1, np.float64)
    if value <= here[0]:
        return False
    here[0] = value
    return True


@jit
def extreme_of(proof, row, first, count, greatest):
    """Minimum of the children's numbers, or maximum if ``greatest``."""
    numbers = array(proof.bounds + 8 * (row * proof.stride + first), count, np.float64)
    found = numbers[0]
    for k in range(1, count):
        found = max(found, numbers[k]) if greatest else min(found, numbers[k])
    return found


@jit
def mean_of(proof, nodes, row, first, count):
    """Mean of the outcomes' numbers. Divides by the summed weights, so rounded probabilities do not distort it."""
    numbers = array(proof.bounds + 8 * (row * proof.stride + first), count, np.float64)
    total = 0.0
    weight = 0.0
    for k in range(count):
        chance = np.float64(node_at(nodes, first + k).chance)
        total += chance * numbers[k]
        weight += chance
    return total / weight


@jit
def tighten_upper_bounds(proof, node):
    """Raise each player's ``lost`` to 1 - ``largest`` + what the others can force. Return whether any changed."""
    changed = False
    for player in range(proof.players):
        forced = 1.0 - proof.largest
        for other in range(proof.players):
            if other != player:
                forced += bound(proof, other, node)
        changed = raise_bound(proof, proof.players + player, node, forced) or changed
    return changed


@jit
def prune_children(proof, nodes, node, mover):
    """Prune the children that cannot improve what the mover can force; in a proven node, all but the best."""
    here = node_at(nodes, node)
    first = np.int64(here.first)
    sure = bound(proof, mover, node)
    live = np.int64(here.live)
    left = 0
    for k in range(live):
        left += 0 if is_dominated(proof, mover, sure, first + k) else 1
    if left == 0:
        prune_all_but_best(proof, nodes, node, mover)
        return
    for k in range(live - 1, -1, -1):
        if here.hidden < MAX_HIDDEN and is_dominated(proof, mover, sure, first + k):
            here.live -= 1
            here.hidden += 1
            swap_nodes(nodes, proof.columns, proof.all_rows, proof.stride, first + k, first + np.int64(here.live))


@jit
def is_dominated(proof, mover, sure, child):
    """Whether a child cannot give its mover more than it can already force."""
    most = 1.0 - bound(proof, deficit_row(proof, mover), child)
    if most > sure + TOLERANCE:
        return False
    if proof.players == 1 or proof.constant_sum or most < sure - TOLERANCE:
        return True
    open_ = 0
    for player in range(proof.players):
        open_ += 0 if is_exact(proof, player, child) else 1
    return open_ == 0


@jit
def prune_all_but_best(proof, nodes, node, mover):
    """Keep only the child with the mover's largest ``sure``; ties go to the first."""
    here = node_at(nodes, node)
    first, count = np.int64(here.first), np.int64(here.live) + np.int64(here.hidden)
    if count - 1 > MAX_HIDDEN:
        return
    best = 0
    for k in range(1, count):
        if bound(proof, mover, first + k) > bound(proof, mover, first + best):
            best = k
    swap_nodes(nodes, proof.columns, proof.all_rows, proof.stride, first, first + best)
    here.live = 1
    here.hidden = count - 1


@cache
def prove_kernel():
    return kernel(prove)

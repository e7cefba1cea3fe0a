"""MCTS-Solver with bounds of scores: what the ends of games in the tree prove of the nodes above them.

Winands, Björnsson and Saito (2008) prove wins and losses, Cazenave and Saffidine (2010) any score by bounds. A node has
two numbers for each player, both 0 at first, which only grow: ``sure``, a score that the player can force whatever
the others do, and ``lost``, what the player misses of a score of 1 whatever happens. Scores lie in [0, 1], so the
player's score is between ``sure`` and 1 - ``lost``. They are kept in columns: the rows of ``sure`` by player, then
those of ``lost``. Where two players' scores are ``shared``, adding up to 1, what one misses is what the other has
forced, and the rows of ``sure`` are all there is.

* An end of the game sets both.
* Where a player moves, each number is the least of the children's, but that player's ``sure`` the greatest.
* Where chance moves, each is the mean of the outcomes', weighted by their probabilities: what is proven there is an
  expectation. Probabilities have 32 bits, and so exact are such means.
* Where the scores of an end add up to S at most, a player has no more than S less what all others force. For S the
  largest sum so far will do, or 1: whatever somebody forces rests on ends that were seen.

``prove`` is the last of the hooks, since it reorders children. It goes up from an end of the game that was not
known until a node's numbers stay as they are. On the way children are hidden from the policies: those whose mover
cannot get more there than it can force anyway. Of a node that is decided the best child alone stays live, so
simulations that pass there follow the proof. Where scores are not shared a child stays unless it is worse or everything
is known of it, because what its mover does not care about may matter to the others.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, PROVEN
from ramify.core.search.tree import CHANCE, MAX_HIDDEN, ROOT, node_at, swap_nodes

TOLERANCE = 1e-9  # bounds that are no farther apart have met

# Where children may be hidden.
NOWHERE, BELOW_THE_ROOT, EVERYWHERE = range(3)

# Scores that bounds make no sense of.
OUT_OF_RANGE, NOT_CONSTANT_SUM = 1, 2

PROOF = np.dtype(
    [
        ("players", np.int64),
        ("rows", np.int64),
        ("constant_sum", np.int64),  # whether there are two players whose scores add up to 1
        ("bounds", np.int64),  # address of the first of its columns
        ("score", np.int64),  # the game's kernel (rules, state, out)
        ("scores", np.int64),  # address of one number a player: those of the last end that was found
        ("prunes", np.int64),
        ("largest", np.float64),  # sum of scores at an end; 1 at least
        ("score_error", np.int64),  # what is wrong with the scores of the last end; 0: nothing
        # All columns beside the tree, which are reordered with the nodes.
        ("columns", np.int64),
        ("all_rows", np.int64),
        ("stride", np.int64),
    ]
)


def prove(block, episode_):
    """Note an end of the game and what follows from it; PROVEN once the score of the root's mover is known."""
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
    """A number of a node."""
    return array(proof.bounds + 8 * (row * proof.stride + node), 1, np.float64)[0]


@jit
def deficit_row(proof, player):
    """The row of what a player misses."""
    return 1 - player if proof.constant_sum else proof.players + player


@jit
def is_exact(proof, player, node):
    """Whether the bounds of a player's score have met."""
    return bound(proof, player, node) + bound(proof, deficit_row(proof, player), node) >= 1.0 - TOLERANCE


@jit
def record_terminal(proof, node):
    """Write the scores of a finished game, unless they make no sense."""
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
    """Bring a node up to date with its children, and hide some of them; whether anything new follows above."""
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
    """Raise a number of a node; whether it was lower."""
    here = array(proof.bounds + 8 * (row * proof.stride + node), 1, np.float64)
    if value <= here[0]:
        return False
    here[0] = value
    return True


@jit
def extreme_of(proof, row, first, count, greatest):
    """The least of the children's numbers, or the greatest."""
    numbers = array(proof.bounds + 8 * (row * proof.stride + first), count, np.float64)
    found = numbers[0]
    for k in range(1, count):
        found = max(found, numbers[k]) if greatest else min(found, numbers[k])
    return found


@jit
def mean_of(proof, nodes, row, first, count):
    """The mean of the outcomes' numbers; equal ones give just that, whatever rounding has made of probabilities."""
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
    """Raise what each player misses to what the others leave over; whether that is more."""
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
    """Hide the children that cannot change what the mover forces; of a node that is decided, all but the best."""
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
    """Whether a child can bring its mover no more than what that can force anyway."""
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
    """Leave the child alone that is surest for the mover, of equals the first."""
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
    """The ``on_simulation`` hook."""
    return kernel(prove)

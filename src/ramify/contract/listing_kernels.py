"""Sources of playouts that choose among the listed moves, the chooser compiled in (``core.engine.turns``).

``core.engine.playing`` has the same for games that are Python objects.
"""

from ramify.core.engine.turns import UNDECIDED, Chooser

LISTED_PLAYOUT = """
def {name}(rules, state, episode_, block_):
    R = record(rules, RULES)
    S = record(state, STATE)
    block = record(block_, PLAYING)
    episode = record(episode_, EPISODE)
    spot = record(block.spot, SPOT)
    moves = array(spot.moves, MANY, int64)
    kinds = array(spot.kinds, MANY, int64)
    values = array(spot.values, MANY, float64)
    trace = array(episode.trace, MOST_TRACED, int64)
    rng = array(episode.rng, 1, uint64)
    limit, most, classes, classified = episode.limit, spot.most, spot.classes, spot.classified
    begin(block, spot, episode, rules, state)
    made = 0
    plies = 0
    while not over(R, S):
        if plies == limit:
            plies = -1 - plies
            break
        who = int64(mover(R, S))
        {chance}
        count = int64(legal(R, S, moves))
        if count < 1 or count > most:
            raise BadMoveCountError
        k = int64(0)
        if count > 1:
            spot.mover = who
            spot.count = count
            spot.ply = plies
            k = int64({early})
            if k < 0:
                {classes}
                k = int64(choose(block.block, block.spot))
        move = moves[k]
        if classified:
            kind = int64({kind})
            if not 0 <= kind < classes:
                spot.strange = move + 1
                plies = -1 - plies
                break
            spot.before = spot.previous
            spot.previous = who * classes + kind
            if made < MOST_TRACED:
                trace[made] = spot.previous
                made += 1
        play(R, S, move)
        plies += 1
    episode.made = made
    return plies
"""
LISTED_CHANCE = """if who == CHANCE:
            probabilities = array(spot.probabilities, MANY, float64)
            play(R, S, moves[weighted(rng, probabilities, chances(R, S, moves, probabilities))])
            plies += 1
            continue"""
LISTED_CLASSES = """if classified:
                    outside = int64(0)  # negative where a class is not below `classes`
                    for j in range(count):
                        kind = int64({kind})
                        outside |= kind | (classes - 1 - kind)
                        kinds[j] = kind
                    if outside < 0:
                        note_strange(spot, count)
                        plies = -1 - plies
                        break"""
# One loop for all of it: another one over the values would take half as long again.
RATED_CLASSES = """own = array(int64(row(block.block, block.spot)), classes, float64)
                outside, best, winner, ties, total = int64(0), -inf, 0, 0, 0.0
                for j in range(count):
                    kind = int64({kind})
                    outside |= kind | (classes - 1 - kind)
                    kinds[j] = kind
                    value = own[uint64(kind if uint64(kind) < uint64(classes) else 0)]
                    values[j] = value
                    better = value > best
                    ties = 1 if better else ties + (value == best)
                    winner = j if better else winner
                    best = value if better else best
                    total += value
                if outside < 0:
                    note_strange(spot, count)
                    plies = -1 - plies
                    break
                spot.winner, spot.ties, spot.total = winner, ties, total"""
WIN = """
def {name}(rules, state, trial_, moves_, count, player):
    R = record(rules, RULES)
    trial = record(trial_, TRIAL)
    S = record(trial.scratch, STATE)
    moves = array(moves_, count, int64)
    out = array(trial.out, PLAYERS, float64)
    for k in range(count):
        copy_bytes(trial.scratch, state, STATE_BYTES)
        play(R, S, moves[k])
        if over(R, S):
            scores(R, S, out)
            if out[player] >= 1.0:
                return k
    return -1
"""


def listed_source(name: str, chooser: Chooser, *, chances: bool, classes: bool) -> str:
    """The source of such a playout, for a game that has ``chances`` and ``move_class``, or not."""
    kind = "move_class(R, S, {})" if classes else "{}"
    return LISTED_PLAYOUT.format(
        name=name,
        chance=LISTED_CHANCE if chances else "pass",
        classes=(RATED_CLASSES if chooser.row else LISTED_CLASSES).format(kind=kind.format("moves[j]")),
        kind=kind.format("move"),
        early="early(block.block, block.spot)" if chooser.early else UNDECIDED,
    )

"""Sources of playouts that list the moves and choose by a compiled-in policy (``core.playouts.context``).

``core.playouts.python_playout`` does the same for games that are not compiled.
"""

from ramify.core.playouts.context import NO_MOVE, PlayoutPolicy

LISTED_PLAYOUT = """
def {name}(rules, state, episode_, block_):
    R = record(rules, RULES)
    S = record(state, STATE)
    block = record(block_, PLAYOUT_BLOCK)
    episode = record(episode_, EPISODE)
    context = record(block.context, PLAYOUT_CONTEXT)
    moves = array(context.moves, MOST_MOVES, int64)
    move_classes = array(context.move_classes, MAX_BUFFER, int64)
    trace = array(episode.trace, MAX_TRACE, int64)
    rng = array(episode.rng, 1, uint64)
    limit, most, classes, classified = episode.limit, context.max_moves, context.classes, context.classified
    begin(block, context, episode, rules, state)
    made = 0
    plies = 0
    while not over(R, S):
        if plies == limit:
            plies = -1 - plies
            break
        who = int64(mover(R, S))
        {chance}
        context.mover = who
        move = int64({winning_move})
        if move >= 0:
            pass
        elif {unlisted}:
            move = int64({sample})
        else:
            count = int64({listing})
            if count < 1 or count > most:
                raise BadMoveCountError
            k = int64(0)
            if count > 1:
                context.count = count
                if {listed}:
                    k = below(rng, count)
                else:
                    {classes}
                    k = int64(choose(block.block, block.context))
            move = moves[k]
        if classified:
            kind = int64({kind})
            if not 0 <= kind < classes:
                context.out_of_range = move + 1
                plies = -1 - plies
                break
            context.before = context.previous
            context.previous = who * classes + kind
            if made < MAX_TRACE:
                trace[made] = context.previous
                made += 1
        play(R, S, move)
        plies += 1
    episode.trace_length = made
    return plies
"""
LISTED_CHANCE = """if who == CHANCE:
            outcomes = array(context.moves, MOST_OUTCOMES, int64)
            probabilities = array(context.probabilities, MOST_OUTCOMES, float64)
            play(R, S, outcomes[weighted(rng, probabilities, chance_outcomes(R, S, outcomes, probabilities))])
            plies += 1
            continue"""
LISTED_CLASSES = """if classified:
                        for j in range(count):
                            move_classes[j] = int64(move_class(R, S, moves[j]))"""
WIN = """
def {name}(rules, state, try_block_, moves_, count, player):
    R = record(rules, RULES)
    try_block = record(try_block_, TRY_BLOCK)
    S = record(try_block.scratch, STATE)
    moves = array(moves_, count, int64)
    out = array(try_block.out, PLAYERS, float64)
    for k in range(count):
        copy_bytes(try_block.scratch, state, STATE_BYTES)
        play(R, S, moves[k])
        if over(R, S):
            scores(R, S, out)
            if out[player] >= 1.0:
                return k
    return -1
"""


WON = """
def {name}(rules, state, try_block_, moves_, count, player):
    moves = array(moves_, count, int64)
    move = int64(winning_move(record(rules, RULES), record(state, STATE)))
    for k in range(count if move >= 0 else 0):
        if moves[k] == move:
            return k
    return -1
"""


def policy_playout_source(
    name: str, policy: PlayoutPolicy, *, chance_outcomes: bool, classes: bool, sample: bool
) -> str:
    """Return the source; the flags say whether the game has ``chance_outcomes``, ``move_class`` and ``sample``."""
    explore = "explore(block.block, block.context)"
    drawing = "published_heuristic" if policy.listed else "sample" if sample else ""
    weights = "array(context.probabilities, MAX_BUFFER, float64)"
    return LISTED_PLAYOUT.format(
        name=name,
        listing=f"published_moves(R, S, rng, moves, {weights})" if policy.listed else "legal(R, S, moves)",
        chance=LISTED_CHANCE if chance_outcomes else "pass",
        winning_move="winning_move(R, S)" if policy.winning else NO_MOVE,
        unlisted=explore if policy.explore and drawing else False,
        sample=f"{drawing}(R, S, rng)" if drawing else NO_MOVE,
        listed=explore if policy.explore and not drawing else False,
        classes=LISTED_CLASSES if classes else "pass",
        kind="move_class(R, S, move)" if classes else "move",
    )

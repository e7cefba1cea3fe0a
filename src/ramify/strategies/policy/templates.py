"""The texts that a policy's kernels are made of; ``source`` fills in what is in braces."""

# Addresses a kernel works with; `place` is where the first child stands in an array of one float a node.
PLACES = """place = (children - block.nodes) * 8 // NODE_BYTES
    squares_ = block.squares + place
    kept_ = block.kept + place
    rng_ = block.rng
    scratch = block.scratch"""

INDEX_KERNEL = """
def {name}(children, count, visits_, block_):
    arms = records(children, count, NODE)
    block = record(block_, BLOCK)
    {places}
    indices = array(scratch, count, float64)
    fpu = {fpu}
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    K = float64(count)
    {first}
    {views}
    for k in range(count):
        {arm}
    return argmax(array(rng_, 1, uint64), indices, count)
"""

# The same four arms at a time, for a formula without a branch (``vector.formulas``). Where first-play urgency comes
# before every index, it is infinite. Up to eight indices are compared in registers.
LANES_KERNEL = """
def {name}_four(children, k, count, fpu, N, lnN, K, block_, {passed}):
    left = count - k
    n = ints_at(children + k * NODE_BYTES + VISITS_AT, NODE_BYTES)
    t = floats_at(children + k * NODE_BYTES + TOTAL_AT, NODE_BYTES)
    {arm}

four = jit({name}_four)

def {name}(children, count, visits_, block_):
    block = record(block_, BLOCK)
    {places}
    rng = array(rng_, 1, uint64)
    fpu = {fpu}
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    K = float64(count)
    {crowd}
    {views}
    values = four(children, 0, count, fpu, N, lnN, K, block_, {given})
    write(scratch, values)
    if count <= WIDTH:
        return one_of(rng, equal(values, largest(values)))
    more = four(children, WIDTH, count, fpu, N, lnN, K, block_, {given})
    write(scratch + 8 * WIDTH, more)
    best = max(values, more)
    if count <= 2 * WIDTH:
        top = largest(best)
        return one_of(rng, equal(values, top) | equal(more, top) << uint64(WIDTH))
    for k in range(2 * WIDTH, count, WIDTH):
        values = four(children, k, count, fpu, N, lnN, K, block_, {given})
        write(scratch + 8 * k, values)
        best = max(best, values)
    return argmax_of_lanes(rng, scratch, count, largest(best))
"""
# Of many arms, most of them never visited.
LANES_CROWD = """if count > CROWD and 2 * visits_ < count and fpu == inf:
        return unvisited(rng, children, count)"""
# Four arms; the second way is for a function that is asked for arms never visited, too, the third for one that knows
# something of them by other moves.
FOUR_VISITED = """m = t / n
    {ready}
    return only_first(replace_zeros(n, fpu, function({arguments})), left)"""
FOUR_OF_ALL = """visited = max(n, 1.0)
    mean_ = t / visited
    m = replace_zeros(n, fpu, mean_)
    {ready}
    return only_first(function({arguments}), left)"""
FOUR_OF_AMAF = """m = t / max(n, 1.0)
    S = floats_at(counts_ + 8 * k, 8)
    R = floats_at(totals_ + 8 * k, 8)
    {ready}
    return only_first(replace_zeros(n + S, fpu, function({arguments})), left)"""
LANES_READY = {
    "lnn": "lnn = ln_of_lanes(logs, n)",
    "s": "s = sqrt(max(floats_at(squares_ + 8 * k, 8) / n - m * m, 0.0))",
    "P": "P = singles_at(children + k * NODE_BYTES + CHANCE_AT, NODE_BYTES)",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
}
LANES_READY_OF_ALL = LANES_READY | {"s": "s = sqrt(max(floats_at(squares_ + 8 * k, 8) / visited - mean_ * mean_, 0.0))"}
# What the four arms are given beyond the usual, by what asks for it, and how it is made ready.
LANES_PASSED = {"s": "squares_", "lnn": "logs", "lnK": "lnK", "m_max": "m_max", "t_max": "t_max"}
LANES_SURVEY = """highest = in_every_lane(-inf)
    most = in_every_lane(-inf)
    for k in range(0, count, WIDTH):
        n = ints_at(children + k * NODE_BYTES + VISITS_AT, NODE_BYTES)
        means_ = floats_at(children + k * NODE_BYTES + TOTAL_AT, NODE_BYTES) / n
        highest = max(highest, only_first(replace_zeros(n, -inf, means_), count - k))
        most = max(most, only_first(replace_zeros(n, -inf, means_ * n), count - k))
    m_max = largest(highest)
    t_max = largest(most)"""

# An arm of an index policy that goes arm by arm, in three ways: a function is not asked for arms never visited, on
# which it might fail, unless something is known of them by other moves, or it asks for first-play urgency.
BRANCHING_ARM = """n = float64(arms[k].visits)
        if n > 0.0:
            t = arms[k].total
            m = t / n
            {ready}
            indices[k] = function({arguments})
        else:
            indices[k] = fpu"""
AMAF_ARM = """n = float64(arms[k].visits)
        t = arms[k].total
        S = counts[k]
        R = totals[k]
        if n + S > 0.0:
            m = t / max(n, 1.0)
            {ready}
            indices[k] = function({arguments})
        else:
            indices[k] = fpu"""
EVERY_ARM = """n = float64(arms[k].visits)
        t = arms[k].total
        m = arms[k].total / max(n, 1.0) if n > 0.0 else fpu
        {ready}
        indices[k] = function({arguments})"""

# The highest mean and the highest total of the arms that have been visited, rounded as ``m`` and ``m * n`` are.
SURVEY = """m_max = -inf
    t_max = -inf
    for k in range(count):
        n = float64(arms[k].visits)
        if n > 0.0:
            m_max = max(m_max, arms[k].total / n)
            t_max = max(t_max, arms[k].total / n * n)"""

CHOICE_KERNEL = """
def {name}(children, count, visits_, block_):
    arms = records(children, count, NODE)
    block = record(block_, BLOCK)
    {places}
    fpu = {fpu}
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    K = count
    {first}
    {views}
    return min(max(int64(function({arguments})), 0), count - 1)
"""

# A function that fills in the indices of all arms; what it says of arms never visited is not used.
FILLING_KERNEL = """
def {name}(children, count, visits_, block_):
    arms = records(children, count, NODE)
    block = record(block_, BLOCK)
    {places}
    fpu = block.fpu
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    K = count
    {first}
    {views}
    function({arguments})
    if fpu < URGENT:
        for k in range(count):
            indices[k] = indices[k] if arms[k].visits > 0 else fpu
    return argmax(array(rng_, 1, uint64), indices, count)
"""

# Arms never visited come first, in even order, where nothing else can: before a function that needs means, and
# before any index if first-play urgency is that of the default or more.
FIRST = """if count > CROWD and 2 * visits_ < count{urgent}:
        return unvisited(array(rng_, 1, uint64), children, count)
    fresh = 0
    for k in range(count):
        fresh += arms[k].visits == 0
    if fresh > 0{urgent}:
        chosen = below(array(rng_, 1, uint64), fresh) if fresh > 1 else 0
        for k in range(count):
            if arms[k].visits == 0:
                if chosen == 0:
                    return k
                chosen -= 1"""

LEARNING_KERNEL = """
def {name}(children, node, count, visits_, k, leaf_, mover, scores_, block_):
    arms = records(children, count, NODE)
    block = record(block_, BLOCK)
    {places}
    own_ = block.kept + 8 * node
    scores = array(scores_, block.players, float64)
    fpu = block.fpu
    N = max(float64(visits_), 1.0)
    K = count
    leaf = leaf_ != 0
    reward = scores[mover]
    {views}
    function({arguments})
    return 0
"""

# How each quantity is made ready, where one line is enough.
AMAF_PLACES = """counts_ = block.amaf + place
    totals_ = counts_ + 8 * block.stride"""
AMAF_VIEWS = f"""{AMAF_PLACES}
    counts = array(counts_, count, float64)
    totals = array(totals_, count, float64)
    fpu = inf if fpu >= URGENT else fpu"""
VIEWS = {
    "lnK": "lnK = ln(block.logs, count)",
    "lnn": "logs = block.logs",
    "rng": "rng = array(rng_, 1, uint64)",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
    "work": "work = array(scratch, count, float64)",
    "indices": "indices = array(scratch, count, float64)",
    "s": "squares = array(squares_, count, float64)",
    "deviations": "squares = array(squares_, count, float64)",
    "m_max": SURVEY,
    "t_max": SURVEY,
}

# Arrays of one number an arm, by what stands in them.
FILLS = {
    "visits": "float64(arms[j].visits)",
    "means": "mean(arms[j].total, float64(arms[j].visits), fpu)",
    "deviations": "deviation(squares[j], arms[j].total, float64(arms[j].visits))",
    "priors": "float64(arms[j].chance)",
}
# Where an arm has been visited, its mean is there already, and dividing again for it took a tenth of ucb1_tuned's time.
PER_ARM = {
    "lnn": "lnn = ln(logs, arms[k].visits)",
    "s": "s = sqrt(max(squares[k] / n - m * m, 0.0))",
    "P": "P = float64(arms[k].chance)",
}

"""The texts that a policy's kernels are made of; ``source`` fills in what is in braces."""

# Addresses a kernel works with; `place` is where the first child stands in an array of one float a node.
PLACES = """place = (children - block.nodes) * 8 // NODE_BYTES
    squares_ = block.squares + place
    kept_ = block.kept + place
    rng_ = block.rng
    rng = array(rng_, 1, uint64)
    scratch = block.scratch"""

# Where a policy limits its candidates: the first of the children, at least one.
LIMIT = """count = min(count, max(1, int64(candidates({arguments}))))
    """

# A function that gives the index of one arm; how the arms are gone over, and whether what is read of them is one number
# or four, is said by ``core.vector.arm_loops``.
INDEX_KERNEL = """
def {name}_of_arm(children, k, fpu, N, lnN, K, block_{passed}):
    n = visits_at(children, k)
    t = total_at(children, k)
    {ready}
    return {index}

of_arm = jit({name}_of_arm)

def {name}(children, count, visits_, block_):
    block = record(block_, BLOCK)
    {places}
    fpu = {fpu}
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    {limit}K = float64(count)
    {views}
    {loop}
"""
# An arm, in three ways, with the condition under which the index is the function's: the arm has been visited; something
# is known of it by its own or by other moves; always, if the function asks for first-play urgency.
VISITED = """if nothing_known(n):
        return broadcast(fpu)
    visited = n
    mean_ = t / n
    m = mean_"""
KNOWN = """S = number_at(counts_, k)
    R = number_at(totals_, k)
    if nothing_known(n + S):
        return broadcast(fpu)
    visited = max(n, 1.0)
    mean_ = t / visited
    m = mean_"""
ALWAYS = """visited = max(n, 1.0)
    mean_ = t / visited
    m = where(n > 0.0, mean_, fpu)"""
ARM = {VISITED: "n > 0.0", KNOWN: "n + S > 0.0", ALWAYS: ""}
# What else of an arm is made ready, by what asks for it.
OF_ARM = {
    "lnn": "lnn = ln_at(logs, n)",
    "s": "s = sqrt(max(number_at(squares_, k) / visited - mean_ * mean_, 0.0))",
    "P": "P = chance_at(children, k)",
    "move_class": "move_class = class_at(classes_, k)",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
    "rng": "rng = array(rng_, 1, uint64)",
}
# What an arm is given beyond the usual, and how that is made ready.
PASSED = {
    "s": "squares_",
    "lnn": "logs",
    "lnK": "lnK",
    "move_class": "classes_",
    "m_max": "m_max",
    "t_max": "t_max",
    "m_all": "m_all",
    "rng": "rng_",
}
# The highest mean and the highest total of the arms that have been visited, rounded as ``m`` and ``m * n`` are.
SURVEY = """highest = broadcast(-inf)
    most = broadcast(-inf)
    for k in range(0, count, WIDTH):
        n = visits_at(children, k)
        if nothing_known(n):
            continue
        mean_ = total_at(children, k) / n
        highest = max(highest, only_first(where(n > 0.0, mean_, -inf), count - k))
        most = max(most, only_first(where(n > 0.0, mean_ * n, -inf), count - k))
    m_max = largest(highest)
    t_max = largest(most)"""

# The mean over all simulations that went on to an arm; a draw before there was one.
WHOLE = """all_visits, all_total = 0, 0.0
    for arm in records(children, count, NODE):
        all_visits += arm.visits
        all_total += arm.total
    m_all = all_total / all_visits if all_visits > 0 else 0.5"""

CHOICE_KERNEL = """
def {name}(children, count, visits_, block_):
    arms = records(children, count, NODE)
    block = record(block_, BLOCK)
    {places}
    fpu = {fpu}
    N = max(float64(visits_), 1.0)
    lnN = ln(block.logs, visits_)
    {limit}K = count
    {first}
    {views}
    chosen = function({arguments})
    if not 0 <= chosen < count:
        raise BadChoiceError
    return int64(chosen)
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
    {limit}K = count
    {first}
    {views}
    function({arguments})
    if fpu < URGENT:
        for k in range(count):
            indices[k] = indices[k] if arms[k].visits > 0 else fpu
    return argmax(rng, indices, count)
"""

# Arms never visited come first, in even order, where nothing else can: before a function that needs means, and
# before any index if first-play urgency is that of the default or more. Of many arms, most of them never visited, one
# is found by drawing.
CROWDED = """if count > CROWD and 2 * visits_ < count{urgent}:
        return unvisited(rng, children, count)"""
FIRST = (
    CROWDED
    + """
    fresh = 0
    for k in range(count):
        fresh += arms[k].visits == 0
    if fresh > 0{urgent}:
        chosen = below(rng, fresh) if fresh > 1 else 0
        for k in range(count):
            if arms[k].visits == 0:
                if chosen == 0:
                    return k
                chosen -= 1"""
)

LEARNING_KERNEL = """
def {name}(children, node, count, visits_, k, leaf_, mover, scores_, met_, block_):
    arms = records(children, count, NODE)
    met = records(met_, count, NODE)
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
VIEWS = {
    "lnK": "lnK = ln(block.logs, count)",
    "lnn": "logs = block.logs",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
    "work": "work = array(scratch, count, float64)",
    "indices": "indices = array(scratch, count, float64)",
    "deviations": "squares = array(squares_, count, float64)",
    "raw": "raw = array(block.raw, block.players, float64)[mover]",
    "move_class": "classes_ = block.class_of + place",
    "move_classes": "move_classes = array(block.class_of + place, count, int64)",
    "moves_made": "moves_made = array(block.made + 8, array(block.made, 1, int64)[0], int64)",
}

# Arrays of one number an arm, by what stands in them.
FILLS = {
    "visits": "float64(arms[j].visits)",
    "means": "mean(arms[j].total, float64(arms[j].visits), fpu)",
    "deviations": "deviation(squares[j], arms[j].total, float64(arms[j].visits))",
    "priors": "float64(arms[j].chance)",
    "visits_met": "float64(met[j].visits)",
    "means_met": "mean(met[j].total, float64(met[j].visits), fpu)",
}

"""Source templates of a policy's kernels; ``kernel_source`` fills in the braces."""

# Addresses that a kernel uses. `place` is the byte offset of the first child in a column of one float per node.
PLACES = """place = (children - block.nodes) * 8 // NODE_BYTES
    squares_ = block.squares + place
    kept_ = block.kept + place
    rng_ = block.rng
    rng = array(rng_, 1, uint64)
    scratch = block.scratch"""

# For policies that limit their candidates: the first children, at least one.
LIMIT = """count = min(count, max(1, int64(candidates({arguments}))))
    """

# A function that returns the index of one arm. ``core.vector.arm_loops`` provides the loop over arms, and whether it
# reads one number or four at a time.
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
# Three ways to read an arm, by the condition under which the function is called: the arm has been visited (VISITED); it
# has visits or AMAF counts (KNOWN); always, if the function asks for first-play urgency (ALWAYS).
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
# Definitions of an arm's other quantities.
OF_ARM = {
    "lnn": "lnn = ln_at(logs, n)",
    "s": "s = sqrt(max(number_at(squares_, k) / visited - mean_ * mean_, 0.0))",
    "P": "P = chance_at(children, k)",
    "move_class": "move_class = class_at(classes_, k)",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
    "game_memory": "game_memory = array(block_ + GAME_MEMORY_AT, MEMORY, float64)",
    "rng": "rng = array(rng_, 1, uint64)",
}
# Arguments that ``of_arm`` gets for a quantity, besides the usual ones.
PASSED = {
    "s": "squares_",
    "lnn": "logs",
    "lnK": "lnK",
    "root": "root",
    "move_class": "classes_",
    "m_max": "m_max",
    "t_max": "t_max",
    "m_all": "m_all",
    "rng": "rng_",
}
# Highest mean and highest total of the visited arms, rounded exactly as ``m`` and ``m * n`` are.
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

# Mean over all simulations through the arms; 0.5 before the first.
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

# A function that fills in the indices of all arms; those of unvisited arms are not used.
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

# Unvisited arms come first, in random order: before a function that needs means, and before any index if first-play
# urgency is at least URGENT. With many arms, most of them unvisited, one is found by rejection sampling.
MOSTLY_UNVISITED = """if count > MANY_ARMS and 2 * visits_ < count{urgent}:
        return unvisited(rng, children, count)"""
FIRST = (
    MOSTLY_UNVISITED
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

# Definitions of quantities that need one line.
AMAF_PLACES = """counts_ = block.amaf + place
    totals_ = counts_ + 8 * block.stride"""
VIEWS = {
    "lnK": "lnK = ln(block.logs, count)",
    "lnn": "logs = block.logs",
    "root": "root = at_root(block.nodes, block.episode, children)",
    "memory": "memory = array(block_ + MEMORY_AT, MEMORY, float64)",
    "game_memory": "game_memory = array(block_ + GAME_MEMORY_AT, MEMORY, float64)",
    "work": "work = array(scratch, count, float64)",
    "indices": "indices = array(scratch, count, float64)",
    "deviations": "squares = array(squares_, count, float64)",
    "raw": "raw = array(block.raw, block.players, float64)[mover]",
    "move_class": "classes_ = block.class_of + place",
    "move_classes": "move_classes = array(block.class_of + place, count, int64)",
    "moves_made": "moves_made = array(block.made + 8, array(block.made, 1, int64)[0], int64)",
}

# Arrays of one number per arm, with the expression of an entry.
FILLS = {
    "visits": "float64(arms[j].visits)",
    "means": "mean(arms[j].total, float64(arms[j].visits), fpu)",
    "deviations": "deviation(squares[j], arms[j].total, float64(arms[j].visits))",
    "priors": "float64(arms[j].chance)",
    "visits_met": "float64(met[j].visits)",
    "means_met": "mean(met[j].total, float64(met[j].visits), fpu)",
}

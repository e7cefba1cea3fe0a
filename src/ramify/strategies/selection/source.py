"""The source of a policy's kernels, made from the names its functions ask for.

Every kernel is a few lines around the author's function: views of the memory that function asked for, then the call.
A statistic nobody asked for is neither read nor computed.
"""

# The first numbers of a policy's block of memory, before its constants and the numbers it keeps for the search.
FPU, PLAYERS, STRIDE, OFFSET = range(4)
HEADER = 4
MEMORY = 16  # numbers a policy may keep for a search
SCRATCH = 5  # arrays of one number an arm that a kernel may use: indices or work, and the four of ARRAYS

# Quantities by the form of the function that may ask for them; docs/policies.md says what they are.
OF_ONE_ARM = ("n", "m", "s", "P")
INDEX = ("N", "K", *OF_ONE_ARM, "m_max", "t_max", "fpu", "rng", "memory")
ARRAYS = ("visits", "means", "deviations", "priors")
CHOICE = ("N", "K", *ARRAYS, "fpu", "rng", "memory", "work")
LEARNING = ("N", "K", "k", "reward", "leaf", "mover", "scores", *ARRAYS, "rng", "memory", "work")

INDEX_KERNEL = """
def {name}(children, squares_, kept_, count, visits_, block_, rng_, scratch):
    arms = records(children, count, NODE)
    block = array(block_, BLOCK, float64)
    indices = array(scratch, count, float64)
    fpu = {fpu}
    N = float64(visits_)
    K = float64(count)
    {views}
    best = -inf
    ties = 0
    winner = 0
    for k in range(count):
        n = float64(arms[k].visits)
        if n == 0.0:
            {unvisited}
        else:
            m = arms[k].total / n
            {arm}
            value = function({arguments})
        indices[k] = value
        if value > best:
            best = value
            ties = 1
            winner = k
        elif value == best:
            ties += 1
    if ties <= 1:
        return winner
    chosen = below(array(rng_, 1, uint64), ties)
    for k in range(winner, count):
        if indices[k] == best:
            if chosen == 0:
                return k
            chosen -= 1
    return winner
"""

# The highest mean and the highest total of the arms that have been visited.
SURVEY = """m_max = -inf
    t_max = -inf
    for k in range(count):
        if arms[k].visits > 0:
            m_max = max(m_max, arms[k].total / arms[k].visits)
            t_max = max(t_max, arms[k].total)"""

CHOICE_KERNEL = """
def {name}(children, squares_, kept_, count, visits_, block_, rng_, scratch):
    arms = records(children, count, NODE)
    block = array(block_, BLOCK, float64)
    fpu = {fpu}
    N = float64(visits_)
    K = count
    {first}
    {views}
    return min(max(int64(function({arguments})), 0), count - 1)
"""

# Arms never visited come first, in even order.
FIRST = """fresh = 0
    for k in range(count):
        if arms[k].visits == 0:
            fresh += 1
    if fresh > 0:
        chosen = below(array(rng_, 1, uint64), fresh) if fresh > 1 else 0
        for k in range(count):
            if arms[k].visits == 0:
                if chosen == 0:
                    return k
                chosen -= 1"""

LEARNING_KERNEL = """
def {name}(children, squares_, kept_, own_, count, visits_, k, leaf_, mover, scores_, block_, rng_, scratch):
    arms = records(children, count, NODE)
    block = array(block_, BLOCK, float64)
    scores = array(scores_, int64(block[PLAYERS]), float64)
    fpu = block[FPU]
    N = float64(visits_)
    K = count
    leaf = leaf_ != 0
    reward = scores[mover]
    {views}
    function({arguments})
    return 0
"""

# How each quantity is made ready, where one line is enough.
VIEWS = {
    "rng": "rng = array(rng_, 1, uint64)",
    "memory": "memory = array(block_ + 8 * (HEADER + CONSTANTS), MEMORY, float64)",
    "work": "work = array(scratch, count, float64)",
    "s": "squares = array(squares_, count, float64)",
    "m_max": SURVEY,
    "t_max": SURVEY,
}

# Arrays of one number an arm, by what stands in them.
FILLS = {
    "visits": "float64(arms[j].visits)",
    "means": "arms[j].total / arms[j].visits if arms[j].visits > 0 else fpu",
    "deviations": "spread(array(squares_, count, float64)[j], arms[j].total, float64(arms[j].visits))",
    "priors": "float64(arms[j].chance)",
}
PER_ARM = {"s": "s = deviation(squares[k], n, m)", "P": "P = float64(arms[k].chance)"}


def index_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that gives the index of one arm."""
    arguments = ", ".join([*(kept_scalar(kept, q) for q in asked), *numbers(len(constants))])
    sees_all = "fpu" in asked or "fpu" in constants
    unvisited = ["value = fpu"]
    if sees_all:
        unvisited = ["m = fpu", *(["s = 0.0"] if "s" in asked else []), *per_arm(asked, "P")]
        unvisited.append(f"value = function({arguments})")
    return INDEX_KERNEL.format(
        name=name,
        fpu=own_fpu(constants),
        views="\n    ".join(views(asked, kept)) or "pass",
        unvisited="\n            ".join(unvisited),
        arm="\n            ".join(per_arm(asked, "s", "P")) or "pass",
        arguments=arguments,
    )


def choice_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that chooses among all arms."""
    waits = any(q in ARRAYS[:3] for q in asked) and "fpu" not in asked and "fpu" not in constants
    return CHOICE_KERNEL.format(
        name=name,
        fpu=own_fpu(constants),
        first=FIRST if waits else "pass",
        views="\n    ".join([*views(asked, kept), *kept_arrays(asked, kept)]) or "pass",
        arguments=", ".join([*asked, *numbers(len(constants))]),
    )


def learning_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that learns from a simulation."""
    made = dict(zip(constants, numbers(len(constants)), strict=True))
    return LEARNING_KERNEL.format(
        name=name,
        views="\n    ".join([*views(asked, kept), *kept_arrays(asked, kept)]) or "pass",
        arguments=", ".join(made.get(q, q) for q in asked),
    )


def own_fpu(constants: tuple[str, ...]) -> str:
    """Where first-play urgency stands: a policy's own constant of that name comes before the agent's."""
    return f"block[{HEADER + constants.index('fpu')}]" if "fpu" in constants else "block[FPU]"


def numbers(count: int) -> list[str]:
    """The constants of a policy, as they stand in its block."""
    return [f"block[{HEADER + k}]" for k in range(count)]


def per_arm(asked: tuple[str, ...], *names: str) -> list[str]:
    """The lines that make an arm's quantities ready."""
    return [PER_ARM[q] for q in names if q in asked]


def views(asked: tuple[str, ...], kept: dict[str, str]) -> list[str]:
    """The lines that make the quantities ready that a function asks for."""
    lines = list(dict.fromkeys(VIEWS[q] for q in asked if q in VIEWS))
    for place, q in enumerate(ARRAYS, start=1):
        if q in asked:
            lines.append(f"{q} = array(scratch + {8 * place} * count, count, float64)")
            lines.append(f"for j in range(count):\n        {q}[j] = {FILLS[q]}")
    if any(q.removeprefix("own_") in kept for q in asked):
        lines.append("stride = int64(block[STRIDE])")
        lines.append("offset = int64(block[OFFSET])")
        lines.append("players = int64(block[PLAYERS])")
        lines.append("kept = array(kept_, count * stride, float64).reshape((count, stride))")
    return lines


def kept_scalar(kept: dict[str, str], name: str) -> str:
    """A statistic the policy keeps, of arm k; any other name stays as it is."""
    return f"kept[k, {kept[name]}]" if name in kept else name


def kept_arrays(asked: tuple[str, ...], kept: dict[str, str]) -> list[str]:
    """Views of the statistics a policy keeps: one number an arm, or one an arm and player, or the node's own."""
    lines = []
    for q in asked:
        name = q.removeprefix("own_")
        if name not in kept:
            continue
        last = "players" if name.endswith("_each") else "1"
        place = kept[name]
        if q != name:
            lines.append(f"{q} = array(own_, stride, float64)[{place} : {place} + {last}]")
        elif last == "1":
            lines.append(f"{q} = kept[:, {place}]")
        else:
            lines.append(f"{q} = kept[:, {place} : {place} + players]")
    return lines

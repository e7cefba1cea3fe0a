"""What a policy's kernels find in memory, and the quantities that its functions may ask for."""

# The first numbers of a policy's block of memory, before its constants and the numbers it keeps for the search: its
# settings, and addresses of what it may look at (whole numbers below 2^53, so a float holds them).
FPU, PLAYERS, OFFSET, STRIDE, LOGS, NODES, SQUARES, KEPT, RNG, SCRATCH_AT, AMAF_AT = range(11)
HEADER = 11
CROWD = 256  # arms from which one of those never visited is looked for by drawing, while most are
URGENT = 10_000.0  # first-play urgency from which nothing comes before an arm never visited; the default of agents
MEMORY = 16  # numbers a policy may keep for a search
SCRATCH = 5  # arrays of one number an arm that a kernel may use: indices or work, and the four of ARRAYS

# Quantities by the form of the function that may ask for them; docs/policies.md says what they are.
OF_AMAF = ("S", "R")
OF_ONE_ARM = ("n", "lnn", "m", "t", "s", "P", *OF_AMAF)
OF_THE_NODE = ("N", "lnN", "K", "lnK")
INDEX = (*OF_THE_NODE, *OF_ONE_ARM, "m_max", "t_max", "fpu", "rng", "memory")
ARRAYS = ("visits", "means", "deviations", "priors")
CHOICE = (*OF_THE_NODE, *ARRAYS, "fpu", "rng", "memory", "work")
FILLING = (*(q for q in CHOICE if q not in ("fpu", "work")), "indices")
LEARNING = ("N", "K", "k", "reward", "leaf", "mover", "scores", *ARRAYS, "rng", "memory", "work")

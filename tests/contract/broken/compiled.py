"""What only the compiled functions show."""

from tests.contract.broken import PUZZLE, Broken

STEP = "    state.steps += 1\n"

FLAWS = [
    Broken(
        "unsupported",
        "compile",
        "play() in unsupported.py, line 43, does not compile: int64 has no 'bit_count'",
        STEP,
        STEP + "    state.steps += 0 * int(state.steps).bit_count()\n",
        PUZZLE,
    ),
    Broken(
        "two_types",
        "compile",
        "the variable 'kind' is",
        STEP,
        STEP + "    kind = 'a'\n    if state.steps > 9:\n        kind = 1\n    state.steps += kind == 2\n",
        PUZZLE,
    ),
    Broken(
        "wraps",
        "differs-compiled",
        "as plain Python; the usual cause is mixed integer types",
        STEP,
        STEP + "    state.number += (np.uint8(state.steps) - np.uint8(4)) // 100\n",
        PUZZLE,
    ),
    Broken(
        "outside",
        "raises",
        "play, compiled, raised IndexError: index is out of bounds",
        STEP,
        STEP + "    state.marks[np.uint8(200) + np.uint8(100)] = 1\n",
        PUZZLE,
        ('("steps", np.int64)', '("steps", np.int64), ("marks", np.uint8, (64,))'),
    ),
    Broken(
        "uneven",
        "sample-uneven",
        "all moves must be equally likely",
        "below(rng, popcount(numbers))",
        "below(rng, 4 * popcount(numbers) + 1) // 4 % popcount(numbers)",
    ),
    Broken(
        "unfair",
        "playout-unfair",
        "their distribution must be the same",
        "play(rules, state, sample(rules, state, rng))",
        "play(rules, state, lowest(free(state)))",
    ),
    Broken(
        "plays_on",
        "playout-lengths",
        "a playout that continues after the end also needs an exact_length_playout",
        "    return plies\n",
        "    return rules.beans\n",
    ),
]

# A play of 1000 plies is longer than what is played in plain Python.
ENDLESS = Broken(
    "endless",
    "endless",
    "had not ended after 1000 plies; every game must end",
    STEP,
    STEP + "    state.steps = min(state.steps, 3)\n    state.number %= 1000\n",
    PUZZLE,
)

"""Deliberately broken policies, and what the check must say about each."""

from dataclasses import dataclass
from pathlib import Path


@dataclass
class BrokenPolicy:
    """A policy's functions, the rule that they break, and words of the sentence that tells it."""

    name: str
    rule: str
    words: str
    body: str

    def write(self, folder: Path) -> str:
        """The policy as a file, and its name there."""
        path = folder / f"{self.name}.py"
        head = "import math\n\nimport numpy as np\nfrom ramify.core.numbers.rng import below\n\n\n"
        path.write_text(head + self.body, encoding="utf-8")
        return f"{path}:rule"


NAN = "not-a-number"
ARM = "no-such-arm"

FLAWS = [
    BrokenPolicy("nan", NAN, "returns nan in line 8", "def rule(n, m):\n    return m * np.nan if n > 2 else m\n"),
    BrokenPolicy("zero_by_zero", NAN, "for n=1, m=", "def rule(n, m):\n    return (n - 1.0) / (n - 1.0)\n"),
    BrokenPolicy("text", NAN, "rule returns a string in line 8 (`return 'high'`)", "def rule(n):\n    return 'high'\n"),
    BrokenPolicy("nothing", NAN, "rule returns None", "def rule(n, m):\n    m + n\n"),
    BrokenPolicy("sometimes", NAN, "returns None", "def rule(n, m):\n    if n > 3:\n        return m\n"),
    BrokenPolicy("pair", NAN, "rule returns a tuple", "def rule(n, m):\n    return m, n\n"),
    BrokenPolicy("array", NAN, "rule returns an array", "def rule(n, m):\n    return np.zeros(3)\n"),
    BrokenPolicy("imaginary", NAN, "rule returns a complex number", "def rule(n, m):\n    return m + 1j\n"),
    BrokenPolicy("root", "raises", "compiled code would continue", "def rule(n, m):\n    return math.sqrt(m - 2.0)\n"),
    BrokenPolicy("log", "raises", "math domain error", "def rule(n, m):\n    return math.log(0.0 * n)\n"),
    BrokenPolicy(
        "one_arm", "raises", "division by zero", "def rule(lnN, n, m):\n    return m + 1.0 / math.sqrt(lnN / n)\n"
    ),
    BrokenPolicy("far", ARM, "rule chose arm 99 of 5", "def rule(K, means):\n    return 99\n"),
    BrokenPolicy("before", ARM, "rule chose arm -1 of 5", "def rule(K, means):\n    return -1\n"),
    BrokenPolicy("one_more", ARM, "arms are numbered from 0 to", "def rule(K, rng):\n    return below(rng, K) + 1\n"),
    BrokenPolicy("half", ARM, "rule chose arm 0.5", "def rule(K, means):\n    return 0.5\n"),
    BrokenPolicy("no_arm", ARM, "rule chose arm nan", "def rule(K, means):\n    return math.nan\n"),
    BrokenPolicy("texts", NAN, "rule returns a string", "def rule(K, means):\n    return 'first'\n"),
    BrokenPolicy(
        "unfilled",
        NAN,
        "does not write indices[4] of 5",
        "def rule(K, means, indices):\n    for k in range(K - 1):\n        indices[k] = means[k]\n",
    ),
    BrokenPolicy(
        "beyond",
        "raises",
        "index 5 is out of bounds for axis 0 with size 5; compiled code would read or write out of bounds",
        "def rule(K, means, work):\n    work[K] = 1.0\n    return 0\n",
    ),
    BrokenPolicy(
        "learns_beyond",
        "raises",
        "rule_update raised IndexError in line 12 (`w[k + 1000] = reward`): index 100",
        "def rule(n, m, w):\n    return m\n\n\ndef rule_update(k, reward, w):\n    w[k + 1000] = reward\n",
    ),
    BrokenPolicy(
        "each_beyond",
        "raises",
        "raised IndexError in line 12",
        "def rule(K, means):\n    return 0\n\n\ndef rule_update(k, w_each):\n    w_each[0, k + 1000] = 1.0\n",
    ),
    BrokenPolicy(
        "remembers_beyond",
        "raises",
        "index 16 is out of bounds for axis 0 with size 16",
        "def rule(n, m, memory):\n    return m\n\n\ndef rule_after(memory):\n    memory[16] = 1.0\n",
    ),
    BrokenPolicy(
        "stuck", "stuck", "a loop in line 8", "def rule(n, m):\n    while n > 0.0:\n        n += 0.0\n    return m\n"
    ),
    BrokenPolicy("misspelt", "raises", "name 'nn' is not defined", "def rule(n, m):\n    return m / nn\n"),
    BrokenPolicy(
        "call", "raises", "missing 1 required", "def _f(a, b):\n    return a\n\n\ndef rule(n, m):\n    return _f(n)\n"
    ),
    BrokenPolicy("divides", NAN, "for n=1, m=0", "def rule(n, m):\n    return m / int(0 * n)\n"),
]

# These show only beside compiled code.
COMPILED = [
    BrokenPolicy(
        "wraps",
        "differs-compiled",
        "rule (line 7) gives arm 0 the index",
        "def rule(n, m):\n    return m + (np.uint8(200) + np.uint8(n + 99.0))\n",
    ),
    BrokenPolicy("looks_around", "compile", "does not compile", "def rule(n, m):\n    return m + len(vars(math))\n"),
    BrokenPolicy(
        "counts",
        "compile",
        "it writes to a global array, which compiled code cannot",
        "SEEN = np.zeros(1)\n\n\ndef rule(n, m):\n    SEEN[0] += 1.0\n    return m + SEEN[0]\n",
    ),
]
COMPILED += [
    BrokenPolicy(
        "luck",
        "differs-compiled",
        "plain Python, for n=",
        "import random\n\n\ndef rule(n, m):\n    return m + random.random()\n",
    ),
    BrokenPolicy(
        "list", "compile", "the global 'SEEN' is a list", "SEEN = [1.0]\n\n\ndef rule(n, m):\n    return m + SEEN[0]\n"
    ),
]
UNUSED = BrokenPolicy(
    "unused", "unused-constant", "rule (line 7) never uses its constant c", "def rule(n, m, c=1.0):\n    return m\n"
)

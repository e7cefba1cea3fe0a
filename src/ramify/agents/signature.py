"""The behaviour signature: one number over a fixed set of searches.

A change that should not change behaviour leaves it alone; a commit that changes it says so (Stockfish's ``bench``).
"""

import hashlib
import struct

from ramify.agents.budget import Budget
from ramify.agents.searcher import Search
from ramify.contract.registry import load_call
from ramify.grammar import parse

GAMES = (
    "tictactoe",
    "connect4",
    "breakthrough(rows=8, columns=8)",
    "breakthrough(rows=6, columns=12)",
    "sos(n=10)",
    "hex(size=11)",
    "othello",
    "pig(target=100)",
)
SIMULATIONS = 2000


def signature() -> int:
    """Eight digits over the whole trees of the fixed searches."""
    digest = hashlib.blake2b(digest_size=8)
    for name in GAMES:
        search = Search(load_call(parse(name)).initial(), "uct(c=0.7)", seed=1)
        search.run(Budget(simulations=SIMULATIONS))
        worker = search.workers[0]
        used = worker.nodes[: int(worker.counters["nodes"][0])]
        for field in ("first", "count", "move", "visits", "total"):
            digest.update(used[field].tobytes())
        digest.update(struct.pack("<Q", int(worker.rng[0])))
    return int.from_bytes(digest.digest()) % 10**8

"""One node with its arms, to call a policy's kernels on."""

import numpy as np

from ramify.agents.hooks.amaf import COUNTS, TOTALS
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.search.plan import Memory
from ramify.core.search.tree import NODE, PADDING_NODES
from ramify.grammar import parse
from ramify.strategies.policy.block_layout import CONSTANT_PREFIX, SCRATCH
from ramify.strategies.policy.registry import resolve
from ramify.strategies.policy.selectors import Selectors


class Node:
    """Arms with given statistics; ``choose``, ``update`` and ``after`` call the compiled kernels."""

    def __init__(
        self,
        policy,
        visits,
        means=0.0,
        squares=0.0,
        priors=None,
        node_visits=None,
        fpu=10_000.0,
        players=1,
        amaf=None,
    ):
        self.selection = resolve(parse(policy))
        self.policy = self.selection.policy
        self.selectors = Selectors(self.selection, self.selection, fpu, players)
        self.visits = np.array(visits, np.int64)
        count = len(self.visits)
        self.N = int(self.visits.sum()) if node_visits is None else node_visits
        nodes = np.zeros(1 + count + PADDING_NODES, NODE)  # the node itself stands first
        nodes[0]["first"] = 1
        self.arms = nodes[1 : 1 + count]
        self.arms["visits"] = self.visits
        self.arms["total"] = np.where(self.visits > 0, np.asarray(means) * self.visits, 0.0)
        self.arms["chance"] = 1.0 / count if priors is None else priors
        all_squares = np.zeros(len(nodes))
        self.squares = all_squares[1 : 1 + count]
        self.squares[:] = squares
        rows = self.selectors.rows + 4
        self.table = np.zeros(rows * (1 + count) + PADDING_NODES)[: rows * (1 + count)].reshape(rows, 1 + count)
        sums = self.table[self.selectors.rows :]
        if amaf is not None and self.policy.needs_amaf:  # S and R of the arms
            sums[COUNTS, 1:], sums[TOTALS, 1:] = amaf
        self.rng = generator(7)
        self.scratch = np.zeros(SCRATCH * count)
        places = {"nodes": nodes, "squares": all_squares, "rng": self.rng, "scratch": self.scratch}
        unused = dict.fromkeys(Memory._fields, 0)
        memory = Memory(**(unused | {name: address(one) for name, one in places.items()} | {"stride": 1 + count}))
        self.selectors.place(memory, address(self.table), address(sums[COUNTS]))

    @property
    def means(self):
        """Means as the kernel computes them; NaN where there are none."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.arms["total"] / self.arms["visits"]

    @property
    def deviations(self):
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(np.maximum(self.squares / self.visits - self.means**2, 0.0))

    @property
    def memory(self):
        return self.selectors.root_block["memory"][0]

    def constant(self, name):
        return self.selectors.root_block[CONSTANT_PREFIX + name][0]

    def kept(self, name):
        """The row of one statistic that the policy keeps, of the arms."""
        return self.table[self.row(name), 1:]

    def row(self, name):
        single = [key for key in self.policy.kept if not key.endswith("_each")]
        return single.index(name)

    def choose(self):
        """The arm the policy takes; ``self.scratch`` then begins with indices or weights."""
        return self.policy.kernel(address(self.arms), len(self.arms), self.N, address(self.selectors.root_block))

    def indices(self):
        self.choose()
        return self.scratch[: len(self.arms)].copy()

    def learn(self, kernel, arm, scores, leaf=True, mover=0, raw=None):
        scores = np.array(scores, np.float64)
        raw = scores if raw is None else np.array(raw, np.float64)
        self.selectors.root_block["raw"] = address(raw)
        kernel(
            address(self.arms),
            0,
            len(self.arms),
            self.N,
            arm,
            int(leaf),
            mover,
            *map(address, (scores, self.arms, self.selectors.root_block)),
        )

    def credit(self, arm, reward, raw=None):
        """What the engine does on the way up: plain statistics first, then the policy's own.

        ``raw`` is the game's own score, where the reward is another.
        """
        raw = [reward if raw is None else raw]
        self.arms["visits"][arm] += 1
        self.visits[arm] += 1
        self.arms["total"][arm] += reward
        self.squares[arm] += reward * reward
        self.N += 1
        if self.policy.update_kernel:
            self.learn(self.policy.update_kernel, arm, [reward], raw=raw)
        if self.policy.after_kernel:
            self.learn(self.policy.after_kernel, arm, [reward], raw=raw)

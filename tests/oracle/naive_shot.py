"""SHOT, its original and H-MCTS as their papers have them: one recursive function each.

Draws come in the engine's order: whatever the simulations draw, in their order, and at a chance node one uniform draw
when it is given a budget.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, log2

from ramify import CHANCE, State
from tests.oracle import naive
from tests.oracle.naive import Node


def mean(node: Node) -> float:
    return node.total / node.visits if node.visits else float("-inf")


def sort(children: list[Node], count: int) -> None:
    """The first of them by their means, the best first; Python's sort is stable, also backwards."""
    children[:count] = sorted(children[:count], key=mean, reverse=True)


class Shot(naive.Search):
    """Putrich and Meneguzzi (2023), algorithm 4."""

    most = 0  # the limit of H-MCTS
    stop = float("inf")  # the search is over after so many playouts

    played = 0
    warming = False

    def warm_up(self, order: str, nodes: int) -> None:
        self.warming = order == "depth_first"
        if self.warming:
            self.depth_first([self.root], self.state, nodes)
        else:
            self.breadth_first(nodes)
        self.warming = False

    def depth_first(self, path: list[Node], state: State, budget: int) -> int:
        """A playout for a child, then its descendants, then the next child. How many of the budget were spent."""
        node, used = path[-1], 0
        if node.children is None:
            self.expand(node, state)
        if node.mover == CHANCE and node.children:
            return self.chance(path, state, budget)
        for child in node.children:
            if child.visits == 0 and used < budget:
                self.calls += 1
                used += self.playout([*path, child], state.play(child.move))
            if used < budget:
                self.calls += 1
                used += self.depth_first([*path, child], state.play(child.move), budget - used)
        return used

    def breadth_first(self, budget: int) -> None:
        """A queue, as in the program of Putrich and Meneguzzi; for games without chance."""
        queue = [([self.root], self.state)]
        while queue and budget:
            path, state = queue.pop(0)
            if path[-1].children is None:
                self.expand(path[-1], state)
            for child in path[-1].children:
                below = [*path, child], state.play(child.move)
                if child.visits == 0 and budget:
                    budget -= self.playout(*below)
                queue.append(below)

    def run(self, simulations: int) -> Shot:
        self.played = 0
        self.spend([self.root], self.state, simulations)
        return self

    def spend(self, path: list[Node], state: State, budget: int) -> int:
        """Spend a budget at the end of a path; how much of it was spent."""
        node = path[-1]
        if budget <= self.most:
            return self.ordinary(path, state, budget)
        if budget == 1 and len(path) > 1:
            return self.playout(path, state)
        if node.children is None:
            self.expand(node, state)
        if self.warming:
            return self.depth_first(path, state, budget)
        if not node.children:
            return self.finished(path, state, budget)
        if node.mover == CHANCE:
            return self.chance(path, state, budget)
        used = self.try_all(path, state, budget)
        if used == budget:
            self.sort_root(path, len(node.children))
            return used
        return used + self.rounds(path, state, budget, used)

    def try_all(self, path: list[Node], state: State, budget: int) -> int:
        used = 0
        for child in path[-1].children:
            if child.visits == 0 and used < budget:
                self.calls += 1
                used += self.playout([*path, child], state.play(child.move))
        return used

    def rounds(self, path: list[Node], state: State, budget: int, tried: int) -> int:
        """Algorithm 4 from line 22 on, and lines 9 and 10 at the root."""
        node, at_root = path[-1], len(path) == 1
        k = K = len(node.children)
        left = budget - tried
        sort(node.children, K)
        used = self.visit(path, state, 0, left) if K == 1 else 0
        while k > 1:
            in_round = max(1, left // ceil(log2(K)))
            for place in range(min(in_round, k)):
                used += self.visit(path, state, place, min(max(1, in_round // k), left - used))
            if used == left or self.played >= self.stop:
                self.sort_root(path, k)
                return used
            if at_root or k > 2:
                sort(node.children, k)
            k = ceil(k / 2)
        while at_root and used < left and self.played < self.stop:
            share = ceil((left - used) / min(2, K))
            for place in range(min(2, K)):
                used += self.visit(path, state, place, min(share, left - used))
            sort(node.children, min(2, K))
        return used

    def sort_root(self, path: list[Node], count: int) -> None:
        """When all is spent, the root's children still in are sorted, those of no other node."""
        if len(path) == 1:
            sort(path[-1].children, count)

    def visit(self, path: list[Node], state: State, place: int, budget: int) -> int:
        """Spend a budget at a child."""
        if budget < 1 or self.played >= self.stop:
            return 0
        child = path[-1].children[place]
        self.calls += 1
        return self.spend([*path, child], state.play(child.move), budget)

    def chance(self, path: list[Node], state: State, budget: int) -> int:
        """Of the points (j + u) / budget each outcome gets those in its interval, the last one the rest."""
        point, reached, given, used = self.rng.uniform(), 0.0, 0, 0
        points = [j + point for j in range(budget)]
        for place, child in enumerate(path[-1].children):
            reached += child.chance
            below = sum(at < reached * budget for at in points)
            upto = budget if place == len(path[-1].children) - 1 else max(given, below)
            used += self.visit(path, state, place, upto - given)
            given = upto
        return used

    def finished(self, path: list[Node], state: State, budget: int) -> int:
        """It counts its whole budget."""
        self.max_depth = max(self.max_depth, len(path) - 1)
        scores = self.play_out(state)
        path[0].visits += budget
        for parent, child in pairwise(path):
            reward = scores[max(parent.mover, 0)]
            child.visits += budget
            child.total += budget * reward
            child.squares += budget * reward * reward
        self.simulations += budget
        return budget

    def playout(self, path: list[Node], state: State) -> int:
        self.max_depth = max(self.max_depth, len(path) - 1)
        self.back_up(path, self.play_out(state))
        self.simulations += 1
        self.played += not state.over
        return 1

    def ordinary(self, above: list[Node], start: State, budget: int) -> int:
        """As many simulations of UCT from here."""
        for _ in range(budget):
            root, self.root, state, self.state = self.root, above[-1], self.state, start
            threshold = self.expand_threshold
            if len(above) == 1 or above[-1].children is not None or above[-1].visits >= threshold:
                end, path = self.descend()
            else:
                end, path = start, [above[-1]]
            self.root, self.state = root, state
            self.playout([*above[:-1], *path], end)
        return budget


class Hybrid(Shot):
    """H-MCTS."""

    def __init__(self, *arguments, limit: int, **named) -> None:
        super().__init__(*arguments, **named)
        self.most = limit


class Stopped(Shot):
    """The program of Putrich and Meneguzzi, whose ``search`` returns at once when its time is up.

    A node that is being expanded is expanded wholly, as there the clock is not asked.
    """

    def __init__(self, *arguments, stop: int) -> None:
        super().__init__(*arguments)
        self.stop = stop


class Original(Shot):
    """Cazenave (2014); ``earlier`` is the visits of the children."""

    def spend(self, path: list[Node], state: State, budget: int) -> int:
        if budget == 1 and len(path) > 1 and state.over:
            return self.finished(path, state, 1)
        return super().spend(path, state, budget)

    def try_all(self, path: list[Node], state: State, budget: int) -> int:
        self.earlier = sum(child.visits for child in path[-1].children)
        return super().try_all(path, state, budget)

    def rounds(self, path: list[Node], state: State, budget: int, tried: int) -> int:
        node, at_root, earlier = path[-1], len(path) == 1, self.earlier
        k = K = len(node.children)
        left = budget - tried
        sort(node.children, K)
        if K == 1:
            return self.visit(path, state, 0, left)
        used = wanted = 0
        while k > 1:
            wanted += max(1, (earlier + budget) // (k * ceil(log2(K))))
            for place in range(k):
                share = wanted - node.children[place].visits
                if at_root and k == 2 and place == 0:
                    share = max(share, left - used - max(0, wanted - node.children[1].visits))
                used += self.visit(path, state, place, min(share, left - used))
            if used == left:
                self.sort_root(path, k)
                return used
            if at_root or k > 2:
                sort(node.children, k)
            k = ceil(k / 2)
        return used

    def finished(self, path: list[Node], state: State, budget: int) -> int:
        """One visit, which costs nothing."""
        self.playout(path, state)
        self.simulations -= 1
        return 0

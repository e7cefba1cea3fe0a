"""What a search has written, in an order that does not depend on where it stands in memory.

This is the only file of the signature that knows how a search is built. Nodes are numbered as a walk from the root
meets them, breadth first, so places that are spare, moved or not yet used are never read. Columns are hashed one by one
and their hashes sorted, so a column may change its row. A column of zeros counts as absent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.amaf import TABLE_OF
from ramify.agents.hooks.playout_learning import PlayoutLearningHook
from ramify.agents.search.search import Search
from ramify.agents.search.worker import Worker
from ramify.core.search.tree import ROOT
from ramify.strategies.average_table import AverageTable
from ramify.strategies.base import LearnedTable
from ramify.strategies.control_variates import SUMS
from ramify.strategies.playout.last_good_reply import ReplyTable
from ramify.strategies.playout.ngram import NgramTable
from ramify.strategies.reward.chain import PLACES

FIELDS = ("live", "hidden", "visits", "total", "chance", "mover", "spare")  # of a node, beside `first` and `move`
COUNTERS = ("nodes", "simulations", "calls", "deepest", "cut", "cut_calls")
OF_REWARDS = ("applies", *SUMS, "winners")  # what rewards that learn have collected; other fields are constants
DIGITS = 8

Whole = npt.NDArray[np.int64]
Nodes = npt.NDArray[Any]


def number(parts: Iterable[bytes]) -> int | None:
    """Eight digits over some bytes; None where there are none."""
    digest = hashlib.blake2b(digest_size=8)
    count = 0
    for count, part in enumerate(parts, 1):  # noqa: B007
        digest.update(len(part).to_bytes(8) + part)
    return int.from_bytes(digest.digest()) % 10**DIGITS if count else None


def written(search: Search) -> Iterator[bytes]:
    """Everything that a search has written, then what it reports."""
    for worker in search.workers:
        yield from tree(worker)
        yield worker.rng.tobytes()
        yield np.array([worker.counters[name][0] for name in COUNTERS], np.int64).tobytes()
        yield np.array(worker.shape.transposition_hits, np.int64).tobytes()
        for block in (worker.parts.selectors.root_block, worker.parts.selectors.inner_block):
            yield block["memory"].tobytes()
        yield from learnt(worker)
        if worker.reward_block is not None:
            yield from collected(worker.reward_block, worker.game.players)
    report = search.report()
    line = [str(move) for move in report.variation]
    yield repr((search.stopped, str(report.move), report.value, report.bounds, line)).encode()
    for child in report.children:
        known = (
            child.player,
            str(child.move),
            child.visits,
            child.value,
            child.estimate,
            child.bounds,
            child.probability,
        )
        yield repr(known).encode()


def tree(worker: Worker) -> Iterator[bytes]:
    """The records and the columns of a tree."""
    nodes = worker.tree.nodes
    order = walk(nodes, shared=worker.shape.shares_nodes)
    places = np.full(int(worker.counters["nodes"][0]), -1, np.int64)  # by the number of a node, where the walk meets it
    places[order] = np.arange(len(order))
    first = nodes["first"][order].astype(np.int64)
    yield np.where(first >= 0, places[np.maximum(first, 0)], first).tobytes()
    move = nodes["move"][order].astype(np.int64)
    if worker.shape.shares_nodes:
        move[nodes["spare"][order] > 0] = 0  # of a position it marks the simulation that passed last
    yield move.tobytes()
    for field in FIELDS:
        yield nodes[field][order].astype(np.float64).tobytes()
    found = (column.tobytes() for column in columns(worker, order, places) if column.any())
    yield b"".join(sorted(hashlib.blake2b(column).digest() for column in found))


def walk(nodes: Nodes, *, shared: bool) -> Whole:
    """The numbers of all nodes that the root leads to, breadth first, children in their order.

    ``shared``: edges may lead to the same children, which are met once, and the record before these is their position.
    """
    level = np.array([ROOT])
    levels = [level]
    met: set[int] = set()
    while len(level):
        inner = level[(nodes["first"][level] >= 0) & ((nodes["spare"][level] == 0) | (not shared))]
        first = nodes["first"][inner].astype(np.int64)
        if shared:
            fresh = [at for at in dict.fromkeys(first.tolist()) if at not in met]
            met.update(fresh)
            inner = first = np.array(fresh, np.int64) - 1
        count = nodes["live"][inner].astype(np.int64) + nodes["hidden"][inner] + shared
        level = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
        levels.append(level)
    return np.concatenate(levels)


def columns(worker: Worker, order: Whole, places: Whole) -> Iterator[npt.NDArray[Any]]:
    """The columns beside a tree; numbers of nodes and of tables in them become what they stand for."""
    shape, amaf, columns_of = worker.shape, worker.parts.amaf, worker.memory.columns_of
    lists = [*columns_of(shape)] if shape.shares_nodes else []
    table_of = [columns_of(amaf)[TABLE_OF]] if amaf else []
    numbered = [column.ctypes.data for column in (*lists, *table_of)]
    for column in worker.tree.columns:
        if column.ctypes.data not in numbered:
            yield column[order]
    for column in lists:
        yield places[column.view(np.int64)[order]]
    if amaf:
        numbers = table_of[0].view(np.int64)[order]
        yield numbers > 0
        yield amaf.tables[numbers[numbers > 0] - 1]


def learnt(worker: Worker) -> Iterator[bytes]:
    """The tables of playouts that learn."""
    for hook in worker.parts.hooks:
        if isinstance(hook, PlayoutLearningHook):
            for table in hook.learning.tables:
                yield from rows(table)


def rows(table: LearnedTable) -> Iterator[bytes]:
    """What one table holds."""
    if isinstance(table, AverageTable):
        yield from (one.tobytes() for one in (table.sums, table.means, table.weights))
    elif isinstance(table, NgramTable):
        yield from rows(table.averages)
        yield from by_key(table.seen())
    elif isinstance(table, ReplyTable):
        yield from (one.tobytes() for one in table._dense)
        yield from by_key(table._hashed.entries(table.block))
    else:
        raise TypeError(f"the signature cannot read a table of type {type(table).__name__}; teach it in `rows`")


def by_key(found: dict[int, tuple[float, float]]) -> Iterator[bytes]:
    """The rows of a hash table in the order of their keys."""
    yield np.array(sorted(found), np.int64).tobytes()
    yield np.array([found[key] for key in sorted(found)], np.float64).tobytes()


def collected(block: npt.NDArray[Any], players: int) -> Iterator[bytes]:
    """What a reward has collected; a reward of several has their blocks as fields of its own."""
    names = block.dtype.names or ()
    for name in OF_REWARDS:
        if name in names:
            yield (block[name][..., :players] if name == "winners" else block[name]).tobytes()
    for name in PLACES:
        if name in names:
            yield from collected(block[name], players)

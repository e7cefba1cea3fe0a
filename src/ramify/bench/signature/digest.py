"""Everything that a search wrote, in an order that does not depend on memory layout.

Only this file of the signature knows the internals of a search. Nodes are numbered breadth first from the root, so
relocated or unused records are never read. Columns are hashed one by one and the hashes sorted, so the order of columns
does not matter. A column of zeros counts as absent.
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

FIELDS = ("live", "hidden", "visits", "total", "chance", "mover", "tag")  # of a node, besides `first` and `move`
COUNTERS = ("nodes", "simulations", "calls", "max_depth", "cut_playouts", "cut_calls")
REWARD_FIELDS = ("applies", *SUMS, "winners")  # sums of learning rewards; their other fields are constants
DIGITS = 8

Whole = npt.NDArray[np.int64]
Nodes = npt.NDArray[Any]


def number(parts: Iterable[bytes]) -> int | None:
    """Hash the parts to a number of DIGITS digits, or None without parts."""
    digest = hashlib.blake2b(digest_size=8)
    count = 0
    for count, part in enumerate(parts, 1):  # noqa: B007
        digest.update(len(part).to_bytes(8) + part)
    return int.from_bytes(digest.digest()) % 10**DIGITS if count else None


def written(search: Search) -> Iterator[bytes]:
    """Yield everything that a search wrote, then its report."""
    for worker in search.workers:
        yield from tree(worker)
        yield worker.rng.tobytes()
        yield np.array([worker.counters[name][0] for name in COUNTERS], np.int64).tobytes()
        yield np.array(worker.shape.transposition_hits, np.int64).tobytes()
        for block in (worker.parts.selectors.root_block, worker.parts.selectors.inner_block):
            yield block["memory"].tobytes()
            if block["game_memory"].any():
                yield block["game_memory"].tobytes()
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
    """Yield the records and columns of a tree."""
    nodes = worker.tree.nodes
    order = walk(nodes, shared=worker.shape.shares_nodes)
    places = np.full(int(worker.counters["nodes"][0]), -1, np.int64)  # node index -> position in the walk
    places[order] = np.arange(len(order))
    first = nodes["first"][order].astype(np.int64)
    yield np.where(first >= 0, places[np.maximum(first, 0)], first).tobytes()
    move = nodes["move"][order].astype(np.int64)
    if worker.shape.shares_nodes:
        move[nodes["tag"][order] > 0] = 0  # in position records it is the last simulation
    yield move.tobytes()
    for field in FIELDS:
        yield nodes[field][order].astype(np.float64).tobytes()
    found = (column.tobytes() for column in columns(worker, order, places) if column.any())
    yield b"".join(sorted(hashlib.blake2b(column).digest() for column in found))


def walk(nodes: Nodes, *, shared: bool) -> Whole:
    """Return the indices of all nodes reachable from the root, breadth first.

    ``shared``: edges may share children, which are listed once; the record before them is their position.
    """
    level = np.array([ROOT])
    levels = [level]
    met: set[int] = set()
    while len(level):
        inner = level[(nodes["first"][level] >= 0) & ((nodes["tag"][level] == 0) | (not shared))]
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
    """Yield the columns of a tree. Indices of nodes and tables in them are resolved."""
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
    """Yield the tables of learning playouts."""
    for hook in worker.parts.hooks:
        if isinstance(hook, PlayoutLearningHook):
            for table in hook.learning.tables:
                yield from rows(table)


def rows(table: LearnedTable) -> Iterator[bytes]:
    """Yield the contents of one table."""
    if isinstance(table, AverageTable):
        yield from (one.tobytes() for one in (table.sums, table.means, table.weights))
    elif isinstance(table, NgramTable):
        yield from rows(table.averages)
        yield from by_key(table.seen())
    elif isinstance(table, ReplyTable):
        yield from (one.tobytes() for one in table._dense)
        yield from by_key(table._hashed.entries(table.block))
    else:
        raise TypeError(f"the signature cannot read tables of type {type(table).__name__}: add the type to `rows`")


def by_key(found: dict[int, tuple[float, float]]) -> Iterator[bytes]:
    """Yield the rows of a hash table, sorted by key."""
    yield np.array(sorted(found), np.int64).tobytes()
    yield np.array([found[key] for key in sorted(found)], np.float64).tobytes()


def collected(block: npt.NDArray[Any], players: int) -> Iterator[bytes]:
    """Yield the sums of a learning reward; a chain of rewards has their blocks as fields."""
    names = block.dtype.names or ()
    for name in REWARD_FIELDS:
        if name in names:
            yield (block[name][..., :players] if name == "winners" else block[name]).tobytes()
    for name in PLACES:
        if name in names:
            yield from collected(block[name], players)

import pytest

import ramify
from ramify.agents.budgets import memory
from ramify.agents.budgets.memory import MemoryAllowance, free_memory
from ramify.agents.search.search import Search
from ramify.core.search.tree import NODE
from tests.cli.test_arena_commands import ramify as command

MEMINFO = "MemTotal:       24684100 kB\nMemFree:         1000000 kB\nMemAvailable:    2000000 kB\n"


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A folder in which the files of a system can be made up."""
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "CGROUP_FILE", tmp_path / "group")
    monkeypatch.setattr(memory, "CGROUP_ROOTS", tmp_path / "groups")
    (tmp_path / "meminfo").write_text(MEMINFO)
    return tmp_path


def limit(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"memory.{name}").write_text(text)


def test_what_can_be_reclaimed_is_free(system):
    assert free_memory() == 2_000_000 * 1024
    (system / "meminfo").write_text("no such thing\n")
    assert 0 < free_memory() != 2_000_000 * 1024


def test_groups_may_have_less(system):
    (system / "group").write_text("1:cpu:/a\n0::/a/b\n")
    limit(system / "groups" / "a" / "b", max="max\n", current="5000\n", stat="inactive_file 0\n")
    assert free_memory() == 2_000_000 * 1024
    limit(system / "groups" / "a", max="100000\n", current="70000\n", stat="anon 3\ninactive_file 20000\n")
    assert free_memory() == 50_000
    limit(system / "groups" / "a", max="100000\n", current="170000\n", stat="anon 3\n")
    assert free_memory() == 0


def test_groups_of_the_first_version(system):
    (system / "group").write_text("4:memory:/x\n0::/\n")
    files = {"limit_in_bytes": "100000\n", "usage_in_bytes": "70000\n", "stat": "total_inactive_file 1000\n"}
    limit(system / "groups" / "memory" / "x", **files)
    assert free_memory() == 31_000


def test_an_allowance_is_measured_once_and_shared(monkeypatch):
    answers = iter([1000, 5000])
    monkeypatch.setattr(memory, "free_memory", lambda: next(answers))
    allowance = MemoryAllowance(2)
    assert allowance.per_tree is None
    assert [allowance.measure(), allowance.measure(), allowance.per_tree, allowance.known] == [250, 250, 250, 500]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_without_a_budget_of_memory_stops_at_half_of_what_is_free(monkeypatch, threads):
    free = 8_000_000
    monkeypatch.setattr(memory, "free_memory", lambda: free)
    search = Search(ramify.load("connect4").initial(), seed=1, threads=threads)
    report = search.run(ramify.Budget(seconds=60))
    assert report.stopped == "memory"
    assert 0.98 * free / 2 < report.nodes * NODE.itemsize <= free / 2
    assert sum(child.visits for child in report.children) == report.simulations
    more = search.run(ramify.Budget(memory=2 * free, simulations=10_000 * threads))
    assert more.stopped == "simulations"


def test_tables_of_observers_count(monkeypatch):
    free = 8_000_000
    monkeypatch.setattr(memory, "free_memory", lambda: free)
    search = Search(ramify.load("connect4").initial(), "mcts(select=grave)", seed=1)
    report = search.run(ramify.Budget(seconds=60))
    worker = search.workers[0]
    tables = sum(one.nbytes for one in worker.parts.column_owners)
    assert report.stopped == "memory"
    assert tables > 500_000
    assert free / 4 < report.nodes * worker.tree.bytes_per_node + tables <= free / 2


def test_a_move_of_a_match_that_takes_too_much_is_an_error(monkeypatch):
    """It would depend on the machine, and nobody would see it; with budgets in time it does anyway."""
    monkeypatch.setattr(memory, "free_memory", lambda: 4_000_000)
    search = Search(ramify.load("connect4").initial(), seed=1)
    with pytest.raises(ramify.RamifyError, match=r"half of the free memory, 2 MB, after 3\d,\d+ simul"):
        search.choose(ramify.Budget(simulations=10**7))
    search.choose(ramify.Budget(seconds=60))
    assert search.stopped == "memory"


def test_the_command_says_how_to_give_more(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 4_000_000)
    result = command("search", "connect4", "--seconds", "60", "--seed", "1")
    assert "stopped by memory" in result.stdout
    assert "note: stopped because the tree reached half of the memory that was free (2 megabytes)" in result.stderr
    assert "--memory MEGABYTES sets the limit" in result.stderr
    given = command("search", "connect4", "--seconds", "60", "--seed", "1", "--memory", "2")
    assert "stopped by memory" in given.stdout
    assert "note" not in given.stderr

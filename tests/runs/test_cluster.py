"""Games on a Dask cluster of processes of this machine, disturbed, are the games of an undisturbed run."""

import gc
import logging
import socket
import sys
import threading
from contextlib import suppress
from time import monotonic

import pytest
from distributed import Client

import ramify
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.runs.pools import cluster as cluster_module
from ramify.runs.pools.cluster import ClusterPool
from ramify.runs.pools.factory import pool_factory
from tests.arena.games_for_tests import COUNTDOWN, short_plan, timeless
from tests.runs.dask_cluster import dask_cluster, wait_for
from tests.trusting import trust_all

pytestmark = pytest.mark.alone
AGENTS = ("tictactoe", "uct(c=0.7)", "uct(c=1.4)")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask")) as made:
        yield made


def test_games_are_the_same_when_a_worker_is_killed_and_another_joins(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "MAX_BATCH_JOBS", 2)
    plan = short_plan(games=60, simulations=800)
    jobs = list(plan.jobs())
    workers = [cluster.worker(), cluster.worker()]
    disturbed = []

    def disturb(driver):
        if not disturbed and driver.played >= 5:
            disturbed.append(driver.played)
            cluster.kill(workers[0])
            workers.append(cluster.worker())

    run = tmp_path / "run.db"
    options = {"games": 60, "simulations": 800, "seed": 1, "run": run}
    result = ramify.match(*AGENTS, **options, cluster=str(cluster.file), progress=disturb)
    assert disturbed
    assert disturbed[0] < 60
    assert timeless(result.records) == timeless(job.run() for job in jobs)
    again = ramify.match(*AGENTS, **options, workers=0)
    assert again.records == result.records
    cluster.kill(workers[1])
    with ready(cluster, 1) as pool:  # the one that joined
        assert pool.capacity() >= 1


class ready:
    """A pool once the cluster has so many workers."""

    def __init__(self, cluster, count):
        self.pool = ClusterPool(str(cluster.file), log=lambda _: None)
        try:
            wait_for(lambda: len(self.pool._client.scheduler_info()["workers"]) == count, f"{count} workers")
        except BaseException:
            self.pool.close()
            raise

    def __enter__(self):
        return self.pool

    def __exit__(self, *_):
        self.pool.close()


def test_the_command_plays_on_a_cluster(cluster, capsys):
    words = ["match", *AGENTS, "--games", "4", "--simulations", "20", "--seed", "3", "--cluster", str(cluster.file)]
    app(words, standalone_mode=False)
    assert "games     4 in 2 pairs" in capsys.readouterr().out
    tournament = ["tournament", "--game", AGENTS[0], "--agent", AGENTS[1], "--agent", AGENTS[2], *words[4:]]
    app(tournament, standalone_mode=False)
    assert "4 games  uct(c=0.7) - uct(c=1.4), tictactoe" in capsys.readouterr().out


def test_what_goes_wrong_in_a_users_game_is_told(cluster, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="raise IndexError('no such stone')"))
    with pytest.raises(RamifyError, match=r"game 1 cannot be played: .*raised IndexError.*: no such stone"):
        play_countdown(cluster, path)


def test_a_file_is_loaded_anew_in_each_sitting(cluster, tmp_path):
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="pass"))
    assert play_countdown(cluster, path).score == 0.5
    path.write_text(COUNTDOWN.format(trouble="pass").replace("[0.5, 0.5]", "[1.0, 1.0 - 1]"))
    assert [row.scores for row in play_countdown(cluster, path).rows] == [(1.0, 0.0)] * 2


def test_a_file_that_workers_cannot_see_is_told(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "countdown.py").write_text(COUNTDOWN.format(trouble="pass"))
    with pytest.raises(
        RamifyError, match=r"cannot find \./countdown\.py from its folder .* share and use its absolute"
    ):
        play_countdown(cluster, "./countdown.py")


def play_countdown(cluster, path):
    agents = ("uct(c=0.7)", "uct(c=1.4)")
    return ramify.match(str(path), *agents, games=2, simulations=5, opening_plies=0, seed=1, cluster=str(cluster.file))


def test_other_versions_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(cluster_module, "identity", lambda: "ramify 9.9")
    with pytest.raises(RamifyError, match=r"the worker at tcp://.* has ramify .*, but the driver has ramify 9\.9"):
        ClusterPool(str(cluster.file))


def test_workers_that_join_with_another_version_are_refused(cluster, monkeypatch):
    plan = short_plan()
    with ready(cluster, 1) as pool:
        monkeypatch.setattr(cluster_module, "identity", lambda: "ramify 9.9")
        pool.submit(list(plan.jobs()))
        with pytest.raises(RamifyError, match=r"the worker on .* but the driver has ramify 9\.9"):
            take_all(pool)


def take_all(pool, seconds=20):
    end = monotonic() + seconds
    while monotonic() < end:
        pool.collect(0.1)


def test_a_cluster_that_is_lost_keeps_its_games_and_goes_on_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "MAX_BATCH_JOBS", 2)
    options = {"games": 40, "simulations": 2000, "seed": 2, "run": tmp_path / "run.db"}
    with dask_cluster(tmp_path) as cluster:
        cluster.worker()

        def kill(driver):
            if driver.played >= 3:
                cluster.kill(cluster.scheduler)

        began = monotonic()
        with pytest.raises(RamifyError, match=r"^lost the cluster at .*; finished jobs are stored"):
            ramify.match(*AGENTS, **options, cluster=str(cluster.file), progress=kill)
        assert monotonic() - began < 25
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)  # it would print tracebacks
    seen = []
    result = ramify.match(*AGENTS, **options, workers=0, progress=lambda driver: seen.append(driver.played))
    assert len(result.records) == 40
    assert seen[-1] <= 37


def test_workers_without_ramify_and_with_threads_are_told(tmp_path):
    with dask_cluster(tmp_path) as cluster:
        fake = tmp_path / "fake" / "ramify"
        fake.mkdir(parents=True)
        (fake / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'ramify'\")")
        lacking = cluster.worker(PYTHONPATH=str(fake.parent))
        wait_for_threads(cluster, [1])
        with pytest.raises(RamifyError, match=r"at tcp://.* cannot import Ramify \(No module named 'ramify'\)"):
            ClusterPool(str(cluster.file))
        cluster.kill(lacking)
        cluster.worker(threads=2)
        wait_for_threads(cluster, [2])
        with pytest.raises(RamifyError, match="has 2 threads, but a worker runs one job at a time"):
            ClusterPool(str(cluster.file))


def wait_for_threads(cluster, threads):
    """Until these are the threads of the workers, whatever the workers can do."""
    with Client(scheduler_file=str(cluster.file), set_as_default=False) as client:
        wait_for(lambda: list(client.nthreads().values()) == threads, "worker")


def test_an_address_where_nobody_answers_is_told(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1.0)
    with pytest.raises(RamifyError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9' within 1 s"):
        ClusterPool("tcp://127.0.0.1:9")
    with pytest.raises(RamifyError, match=r"there is no scheduler file \./nowhere\.json"):
        ClusterPool("./nowhere.json")
    with pytest.raises(RamifyError, match=r"no Dask scheduler answers at 'nonsense://here' within 1 s"):
        ClusterPool("nonsense://here")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes(64), b"\xff" * 64])
def test_a_server_that_is_not_a_scheduler_is_told(monkeypatch, answer):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(cluster_module, "LATE_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        kept = []

        def accept():
            with suppress(OSError):
                kept.append(server.accept()[0])
                kept[0].sendall(answer)

        threading.Thread(target=accept, daemon=True).start()
        with pytest.raises(RamifyError, match=rf"no Dask scheduler answers at '{address}' within 0\.5 s"):
            ClusterPool(address)
        for one in kept:
            one.close()


ODD_ADDRESSES = ["", " ", "tcp://", "foo:bar", "http://127.0.0.1:1", "tcp://[::1", "inproc://x", "tls://127.0.0.1:8"]
ODD_ADDRESSES += ["tcp://a:b:c", "ucx://1:1", "a://b://c", 300 * "x", f"tcp://{300 * 'x'}:1"]


@pytest.mark.parametrize("address", ODD_ADDRESSES)
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_an_odd_address_is_told_at_once(address):
    began = monotonic()
    with pytest.raises(RamifyError, match="no Dask scheduler answers at"):
        ClusterPool(address)
    assert monotonic() - began < 5
    gc.collect()


def test_a_missing_extra_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RamifyError, match=r'pip install "ramify\[cluster\]"'):
        ClusterPool("tcp://127.0.0.1:9")


def test_workers_and_a_cluster_are_not_both_given():
    with pytest.raises(RamifyError, match="workers and cluster cannot be combined"):
        pool_factory(2, "tcp://127.0.0.1:9")

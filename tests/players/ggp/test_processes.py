"""A player whose matches run in processes of their own: what strangers' rules and dying processes do to it."""

import os
import secrets
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from time import monotonic, sleep

import pytest

from ramify.errors import RamifyError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp import match_process, process_runner, timing
from ramify.players.ggp.match_messages import Given
from ramify.players.ggp.messages import read_term
from ramify.players.ggp.player import GgpPlayer
from ramify.players.ggp.process_launcher import ChildProcess, Launcher
from ramify.players.ggp.process_runner import ProcessRunner
from ramify.players.ggp.supervisor import process_tree
from ramify.players.ggp.timing import Margin
from tests.ggp import hostile_sheets
from tests.players.ggp.talking import new_player, on_one_line, raw
from tests.processes import environment

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are watched by /proc"),
]

AGENT = "uct(simulations=30)"
LONG = "60 60"
MEGABYTES = 700
LARGE = hostile_sheets.product(
    3, 120, padding=10
)  # 1.7 million moves, which take more than a gigabyte and many seconds
LARGE_LATER = hostile_sheets.late_product(3, 120, padding=10)
TICTACTOE = on_one_line("tictactoe")


@pytest.fixture(scope="module")
def launcher():
    made = Launcher(AGENT, None, MEGABYTES)
    made.wait_until_warm(lambda: None)
    yield made
    made.close()


class Told:
    """A player with the lines of its log."""

    def __init__(self, launcher):
        self.log = []
        self.launcher = launcher
        runner = ProcessRunner(launcher, Margin(), self.log.append)
        self.player = GgpPlayer(name="Tester", seed=1, log=self.log.append, runner=runner)
        self.answer = self.player.answer

    def start(self, rules=TICTACTOE, role="x", clocks=LONG):
        return self.answer(f"( START m {role} ( {rules} ) {clocks} )")

    def processes(self):
        """Processes of matches and previews, with their grounders."""
        return list(process_tree(self.launcher._supervisor.pid))[1:]

    def of_match(self):
        """Processes without grounders, by age: the standby, then the searcher."""
        supervisor = self.launcher._supervisor.pid
        return list(map(int, Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()))

    def kill(self, number):
        """Send the searcher a signal."""
        os.kill(self.of_match()[-1], number)

    def until(self, condition, seconds=20.0):
        deadline = monotonic() + seconds
        while not condition():
            assert monotonic() < deadline, "\n".join(self.log)
            sleep(0.01)


@pytest.fixture
def told(launcher):
    made = Told(launcher)
    yield made
    for match in made.player.matches:
        match.end()
    made.until(lambda: not made.processes())


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def played(player, other=0, during=lambda turn: None):
    """All our moves of a match of tic-tac-toe; every one must be legal."""
    rules = Interpreter(Rulesheet.from_text(rulesheet("tictactoe"), "tictactoe"))
    position, last, moves = rules.initial(), "NIL", []
    while not rules.terminal(position):
        during(len(moves))
        move = read_term(player.answer(f"( PLAY m {last} )"))
        assert move in rules.legal(position, "x")
        moves.append(write(move))
        joint = {"x": move, "o": rules.legal(position, "o")[other]}
        last = f"( {write(joint['x'])} {write(joint['o'])} )"
        position = rules.next(position, joint)
    assert player.answer(f"( STOP m {last} )") == "done"
    return moves


def test_the_same_moves_as_in_one_process(told):
    assert told.start() == "ready"
    player = new_player(AGENT, make_role_games=None)
    assert player.answer(f"( START m x ( {TICTACTOE} ) {LONG} )") == "ready"
    assert played(told) == played(player)
    told.until(lambda: any("the result is x 100, o 0" in line for line in told.log))
    told.until(lambda: not told.processes())


def test_the_supervisor_has_one_thread(told):
    """A process with several threads cannot be forked safely."""
    assert len(list(Path(f"/proc/{told.launcher._supervisor.pid}/task").iterdir())) == 1


def test_rules_that_need_too_much_memory(told):
    with pytest.raises(RamifyError, match=r"cannot read the rules: .* it needs more than 700 MB of memory"):
        told.start(LARGE)
    assert told.answer("(info)").endswith("( status available ) )")
    assert not told.processes()
    assert told.start() == "ready"


def test_rules_that_are_refused(told):
    with pytest.raises(RamifyError, match="its terms may grow without limit"):
        told.start(hostile_sheets.ENDLESS)
    told.until(lambda: not told.processes())


def test_abort_ends_everything_at_once(told):
    """While the rules are being read, which takes longer than the start clock."""
    assert told.start(LARGE, clocks="0.2 60") == "ready"
    assert told.processes()
    began = monotonic()
    assert told.answer("( ABORT m )") == "aborted"
    told.until(lambda: not told.processes(), 2.0)
    assert told.start() == "ready"
    assert monotonic() - began < 5


@pytest.mark.parametrize("turn", [0, 2])
def test_a_process_that_dies_between_turns(told, turn):
    assert told.start() == "ready"
    played(told, during=lambda now: now == turn and told.kill(signal.SIGKILL))
    expected = "match m: the process of the match has died: it was killed by SIGKILL; continuing with the interpreter"
    assert any(expected in line for line in told.log), told.log


def test_a_process_that_dies_again_and_again(told):
    assert told.start() == "ready"

    def kill(turn):
        if turn < 2:
            told.until(lambda: len(told.of_match()) == 2)
            told.kill(signal.SIGSEGV)
            told.until(lambda: len([line for line in told.log if "has died" in line]) == turn + 1)

    played(told, other=-1, during=kill)
    assert any("SIGSEGV; continuing with random legal moves" in line for line in told.log), told.log


@pytest.mark.parametrize("victims", ["searcher", "all"])
def test_a_legal_move_whatever_dies(told, victims):
    """Right after START, before every PLAY and during every PLAY."""
    timers = []

    def kill():
        for pid in told.of_match()[-1 if victims == "searcher" else 0 :]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def kill_after(seconds):
        timers.append(threading.Timer(seconds, kill))
        timers[-1].start()

    if victims == "searcher":  # without any process the rules cannot be read
        kill_after(0.02)
    assert told.start(clocks="60 3") == "ready"
    kill()

    def during(turn):
        if victims == "searcher" and turn > 1:
            return  # only the standby is left
        kill()
        kill_after(0.1)

    played(told, during=during)
    for timer in timers:
        timer.join()  # or it would kill processes of the next test


def test_matches_side_by_side(told):
    """Each in its own processes. One that needs too much memory does not harm the others."""
    assert told.start(clocks="60 1") == "ready"
    assert told.answer("( PLAY m NIL )").startswith("(mark ")
    assert told.answer(f"( START large x ( {LARGE} ) 0 1 )") == "ready"  # before they are read
    told.until(lambda: len(told.of_match()) == 4)
    told.until(lambda: any("more than 700 MB" in line for line in told.log))
    assert told.answer("( PLAY m ((mark 1 1) noop) )") == "noop"
    assert told.answer("( ABORT large )") == "aborted"
    told.until(lambda: len(told.of_match()) == 2)
    assert not any(line.startswith("match m: the process") for line in told.log), told.log


def test_one_grounder_at_a_time(told):
    for name in "abc":
        rules = TICTACTOE.replace("mark", f"mark{secrets.randbits(60)}")  # no propnet of it is cached
        assert told.answer(f"( START {name} x ( {rules} ) 0 60 )") == "ready"
    most = 0

    def prepared():
        nonlocal most
        most = max(most, len(told.processes()) - len(told.of_match()))
        return len([line for line in told.log if "ready to play with a propnet" in line]) == 3

    told.until(prepared)
    assert most == 1


def test_a_process_that_hangs(told):
    """The player answers what the standby says, and continues when the process does."""
    assert told.start(clocks="60 1") == "ready"
    first = told.answer("( PLAY m NIL )")
    told.kill(signal.SIGSTOP)
    began = monotonic()
    assert told.answer(f"( PLAY m ({first} noop) )") == "noop"
    assert monotonic() - began < 1
    told.kill(signal.SIGCONT)
    other = "(mark 1 1)" if first != "(mark 1 1)" else "(mark 3 3)"
    reply = told.answer(f"( PLAY m (noop {other}) )")
    assert reply.startswith("(mark ")
    assert reply not in (first, other)


def test_a_position_that_cannot_be_evaluated(told):
    """The process dies of it however it plays; the player still answers in time."""
    assert told.start(LARGE_LATER, clocks="0.8 0.8") == "ready"
    assert told.answer("( PLAY m NIL )") in ("go", "stay")
    for last in ("( go )", "( stay )"):
        began = monotonic()
        assert told.answer(f"( PLAY m {last} )") in ("go", "stay")
        assert monotonic() - began < 0.8
    told.until(lambda: any("continuing with random legal moves" in line for line in told.log))
    assert told.answer("( PLAY m ( go ) )") in ("go", "stay")


def test_a_position_with_too_many_moves(told):
    """One of them is a fact of the rules, so it is known before the others are derived."""
    rules = LARGE_LATER.replace("(legal x stay)", "(legal x (wait 1))").replace(
        "(legal x go)", "(<= (legal x go) (not (true (step 1))))"
    )
    assert told.start(rules, clocks="0.8 0.8") == "ready"
    assert told.answer("( PLAY m NIL )") in ("go", "(wait 1)")
    assert told.answer("( PLAY m ( go ) )") == "(wait 1)"
    assert told.answer("( ABORT m )") == "aborted"
    assert told.start(LARGE, clocks="0.3 0.8") == "ready"
    assert told.answer("( PLAY m NIL )") in ("go", "stay")


def test_one_preview_at_a_time(told):
    assert told.answer(f"( PREVIEW ( {LARGE} ) 0.3 )") == "done"
    (first,) = told.processes()[:1]
    assert told.answer(f"( PREVIEW ( {TICTACTOE} ) 60 )") == "busy"
    assert told.start() == "ready"
    assert first not in told.processes()
    assert told.answer(f"( PREVIEW ( {TICTACTOE} ) 60 )") == "done"
    played(told)


def test_a_preview_ends(told, monkeypatch):
    monkeypatch.setattr(process_runner, "PREVIEW_SECONDS", 0.2)
    assert told.answer(f"( PREVIEW ( {LARGE} ) 60 )") == "done"
    assert told.log == ["preview: ended after 0.2 s"]
    told.until(lambda: not told.processes())
    with pytest.raises(RamifyError, match="no rule defines"):
        told.answer("(preview ((role x)) 60)")


def test_a_manager_that_is_gone(told, monkeypatch):
    monkeypatch.setattr(match_process, "POLL_SECONDS", 0.05)
    assert told.start(clocks="0.1 0.1") == "ready"
    monkeypatch.setattr(timing, "MANAGER_TIMEOUT", 0.0)
    told.until(lambda: not told.processes())
    assert "match m: ended because the manager is silent" in told.log


def test_a_supervisor_that_dies(told):
    """The match continues in a process of a new supervisor."""
    assert told.start() == "ready"
    first = told.answer("( PLAY m NIL )")
    os.kill(told.launcher._supervisor.pid, signal.SIGKILL)
    told.until(lambda: any("has died" in line for line in told.log))
    assert told.answer(f"( PLAY m ({first} noop) )") == "noop"


def test_no_process_survives_the_player():
    words = (sys.executable, "-m", "ramify", "ggp-player", "--port", "0", "--agent", AGENT, "--quiet")
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, text=True) as player:
        port = int(player.stdout.readline().rpartition(":")[2])
        text = f"( START m x ( {LARGE} ) 1 60 )"
        request = f"POST / HTTP/1.0\r\nContent-Length: {len(text)}\r\n\r\n{text}"
        assert raw(port, request.encode()).endswith(b"ready")
        processes = list(process_tree(player.pid))
        assert len(processes) >= 3
        player.kill()
    deadline = monotonic() + 5
    while any(map(alive, processes)):
        assert monotonic() < deadline
        sleep(0.01)


def test_messages_to_a_process_that_ends_are_lost_without_a_trace(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    for _ in range(50):
        ours, theirs = Pipe()
        process = ChildProcess(ours, lambda: None)
        for _ in range(20):
            process.send(Given(1, "a"))
        theirs.close()
        assert process.receive(5.0) is None
        process.send(Given(2, "a"))
    for thread in threading.enumerate():
        if thread.name == "sender":
            thread.join(5.0)
            assert not thread.is_alive()
    assert not failed

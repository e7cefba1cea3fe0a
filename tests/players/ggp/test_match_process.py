"""What the player's process does by itself when the processes of a match are late, silent or dead."""

import queue
import threading
from time import monotonic

import pytest

from ramify.players.ggp.match_messages import Finish, Given, PlayTurn, Task
from ramify.players.ggp.match_process import MAX_STANDBYS, MatchProcess
from ramify.players.ggp.messages import LastTurn, Start
from ramify.players.ggp.timing import Margin

START = Start("m", "x", "(role x)", 5.0, 0.5)
FIRST, SECOND, THIRD = None, LastTurn(("go", "noop")), LastTurn(("stay", "noop"))


class FakeProcess:
    """Notes what it is sent and says what the test wants."""

    def __init__(self, task):
        self.task = task
        self.sent = []
        self.says = queue.SimpleQueue()
        self.killed = False

    def send(self, message):
        self.sent.append(message)

    def receive(self, seconds):
        try:
            return self.says.get(timeout=seconds)
        except queue.Empty:
            return ()

    def kill(self):
        self.killed = True
        self.says.put(None)

    def die(self, reason="it was killed"):
        self.says.put(("ended", reason))
        self.says.put(None)

    def answers(self, turn, last, move, kind="answer"):
        """From now on it answers so."""

        def send(message):
            self.sent.append(message)
            if isinstance(message, PlayTurn):
                self.says.put(("turn", turn, last))
                self.says.put((kind, message.number, turn, move))

        self.send = send


class FakeLauncher:
    def __init__(self):
        self.started = queue.SimpleQueue()

    def launch(self, task):
        process = FakeProcess(task)
        self.started.put(process)
        return process


def launched():
    """A match with its standby and its searcher."""
    launcher = FakeLauncher()
    log = []
    made = MatchProcess(START, seed=1, margin=Margin(), log=log.append, launcher=launcher)
    made.lines = log
    made.next_process = lambda: launcher.started.get(timeout=5)
    made.none_started = launcher.started.empty
    standby, searcher = made.next_process(), made.next_process()
    assert standby.task == Task(START, 1, engines=0)
    assert searcher.task == Task(START, 1, engines=2)
    return made, searcher, standby


@pytest.fixture
def match():
    """A match whose processes are ready."""
    made, searcher, standby = launched()
    for process in (standby, searcher):
        for message in (("first", "go"), ("readable",), ("ready", None)):
            process.says.put(message)
    made.wait_until_ready(monotonic())
    yield made, searcher, standby
    made.end()


def test_the_searchers_answer(match):
    made, searcher, standby = match
    standby.answers(0, FIRST, "stay")
    searcher.answers(0, FIRST, "go")
    assert made.play(FIRST, monotonic()) == "go"
    assert standby.sent[-1] == Given(1, "go")
    assert made.lines == []


def test_the_best_move_so_far_is_given_in_time(match):
    made, searcher, standby = match
    standby.answers(0, FIRST, "stay")
    searcher.answers(0, FIRST, "go", kind="best")
    began = monotonic()
    assert made.play(FIRST, began) == "go"
    assert monotonic() - began < 0.5
    assert searcher.sent[-1] == standby.sent[-1] == Given(1, "go")


def test_the_standby_answers_for_a_searcher_that_hangs(match):
    made, searcher, standby = match
    standby.answers(0, FIRST, "stay")
    began = monotonic()
    assert made.play(FIRST, began) == "stay"
    assert monotonic() - began < 0.5
    assert searcher.sent[-1] == Given(1, "stay")
    assert made.lines == ["match m: stay (a random legal move: no answer of the process of the match)"]


def test_another_searcher_replays_the_match(match):
    made, searcher, standby = match
    standby.answers(0, FIRST, "stay")
    searcher.answers(0, FIRST, "go")
    assert made.play(FIRST, monotonic()) == "go"
    searcher.die()
    second = made.next_process()
    assert second.task.history == ((FIRST, "go"),)
    assert second.task.engines == 1
    standby.answers(1, SECOND, "left")
    second.send = lambda message: second.die()  # of the next message
    assert made.play(SECOND, monotonic()) == "left"
    assert made.none_started()
    assert made.lines == [
        "match m: the process of the match has died: it was killed; continuing with the interpreter only",
        "match m: the process of the match has died: it was killed; continuing with random legal moves",
        "match m: left (a random legal move: no answer of the process of the match)",
    ]
    standby.answers(2, THIRD, "right")
    began = monotonic()
    assert made.play(THIRD, began) == "right"
    assert monotonic() - began < 0.3  # it does not wait for a searcher


def test_another_standby_replays_the_match(match):
    """Also during a turn; but only a few times per turn."""
    made, searcher, standby = match
    searcher.answers(0, FIRST, "go")
    standby.answers(0, FIRST, "stay")
    assert made.play(FIRST, monotonic()) == "go"
    searcher.send = lambda message: None  # hangs
    standby.send = lambda message: standby.die()
    answers = []
    playing = threading.Thread(target=lambda: answers.append(made.play(SECOND, monotonic())))
    playing.start()
    second = made.next_process()
    assert second.task == Task(START, 1, 0, ((FIRST, "go"),))
    second.answers(1, SECOND, "left")
    second.send(second.sent[0])
    playing.join(5)
    assert answers == ["left"]
    second.die()
    second = made.next_process()
    third_answer = made.play(THIRD, monotonic())
    assert second.task.history == ((FIRST, "go"), (SECOND, "left"))
    assert third_answer == "left"  # a guess: nobody has told a legal move
    second.die()
    for _ in range(MAX_STANDBYS - 1):
        made.next_process().die()
    assert made.none_started()


def test_the_first_move_is_known_from_the_start(match):
    """Even if all processes hang."""
    made, _, _ = match
    assert made.play(FIRST, monotonic()) == "go"


def test_a_searcher_that_dies_before_the_rules_are_read():
    """The standby may still read them."""
    made, searcher, standby = launched()
    searcher.die()
    made.wait_until_ready(monotonic() - START.start_clock)
    assert made.refusal is None
    standby.says.put(("readable",))
    second = made.next_process()
    assert second.task.engines == 1
    standby.answers(0, FIRST, "go")
    assert made.play(FIRST, monotonic()) == "go"
    made.end()


@pytest.mark.parametrize("first", ["searcher", "standby"])
def test_processes_that_die_before_the_rules_are_read(first):
    made, searcher, standby = launched()
    dying = [searcher, standby] if first == "searcher" else [standby, searcher]
    for process in dying:
        process.die("it needs more than 10 MB of memory")
        made.wait_until_ready(monotonic() - START.start_clock + 0.2)
    made.wait_until_ready(monotonic())
    assert made.refusal == (
        "cannot read the rules: the process that reads them has died: it needs more than 10 MB of memory"
    )
    made.end()


def test_the_standby_logs_the_result(match):
    made, searcher, standby = match
    made.end(SECOND)
    assert searcher.killed
    assert standby.sent[-1] == Finish(SECOND)
    assert not standby.killed

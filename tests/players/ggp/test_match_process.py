"""What the player's process does by itself when the process of a match is late, silent or dead."""

import queue
from time import monotonic

import pytest

from ramify.players.ggp.match_messages import Given, PlayTurn, Task
from ramify.players.ggp.match_process import MatchProcess
from ramify.players.ggp.messages import LastTurn, Start
from ramify.players.ggp.timing import Margin


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


class FakeLauncher:
    def __init__(self):
        self.started = queue.SimpleQueue()

    def launch(self, task):
        process = FakeProcess(task)
        self.started.put(process)
        return process


@pytest.fixture
def match():
    """A match with its first process, which is ready."""
    launcher = FakeLauncher()
    start = Start("m", "x", "(role x)", 5.0, 0.5)
    made = MatchProcess(start, seed=1, margin=Margin(), log=lambda _: None, launcher=launcher)
    made.next_process = launcher.started.get
    process = made.next_process(timeout=5)
    assert process.task == Task(start, 1, 2)
    for message in (("readable",), ("ready", None)):
        process.says.put(message)
    made.wait_until_ready(monotonic())
    yield made, process
    made.end()


FIRST, SECOND = None, LastTurn(("go", "noop"))


def test_a_reported_move_is_given_in_time(match):
    made, process = match

    def send(message):
        process.sent.append(message)
        if isinstance(message, PlayTurn):
            process.says.put(("turn", 0, FIRST))
            process.says.put(("best", message.number, 0, "stay"))
            process.says.put(("best", message.number, 0, "go"))

    process.send = send
    began = monotonic()
    assert made.play(FIRST, began) == "go"
    assert monotonic() - began < 0.5
    assert process.sent[-1] == Given(1, "go")


def test_another_process_replays_the_match(match):
    made, process = match
    process.send = lambda message: answer(process, message, 0, FIRST, "go")
    assert made.play(FIRST, monotonic()) == "go"
    process.says.put(("ended", "it was killed"))
    process.says.put(None)
    second = made.next_process(timeout=5)
    assert second.task.history == ((FIRST, "go"),)
    assert second.task.engines == 1
    second.send = lambda message: second.says.put(None)  # dies of the next message
    assert made.play(SECOND, monotonic()) == "go"  # a guess
    third = made.next_process(timeout=5)
    assert third.task.history == ((FIRST, "go"),)
    assert third.task.engines == 0
    assert third.sent[0] == PlayTurn(2, SECOND, third.sent[0].arrived)
    third.says.put(None)
    assert made.play(LastTurn(("go", "go")), monotonic()) == "go"
    assert made._engines < 0


def answer(process, message, turn, last, move):
    if isinstance(message, PlayTurn):
        process.says.put(("turn", turn, last))
        process.says.put(("answer", message.number, turn, move))


def test_a_process_that_dies_before_the_rules_are_read():
    launcher = FakeLauncher()
    start = Start("m", "x", "(role x)", 5.0, 0.5)
    made = MatchProcess(start, seed=1, margin=Margin(), log=lambda _: None, launcher=launcher)
    process = launcher.started.get(timeout=5)
    process.says.put(("ended", "it needs more than 10 MB of memory"))
    process.says.put(None)
    made.wait_until_ready(monotonic())
    assert made.refusal == (
        "cannot read the rules: the process that reads them has died: it needs more than 10 MB of memory"
    )
    made.end()
    assert process.killed

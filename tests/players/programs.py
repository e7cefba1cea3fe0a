"""Programs that play badly in one way each, and the texts of agents that start them."""

import sys
from pathlib import Path

from ramify.grammar import Call

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "external_player.py"

# What a program does when it is asked for its third move; before that it plays the first legal move.
BAD = {
    "exits": "sys.exit(3)",
    "raises": "raise RuntimeError('out of ideas')",
    "is killed": "os.kill(os.getpid(), 9)",
    "is killed in real time": "os.kill(os.getpid(), 35)",  # a signal without a name
    "hangs": "time.sleep(1000)",
    "hangs deaf": "import signal; signal.signal(15, signal.SIG_IGN); time.sleep(1000)",
    "rubbish": "say('what was the question?')",
    "nothing": "say('')",
    "two words": "say('move a1 a2')",
    "illegal": "say('move z99')",
    "binary": "sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush()",
    "a long line": "sys.stdout.write('x' * 10**7); sys.stdout.flush(); time.sleep(1000)",
    "flood": "[say('# ' + 'x' * 1000) for _ in range(10**5)]",
    "errors": "sys.stderr.write('y\\n' * 10**6); say('move', moves[0])",  # which is no fault
    "closes": "os.close(1); time.sleep(1000)",
    "twice": "say('move', moves[0]); say('move', moves[0])",
    "resigns": "say('resign')",
    "has a child": "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)']); time.sleep(1000)",
}

PROGRAM = """
import os, subprocess, sys, time

def say(*words):
    print(*words, flush=True)

asked = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        say("hello 1")
    elif word == "moves":
        moves = rest
    elif word == "go":
        asked += 1
        if asked == 3:
            {what}
        else:
            say("move", moves[0])
    elif word == "quit":
        break
"""


def external(*words, **parameters):
    """The text of an agent that runs Python with these words."""
    cmd = " ".join(f"'{word}'" for word in (sys.executable, "-S", *map(str, words)))
    return str(Call("external", (("cmd", cmd), *parameters.items())))


def bad(folder, what, **parameters):
    """The text of an agent that does something bad."""
    path = folder / "bad.py"
    path.write_text(PROGRAM.format(what=BAD[what]))
    return external(path, **parameters)

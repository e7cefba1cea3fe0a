"""A player for ``external(cmd="python3 examples/external_player.py")``: it moves at random (docs/players.md)."""

import random
import sys

moves: list[str] = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("hello 1", flush=True)
    elif word == "seed":
        random.seed(int(rest[0]))
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move", random.choice(moves), flush=True)  # noqa: S311
    elif word == "quit":
        break

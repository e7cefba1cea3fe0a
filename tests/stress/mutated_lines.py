"""Makes command lines for all commands and options by mutating valid ones."""

from __future__ import annotations

import os
import random
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer.main

from ramify.cli.main import app

EXAMPLE = "Example: ramify "
DANGEROUS = re.compile(r"^(--[\w-]+=)?(/|\.\./|~[^/])|/\.\./")


SMALL = {
    "--simulations": "20",
    "--seconds": "0.05",
    "--calls": "200",
    "--clock": "0.5",
    "--games": "2",
    "--trials": "2",
    "--confirm": "2",
    "--doublings": "1",
    "--game-seconds": "0.1",
    "--sample": "2",
    "--rounds": "1",
    "--plies": "50",
    "--start-clock": "2",
    "--play-clock": "1",
    "--playouts": "5",
    "--nodes": "5000",
    "--memory": "1",
    "--megabytes": "200",
    "--cluster": "tcp://127.0.0.1:9",
    "--workers": "1",
    "--seed": "1",
    "--threads": "2",
    "--opening-plies": "1",
    "--depth": "2",
    "--player": "0",
    "--seat": "1",
}

LINES = """
search tictactoe --simulations 20 --seed 1
search connect4 --simulations 20 --position 'moves d e' --json
search 'hex(size=5)' --agent 'mcts(select=ucb1(c=0.7), playout=mast, recommend=max)' --seconds 0.05
search ./nim.py --simulations 20 --agent 'mcts(select=./policy.py:mine)'
search gdl:./game.kif --simulations 20
search pig --simulations 20 --agent 'mcts(chance=sampled)' --threads 2
search rock_paper_scissors --simulations 20 --player 1
solve tictactoe 'xo./.../...' --moves --nodes 5000
play tictactoe --simulations 20 --seat 1
gtp go --simulations 20
ggp-player --port 0 --quiet
match tictactoe uct 'uct(c=1.4)' --games 2 --simulations 20 --seed 1 --run new.db
match ./nim.py uct 'mcts(select=./policy.py:mine)' --games 2 --simulations 20 --workers 0
match tictactoe uct 'uct(c=1)' --games 2 --simulations 20 --seed 1 --run good.db
match tictactoe uct 'uct(c=1)' --games 4 --clock 0.5+0.01 --on-time random --openings openings.txt
match tictactoe uct 'uct(c=1)' --games 2 --simulations 20 --sprt 0 10 --alpha 0.1 --beta 0.1 --model logistic
match tictactoe uct 'gtp(cmd="no-such-program --gtp")' --games 2 --simulations 20
ggp-match ./game.kif 127.0.0.1:9 --games 1 --start-clock 2 --play-clock 1
tournament cup.toml --run cup.db
tournament --game tictactoe --game nim --agent uct --agent 'uct(c=1)' --games 2 --simulations 20 --gauntlet
kilothon --agent uct --game nim --game-seconds 0.1 --workers 0
kilothon --list --sources native
scale tictactoe uct --simulations 4 --doublings 1 --games 2 --workers 0
tune tictactoe 'uct(c=0.1..2.0)' --against uct --trials 2 --games 2 --confirm 2 --simulations 20 --workers 0
tune tictactoe 'uct(c=log(0.1..2))' --against uct --trials 2 --games 2 --simulations 9
tune tictactoe 'mcts(recommend={max|robust})' --against uct --trials 2 --games 2 --simulations 9
replay good.db 1 --boards
report good.db --out written
report good.db --salvage saved.db
reproduce --list
reproduce sos-5.1 --scale smoke --workers 0
perft tictactoe 3 --divide
bench tictactoe --simulations 20 --rounds 1
check-game ./nim.py --games 2
check-policy ./policy.py:mine --simulations 20
games --stats tictactoe --games 2
games hex
policies ucb1
gdl check game.kif
gdl info game.kif --games 2 --plies 50
gdl ground game.kif --seconds 5 --megabytes 200 --playouts 2
ludii list
ludii info Hex
warm tictactoe --workers 0
"""

ODD_WORDS = """
- -- -1 0 1 2 -0.0 nan inf -inf 1e308 -1e300 5e-324 1e-9 x 0x10 1_000 +1 ٣ ½ true None ( ) () , a=b = : :: . ./ * ?
%s %n {} {a|b} {|} 0..1 1..0 log(0..1) a..b ünï♟ 🎲 hex(size=99) uct(c=nan) uct(c=-1) uct(c=1e308) uct(simulations=0)
mcts(select=mcts()) mcts(reward=chain(first=score)) ./missing.py missing/run.db ./folder folder ./folder.py ./binary.py
binary.db ./empty.py empty.db empty.toml binary.toml good.db half.db flipped.db cup.toml ./cup.toml deep.toml ./nim.py
./nim_class.py ./policy.py ./policy.py:mine game.kif gdl:game.kif gdl:./nim.py openings.txt huge.txt ./huge.py loop
./loop.py dangling socket gdl:socket folder/keep.txt good.db.lock note.txt moves tcp:// 127.0.0.1:9 tcp://127.0.0.1:9
:0 gdl: gdl:nim ludii:Hex openspiel:chess openspiel: nobridge:x --help --json -h --version
"""
ODD_VALUES = [
    *ODD_WORDS.split(),
    *("", " ", "\\", "'", '"', "a\nb", "a\tb", "\r", "\x07", "\x7f", "\x1b[31mred\x1b[0m", "\u202e", "\udcff"),
    *("1" * 31, "9" * 5000, "x" * 300, "x" * 5000, "(" * 200, "f(" * 200 + ")" * 200, "f(" * 5000, "[" * 3000),
    *("\uff11", "moves a1", "moves zz zz", f"uct({'c=1, ' * 500})"),
]


def commands() -> dict[tuple[str, ...], Any]:
    """All commands by their words, as click knows them."""

    def walk(one: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        inner = getattr(one, "commands", None)
        if inner is None:
            yield words, one
        for name, command in (inner or {}).items():
            yield from walk(command, (*words, name))

    return dict(walk(typer.main.get_command(app), ()))


def options(command: Any) -> list[Any]:
    return [one for one in command.params if one.param_type_name == "option"]


def seeds() -> list[list[str]]:
    """Valid command lines: the examples in the help texts and ``LINES``, with small budgets."""
    found = [shlex.split(line) for line in LINES.splitlines() if line]
    for words, command in commands().items():
        paragraphs = (" ".join(one.split()) for one in (command.help or "").split("\n\n"))
        examples = [one.removeprefix(EXAMPLE) for one in paragraphs if one.startswith(EXAMPLE)]
        found += [list(words), *map(shlex.split, examples)]
    return [with_small_budgets(words) for words in found]


def with_small_budgets(words: Sequence[str]) -> list[str]:
    made = list(words)
    for place, word in enumerate(made[:-1]):
        if word in SMALL:
            made[place + 1] = SMALL[word]
    known = next((one for name, one in commands().items() if tuple(made[: len(name)]) == name), None)
    if known and made[0] in ("search", "play", "gtp", "match", "scale", "tune", "tournament", "bench"):
        there = {opt for one in options(known) for opt in one.opts}
        if "--simulations" in there and not {"--simulations", "--seconds", "--calls", "--clock"} & set(made):
            made += ["--simulations", "20"]
    return made


class Maker:
    """Makes command lines; line ``number`` of a seed is always the same."""

    def __init__(self, seed: int, positions: Mapping[str, list[str]]) -> None:
        self.seed = seed
        self.positions = positions
        self.seeds = seeds()
        self.options = [(one, command) for command in commands().values() for one in options(command)]

    def line(self, number: int) -> list[str]:
        rng = random.Random(f"{self.seed} {number}")
        while True:
            words = list(rng.choice(self.seeds))
            for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
                words = self.mutated(rng, words)
            words = [word.replace("\0", "") for word in words]
            if not any(DANGEROUS.search(word) for word in words):
                return words

    def mutated(self, rng: random.Random, words: list[str]) -> list[str]:
        kinds = [self.odd_value] * 4 + [self.option] * 3 + [self.bytes_changed] * 3 + [self.position] * 2
        kinds += [self.foreign_option, self.removed, self.doubled, self.swapped]
        return rng.choice(kinds)(rng, list(words))

    def odd_value(self, rng: random.Random, words: list[str]) -> list[str]:
        if len(words) > 1:
            words[rng.randrange(1, len(words))] = rng.choice(ODD_VALUES)
        return words

    def option(self, rng: random.Random, words: list[str]) -> list[str]:
        own = [(one, command) for name, command in commands().items() if tuple(words[: len(name)]) == name
               for one in options(command)]  # fmt: skip
        return self.with_option(rng, words, own or self.options)

    def foreign_option(self, rng: random.Random, words: list[str]) -> list[str]:
        return self.with_option(rng, words, self.options)

    def with_option(self, rng: random.Random, words: list[str], known: Sequence[tuple[Any, Any]]) -> list[str]:
        one, _ = rng.choice(known)
        name = rng.choice([*one.opts, *one.secondary_opts])
        values = [] if one.is_flag else [rng.choice(ODD_VALUES) for _ in range(one.nargs)]
        if values and name in SMALL and rng.random() < 0.6:
            values[0] = SMALL[name]
        return [*words, f"{name}={values[0]}"] if len(values) == 1 and rng.random() < 0.3 else [*words, name, *values]

    def bytes_changed(self, rng: random.Random, words: list[str]) -> list[str]:
        at = rng.randrange(len(words))
        words[at] = damaged(rng, words[at])
        return words

    def position(self, rng: random.Random, words: list[str]) -> list[str]:
        """Search, solve or count from a mutated position of any game."""
        del words
        game = rng.choice(sorted(self.positions))
        text = rng.choice(self.positions[game])
        for _ in range(rng.randrange(3)):
            text = damaged(rng, text)
        lines = (["search", game, "--simulations", "20", "--position", text], ["perft", game, "1", "--position", text],
                 ["solve", game, text, "--nodes", "1000"])  # fmt: skip
        return list(rng.choice(lines))

    def removed(self, rng: random.Random, words: list[str]) -> list[str]:
        del words[rng.randrange(len(words))]
        return words or ["search"]

    def doubled(self, rng: random.Random, words: list[str]) -> list[str]:
        at = rng.randrange(len(words))
        return [*words, *words[at : at + 2]]

    def swapped(self, rng: random.Random, words: list[str]) -> list[str]:
        one, other = rng.randrange(len(words)), rng.randrange(len(words))
        words[one], words[other] = words[other], words[one]
        return words


def damaged(rng: random.Random, text: str) -> str:
    """Truncate a text, or change, insert, remove or repeat a part of it."""
    data = bytearray(os.fsencode(text))
    at = rng.randrange(len(data) + 1)
    match rng.randrange(5):
        case 0:
            data = data[:at]
        case 1 if at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        case 2:
            data[at:at] = rng.choice(
                (b"(", b")", b",", b"=", b"9", b"-", b" ", b"/", b".", b"\xff", b"\xc3\xa9", b"\n")
            )
        case 3:
            del data[at : at + rng.randrange(1, 5)]
        case _:
            data[at:at] = data[: rng.randrange(1, 9)]
    return os.fsdecode(bytes(data))

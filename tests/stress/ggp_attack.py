"""An honest manager plays matches with ``ramify ggp-player`` while strangers attack it.

``python -m tests.stress.ggp_attack --minutes 10`` starts a player, and attackers in another process: floods of requests
and garbage, slow clients, previews and matches with hostile rules, and strangers who start matches and leave them, ask
them all the time, or start and abort them. It prints what was seen, and fails unless every PLAY of the honest matches
was answered by a legal move in time and the player's processes stayed below 2 GB together. ``--verbose`` prints the
player's log.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic, process_time, sleep

from ramify.child_process import die_with_parent
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.players.ggp.messages import read_term
from ramify.players.ggp.supervisor import process_tree, resident_bytes
from tests.ggp import hostile_sheets
from tests.players.ggp.fuzzing import requests
from tests.players.ggp.talking import on_one_line, raw
from tests.processes import environment

SHEETS = ("connect4", "breakthrough", "tictactoe")
START_CLOCK, PLAY_CLOCK = 5.0, 2.0
MAX_BYTES = 2_000_000_000
IDLE = 300  # connections that one attacker holds
LONG = (
    f"( START other x ( {'(a)' * 600_000} ) 5 5 )",
    f"( PREVIEW ( {'(a)' * 600_000} ) 5 )",
    f"( START other x ( {on_one_line('tictactoe')} ) 1000000 1000000 )",
    "(" * 1_000_000,
)
START_SECONDS = 120.0  # to get a match while strangers also start some, and leave them
ATTACK_SECONDS = 3600.0  # after which attackers end by themselves
HOSTILE = (
    hostile_sheets.product(4, 100),
    hostile_sheets.product(3, 120, padding=200),
    hostile_sheets.late_product(3, 120, padding=200),
    hostile_sheets.doubling(60),
    hostile_sheets.DOUBLING_BY_MOVES,
    hostile_sheets.NESTING_BY_MOVES,
    hostile_sheets.ENDLESS,
    hostile_sheets.NO_MOVE_LATER,
    hostile_sheets.GAME + " ".join(f"(d {k} {k})" for k in range(30_000)),
)


@dataclass
class Seen:
    """What the honest manager and the watch have seen."""

    matches: int = 0
    plays: int = 0
    slowest: float = 0.0  # seconds for an answer
    slowest_start: float = 0.0  # seconds until a match could start
    most_bytes: int = 0  # of all processes of the player together
    faults: list[str] = field(default_factory=list)
    lags: list[tuple[float, float]] = field(default_factory=list)  # when a bystander was late, and by how much
    replies: Counter[str] = field(default_factory=Counter)  # to attackers


class Manager:
    """Plays one match after another, all roles except the player's by random moves."""

    def __init__(self, address: Address, seen: Seen, seed: int) -> None:
        self.address = address
        self.seen = seen
        self.random = Random(seed)

    def play(self, number: int) -> None:
        name = SHEETS[number % len(SHEETS)]
        rules = Interpreter(Rulesheet.from_text(rulesheet(name), name))
        role = rules.roles[number // len(SHEETS) % len(rules.roles)]
        match = f"honest.{number}.{self.random.getrandbits(60)}"  # no attacker can guess it
        self.start(f"( START {match} {write(role)} ( {on_one_line(name)} ) {START_CLOCK:g} {PLAY_CLOCK:g} )")
        position, last = rules.initial(), "NIL"
        while not rules.terminal(position):
            legal = rules.all_legal(position)
            joint = {one: self.random.choice(moves) for one, moves in legal.items()}
            began = monotonic()
            try:
                reply = send_message(self.address, f"( PLAY {match} {last} )", PLAY_CLOCK)
                move = read_term(reply)
                if move in legal[role]:
                    joint[role] = move
                else:
                    self.seen.faults.append(f"{match}: {reply!r} is not legal")
            except (Fault, ValueError) as error:
                lag = max((lag for when, lag in self.seen.lags if when > began), default=0.0)
                text = f"{match}: {error} after {monotonic() - began:.2f} s; a bystander was {lag:.2f} s late meanwhile"
                self.seen.faults.append(text)
            self.seen.plays += 1
            self.seen.slowest = max(self.seen.slowest, monotonic() - began)
            last = f"( {' '.join(write(joint[one]) for one in rules.roles)} )"
            position = rules.next(position, joint)
        send_message(self.address, f"( STOP {match} {last} )", 10)
        self.seen.matches += 1

    def start(self, text: str) -> None:
        """Repeat START until the player is free."""
        began = monotonic()
        while True:
            with suppress(Fault):
                if send_message(self.address, text, START_CLOCK + 1) == "ready":
                    self.seen.slowest_start = max(self.seen.slowest_start, monotonic() - began)
                    return
            if monotonic() > began + START_SECONDS:
                raise SystemExit(f"no honest match could start within {START_SECONDS:g} s")
            sleep(0.02)


def attack(port: int, slow: int) -> None:
    """Attack until this process is killed or ATTACK_SECONDS have passed. Print a word per reply."""
    die_with_parent()
    rng = Random()
    address = Address("127.0.0.1", port)

    def send(text: str, seconds: float = 5.0) -> str:
        try:
            return send_message(address, text, seconds)
        except Fault as fault:
            return str(fault)

    def flood() -> str:
        return send(rng.choice(["( INFO )", "( PLAY other NIL )", "( ABORT other )", "( STOP other NIL )"])).split()[-1]

    def preview() -> str:
        return "preview " + send(f"( PREVIEW ( {rng.choice(HOSTILE)} ) {rng.choice(['0.1', '1', '60'])} )")[:20]

    def start() -> str:
        """Play a hostile match for a moment, as soon as there is a place."""
        match = f"hostile.{rng.getrandbits(40)}"
        text = f"( START {match} x ( {rng.choice(HOSTILE)} ) {rng.choice(['0.5', '2'])} 1 )"
        while (reply := send(text)) == "busy":
            sleep(0.5)
        if reply == "ready":
            for last in ("NIL", "( go )", "( stay )")[: rng.randrange(4)]:
                send(f"( PLAY {match} {last} )", 2)
            if rng.random() < 0.5:
                send(f"( STOP {match} ( go ) )")
            while send(f"( ABORT {match} )") not in ("aborted", "done", "busy"):
                pass
        return "start " + reply[:20]

    def squat() -> str:
        """Start matches and leave them: one with clocks of an hour, others with short ones."""
        name, clocks = rng.choice([("long", "3600 3600"), (rng.getrandbits(40), "1 1")])
        reply = send(f"( START squat.{name} x ( {on_one_line('tictactoe')} ) {clocks} )")
        sleep(0.2)
        return "squat " + reply[:20]

    nagged = f"nag.{rng.getrandbits(40)}"

    def nag() -> str:
        """Ask a match of one's own for moves all the time, from several threads, with a long clock."""
        send(f"( START {nagged} x ( {on_one_line('tictactoe')} ) 1 {rng.choice(['1', '60'])} )", 2)
        return "nag " + send(f"( PLAY {nagged} {rng.choice(['NIL', '( ( mark 1 1 ) noop )'])} )", 2)[:8]

    def churn() -> str:
        """Start and abort matches."""
        match = f"churn.{rng.getrandbits(40)}"
        reply = send(f"( START {match} x ( {on_one_line('tictactoe')} ) 0 1 )")
        send(f"( ABORT {match} )")
        return "churn " + reply[:20]

    def garbage() -> str:
        return "garbage " + raw(port, requests(rng), 5, ending=True)[9:12].decode(errors="replace")

    def long() -> str:
        return "long " + send(rng.choice(LONG))[:20]

    def hold() -> str:
        """Connections that send nothing."""
        held: list[socket.socket] = []
        try:
            for _ in range(IDLE):
                held.append(socket.create_connection(("127.0.0.1", port), timeout=5))
                sleep(0.002)
        finally:
            for connection in held:
                connection.close()
        return "idle"

    def drip() -> str:
        """A message that arrives one byte per second, or never."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            for _ in range(30):
                connection.sendall(rng.choice([b"P", b"POST / HTTP/1.0\r\nContent-Length: 99999\r\n\r\n", b"("]))
                sleep(1)
        return "slow"

    def repeat(work: Callable[[], str]) -> None:
        while True:
            with suppress(OSError):
                sys.stdout.write(f"{work()}\n")
                sys.stdout.flush()

    kinds = [flood] * 4 + [preview] * 2 + [start] * 2 + [garbage] * 2 + [long, hold, squat, churn] + [nag] * 20
    kinds += [drip] * slow
    for work in kinds:
        threading.Thread(target=repeat, args=(work,), daemon=True).start()
    sleep(ATTACK_SECONDS)


def watch(pid: int, seen: Seen) -> None:
    """Note the memory of the player and all its processes.

    The less of two measurements counts: between fork and exec of a process its parent's memory would count twice.
    """
    before = 0
    while True:
        now = sum(map(resident_bytes, process_tree(pid)))
        seen.most_bytes = max(seen.most_bytes, min(before, now))
        before = now
        sleep(0.02)


def stand_by() -> None:
    """Need 1 ms of processor time every 20 ms, and print when it came late: how busy the machine is."""
    die_with_parent()
    end = monotonic() + ATTACK_SECONDS
    while (now := monotonic()) < end:
        sleep(0.02)
        begun = process_time()
        while process_time() < begun + 0.001:
            pass
        if (lag := monotonic() - now - 0.021) > 0.1:
            sys.stdout.write(f"{monotonic()} {lag}\n")
            sys.stdout.flush()


def note_lags(bystander: subprocess.Popen[str], seen: Seen) -> None:
    for line in bystander.stdout or ():
        when, lag = map(float, line.split())
        seen.lags.append((when, lag))


def run(minutes: float, slow: int, *, verbose: bool = False) -> Seen:
    """Play honest matches for so many minutes under attack."""
    quiet = () if verbose else ("--quiet",)
    words = (sys.executable, "-m", "ramify", "ggp-player", "--port", "0", "--seed", "1", *quiet)
    seen = Seen()
    with subprocess.Popen(
        words,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,  # noqa: PLW1509  (one thread so far)
    ) as player:
        attackers = bystander = None
        try:
            bystander_words = (sys.executable, "-m", "tests.stress.ggp_attack", "--stand-by")
            bystander = subprocess.Popen(bystander_words, env=environment(), stdout=subprocess.PIPE, text=True)
            threading.Thread(target=note_lags, args=(bystander, seen), daemon=True).start()
            port = int(player.stdout.readline().rpartition(":")[2])
            attack_words = (sys.executable, "-m", "tests.stress.ggp_attack", "--attack", str(port), "--slow", str(slow))
            attackers = subprocess.Popen(attack_words, env=environment(), stdout=subprocess.PIPE, text=True)
            threading.Thread(target=watch, args=(player.pid, seen), daemon=True).start()
            threading.Thread(target=count, args=(attackers, seen), daemon=True).start()
            manager, deadline = Manager(Address("127.0.0.1", port), seen, seed=1), monotonic() + 60 * minutes
            while monotonic() < deadline:
                manager.play(seen.matches)
        finally:
            for process in (attackers, bystander):
                if process is not None:
                    process.kill()
                    process.wait()
            player.terminate()
    return seen


def count(attackers: subprocess.Popen[str], seen: Seen) -> None:
    """Count the replies to attackers."""
    for line in attackers.stdout or ():
        seen.replies[line.strip()] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--slow", type=int, default=100, help="number of slow clients")
    parser.add_argument("--verbose", action="store_true", help="print the player's log")
    parser.add_argument("--attack", type=int, metavar="PORT", help="only attack the player at this port")
    parser.add_argument("--stand-by", action="store_true", help="only measure how busy the machine is")
    options = parser.parse_args()
    if options.attack is not None:
        attack(options.attack, options.slow)
        return 0
    if options.stand_by:
        stand_by()
        return 0
    seen = run(options.minutes, options.slow, verbose=options.verbose)
    for reply, times in seen.replies.most_common():
        print(f"{times:8} {reply}")
    print(f"{seen.matches} honest matches, {seen.plays} plays, slowest answer {seen.slowest:.2f} s of {PLAY_CLOCK:g}")
    hostile = sum(times for reply, times in seen.replies.items() if reply == "start ready")
    print(f"{hostile} hostile matches were played meanwhile")
    print(f"slowest start {seen.slowest_start:.1f} s with a start clock of {START_CLOCK:g}")
    lags = [lag for _, lag in seen.lags]
    print(f"a bystander was {len(lags)} times more than 0.1 s late, at most {max(lags, default=0.0):.2f} s")
    print(f"memory at most {seen.most_bytes / 1e6:,.0f} MB, {len(seen.faults)} faults", *seen.faults[:20], sep="\n")
    return int(bool(seen.faults) or seen.most_bytes > MAX_BYTES or not seen.matches)


if __name__ == "__main__":
    sys.exit(main())

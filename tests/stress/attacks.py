"""Floods, slow and hostile senders against ``ramify ggp-player``, while an honest manager plays matches with it.

By hand, for ten minutes: ``python -m tests.stress.attacks 600``.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep

from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.players.ggp.messages import read_term
from tests.players.ggp.fuzzing import requests
from tests.players.ggp.talking import on_one_line, raw, spaced
from tests.processes import environment, running

GAME = "connect4"
PLAY_CLOCK = 2.0
IDLE = 300  # connections that one attacker holds


@dataclass
class Campaign:
    """What was done and what went wrong."""

    requests: Counter[str] = field(default_factory=Counter)
    matches: int = 0
    turns: int = 0
    slowest: float = 0.0  # seconds
    faults: Counter[str] = field(default_factory=Counter)
    peak_kilobytes: int = 0


def hold_idle_connections(port: int, ended: threading.Event, done: Counter[str]) -> None:
    held: list[socket.socket] = []
    while not ended.is_set():
        with suppress(OSError):
            held.append(socket.create_connection(("127.0.0.1", port), timeout=5))
            done["idle"] += 1
        if len(held) > IDLE:
            held.pop(0).close()
        sleep(0.002)
    for connection in held:
        connection.close()


def drip(port: int, ended: threading.Event, done: Counter[str]) -> None:
    while not ended.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            while not ended.is_set():
                connection.sendall(b"P")
                done["drip"] += 1
                sleep(0.05)


def send_noise(port: int, ended: threading.Event, done: Counter[str]) -> None:
    random = Random(1)
    while not ended.is_set():
        with suppress(OSError):
            raw(port, requests(random), 5.0, ending=True)
            done["noise"] += 1


def flood(name: str, text: str) -> Callable[[int, threading.Event, Counter[str]], None]:
    data = spaced(text)

    def attack(port: int, ended: threading.Event, done: Counter[str]) -> None:
        while not ended.is_set():
            with suppress(OSError):
                raw(port, data, 5.0)
                done[name] += 1

    return attack


ATTACKS = [
    hold_idle_connections,
    drip,
    drip,
    send_noise,
    flood("info", "( INFO )"),
    flood("play", "( PLAY other nil )"),
    flood("start", f"( START other x ( {on_one_line('tictactoe')} ) 3600 3600 )"),
    flood("long start", f"( START other x ( {'(a)' * 600_000} ) 5 5 )"),
    flood("deep", "(" * 1_000_000),
    flood("preview", f"( PREVIEW ( {on_one_line('tictactoe')} ) 3600 )"),
]


def play_match(address: Address, name: str, until: float, campaign: Campaign) -> None:
    """Play one match as an honest manager."""
    rules = Interpreter(Rulesheet.from_text(rulesheet(GAME), GAME))
    random = Random(name)
    position, last = rules.initial(), "NIL"
    while not rules.terminal(position) and monotonic() < until:
        began = monotonic()
        legal = rules.legal(position, "x")
        move = legal[0]
        try:
            reply = read_term(send_message(address, f"( PLAY {name} {last} )", PLAY_CLOCK))
            if reply in legal:
                move = reply
            else:
                campaign.faults[f"moved illegally: {reply}"] += 1
        except Fault as fault:
            campaign.faults[str(fault)] += 1
        campaign.turns += 1
        campaign.slowest = max(campaign.slowest, monotonic() - began)
        joint = {"x": move, "o": random.choice(rules.legal(position, "o"))}
        last = f"( {write(joint['x'])} {write(joint['o'])} )"
        position = rules.next(position, joint)


def attacked(seconds: float) -> Campaign:
    """Attack a player for so long. The honest manager starts first, as otherwise the player would be busy."""
    campaign, ended = Campaign(), threading.Event()
    words = ("-m", "ramify", "ggp-player", "--port", "0", "--quiet")
    with running(*words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        address = Address.parse(process.stdout.readline().split()[-1])
        start = f"( START {{}} x ( {on_one_line(GAME)} ) 20 {PLAY_CLOCK:g} )"
        assert send_message(address, start.format("m.0"), 60.0) == "ready"
        attackers = [
            threading.Thread(target=attack, args=(address.port, ended, campaign.requests), daemon=True)
            for attack in ATTACKS
        ]
        for attacker in attackers:
            attacker.start()
        until = monotonic() + seconds
        while monotonic() < until:
            name = f"m.{campaign.matches}"
            play_match(address, name, until, campaign)
            campaign.matches += 1
            send_message(address, f"( ABORT {name} )", 10.0)
            if not restarted(address, start.format(f"m.{campaign.matches}"), until):
                break
        ended.set()
        for attacker in attackers:
            attacker.join(30)
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        campaign.peak_kilobytes = int(status.split("VmHWM:")[1].split()[0])
    return campaign


def restarted(address: Address, message: str, until: float) -> bool:
    """Start the next match. A flood of START may be first; its match is then aborted, as its name is known."""
    while monotonic() < until:
        with suppress(Fault):
            if send_message(address, message, 30.0) == "ready":
                return True
            send_message(address, "( ABORT other )", 10.0)
    return False


if __name__ == "__main__":
    sys.stdout.write(f"{attacked(float(sys.argv[1]))}\n")

"""Requests that no manager should send, and a match in play that must not suffer from them.

By hand, the whole: ``python -m tests.players.ggp.fuzzing 1000``.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp.messages import read_term
from tests.players.ggp.talking import new_player, on_one_line, raw, say, serving, shouted, spaced

MATCH = "in.play"
GROUP = 8  # requests at the same time
SIGNS = [*"()?;%\x00\x7f\r\n \"'", "é", "NIL", "noop", "(play ", "(start ", "(stop "]
STATUSES = {b"200", b"400", b"403", b"405", b"408", b"411", b"413", b"431", b"503"}


def messages(rng: Random) -> str:
    """A message that has no business here: of another match, or of ours but without sense."""
    tictactoe = on_one_line("tictactoe")
    return rng.choice(
        [
            "( INFO )",
            f"( START other.{rng.randrange(9)} x ( {tictactoe} ) 5 5 )",
            f"( START {MATCH} o ( {tictactoe} ) 5 5 )",
            "( START bad x ( (role x) (role ) 5 5 )",
            f"( PLAY other.{rng.randrange(9)} NIL )",
            f"( PLAY {MATCH} ((mark {rng.randrange(4, 99)} 1) noop) )",
            f"( PLAY {MATCH} ( a b c ) )",
            f"( PLAY {MATCH} {'(' * rng.randrange(300)}{')' * rng.randrange(300)} )",
            f"( PLAY {MATCH} 3 (mark 1 7) (nothing) )",
            "( STOP other.1 ((mark 1 1) noop) )",
            "( ABORT other.1 )",
            "( PREVIEW ( (role x) ) 1 )",
            "".join(rng.choice(SIGNS) for _ in range(rng.randrange(200))),
            f"( START {MATCH} x ( {tictactoe} ) {rng.choice(['9' * 5000, '1e9', '-1', 'nan', '٣'])} 5 )",
            f"( PLAY {MATCH} {rng.choice(['9' * 5000, '²'])} noop nil )",
            "( PREVIEW ( \x1b[2J ) 1 )",
            "x" * rng.randrange(100_000),
            "(" * rng.randrange(100_000),
        ]
    )


def requests(rng: Random) -> bytes:
    """The bytes of a request, whole or not."""
    text = messages(rng)
    whole = rng.choice([spaced, shouted])(text)
    kind = rng.randrange(12)
    if kind == 0:
        return rng.randbytes(rng.randrange(2000)) + b"\r\n\r\n"
    if kind == 1:
        cut = rng.randrange(len(whole))
        return whole[:cut] + rng.randbytes(rng.randrange(1, 20)) + whole[cut + rng.randrange(20) :] + b"\r\n\r\n"
    if kind == 2:
        return f"GET /{text[:500].encode('unicode_escape').decode().replace(' ', '%20')} HTTP/1.1\r\n\r\n".encode()
    if kind == 3:
        return f"{rng.choice(['PUT', 'HEAD', 'DELETE', 'BREW', 'OPTIONS'])} / HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    if kind == 4:
        length = rng.choice(
            ["-1", "ten", "99999999999", str(10**9), "", "1e3", "9" * 5000, "²", "1\r\nContent-Length: 2"]
        )
        return f"POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{text[:1000]}".encode()
    if kind == 5:
        return b"POST / HTTP/1.0\r\nX: " + b"y" * rng.randrange(200_000) + b"\r\n\r\n"
    if kind == 6:
        return b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n(inf\r\n0\r\n\r\n"
    if kind == 7:
        field = rng.choice(["Origin: null", "Origin: http://[", "Host: [", "Host: evil.example", "Sec-Fetch-Site: x"])
        return whole.replace(b"\r\n", f"\r\n{field}\r\n".encode(), 1)
    return whole


def fuzzed(count: int, seed: int = 1) -> dict[str, int]:
    """Play a match while ``count`` requests come in between its turns; what was answered, and how often."""
    rng = Random(seed)
    rules = Interpreter(Rulesheet.from_text(rulesheet("tictactoe"), "tictactoe"))
    answers: dict[str, int] = {}
    played = 0
    said: list[str] = []
    player = new_player(log=said.append)
    with serving(player) as port, ThreadPoolExecutor(GROUP) as pool:
        while played < count:
            position, last, known = rules.initial(), "NIL", {"nil"}
            assert say(port, f"( START {MATCH} x ( {on_one_line('tictactoe')} ) 60 60 )") == "ready"
            while not rules.terminal(position):
                move = read_term(say(port, f"( PLAY {MATCH} {last} )"))
                legal = rules.legal(position, "x")
                assert move in legal, (move, legal)
                known = {write(move)}
                group = [requests(rng) for _ in range(GROUP)]
                for data, answer in zip(group, pool.map(lambda one: raw(port, one, ending=True), group), strict=True):
                    kind = checked(data, answer, known)
                    answers[kind] = answers.get(kind, 0) + 1
                played += GROUP
                joint = {"x": move, "o": rng.choice(rules.legal(position, "o"))}
                last = f"( {write(joint['x'])} {write(joint['o'])} )"
                position = rules.next(position, joint)
            assert say(port, f"( STOP {MATCH} {last} )") == "done"
            for match in player.matches:  # of strangers
                match.end()
            assert say(port, "( INFO )") == "( ( name Tester ) ( status available ) )"
    assert not [line for line in said if "went wrong" in line or "could not be answered" in line], said
    return answers


def checked(data: bytes, answer: bytes, moves: set[str]) -> str:
    """What kind of answer it is; a wrong one fails."""
    head, _, body = answer.partition(b"\r\n\r\n")
    words = head.split()
    assert words[:1] == [b"HTTP/1.0"], (data[:300], answer[:300])
    assert words[1] in STATUSES, (data[:300], answer[:300])
    if words[1] != b"200":
        assert body, (data[:300], answer[:300])
        return words[1].decode()
    text = body.decode()
    if MATCH.encode() not in data and text.lower().startswith(("(mark ", "noop", "nil")):
        return "a move of a stranger's match"
    fitting = {"busy", "done", "aborted", "ready", ""} | moves
    assert text in fitting or text.startswith("( ( name Tester )"), (data[:300], text)
    return text if text in fitting - moves else "info" if text.startswith("( (") else "the move"


if __name__ == "__main__":
    for answer, count in sorted(fuzzed(int(sys.argv[1])).items()):
        sys.stdout.write(f"{count:6} {answer or 'nothing, to OPTIONS'}\n")

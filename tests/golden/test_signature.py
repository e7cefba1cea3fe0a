"""The behaviour signature is the one on file; a commit that changes behaviour changes the file and says where."""

from pathlib import Path

from ramify.agents.signature import signature

FILE = Path(__file__).with_name("signature.txt")


def test_signature():
    known = dict(line.split() for line in FILE.read_text(encoding="utf-8").splitlines())
    assert {name: f"{value:08d}" for name, value in signature().items()} == known

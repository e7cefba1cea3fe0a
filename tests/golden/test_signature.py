"""The behaviour signature is the one on file; a commit that changes behaviour changes the file and says so."""

from pathlib import Path

from ramify.agents.signature import signature

FILE = Path(__file__).with_name("signature.txt")


def test_signature():
    assert signature() == int(FILE.read_text(encoding="utf-8"))

"""Deliberately broken games: a sound one with one change each, and what the check must say about it."""

from dataclasses import dataclass
from pathlib import Path

import ramify

TESTS = Path(__file__).parent.parent.parent
SOUND = TESTS / "contract" / "sound.py"
PUZZLE = TESTS / "toys" / "double_or_add.py"
DICE = TESTS / "toys" / "dice_duel.py"
JOINT = TESTS / "toys" / "rock_paper_scissors.py"
TICTACTOE, TICTACTOE_3D = (
    Path(ramify.__file__).parent / "games" / f"{name}.py" for name in ("tictactoe", "tictactoe3d")
)
NIM_CLASS = TESTS.parent / "examples" / "nim_class.py"


@dataclass
class Broken:
    """A change to a sound game, the rule that it breaks, and words of the sentence that tells it."""

    name: str
    rule: str
    words: str
    old: str
    new: str
    base: Path = SOUND
    also: tuple[str, str] | None = None  # a second place to change

    def write(self, folder: Path) -> Path:
        """The broken game as a file."""
        source = self.base.read_text(encoding="utf-8")
        for old, new in ((self.old, self.new), self.also or (self.new, self.new)):
            assert old in source, "the change does not apply"
            source = source.replace(old, new, 1)
        path = folder / f"{self.name}.py"
        path.write_text(source, encoding="utf-8")
        return path

"""What a class can get wrong."""

from tests.contract.broken import NIM_CLASS, Broken


def broken(name, rule, words, old, new):
    return Broken(name, rule, words, old, new, NIM_CLASS)


COPIED = "other.beans = self.beans.copy()"
SCORES = "return [0.0, 1.0] if self.turn == 0 else [1.0, 0.0]"
TAKEN = "        self.beans[heap] -= taken\n"

FLAWS = [
    broken(
        "two_games",
        "missing",
        "the file has the classes Nim and Other; it must have one game class",
        "class Nim:",
        "class Other:\n    moves = play = None\n\n\nclass Nim:",
    ),
    broken(
        "no_methods",
        "missing",
        "class Nim has no to_move(), moves()",
        "def to_move(self):\n        return self.turn\n\n    def moves(self):",
        "def all_moves(self):",
    ),
    broken("arguments", "arguments", "it is called as play(self, move)", "def play(self, move)", "def play(self)"),
    broken(
        "constructor",
        "raises",
        "the constructor raised ZeroDivisionError in line",
        "self.turn = 0",
        "self.turn = 0 // (heaps - 3)",
    ),
    broken("lists", "raises", "moves must be hashable, e.g. numbers", "[(heap, taken) for", "[[heap, taken] for"),
    broken("shared", "clone", "on a clone changed the original", COPIED, "other.beans = self.beans"),
    broken("itself", "clone", "it must return an independent copy", "other = Nim.__new__(Nim)", "return self"),
    broken("forgets", "clone", "it must return an independent copy", "other.turn = self.turn", "other.turn = 0"),
    broken(
        "returns",
        "play-does-nothing",
        "it must change the object in place",
        "        heap, taken = move\n",
        "        self = self.clone()\n        heap, taken = move\n",
    ),
    broken(
        "three",
        "scores",
        "must return 2 numbers in [0, 1], not [0.0, 1.0, 0.5]",
        SCORES,
        "return [0.0, 1.0, 0.5]",
    ),
    broken("score", "scores", "must return 2 numbers in [0, 1], not [-1.0, 1.0]", SCORES, "return [-1.0, 1.0]"),
    broken("raises", "raises", "play raised IndexError in line", TAKEN, "        self.beans[heap + 3] -= taken\n"),
    broken("twice", "duplicate-moves", "twice; list every move once", "range(1, beans + 1)]", "(1, 1)]"),
    broken(
        "no_moves",
        "no-moves",
        "moves lists no moves, but over returned False",
        "return not any(self.beans)",
        "return False",
    ),
    broken("too_many", "too-many-moves", "moves lists 15 moves, more than the 4", "max_moves = 64", "max_moves = 4"),
    broken(
        "mover",
        "mover",
        "to_move returned 3; it must return a player, 0 to 1",
        "return self.turn\n",
        "return self.turn + 3\n",
    ),
    broken(
        "chance",
        "mover",
        "to_move returned CHANCE (-1), but the game has no chance_outcomes",
        "return self.turn\n",
        "return -1\n",
    ),
    broken(
        "text", "raises", "__str__ raised TypeError", '        heaps = [f"', '        return 7\n        heaps = [f"'
    ),
    broken(
        "stuck",
        "stuck",
        "over has not returned after 0.5 s: a loop in line",
        "return not any(self.beans)",
        "while True:\n            pass",
    ),
    broken(
        "global",
        "not-repeatable",
        "when the same moves are played again",
        "self.beans = [beans] * heaps",
        "Nim.made = getattr(Nim, 'made', 0) + 1\n        self.beans = [Nim.made] * heaps",
    ),
    broken(
        "moves_play",
        "changes-state",
        "moves() changes the object; only play may",
        "        return [(heap, taken) for",
        "        self.turn = 1 - self.turn\n        return [(heap, taken) for",
    ),
    broken(
        "moves_reset",
        "changes-state",
        "moves() changes the object; only play may",
        "        return [(heap, taken) for",
        "        self.turn = 0\n        return [(heap, taken) for",
    ),
    broken(
        "asked",
        "changes-state",
        "over() changes the object; only play may",
        "        return not any(self.beans)",
        "        self.asked = getattr(self, 'asked', 0) + 1\n        return not any(self.beans)",
    ),
    broken(
        "says_no",
        "over",
        "over() of class Nim must return True or False, not 'no'",
        "return not any(self.beans)",
        "return 'no' if any(self.beans) else 'yes'",
    ),
    broken(
        "half_player",
        "to_move",
        "to_move() of class Nim must return a whole number, not 0.5",
        "return self.turn\n",
        "return self.turn + 0.5\n",
    ),
    broken("exits", "raises", "play raised SystemExit in line", TAKEN, "        raise SystemExit\n"),
    broken("interrupts", "raises", "play raised KeyboardInterrupt in line", TAKEN, "        raise KeyboardInterrupt\n"),
    broken("endless", "endless", "had not ended after 300 plies", TAKEN, "        pass\n"),
]

WARNINGS = [
    broken("no_str", "drawing", "class Nim has no __str__", "def __str__(", "def shown("),
    broken("same_str", "same-drawing", "so they count as equal", '*heaps, f"player {self.turn} to move"', "*heaps"),
]

"""What people would stumble over: names, drawings, positions as text."""

from tests.contract.broken import JOINT, Broken

NAME = 'return f"take{move}"'
WORDS = 'words = text.strip().split("/")'
REFUSES = 'raise RamifyError("give the beans'

FLAWS = [
    Broken("same_name", "same-name", "moves 2 and 3 are both called 'take2'", NAME, 'return f"take{min(move, 2)}"'),
    Broken("blank_name", "name", "a name must not be empty or contain spaces", NAME, 'return f"take {move}"'),
    Broken("no_name", "name", "move 1 is called ''", NAME, 'return ""'),
    Broken("number_name", "name", "it must return a string", NAME, "return move"),
    Broken(
        "plus_name",
        "name",
        "+ separates the moves of a joint move",
        "return NAMES[move]",
        "return NAMES[move] + '+'",
        JOINT,
    ),
    Broken(
        "drawing", "drawing", "draw returned 0; it must return a non-empty string", 'return "o"', 'return 0 and "o"'
    ),
    Broken(
        "draw_plays",
        "changes-state",
        "draw changed the state",
        "def draw(rules, state):",
        "def draw(rules, state):\n    state.taken = 99",
    ),
    Broken(
        "no_text",
        "raises",
        "write raised RamifyError in line",
        'return f"{state.beans}/',
        'raise RamifyError("no")\n    return f"{state.beans}/',
    ),
    Broken("two_lines", "write", "it must return one line", 'return f"{state.beans}/', 'return f"\\n{state.beans}/'),
    Broken("short", "read-write", "differs from the state in taken", "rules.beans - beans\n", "0\n"),
    Broken(
        "refused",
        "read-write",
        "read rejects '12/0/0', which write returned",
        "beans + last > rules.beans",
        "beans + last >= rules.beans",
    ),
    Broken(
        "crash",
        "read-crash",
        "must raise RamifyError: read raised IndexError",
        REFUSES,
        'raise IndexError("give the beans',
    ),
    Broken("garbage", "read-garbage", "; it must raise RamifyError", WORDS, WORDS + "[:3]"),
    Broken("unplayable", "read-garbage", "an unplayable position: mover returned 2", "turn > 1 or", "turn > 2 or"),
]

"""What shows before anything of the game runs."""

from tests.contract.broken import DICE, JOINT, Broken

FLAWS = [
    Broken(
        "syntax", "import", "is not valid Python", "def legal(rules, state, moves):", "def legal(rules, state, moves)"
    ),
    Broken("imports", "import", "in line 12 (`PLAYERS = TWO`): name 'TWO'", "PLAYERS = 2", "PLAYERS = TWO"),
    Broken("leaves", "import", "SystemExit in line 12", "PLAYERS = 2", "raise SystemExit(3)"),
    Broken(
        "no_scores",
        "missing",
        "no scores(rules, state, out); for scores, did you mean 'scoers'?",
        "def scores(",
        "def scoers(",
    ),
    Broken("no_bound", "missing", "no MAX_MOVES or max_moves(rules)", "MAX_MOVES = 3", ""),
    Broken(
        "no_write", "missing", "no write(rules, state); for write, did you mean 'wrote'?", "def write(", "def wrote("
    ),
    Broken("no_rules", "missing", "no Rules", "Rules =", "Ruled ="),
    Broken("no_legal_of", "missing", "no legal_of(rules, state, player, moves)", "def legal_of(", "def legals(", JOINT),
    Broken(
        "no_chances",
        "missing",
        "no MAX_CHANCE_OUTCOMES or max_chance_outcomes(rules)",
        "MAX_CHANCE_OUTCOMES = 3",
        "",
        DICE,
    ),
    Broken(
        "list_state", "record", "State is a list; it must be a dtype with named", "State = np.dtype([", "State = list(["
    ),
    Broken(
        "bare_rules",
        "record",
        "Rules is the dtype int64",
        'Rules = np.dtype([("beans", np.int64)])',
        "Rules = np.dtype(np.int64)",
    ),
    Broken(
        "size_field",
        "field-name",
        "State.size has the name of an attribute of numpy records",
        '("taken", np.uint8)',
        '("size", np.uint8)',
    ),
    Broken(
        "blank_field",
        "field-name",
        "State.so far is not a valid Python identifier",
        '("taken", np.uint8)',
        '("so far", np.uint8)',
    ),
    Broken("object_field", "field-type", "State.taken has the type object", '("taken", np.uint8)', '("taken", object)'),
    Broken("padding", "padding", "leave out align=True", '("taken", np.uint8)])', '("taken", np.uint8)], align=True)'),
    Broken(
        "arguments",
        "arguments",
        "legal(state, moves) has the wrong number of arguments; it is called as legal(rules, state, moves)",
        "def legal(rules, state, moves):",
        "def legal(state, moves):",
    ),
    Broken(
        "decorated",
        "not-a-function",
        "mover is a _lru_cache_wrapper; it must be a plain function mover(rules, state)",
        "def mover(",
        "@__import__('functools').lru_cache\ndef mover(",
    ),
    Broken("nobody", "constant", "PLAYERS is 0; it must be a whole number from 1", "PLAYERS = 2", "PLAYERS = 0"),
    Broken("huge_bound", "constant", "MAX_MOVES is 1099511627776; it must be", "MAX_MOVES = 3", "MAX_MOVES = 2**40"),
    Broken(
        "complex_field",
        "field-type",
        "State.last has the type complex128; fields must be integers",
        '("last", np.int64)',
        '("last", np.complex128)',
    ),
    Broken("text_bound", "constant", "MAX_MOVES is '3'", "MAX_MOVES = 3", 'MAX_MOVES = "3"'),
    Broken(
        "no_default",
        "parameter",
        "parameter 'beans' of configure needs a default",
        "def configure(rules, beans=12):",
        "def configure(rules, beans):",
    ),
    Broken("bad_default", "configure", "with its own defaults: take away needs", "beans=12", "beans=99"),
    Broken(
        "bad_bound",
        "configure",
        "must be a whole number from 1, not",
        "MAX_MOVES = 3",
        "def max_moves(rules):\n    return rules.beans - 12",
    ),
    Broken(
        "lost_bound",
        "raises",
        "AttributeError in line 14 (`return rules.moves`)",
        "MAX_MOVES = 3",
        "def max_moves(rules):\n    return rules.moves",
    ),
    Broken(
        "bad_refusal",
        "parameter",
        "configure raised KeyError for beans=-1",
        '        raise RamifyError(f"take away',
        '        raise KeyError(f"take away',
    ),
]

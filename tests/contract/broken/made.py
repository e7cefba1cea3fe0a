"""What shows in classes of moves, in owners and in margins."""

from tests.contract.broken import TICTACTOE, TICTACTOE_3D, Broken

CLASS = "return move - 1\n"
CLASSES = "MOVE_CLASSES = 3\n"
MARGINS = "MARGINS = (0.0, 1.0)\n"
SQUARES = "for square in range(9):\n        out"
MINE = "player if has(state.mine, square)"

FLAWS = [
    Broken(
        "class", "move-class", "move_class returned 3 for move 3; classes must be from 0 to 2", CLASS, "return move\n"
    ),
    Broken("below", "move-class", "move_class returned -1 for move 1", CLASS, "return move - 2\n"),
    Broken("half", "not-whole", "move_class returned 0.5", CLASS, "return 0.5 * move\n"),
    Broken("many", "constant", "it must be a whole number from 1 to 1048576", CLASSES, "MOVE_CLASSES = 2**21\n"),
    Broken("none", "constant", "MOVE_CLASSES is 0", CLASSES, "MOVE_CLASSES = 0\n"),
    Broken(
        "function",
        "constant",
        "move_classes(rules) of game",
        CLASSES,
        "\n\ndef move_classes(rules):\n    return 0\n",
    ),
    Broken(
        "fails",
        "raises",
        "move_classes raised ZeroDivisionError in line",
        CLASSES,
        "\n\ndef move_classes(rules):\n    return 1 // 0\n",
    ),
    Broken(
        "code",
        "move-class",
        "move 3 is its own class; classes must be from 0 to 2",
        "def move_class(rules, state, move):\n    return move - 1\n",
        "",
    ),
    Broken("margin", "margins", "margin returned 0, but MARGINS is 0.5 to 1", MARGINS, "MARGINS = (0.5, 1.0)\n"),
    Broken("order", "margins", "the lowest margin, then the highest", MARGINS, "MARGINS = (1.0, 0.0)\n"),
    Broken("one", "margins", "two numbers", MARGINS, "MARGINS = 1.0\n"),
    Broken("no_margin", "margins", "the file has MARGINS, but no margin(rules, state)", "def margin(", "def lead("),
    Broken("other", "owners", "but in this play player 0 did", MINE, "1 - " + MINE, TICTACTOE),
    Broken("gap", "owners", "owners writes nothing to out[8]", SQUARES, SQUARES.replace("9", "8"), TICTACTOE),
    Broken("nobody", "owners", "owners writes 7 to out[0]", "else -1", "else 7", TICTACTOE),
    Broken(
        "beyond",
        "owners",
        "it writes more than the 9 that MOVE_CLASSES declares",
        SQUARES,
        SQUARES.replace("9", "10"),
        TICTACTOE,
    ),
    Broken(
        "swapped",
        "owners",
        "after playout, owners says by player",
        "state.mine, state.theirs, state.won = mine, theirs, won",
        "state.mine, state.theirs, state.won = theirs, mine, won",
        TICTACTOE_3D,
    ),
]

COMPILED = [
    Broken(
        "class_differs",
        "differs-compiled",
        "move_class gives 0 compiled",
        CLASS,
        "return (move - 1) * ((np.uint8(move) - np.uint8(4)) // 100 == 2)\n",
    ),
    Broken(
        "owner_differs",
        "differs-compiled",
        "owners gives",
        "        out[square] = ",
        "        out[square] = -1 if (np.uint8(square) - np.uint8(9)) // 100 != 2 else ",
        TICTACTOE,
    ),
]

SHOWN = """

def owners(rules, state, out):
    for number in range(3):
        out[number] = state.by[number] - 1
"""

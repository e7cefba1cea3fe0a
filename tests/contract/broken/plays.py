"""What shows when the functions run as plain Python."""

from tests.contract.broken import DICE, JOINT, Broken

LISTED = "moves[count] = lowest(numbers)"
WINS = "out[1 - state.turn] = 1.0"
OVER = "return free(state) == ZERO"
TURN = "return state.turn\n"
LAST = "    state.last = move\n"

FLAWS = [
    Broken("field", "raises", "no record has the field 'lsat': did you mean 'last'?", LAST, "    state.lsat = move\n"),
    Broken("mixed", "raises", "make both sides np.uint64", "return NUMBERS &", "return np.int64(14) &"),
    Broken("wide", "raises", "use a wider type for the field", LAST, LAST + "    state.taken = -1\n"),
    Broken("too_many", "too-many-moves", "it writes more than the 2 that MAX_MOVES", "MAX_MOVES = 3", "MAX_MOVES = 2"),
    Broken(
        "other_array",
        "raises",
        "index 3 is out of bounds",
        "    count = 0\n",
        "    count = 0\n    np.zeros(3)[state.beans // 4] = 1\n",
    ),
    Broken(
        "miscounted", "too-many-moves", "legal lists 5 moves, more than the 3", "return count\n", "return 2 + count\n"
    ),
    Broken("unwritten", "moves-unwritten", "but wrote nothing to moves[2]", "return count\n", "return 3\n"),
    Broken("nothing", "not-whole", "legal returned None; it must return an integer", "    return count\n", ""),
    Broken(
        "twice", "duplicate-moves", "legal lists the move 2 twice", LISTED, "moves[count] = max(2, lowest(numbers))"
    ),
    Broken("negative", "move-code", "the move -1; moves must be integers from 0", LISTED, "moves[count] = -1"),
    Broken("huge", "move-code", "legal lists the move 2147483648", LISTED, "moves[count] = lowest(numbers) << 31"),
    Broken("no_moves", "no-moves", "legal lists no moves, but over returned False", OVER, "return False"),
    Broken("no_over", "over", "over returned None; it must return True or False", OVER, "return None"),
    Broken("third", "mover", "mover returned 2; it must return a player, 0 to 1", TURN, "return 1 + state.turn\n"),
    Broken(
        "no_chance",
        "mover",
        "mover returned CHANCE (-1), but the game has no chance_outcomes",
        TURN,
        "return -state.turn\n",
    ),
    Broken("no_joint", "mover", "but the game has no legal_of and play_joint", TURN, "return -2 * state.turn\n"),
    Broken("score", "scores", "gives player 1 100; scores must lie in [0, 1]", WINS, "out[1 - state.turn] = 100.0"),
    Broken("no_score", "scores-unwritten", "did not write the score of player", WINS, ""),
    Broken("third_score", "scores", "more than the 2 that PLAYERS declares", WINS, WINS + "\n    out[2] = 0.0"),
    Broken(
        "legal_plays", "changes-state", "legal changed the state", "    count = 0", "    count = 0\n    state.taken = 9"
    ),
    Broken("new_rules", "changes-rules", "play changed the rules", LAST, LAST + "    rules.beans += 1\n"),
    Broken(
        "memory",
        "not-repeatable",
        "play(",
        "    state.taken += move\n",
        "    SEEN.append(move)\n    state.taken = len(SEEN)\n\n\nSEEN = []\n\n\ndef rest(state, move):\n",
    ),
    Broken(
        "random_start",
        "not-repeatable",
        "start makes beans",
        "    state.beans = rules.beans\n",
        "    STARTED.append(0)\n    state.beans = rules.beans - len(STARTED)\n\n\nSTARTED = []\n",
    ),
    Broken(
        "stuck",
        "stuck",
        "legal has not returned after 0.5 s: a loop in line",
        "        numbers = without_lowest(numbers)\n        count += 1",
        "        count += 0",
    ),
    Broken(
        "endless", "endless", "had not ended after 300 plies", "    state.beans -= move\n", "    state.beans -= 0\n"
    ),
    Broken(
        "no_win",
        "winning_move",
        "the first move that wins at once is",
        "            return taken\n",
        "            break\n",
    ),
    Broken("sample", "sample-illegal", "which legal does not list", "return nth(", "return 7 + nth("),
    Broken(
        "half_playout",
        "playout-unfinished",
        "playout ended in a position that is not over",
        "    while not over(rules, state):\n",
        "    while plies < 1:\n",
    ),
    Broken("no_plies", "playout-plies", "it must return the number of moves played", "return plies\n", "return 0\n"),
    Broken("exits", "raises", "play raised SystemExit in line", LAST, "    raise SystemExit\n"),
    Broken(
        "divides",
        "raises",
        "play raised FloatingPointError in line",
        LAST,
        LAST + "    state.last += 0 // state.beans\n",
    ),
    Broken("same_key", "key", "for positions that differ in their moves", "state.beans * 8", "(state.beans & 1) * 8"),
    Broken("key", "not-whole", "key returned", "return np.uint64(state.beans", "return 0.5 * (state.beans"),
    Broken("quality", "quality", "it must return a number", "return (state.beans + 0.5) / 4.0", "return float('nan')"),
    Broken("sum", "probabilities", "sum to 0.9; they must sum to 1", "[0.4, 0.6, 0.0]", "[0.4, 0.5, 0.0]", DICE),
    Broken("minus", "probabilities", "it must lie in [0, 1]", "[0.4, 0.6, 0.0]", "[1.4, -0.4, 0.0]", DICE),
    Broken(
        "outcomes",
        "too-many-moves",
        "more than the 2 that MAX_CHANCE_OUTCOMES",
        "MAX_CHANCE_OUTCOMES = 3",
        "MAX_CHANCE_OUTCOMES = 2",
        DICE,
    ),
    Broken("alone", "mover", "returned player 0, but the game has no legal", "return SIMULTANEOUS", "return 0", JOINT),
    Broken(
        "heuristic_of", "heuristic_of-illegal", "which legal_of does not list", "max(0, below", "max(-1, below", JOINT
    ),
    Broken(
        "joint", "duplicate-moves", "legal_of lists the move 0 twice", "moves[move] = move", "moves[move] = 0", JOINT
    ),
]

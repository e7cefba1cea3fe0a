"""Oshi-Zumo, the pushing sumo: both players bid coins simultaneously; the higher bid pushes the wrestler one step.

The wrestler starts in the middle of a field of 2 ``size`` + 1 cells; the first player's side is on the left. Both
players start with ``coins`` coins. A bid is at least ``min_bid``, or all remaining coins if they are fewer. Both bids
are spent. The higher one pushes the wrestler one cell towards the opponent's side; on equal bids he stays. A player
loses if the wrestler is pushed off the field on its side. When both are out of coins, or after ``horizon`` bids, the
player on whose side he is loses, and the middle is a draw; with ``alesia=true`` (the game Alesia) it is always a draw.
Rules and defaults are those of OpenSpiel's ``oshi_zumo``; M. Buro, "Solving the Oshi-Zumo Game" (2003), computes its
equilibria. Playouts are uniform.

Moves are bids. Position text: both players' coins, the field from wall to wall, the bids so far: ``42 14 #..W....# 1``.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.games.boards.texts import is_number
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2
MAX_COINS = 1000
MAX_SIZE = 100

Rules = np.dtype(
    [
        ("coins", np.int64),
        ("half", np.int64),
        ("horizon", np.int64),
        ("min_bid", np.int64),
        ("alesia", np.int64),
    ]
)
State = np.dtype(
    [("coins", np.int64, (2,)), ("wrestler", np.int64), ("bids", np.int64)]
)  # wrestler: 0 is the first player's wall


def configure(rules, coins=50, size=3, horizon=1000, min_bid=0, alesia=False):
    if not 1 <= coins <= MAX_COINS:
        raise RamifyError(f"invalid coins={coins} for oshi_zumo: use 1 to {MAX_COINS}")
    if not 1 <= size <= MAX_SIZE:
        raise RamifyError(f"invalid size={size} for oshi_zumo: use 1 to {MAX_SIZE}")
    if not 0 <= min_bid <= coins:
        raise RamifyError(f"invalid min_bid={min_bid} for oshi_zumo(coins={coins}): use 0 to {coins}")
    if not 1 <= horizon <= 10**6:
        raise RamifyError(f"invalid horizon={horizon} for oshi_zumo: use 1 to {10**6}")
    rules.coins, rules.half, rules.horizon, rules.min_bid, rules.alesia = coins, size, horizon, min_bid, alesia


def max_moves(rules):
    return int(rules.coins + 1)


def move_classes(rules):
    return int(rules.coins + 1)


def start(rules, state):
    state.coins[0] = state.coins[1] = rules.coins
    state.wrestler = rules.half + 1
    state.bids = 0


def mover(rules, state):
    return SIMULTANEOUS


def pushed_off(rules, state):
    return state.wrestler == 0 or state.wrestler == 2 * rules.half + 2


def over(rules, state):
    return state.bids >= rules.horizon or pushed_off(rules, state) or state.coins[0] + state.coins[1] == 0


def legal_of(rules, state, player, moves):
    lowest = min(rules.min_bid, state.coins[player])
    count = 0
    for bid in range(lowest, state.coins[player] + 1):
        moves[count] = bid
        count += 1
    return count


def play_joint(rules, state, moves):
    state.wrestler += (moves[0] > moves[1]) - np.int64(moves[0] < moves[1])
    for player in range(2):
        state.coins[player] -= moves[player]
    state.bids += 1


def scores(rules, state, out):
    lead = state.wrestler - (rules.half + 1)
    by_lead(0 if rules.alesia and not pushed_off(rules, state) else lead, out)


def move_name(rules, state, move):
    return str(move)


def field(rules, state):
    cells = ["#", *"." * int(2 * rules.half + 1), "#"]
    cells[int(state.wrestler)] = "W"
    return "".join(cells)


def write(rules, state):
    return f"{state.coins[0]} {state.coins[1]} {field(rules, state)} {state.bids}"


def read(rules, state, text):
    words = text.split()
    cells = words[2] if len(words) == 4 else ""
    numbers = [*words[:2], *words[3:]]
    if cells.count("W") != 1 or not all(is_number(word) for word in numbers):
        raise RamifyError("expected both players' coins, the field and the number of bids, e.g. 42 14 #..W....# 1")
    place = cells.index("W")
    if len(cells) != 2 * rules.half + 3 or cells != "".join(
        "W" if k == place else "#" if k in (0, 2 * rules.half + 2) else "." for k in range(len(cells))
    ):
        raise RamifyError(
            f"invalid field '{cells}': expected # at both ends, {2 * rules.half + 1} cells (.), and one W"
        )
    first, second, bids = (int(word) for word in numbers)
    if max(first, second) > rules.coins or bids > rules.horizon:
        raise RamifyError(f"expected at most {rules.coins} coins each and {rules.horizon} bids")
    if abs(place - int(rules.half) - 1) > bids or (not bids and first + second < 2 * rules.coins):
        raise RamifyError(f"this position cannot be reached in {bids} bids")
    state.coins[:] = first, second
    state.wrestler, state.bids = place, bids


def draw(rules, state):
    return f"{field(rules, state)}\ncoins: {state.coins[0]} and {state.coins[1]}, bids so far: {state.bids}"

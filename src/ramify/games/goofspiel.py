"""Goofspiel, the game of pure strategy: all players simultaneously bid a card for the open prize card.

Each of ``players`` players holds the cards 1 to ``cards``, and so does the pile of prizes. In each turn a prize is
turned up and all players bid a card from their hands. The highest bid takes the prize; on a tie it is discarded. Bids
are revealed and used up. The most points win. Rules and options are those of OpenSpiel's ``goofspiel`` with
``imp_info=false``:

* ``order``: order of the prizes, ``random`` (drawn by chance), ``descending`` or ``ascending``;
* ``returns``: ``win_loss`` (n winners share 1, m losers share -1, all get 0 if all are equal), ``point_difference``
  (points minus the mean) or ``total_points``, each scaled to [0, 1] by its possible range;
* ``turns``: number of turns, 0 for one per card. When one card is left in every hand, it is played automatically.

By symmetry the two-player game is worth 1/2 to both. S. Ross, "Goofspiel: the game of pure strategy" (1971), gives the
best strategy against a uniformly random opponent. Playouts are uniform.

Moves and chance outcomes are cards. Position text: the hands, the prizes still to come, the open prize (``?`` before
chance has turned it up, ``none`` at the end) and the points: ``1-2-4/1-3-4 1-3 2 4/0``.
"""

import numpy as np

from ramify.core.numbers.bits import ONE, ZERO, lowest
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.games.boards.cell_words import list_members
from ramify.games.boards.texts import is_number

MAX_PLAYERS = 10  # as in OpenSpiel
MAX_CARDS = 30
ORDERS = ("random", "descending", "ascending")
RETURNS = ("win_loss", "point_difference", "total_points")
MAX_SPLITS = 100_000  # divisions of the prizes tried by `read`
RANDOM, DESCENDING = 0, 1
WIN_LOSS, POINT_DIFFERENCE = 0, 1

# Card k is bit k - 1 of a hand, and move k - 1.
Rules = np.dtype(
    [
        ("cards", np.int64),
        ("players", np.int64),
        ("turns", np.int64),
        ("order", np.int64),
        ("returns", np.int64),
        ("deck", np.uint64),
    ]
)
State = np.dtype(
    [
        ("hands", np.uint64, (MAX_PLAYERS,)),
        ("points", np.int64, (MAX_PLAYERS,)),
        ("prizes", np.uint64),  # still to come
        ("prize", np.int64),  # the open prize; 0: none
        ("turn", np.int64),
    ]
)


def configure(rules, cards=13, order="random", returns="win_loss", players=2, turns=0):
    if not 1 <= cards <= MAX_CARDS:
        raise RamifyError(f"invalid cards={cards} for goofspiel: use 1 to {MAX_CARDS}")
    if not 2 <= players <= MAX_PLAYERS:
        raise RamifyError(f"invalid players={players} for goofspiel: use 2 to {MAX_PLAYERS}")
    if not 0 <= turns <= cards:
        raise RamifyError(f"invalid turns={turns} for goofspiel(cards={cards}): use 1 to {cards}, or 0 for {cards}")
    for parameter, word, known in (("order", order, ORDERS), ("returns", returns, RETURNS)):
        if word not in known:
            raise RamifyError(f"invalid {parameter}='{word}' for goofspiel: use {', '.join(known)}")
    rules.cards, rules.players, rules.turns = cards, players, turns or cards
    rules.order, rules.returns = ORDERS.index(order), RETURNS.index(returns)
    rules.deck = (1 << cards) - 1


def players(rules):
    return int(rules.players)


def max_moves(rules):
    return int(rules.cards)


def max_chance_outcomes(rules):
    return int(rules.cards)


def move_classes(rules):
    return int(rules.cards)


def start(rules, state):
    for player in range(rules.players):
        state.hands[player] = rules.deck
        state.points[player] = 0
    state.prizes = rules.deck
    state.prize = 0
    state.turn = 0
    turn_up(rules, state)


def turn_up(rules, state):
    """Open the next prize unless chance draws it."""
    if rules.order != RANDOM:
        done = state.turn
        open_prize(state, rules.cards - 1 - done if rules.order == DESCENDING else done)


def open_prize(state, card):
    state.prizes &= ~(ONE << np.uint64(card))
    state.prize = card + 1


def mover(rules, state):
    return SIMULTANEOUS if state.prize else CHANCE


def over(rules, state):
    return state.turn >= rules.turns


def chance_outcomes(rules, state, moves, probabilities):
    count = list_members(state.prizes, moves)
    for k in range(count):
        probabilities[k] = 1.0 / count
    return count


def legal_of(rules, state, player, moves):
    return list_members(state.hands[player], moves)


def play(rules, state, move):
    open_prize(state, move)


def play_joint(rules, state, moves):
    best = np.int64(-1)
    winner = 0
    ties = 0
    for player in range(rules.players):
        bid = moves[player]
        state.hands[player] &= ~(ONE << np.uint64(bid))
        if bid > best:
            best, winner, ties = bid, player, 0
        elif bid == best:
            ties += 1
    settle(state, winner, ties)
    if state.turn < rules.turns:
        if state.turn == rules.cards - 1:
            play_last(rules, state)
        else:
            turn_up(rules, state)


def settle(state, winner, ties):
    """Award the prize, or discard it on a tie, and end the turn."""
    if ties == 0:
        state.points[winner] += state.prize
    state.prize = 0
    state.turn += 1


def play_last(rules, state):
    """Play the last card of every hand for the last prize."""
    open_prize(state, lowest(state.prizes))
    best = ZERO
    winner = 0
    ties = 0
    for player in range(rules.players):
        if state.hands[player] > best:
            best, winner, ties = state.hands[player], player, 0
        elif state.hands[player] == best:
            ties += 1
        state.hands[player] = ZERO
    settle(state, winner, ties)


def scores(rules, state, out):
    best = 0
    total = 0
    winners = 0
    for player in range(rules.players):
        points = state.points[player]
        total += points
        if points > best or player == 0:
            best, winners = points, 0
        winners += points == best
    prizes = rules.cards * (rules.cards + 1) / 2
    for player in range(rules.players):
        points = state.points[player]
        if rules.returns == POINT_DIFFERENCE:
            out[player] = (points + (prizes - total) / rules.players) / prizes
        elif rules.returns != WIN_LOSS:
            out[player] = points / prizes
        elif winners == rules.players:
            out[player] = 0.5
        elif points == best:
            out[player] = 0.5 + 0.5 / winners
        else:
            out[player] = 0.5 - 0.5 / (rules.players - winners)


def margin(rules, state):
    return float(state.points[0] - state.points[1])


def margins(rules):
    prizes = rules.cards * (rules.cards + 1) // 2
    return -float(prizes), float(prizes)


def move_name(rules, state, move):
    return str(move + 1)


def card_text(cards):
    return "-".join(str(k + 1) for k in range(MAX_CARDS) if int(cards) >> k & 1) or "none"


def write(rules, state):
    hands = "/".join(card_text(state.hands[player]) for player in range(rules.players))
    prize = state.prize or ("none" if state.turn >= rules.turns else "?")
    points = "/".join(str(state.points[player]) for player in range(rules.players))
    return f"{hands} {card_text(state.prizes)} {prize} {points}"


def read(rules, state, text):
    words = text.split()
    if len(words) != 4:
        raise RamifyError("expected hands, prizes to come, open prize and points, e.g. 1-2/2-3 1-2 3 0/0")
    cards, count = int(rules.cards), int(rules.players)
    hands = [read_cards(word, cards) for word in words[0].split("/")]
    prizes = read_cards(words[1], cards)
    points = words[3].split("/")
    if len(hands) != count or len(points) != count or not all(is_number(word) for word in points):
        raise RamifyError(f"expected hands and points of {count} players, separated by /")
    turn = cards - len(hands[0])
    if any(cards - len(hand) != turn for hand in hands) or turn > rules.turns:
        raise RamifyError(f"expected hands of equal size, at least {cards - int(rules.turns)} cards each")
    ended = turn == rules.turns
    if 0 < turn == cards - 1 and not ended:
        raise RamifyError("the last card is played automatically, so hands of one card are impossible")
    shown = {str(k): k for k in range(1, cards + 1)}.get(words[2], 0)
    expected = "none" if ended else "?" if rules.order == RANDOM and not shown else "a card that is not to come"
    if (words[2] != expected if expected in ("none", "?") else not shown) or shown in prizes:
        raise RamifyError(f"invalid open prize '{words[2]}': expected {expected}")
    if len(prizes) != cards - turn - (shown > 0):
        raise RamifyError(f"expected {cards - turn - (shown > 0)} prizes to come after {turn} turns, not {len(prizes)}")
    come = list(range(1, cards + 1)) if rules.order != DESCENDING else list(range(cards, 0, -1))
    if rules.order != RANDOM and sorted(come[turn + (shown > 0) :]) != sorted(prizes):
        raise RamifyError(f"prizes come in {ORDERS[int(rules.order)]} order, which {words[1]} contradicts")
    given = sum(set(range(1, cards + 1)) - set(prizes) - {shown})
    if not divisible(sorted(set(range(1, cards + 1)) - set(prizes) - {shown}), [int(word) for word in points]):
        raise RamifyError(f"the prizes so far ({given} points) cannot add up to {words[3]}")
    state.turn, state.prize = turn, shown
    state.prizes = sum(1 << card - 1 for card in prizes)
    for player in range(count):
        state.hands[player] = sum(1 << card - 1 for card in hands[player])
        state.points[player] = int(points[player])


def divisible(prizes, points):
    """Whether some or all of the prizes can be divided into these points.

    After MAX_SPLITS divisions only the sum is checked.
    """
    found = {tuple(points)}
    for prize in reversed(prizes):
        found |= {
            (*left[:k], left[k] - prize, *left[k + 1 :]) for left in found for k in range(len(left)) if left[k] >= prize
        }
        if len(found) > MAX_SPLITS:
            break
    return tuple([0] * len(points)) in found or (len(found) > MAX_SPLITS and sum(points) <= sum(prizes))


def read_cards(word, highest):
    """Parse the text of ``card_text``."""
    known = {str(k): k for k in range(1, highest + 1)}
    cards = [known.get(part, 0) for part in word.split("-")] if word != "none" else []
    if 0 in cards or sorted(set(cards)) != cards:
        raise RamifyError(
            f"invalid cards '{word}': expected ascending numbers from 1 to {highest}, e.g. 1-2-4, or none"
        )
    return cards


def draw(rules, state):
    lines = [
        f"player {player + 1}: {state.points[player]:3} points, cards {card_text(state.hands[player])}"
        for player in range(rules.players)
    ]
    shown = state.prize or "none yet" if state.turn < rules.turns else "none"
    return "\n".join([*lines, f"prize: {shown}; to come: {card_text(state.prizes)}"])

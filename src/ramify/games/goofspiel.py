"""Goofspiel, or the game of pure strategy: everybody bids a card at once for the prize card that lies open.

Everybody has the cards 1 to ``cards``, and so has the pile of prizes. In each turn a prize is turned up, everybody bids
a card of the own hand, and whoever bid most takes the prize; if several did, nobody does. Bids are seen when they are
made, and gone. Most points win. Rules and options as in OpenSpiel's ``goofspiel`` with ``imp_info=false``:

* ``order``: prizes come by chance (``random``), or ``descending`` or ``ascending``;
* ``returns``: ``win_loss``, where n winners of a game share 1 and m losers -1, all of them 0 if they are equal;
  ``point_difference``, the points less their mean; ``total_points``. Brought to [0, 1], by what is possible;
* ``turns``: so many; 0 for as many as there are cards. Where one card is left in every hand, it is played at once.

By symmetry two players' game is worth 1/2 to both. S. Ross, "Goofspiel: the game of pure strategy" (1971), shows what
to do against a rival who plays at random.

Moves are cards, and so are outcomes of chance. Position text: the hands, the prizes that have not come yet, the open
one (``?`` before chance has turned it up, ``none`` at the end) and the points: ``1-2-4/1-3-4 1-3 2 4/0``.
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
MAX_SPLITS = 100_000  # of prizes, tried when a text is read
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
        ("prizes", np.uint64),  # that have not come yet
        ("prize", np.int64),  # the open one; 0: none
        ("turn", np.int64),
    ]
)


def configure(rules, cards=13, order="random", returns="win_loss", players=2, turns=0):
    if not 1 <= cards <= MAX_CARDS:
        raise RamifyError(f"goofspiel needs 1 to {MAX_CARDS} cards, not {cards}")
    if not 2 <= players <= MAX_PLAYERS:
        raise RamifyError(f"goofspiel needs 2 to {MAX_PLAYERS} players, not {players}")
    if not 0 <= turns <= cards:
        raise RamifyError(f"goofspiel with {cards} cards has 1 to {cards} turns, or 0 for {cards}, not {turns}")
    for word, known in ((order, ORDERS), (returns, RETURNS)):
        if word not in known:
            raise RamifyError(f"'{word}' is none of {', '.join(known)}, which goofspiel knows")
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
    """Open the next prize, unless chance does."""
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
    """Give the prize away."""
    if ties == 0:
        state.points[winner] += state.prize
    state.prize = 0
    state.turn += 1


def play_last(rules, state):
    """The last prize and everybody's last card."""
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
        raise RamifyError("give the hands, the prizes to come, the open prize and the points, like 1-2/2-3 1-2 3 0/0")
    cards, count = int(rules.cards), int(rules.players)
    hands = [read_cards(word, cards) for word in words[0].split("/")]
    prizes = read_cards(words[1], cards)
    points = words[3].split("/")
    if len(hands) != count or len(points) != count or not all(is_number(word) for word in points):
        raise RamifyError(f"give hands and points of {count} players, each separated by /")
    turn = cards - len(hands[0])
    if any(cards - len(hand) != turn for hand in hands) or turn > rules.turns:
        raise RamifyError(
            "everybody has bid as many cards, so all hands are as large, after no more turns than there are"
        )
    ended = turn == rules.turns
    if 0 < turn == cards - 1 and not ended:
        raise RamifyError("the last card is played at once, so hands of one card cannot be")
    shown = {str(k): k for k in range(1, cards + 1)}.get(words[2], 0)
    wanted = "none" if ended else "?" if rules.order == RANDOM and not shown else "an open prize"
    if (words[2] != wanted if wanted != "an open prize" else not shown) or shown in prizes:
        raise RamifyError(f"the open prize is {wanted} here, and not among those to come; not '{words[2]}'")
    if len(prizes) != cards - turn - (shown > 0):
        raise RamifyError(f"after {turn} turns {cards - turn - (shown > 0)} prizes are to come, not {len(prizes)}")
    come = list(range(1, cards + 1)) if rules.order != DESCENDING else list(range(cards, 0, -1))
    if rules.order != RANDOM and sorted(come[turn + (shown > 0) :]) != sorted(prizes):
        raise RamifyError(f"prizes come in {ORDERS[int(rules.order)]} order, so those to come cannot be {words[1]}")
    given = sum(set(range(1, cards + 1)) - set(prizes) - {shown})
    if not divisible(sorted(set(range(1, cards + 1)) - set(prizes) - {shown}), [int(word) for word in points]):
        raise RamifyError(f"prizes of {given} points have been played for, which do not give {words[3]}")
    state.turn, state.prize = turn, shown
    state.prizes = sum(1 << card - 1 for card in prizes)
    for player in range(count):
        state.hands[player] = sum(1 << card - 1 for card in hands[player])
        state.points[player] = int(points[player])


def divisible(prizes, points):
    """Whether some of the prizes, or all, can be given away so that everybody has so many points."""
    found = {tuple(points)}
    for prize in reversed(prizes):
        found |= {
            (*left[:k], left[k] - prize, *left[k + 1 :]) for left in found for k in range(len(left)) if left[k] >= prize
        }
        if len(found) > MAX_SPLITS:
            break
    return tuple([0] * len(points)) in found or (len(found) > MAX_SPLITS and sum(points) <= sum(prizes))


def read_cards(word, most):
    """The way back from ``card_text``."""
    known = {str(k): k for k in range(1, most + 1)}
    cards = [known.get(part, 0) for part in word.split("-")] if word != "none" else []
    if 0 in cards or sorted(set(cards)) != cards:
        raise RamifyError(f"cards are numbers from 1 to {most} in order, like 1-2-4, or none; not '{word}'")
    return cards


def draw(rules, state):
    lines = [
        f"player {player + 1}: {state.points[player]:3} points, cards {card_text(state.hands[player])}"
        for player in range(rules.players)
    ]
    shown = state.prize or "none yet" if state.turn < rules.turns else "none"
    return "\n".join([*lines, f"prize: {shown}; to come: {card_text(state.prizes)}"])

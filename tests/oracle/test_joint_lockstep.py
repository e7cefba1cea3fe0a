"""Our games of simultaneous moves beside OpenSpiel's: random games move by move, and numbers of sequences."""

from itertools import product
from random import Random

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from tests.oracle.counting import perft as naive_perft

SIMULTANEOUS, CHANCE = ramify.SIMULTANEOUS, ramify.CHANCE


def cards(name):
    """``[P0]Bid: 3`` and ``Deal 3``."""
    return name.split()[-1]


def words(name):
    """``Rock``."""
    return name.lower()


# Ours, theirs, our name for theirs of a move, games, depth of counting.
PAIRS = [
    ("goofspiel", "goofspiel", cards, 8, 3),
    ("goofspiel(cards=4)", "goofspiel(num_cards=4)", cards, 30, 6),
    ('goofspiel(cards=5, order="descending")', "goofspiel(num_cards=5,points_order=descending)", cards, 30, 3),
    ('goofspiel(cards=5, order="ascending")', "goofspiel(num_cards=5,points_order=ascending)", cards, 30, 3),
    ("goofspiel(cards=6, turns=4)", "goofspiel(num_cards=6,num_turns=4)", cards, 20, 3),
    ("goofspiel(cards=5, players=3)", "goofspiel(num_cards=5,players=3)", cards, 20, 3),
    (
        'goofspiel(cards=4, returns="point_difference")',
        "goofspiel(num_cards=4,returns_type=point_difference)",
        cards,
        20,
        2,
    ),
    ('goofspiel(cards=5, returns="total_points")', "goofspiel(num_cards=5,returns_type=total_points)", cards, 20, 2),
    ("oshi_zumo", "oshi_zumo", cards, 15, 1),
    ("oshi_zumo(coins=6, size=1)", "oshi_zumo(coins=6,size=1)", cards, 40, 4),
    ("oshi_zumo(coins=9, min_bid=2, size=2)", "oshi_zumo(coins=9,min_bid=2,size=2)", cards, 40, 4),
    ("oshi_zumo(coins=8, size=1, alesia=true)", "oshi_zumo(coins=8,size=1,alesia=true)", cards, 40, 2),
    ("oshi_zumo(coins=30, horizon=2)", "oshi_zumo(coins=30,horizon=2)", cards, 20, 2),
    ("rock_paper_scissors", "matrix_rps", words, 20, 2),
    ("rock_paper_scissors(rock=50, paper=25, scissors=5)", "matrix_brps", words, 20, 2),
    ("matching_pennies", "matrix_mp", words, 20, 2),
]
IDS = [pair[0] for pair in PAIRS]


def names_of(state, player, translate):
    """Our names of a player's legal actions in a ``pyspiel.State``, and the actions."""
    return {translate(state.action_to_string(player, action)): action for action in state.legal_actions(player)}


@pytest.mark.parametrize(("ours", "theirs", "translate", "games", "depth"), PAIRS, ids=IDS)
def test_random_games(ours, theirs, translate, games, depth):
    del depth
    game, other_game = ramify.load(ours), pyspiel.load_game(theirs)
    low, high = other_game.min_utility(), other_game.max_utility()
    choose = Random(ours)
    endings = set()
    for _ in range(games):
        state, other = game.initial(), other_game.new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()  # theirs are our numbers
            if state.to_move == CHANCE:
                named = names_of(other, CHANCE, translate)
                chances = dict(other.chance_outcomes())
                assert {move.name: p for move, p in state.chance_outcomes()} == pytest.approx(
                    {name: chances[action] for name, action in named.items()}
                )
                name = choose.choice(sorted(named))
                other.apply_action(named[name])
                state = state.play(name)
            else:
                named = [names_of(other, player, translate) for player in range(game.players)]
                assert [{move.name for move in state.moves(player)} for player in range(game.players)] == [
                    set(own) for own in named
                ]
                chosen = [choose.choice(sorted(own)) for own in named]
                other.apply_actions([own[name] for own, name in zip(named, chosen, strict=True)])
                state = state.play(chosen)
        assert state.over
        assert state.scores() == pytest.approx([(value - low) / (high - low) for value in other.returns()])
        endings.add(tuple(state.scores()))
    assert len(endings) > 1


def spiel_perft(state, depth):
    """Sequences of 1, 2, ... ``depth`` plies of a ``pyspiel.State``; one move of each player is a ply."""
    counts = [0] * depth

    def walk(here, ply):
        if here.is_terminal():
            return
        joint = here.current_player() == SIMULTANEOUS
        lists = [here.legal_actions(player) for player in range(here.num_players())] if joint else []
        for actions in product(*lists) if joint else here.legal_actions():
            counts[ply] += 1
            if ply + 1 < depth:
                after = here.clone()
                after.apply_actions(list(actions)) if joint else after.apply_action(actions)
                walk(after, ply + 1)

    walk(state, 0)
    return counts


@pytest.mark.parametrize(("ours", "theirs", "translate", "games", "depth"), PAIRS, ids=IDS)
def test_numbers_of_sequences(ours, theirs, translate, games, depth):
    del translate, games
    counts = spiel_perft(pyspiel.load_game(theirs).new_initial_state(), depth)
    assert perft(ramify.load(ours).initial(), depth) == counts
    assert naive_perft(ramify.load(ours).initial(), depth) == counts
    if depth < 4:
        assert perft(ramify.load(f"openspiel:{theirs}").initial(), depth) == counts

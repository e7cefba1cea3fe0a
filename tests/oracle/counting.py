"""Perft in plain Python: how many sequences of moves there are, depth by depth."""

from itertools import product

from ramify import CHANCE, SIMULTANEOUS


def outcome_codes(game, data):
    """The outcomes of chance."""
    return [code for code, _ in game.chance_outcomes(data)]


def perft(state, depth):
    """Sequences of 1, 2, ... ``depth`` plies from a ``ramify.State``; outcomes of chance are plies.

    Where everybody moves at once, one move of each player is a ply.

    Equal positions are counted together, each with the number of ways that lead to it.
    """
    game = state.game
    level = {game.key(state.data): (state.data, 1)}
    counts = []
    for ply in range(1, depth + 1):
        counts.append(0)
        after = {}
        for data, ways in level.values():
            if game.over(data):
                continue
            mover = game.mover(data)
            joint = mover == SIMULTANEOUS
            lists = [game.legal_of(data, player) for player in range(game.players)] if joint else []
            codes = (
                list(product(*lists)) if joint else game.legal(data) if mover != CHANCE else outcome_codes(game, data)
            )
            counts[-1] += ways * len(codes)
            for code in codes if ply < depth else ():
                child = game.play_joint(data, code) if joint else game.play(data, code)
                key = game.key(child)
                after[key] = (child, after[key][1] + ways if key in after else ways)
        level = after
    return counts


def spiel_perft(state, depth):
    """The same of a ``pyspiel.State``, sequence by sequence."""
    counts = [0] * depth

    def walk(here, ply):
        actions = [] if here.is_terminal() else here.legal_actions()
        counts[ply] += len(actions)
        if ply + 1 < depth:
            for action in actions:
                walk(here.child(action), ply + 1)

    walk(state, 0)
    return counts

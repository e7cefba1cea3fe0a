"""Policies that ask for move classes, for test_move_classes."""

from math import sqrt


def low(lnN, n, m, move_class, c=0.7):
    """A formula of the class."""
    return m + c * sqrt(lnN / n) - 0.001 * move_class


def by_hand(lnN, n, m, move_class, seen_by_class, c=0.7):
    """An index that looks its class up."""
    return m + c * sqrt(lnN / n) / (1.0 + seen_by_class[move_class])


def by_hand_update(k, move_classes, seen_by_class):
    seen_by_class[move_classes[k]] += 1.0


def constant(n, m, seen_by_class, c=0.7):
    """A formula that reads one entry of a table."""
    return m + c / (n + seen_by_class[1])


def constant_after(k, move_classes, seen_by_class):
    seen_by_class[move_classes[k]] += 1.0


def rarest(K, move_classes, seen_by_class, rng):
    """A choice: the move whose class was chosen least, the first of equals."""
    best = 0
    for k in range(K):
        if seen_by_class[move_classes[k]] < seen_by_class[move_classes[best]]:
            best = k
    return best


def rarest_update(k, move_classes, seen_by_class):
    seen_by_class[move_classes[k]] += 1.0


def told(n, m, length_by_class):
    """It writes down what it is told of the simulation."""
    return m + 1.0 / n


def told_after(moves_made, length_by_class):
    for k in range(len(moves_made)):
        length_by_class[moves_made[k]] += k + 1.0

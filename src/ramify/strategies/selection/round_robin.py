"""Every arm equally often."""


def round_robin(n, fpu):
    """``-n``: the arm pulled least; Bubeck, Munos and Stoltz 2011 call it uniform allocation.

    It asks for first-play urgency so as to be asked for arms never visited, too: those come first whatever it is.
    """
    return -n

"""Every arm equally often."""


def round_robin(n, fpu):
    """``-n``: the least visited arm; Bubeck, Munos and Stoltz 2011 call it uniform allocation.

    The parameter ``fpu`` makes the index apply to arms never visited, so they come first whatever the agent's fpu is.
    """
    return -n

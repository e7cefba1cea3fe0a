"""Which searches the signature runs: families of cases.

Whatever is found by scanning (games, policies, rewards, playouts, ...) has cases of its own, so a new one adds numbers
and changes none.
"""

"""The cases of the signature, grouped in families.

Everything found by scanning (games, policies, rewards, playouts, ...) has its own cases, so a new item adds numbers and
changes none.
"""

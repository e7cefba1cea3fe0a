"""RAVE and UCT at real games, beyond the thesis: constants that ``rave-tuning`` and a search like it chose."""

UCT_C = 0.4
RAVE = "mcts(select=rave(final=1024, c=0.1))"

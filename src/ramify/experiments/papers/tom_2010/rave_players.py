"""RAVE and UCT in real games, beyond the thesis; constants chosen by ``rave-tuning`` and a similar search."""

UCT_C = 0.4
RAVE = "mcts(select=rave(final=1024, c=0.1))"

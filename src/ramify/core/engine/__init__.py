"""The tree and the loops that grow it: select, expand, simulate, backpropagate."""

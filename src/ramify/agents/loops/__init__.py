"""The loops of ``core.engine`` as a worker runs them, each with the tree it grows."""

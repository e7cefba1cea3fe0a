"""Games of agents against each other: who plays, from where, and how it stands."""

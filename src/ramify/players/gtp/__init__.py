"""Go Text Protocol, version 2 (G. Farnebäck 2002): GTP engines as players, and agents behind GTP."""

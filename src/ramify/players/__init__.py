"""Players in a game: agents, engines and scripts; and agents served over GTP, GGP and OpenSpiel."""

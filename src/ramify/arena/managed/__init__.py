"""Matches between GGP players over HTTP, as a game manager runs them."""

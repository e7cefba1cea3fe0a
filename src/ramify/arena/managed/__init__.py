"""Matches between players over HTTP, as a game manager holds them."""

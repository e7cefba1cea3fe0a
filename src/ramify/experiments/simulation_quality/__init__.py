"""Bonuses for the quality of simulations at six games: Pepels, Tak, Lanctot and Winands 2014."""

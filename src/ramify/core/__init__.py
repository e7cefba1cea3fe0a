"""The compiled core: independent of games and papers."""

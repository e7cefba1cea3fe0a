"""Breakthrough, on boards of one word and on larger ones."""

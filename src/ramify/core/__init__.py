"""Compiled code that knows no game and no paper."""

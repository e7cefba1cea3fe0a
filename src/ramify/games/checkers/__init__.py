"""Checkers and its bitboard."""

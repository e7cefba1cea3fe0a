"""Breakthrough, on a bitboard of up to 64 squares or an array of up to 256."""

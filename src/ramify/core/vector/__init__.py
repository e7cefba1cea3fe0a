"""SIMD: selection formulas for four arms at a time, and bit operations on eight words."""

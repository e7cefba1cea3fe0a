"""Figures that experiments share."""

"""Tron and its Voronoi territory."""

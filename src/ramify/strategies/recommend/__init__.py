"""Recommendations: which move to return when the search ends."""

"""Recommendations: choose the move to return when the search ends."""

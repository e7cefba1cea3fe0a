"""Checks of users' policies: ``check_policy``, and the precheck before a policy's first search. Also perft, survey."""

"""Whether an author's policy can be trusted: ``check_policy``, and the guard before its first search."""

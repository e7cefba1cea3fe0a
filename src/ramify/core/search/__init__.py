"""The search loop, its four steps, and their data: tree, plan, episode."""

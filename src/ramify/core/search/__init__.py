"""The search loop, the four steps it is made of, and what they share: tree, plan, episode."""

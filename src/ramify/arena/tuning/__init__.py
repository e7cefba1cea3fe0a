"""Tune an agent's parameters: Optuna proposes values, paired games evaluate them."""

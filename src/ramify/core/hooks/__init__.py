"""Hooks: kernels called when children are added (on_expand) or when a simulation ends (on_simulation)."""

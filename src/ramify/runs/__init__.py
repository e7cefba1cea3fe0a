"""Resumable runs: the store, the driver, sessions and worker pools."""

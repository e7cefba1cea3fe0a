"""Runs on the disk and the work that goes into them: the store, the driver, and pools of workers."""

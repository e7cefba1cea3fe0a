"""What stands behind the observers of ``core.engine``: one file each."""

"""Files as older versions wrote them."""

import sqlite3
from contextlib import closing


def without_digests(path):
    """Rewrite a run as it was stored before rows had digests."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (table,) = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'"
        ).fetchone()
        connection.execute(f"ALTER TABLE {table} DROP COLUMN row_digest")
        connection.execute("DELETE FROM run WHERE key != 'description'")
        connection.execute("PRAGMA user_version = 1")

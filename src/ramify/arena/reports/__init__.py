"""Reports of stored runs: pages with charts."""

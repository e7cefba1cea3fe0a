"""Worker pools: this process, processes on this machine, or a Dask cluster."""

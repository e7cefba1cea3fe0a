"""Who carries out the jobs of a run: this process, processes of this machine, or a cluster."""

"""Framework of all experiments: points, trials, claims and findings; finding, running and reporting experiments."""

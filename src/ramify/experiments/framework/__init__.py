"""What every experiment is made of: points, trials, claims, findings, and how they are run and found."""

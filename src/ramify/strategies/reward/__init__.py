"""Rewards: change the scores of a finished simulation before they are backed up."""

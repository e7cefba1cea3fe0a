"""What the experiment of the prize boxes is made of."""

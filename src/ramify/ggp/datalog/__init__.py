"""What follows from facts by clauses, worked out bottom-up."""

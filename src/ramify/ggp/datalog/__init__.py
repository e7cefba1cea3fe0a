"""Bottom-up Datalog evaluation of clauses."""
